"""The doors as daphne really opens them: handshakes, sizes, both doors of one match, restarts left to others."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import socket as socketlib
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.cookies import SimpleCookie
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPRedirectHandler, Request, build_opener

import pytest
import websockets
from websockets.exceptions import ConnectionClosed, InvalidStatus

from config.leash import die_with_parent
from games.sockets import CLOSE_UNKNOWN, PROTOCOL
from tests.bench.load import Seat
from tests.bench.stack import make_tables
from tests.live.clients import WAIT_S
from tests.stack import ROOT, Stack, running_stack

pytestmark = pytest.mark.real_stack

WRITE_EVERY_S = 0.1
START_LIMIT_S = 60.0


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    with running_stack(tmp_path_factory.mktemp("daphne")) as running:
        yield running


@pytest.fixture(scope="module")
def people(stack: Stack) -> dict[str, Any]:
    """A match of two people, before Start."""
    return make_tables(stack, {"door": "html", "count": 1})[0]


@pytest.fixture(scope="module")
def programs(stack: Stack) -> dict[str, Any]:
    """A match of two programs, dealt."""
    return make_tables(stack, {"door": "json", "count": 1, "started": True})[0]


def socket(stack: Stack, table: dict[str, Any], seat: int, **given: Any) -> Any:
    address = f"ws://localhost:{stack.port}/ws/matches/{table['match']}/"
    who = table["seats"][seat]
    if "token" in who:
        headers = {"Authorization": f"Bearer {who['token']}"}
        return websockets.connect(address, additional_headers=headers, subprotocols=[PROTOCOL], **given)
    return websockets.connect(address, additional_headers={"Cookie": f"sessionid={who['session']}"}, **given)


@pytest.mark.parametrize(
    "origin", [None, "null", "http://evil.example", "http://localhost.evil.example", "http://localhost"]
)
def test_foreign_origins_get_no_handshake(stack: Stack, people: dict[str, Any], origin: str | None) -> None:
    """B211; the last is the right host at another port."""

    async def scenario() -> int:
        with pytest.raises(InvalidStatus) as refused:
            await socket(stack, people, 0, origin=origin)
        return int(refused.value.response.status_code)

    assert asyncio.run(scenario()) == 403


def test_a_bad_token_is_closed_after_the_handshake(stack: Stack, programs: dict[str, Any]) -> None:
    async def scenario() -> int:
        bad = {**programs, "seats": [{"token": "boneyard_bad"}]}
        async with socket(stack, bad, 0) as opened:
            with pytest.raises(ConnectionClosed) as closed:
                await opened.recv()
            return int(closed.value.rcvd.code)

    assert asyncio.run(scenario()) == CLOSE_UNKNOWN


def test_a_frame_too_large_for_any_command_is_not_taken_in(stack: Stack, programs: dict[str, Any]) -> None:
    async def scenario() -> None:
        async with socket(stack, programs, 0) as opened:
            await opened.recv()
            await opened.send(json.dumps({"type": "play", "id": "x" * 5_000}))
            assert json.loads(await opened.recv())["code"] == "MalformedCommand"
            await opened.send("x" * 1_000_000)
            with pytest.raises(ConnectionClosed):
                await opened.recv()

    asyncio.run(scenario())


def test_programs_play_over_the_wire(stack: Stack, programs: dict[str, Any]) -> None:
    async def scenario() -> None:
        seats = [Seat(await socket(stack, programs, seat), seat, is_page=False) for seat in (0, 1)]
        for seat in seats:
            seat.read(await seat.socket.recv())
        for number in range(10):
            mover = next(seat for seat in seats if seat.options)
            await mover.socket.send(json.dumps({**mover.options[0], "id": f"w{number}"}))
            asked = mover.seq + 1
            for seat in seats:
                while seat.seq < asked:
                    seat.read(await asyncio.wait_for(seat.socket.recv(), WAIT_S))
        assert [seat.refusals for seat in seats] == [0, 0]
        for seat in seats:
            await seat.socket.close()

    asyncio.run(scenario())


def test_what_is_posted_at_one_door_is_shown_at_the_other(stack: Stack, people: dict[str, Any]) -> None:
    async def scenario() -> None:
        async with socket(stack, people, 1, origin=stack.base_url) as opened:
            await opened.send(json.dumps({"type": "hello", "seq": -1, "format": "wide"}))
            assert 'data-seq="0"' in await opened.recv()
            assert await asyncio.to_thread(post_start, stack, people) == 303
            while 'data-seq="1"' not in await asyncio.wait_for(opened.recv(), WAIT_S):
                pass

    asyncio.run(scenario())


def post_start(stack: Stack, table: dict[str, Any]) -> int:
    """Press Start as a browser without scripts does: the page's form, its cookie and its token."""
    opener = build_opener(_Stay())
    page = f"{stack.base_url}/matches/{table['match']}/"
    session = f"sessionid={table['seats'][0]['session']}"
    with opener.open(Request(page, headers={"Cookie": session})) as answer:
        html = answer.read().decode()
        cookies = SimpleCookie(answer.headers["Set-Cookie"])
    form = dict(re.findall(r'<input [^>]*?name="([a-z]+)" value="([^"]*)"', html.split('data-command="start"')[1]))
    headers = {"Cookie": f"{session}; csrftoken={cookies['csrftoken'].value}"}
    body = urlencode({key: form[key] for key in ("type", "hand", "id", "csrfmiddlewaretoken")}).encode()
    try:
        opener.open(Request(f"{page}commands/", data=body, headers=headers))
    except HTTPError as answer:
        return answer.code
    return 200


