"""The doors: when a command has arrived, what waits, and what is refused before it queues."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest

from games import clock_source
from games.arrival import BODY_LIMIT, FRAME_LIMIT, WAITING_LIMIT, Doors, StampArrival, StampBody, arrival_of, doors
from games.errors import GameError
from tests.drivers import ManualClock

PLAY = {"type": "play", "tile": "1|4", "site": None, "seq": 1, "id": "x"}


@pytest.fixture
def clock() -> Iterator[ManualClock]:
    manual = ManualClock()
    with clock_source.use_source(manual):
        yield manual


def test_four_commands_of_a_player_wait_and_a_fifth_has_not_arrived() -> None:
    """D-30: over both doors together; another player is not concerned."""
    own = Doors()
    waiting = [own.enter("m", 1) for _ in range(WAITING_LIMIT)]
    fifth = own.enter("m", 1)
    assert [arrival.refused for arrival in waiting] == [None] * WAITING_LIMIT
    assert fifth.refused is not None
    assert fifth.refused.code == "TooManyWaiting"
    assert own.enter("m", 2).refused is None
    assert own.waiting("m") == WAITING_LIMIT + 1
    own.leave(waiting[0])
    own.leave(waiting[0])  # answered once is answered
    assert own.waiting("m") == WAITING_LIMIT
    assert own.enter("m", 1).refused is None


def test_a_command_behind_another_of_its_player_is_marked() -> None:
    """D-28: it then proves no fault of the service."""
    own = Doors()
    first, second, other = own.enter("m", 1), own.enter("m", 1), own.enter("m", 2)
    assert [first.waited_behind, second.waited_behind, other.waited_behind] == [False, True, False]
    own.leave(first)
    own.leave(second)
    assert not own.enter("m", 1).waited_behind


def test_nothing_is_kept_of_matches_where_nobody_waits() -> None:
    own = Doors()
    own.leave(own.enter("m", 1))
    assert own.waiting("m") == 0
    assert own._waiting == {}


def test_a_session_counts_as_its_user_once_that_is_known() -> None:
    own = Doors()
    assert own.player_of_session("key") == ("session", "key")
    own.know_session("key", 7)
    assert own.player_of_session("key") == 7


class Ends:
    """An ASGI server's side of one connection."""

    def __init__(self) -> None:
        self.incoming: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.sent: list[dict[str, Any]] = []

    async def send(self, message: dict[str, Any]) -> None:
        self.sent.append(message)

    def text(self, text: str) -> None:
        self.incoming.put_nowait({"type": "websocket.receive", "text": text})


async def let_run() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


@pytest.mark.asyncio
async def test_a_frame_is_stamped_although_the_consumer_is_busy(clock: ManualClock) -> None:
    """D-25: what the handler before it takes is not this command's time."""
    ends, stamps, go_on = Ends(), [], asyncio.Event()

    async def consumer(scope: dict[str, Any], receive: Any, send: Any) -> None:
        scope["inbox"].public_id = "busy"
        while (message := await receive())["type"] != "websocket.disconnect":
            stamps.append((message["arrival"].arrived_ms, message["arrival"].waited_behind))
            await go_on.wait()
            doors.leave(message["arrival"])

    running = asyncio.create_task(StampArrival(consumer)({}, ends.incoming.get, ends.send))
    await let_run()
    began_ms = clock()
    ends.text(json.dumps(PLAY))
    await let_run()
    clock.move(100)
    ends.text(json.dumps(PLAY))
    await let_run()
    clock.move(500)
    go_on.set()
    ends.incoming.put_nowait({"type": "websocket.disconnect"})
    await running
    assert stamps == [(began_ms, False), (began_ms + 100, True)]
    assert doors.waiting("busy") == 0


@pytest.mark.asyncio
async def test_what_cannot_be_a_frame_is_refused_at_the_door() -> None:
    ends, refused = Ends(), []

    async def on_refused(frame: dict[str, Any] | None, error: GameError) -> None:
        refused.append(error.code)

    async def consumer(scope: dict[str, Any], receive: Any, send: Any) -> None:
        scope["inbox"].on_refused = on_refused
        while (await receive())["type"] != "websocket.disconnect":
            pytest.fail("a malformed frame came through")

    running = asyncio.create_task(StampArrival(consumer)({}, ends.incoming.get, ends.send))
    await let_run()
    texts = [
        "",
        "{",
        "[]",
        "1",
        '"play"',
        "null",
        "NaN",
        "{}",
        '{"type": 1}',
        '{"type": null}',
        "[" * 4_000,
        '{"type":"play","seq":' + "9" * 4_500 + "}",
        '{"type":"' + "x" * FRAME_LIMIT + '"}',
    ]
    for text in texts:
        ends.text(text)
    ends.incoming.put_nowait({"type": "websocket.receive", "bytes": b'{"type":"play"}', "text": None})
    ends.incoming.put_nowait({"type": "websocket.receive", "bytes": b"x"})
    ends.incoming.put_nowait({"type": "websocket.disconnect"})
    await running
    assert refused == ["MalformedCommand"] * (len(texts) + 2)


@pytest.mark.asyncio
async def test_the_fifth_frame_is_refused_while_four_wait() -> None:
    ends, refused, go_on, handled = Ends(), [], asyncio.Event(), []

    async def on_refused(frame: dict[str, Any] | None, error: GameError) -> None:
        refused.append((frame and frame["id"], error.code))

    async def consumer(scope: dict[str, Any], receive: Any, send: Any) -> None:
        scope["inbox"].public_id = "full"
        scope["inbox"].on_refused = on_refused
        await go_on.wait()
        while (message := await receive())["type"] != "websocket.disconnect":
            handled.append(message["frame"]["id"])
            doors.leave(message["arrival"])

    running = asyncio.create_task(StampArrival(consumer)({}, ends.incoming.get, ends.send))
    await let_run()
    for number in range(WAITING_LIMIT + 1):
        ends.text(json.dumps({**PLAY, "id": f"c{number}"}))
    await let_run()
    assert refused == [(f"c{WAITING_LIMIT}", "TooManyWaiting")]
    go_on.set()
    ends.incoming.put_nowait({"type": "websocket.disconnect"})
    await running
    assert handled == [f"c{number}" for number in range(WAITING_LIMIT)]


@pytest.mark.asyncio
async def test_commands_of_a_dead_socket_wait_no_longer() -> None:
    ends = Ends()

    async def consumer(scope: dict[str, Any], receive: Any, send: Any) -> None:
        scope["inbox"].public_id = "dead"
        await let_run()

    running = asyncio.create_task(StampArrival(consumer)({}, ends.incoming.get, ends.send))
    await asyncio.sleep(0)
    ends.text(json.dumps(PLAY))
    await running
    assert doors.waiting("dead") == 0


def http_scope(path: str = "/matches/m1/commands/", method: str = "POST") -> dict[str, Any]:
    return {"type": "http", "method": method, "path": path, "headers": [(b"cookie", b"sessionid=abc")]}


@pytest.mark.asyncio
async def test_a_form_has_arrived_when_its_body_is_complete(clock: ManualClock) -> None:
    """A slow upload buys no time, and what Django does before its first middleware costs none."""
    ends, scope = Ends(), http_scope()

    async def pages(scope: dict[str, Any], receive: Any, send: Any) -> None:
        while (await receive()).get("more_body"):
            pass
        clock.move(700)
        arrival = arrival_of(type("Request", (), {"scope": scope}), "m1")
        assert arrival.arrived_ms == whole_ms
        assert doors.waiting("m1") == 1

    running = asyncio.create_task(StampBody(pages)(scope, ends.incoming.get, ends.send))
    ends.incoming.put_nowait({"type": "http.request", "body": b"type=pl", "more_body": True})
    await let_run()
    whole_ms = clock.move(5_000)
    ends.incoming.put_nowait({"type": "http.request", "body": b"ay", "more_body": False})
    await running
    assert doors.waiting("m1") == 0


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("path", "method"), [("/matches/m1/", "GET"), ("/matches/m1/commands/", "GET"), ("/matches/m1/leave/", "POST")]
)
async def test_other_requests_wait_for_nothing(path: str, method: str) -> None:
    ends, scope = Ends(), http_scope(path, method)

    async def pages(scope: dict[str, Any], receive: Any, send: Any) -> None:
        await receive()
        assert "arrival" not in scope

    ends.incoming.put_nowait({"type": "http.request", "body": b""})
    await StampBody(pages)(scope, ends.incoming.get, ends.send)


@pytest.mark.asyncio
async def test_a_body_beyond_all_forms_is_not_kept() -> None:
    ends, kept = Ends(), 0

    async def pages(scope: dict[str, Any], receive: Any, send: Any) -> None:
        nonlocal kept
        more = True
        while more:
            message = await receive()
            kept, more = kept + len(message["body"]), message["more_body"]

    for more in (True, True, False):
        ends.incoming.put_nowait({"type": "http.request", "body": b"x" * BODY_LIMIT, "more_body": more})
    await StampBody(pages)(http_scope(), ends.incoming.get, ends.send)
    assert kept <= BODY_LIMIT


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "headers",
    [
        [(b"cookie", b"a[b]=1; sessionid=known")],
        [(b"cookie", b'odd="x; sessionid=known')],
        [(b"cookie", b"sessionid=known"), (b"cookie", b"other=1")],
    ],
)
async def test_no_cookie_beside_the_session_makes_another_sender(headers: list[tuple[bytes, bytes]]) -> None:
    """D-30: Django finds the session in all of these, and so it is that user's command which waits."""
    doors.know_session("known", 77)
    ends, scope = Ends(), {**http_scope(), "headers": headers}

    async def pages(scope: dict[str, Any], receive: Any, send: Any) -> None:
        await receive()
        assert scope["arrival"].player == 77

    ends.incoming.put_nowait({"type": "http.request", "body": b""})
    await StampBody(pages)(scope, ends.incoming.get, ends.send)


@pytest.mark.asyncio
@pytest.mark.parametrize("header", [(b"cookie", b"sessionid=same"), (b"authorization", b"Bearer same")])
async def test_sockets_that_are_not_open_yet_are_one_player(header: tuple[bytes, bytes]) -> None:
    """D-30: commands sent on many sockets at once, before any of them knows who is there."""
    refused: list[str] = []
    go_on = asyncio.Event()

    async def on_refused(frame: dict[str, Any] | None, error: GameError) -> None:
        refused.append(error.code)

    async def consumer(scope: dict[str, Any], receive: Any, send: Any) -> None:
        scope["inbox"].public_id = "many"
        scope["inbox"].on_refused = on_refused
        await go_on.wait()

    sockets = [Ends() for _ in range(WAITING_LIMIT + 2)]
    running = [
        asyncio.create_task(StampArrival(consumer)({"headers": [header]}, ends.incoming.get, ends.send))
        for ends in sockets
    ]
    for ends in sockets:
        ends.text(json.dumps(PLAY))
    await let_run()
    assert refused == ["TooManyWaiting"] * 2
    go_on.set()
    await asyncio.gather(*running)
    assert doors.waiting("many") == 0