class _Stay(HTTPRedirectHandler):
    def redirect_request(self, *args: Any) -> None:
        return None


@contextmanager
def impatient_web(stack: Stack) -> Iterator[int]:
    """Another web process of the site, that waits for some seconds where the others wait for fifty; its port."""
    with socketlib.create_server(("127.0.0.1", 0)) as listener:
        command = [sys.executable, "-m", "daphne", "--fd", str(listener.fileno()), "-v", "0"]
        limits = ["--ping-interval", "1", "--ping-timeout", "4"]  # enough for a reader on a crowded machine
        process = subprocess.Popen(
            [*command, *limits, "config.asgi:application"],
            cwd=ROOT,
            env=stack.environment,
            pass_fds=(listener.fileno(),),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            preexec_fn=die_with_parent(signal.SIGTERM),
        )
        try:
            yield listener.getsockname()[1]
        finally:
            process.terminate()
            process.wait(10)


def test_who_writes_and_never_reads_is_cut_off(stack: Stack, programs: dict[str, Any]) -> None:
    """What it writes does not answer a ping; a reader beside it does and stays."""
    asked = (
        f"GET /ws/matches/{programs['match']}/ HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n"
        f"Sec-WebSocket-Protocol: {PROTOCOL}\r\nAuthorization: Bearer {programs['seats'][0]['token']}\r\n\r\n"
    )
    frame = b'{"type":"ping","t":1}'
    masked = bytes((0x81, 0x80 | len(frame), 0, 0, 0, 0)) + frame

    async def write_on(writer: asyncio.StreamWriter) -> None:
        while True:
            writer.write(masked)
            await writer.drain()
            await asyncio.sleep(WRITE_EVERY_S)

    async def scenario(port: int) -> None:
        other = {**programs, "seats": programs["seats"][1:]}
        async with socket(replace(stack, port=port), other, 0, open_timeout=START_LIMIT_S) as reads:
            reader, writer = await asyncio.open_connection("localhost", port)
            writer.write(asked.encode())
            assert b"101" in await reader.readline()
            with pytest.raises(ConnectionError):
                await asyncio.wait_for(write_on(writer), 30)
            await reads.send('{"type":"ping","t":1}')
            while json.loads(await asyncio.wait_for(reads.recv(), WAIT_S))["type"] != "pong":
                pass

    with impatient_web(stack) as port:
        asyncio.run(scenario(port))
