"""Thousands of frames and posts that are wrong in every way: a code for each, nothing changes, nothing breaks."""

from __future__ import annotations

import json
import os
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import Client

from games import clock_source, rules, views
from games.models import Match, MatchEvent
from tests.drivers import ManualClock, Table
from tests.factories import make_user
from tests.live.clients import Page, Program, program_token

pytestmark = pytest.mark.django_db(transaction=True)

TOTAL = 20_000 if os.environ.get("BONEYARD_SOAK") else 2_000
FRAMES = TOTAL * 3 // 4
JUNK: tuple[Any, ...] = (
    None, True, False, 0, -1, 1.5, 10**30, "", " ", "0x10", "１２", "٣", "1e3", "-1", "01", "\x00", "\ud800",
    "x" * 300, [], [1], {}, {"a": 1}, "7|7", "4|1", "1|4 ", "1|4.low.low", "9|9.arm_c", "<script>", "' OR 1=1",
)  # fmt: skip
TYPES = ("start", "continue", "reveal", "decline", "bid", "raise", "accept", "play", "draw")
# Known to the rules or the server, but not for players: a client must not reach them.
FORBIDDEN = (
    "expire_time",
    "cancel_unstarted",
    "void_for_fault",
    "dispatch",
    "closed",
    "opened",
    "_command",
    "websocket.close",
)


@pytest.fixture(autouse=True)
def no_limits(settings: Any) -> None:
    """Rates are another test's subject."""
    settings.SOCKET_RATE = settings.USER_RATE = 1e9
    settings.SOCKET_BURST = settings.USER_BURST = 1e9


@pytest.fixture(autouse=True)
def clock() -> Iterator[ManualClock]:
    """Time stands still, so that no clock runs out meanwhile."""
    manual = ManualClock()
    with clock_source.use_source(manual):
        yield manual


class Nonsense:
    """Frames that must all be refused, of every kind."""

    def __init__(self, table: Table, seat: int, rng: random.Random) -> None:
        self.table = table
        self.seat = seat
        self.rng = rng
        self.count = 0

    def frame(self) -> dict[str, Any]:
        """A JSON object that is no acceptable command of this seat now."""
        self.count += 1
        kind = self.rng.choice((self.junk_value, self.junk_key, self.missing, self.stale, self.illegal, self.forbidden))
        return kind()

    def text(self) -> str:
        """A frame as text, sometimes not even JSON."""
        text = json.dumps(self.frame())
        match self.rng.randrange(12):
            case 0:
                return text[: self.rng.randrange(len(text))] or "{"
            case 1:
                return "".join(chr(self.rng.randrange(1, 0x250)) for _ in range(self.rng.randrange(1, 80))) + "}"
            case 2:
                return json.dumps([text])
        return text

    def valid(self) -> dict[str, Any]:
        """What would be a command, were everything else right; never a resignation."""
        kind = self.rng.choice(TYPES)
        frame: dict[str, Any] = {"type": kind, "id": f"n{self.seat}-{self.count}"}
        frame |= {"hand": self.table.state.hand} if kind in ("start", "continue", "reveal") else {"seq": self.table.seq}
        if kind == "play":
            tile = self.rng.choice(rules.TILES)
            site = self.rng.choice([None, *map(rules.format_site, self.table.state.layout.sites)])
            frame |= {"tile": rules.format_tile(tile), "site": site}
        elif kind in ("bid", "raise"):
            frame["amount"] = self.rng.choice((5, 15, 20, 22, 300))
        return frame

    def junk_value(self) -> dict[str, Any]:
        """One value replaced; an id may still be one, so the rest is illegal anyhow."""
        frame = self.illegal()
        frame[self.rng.choice(("type", "id"))] = self.rng.choice(JUNK)
        return frame

    def junk_key(self) -> dict[str, Any]:
        return {**self.valid(), self.rng.choice(("seat", "user", "arrived_ms", "at_ms", "actor", "x")): 1}

    def missing(self) -> dict[str, Any]:
        frame = self.valid()
        del frame[self.rng.choice([key for key in frame if key != "site"])]
        return frame

    def stale(self) -> dict[str, Any]:
        frame = self.valid()
        key = "hand" if "hand" in frame else "seq"
        return {**frame, key: frame[key] + self.rng.choice((1, 2, 1_000, -1) if frame[key] else (1, 2, 1_000))}

    def illegal(self) -> dict[str, Any]:
        """Well-formed and for this version; only what the rules allow this seat is left out."""
        legal = [told(command) for command in rules.legal_commands(self.table.state) if command.seat == self.seat]
        while True:
            frame = self.valid()
            if {key: value for key, value in frame.items() if key not in ("seq", "hand", "id")} not in legal:
                return frame

    def forbidden(self) -> dict[str, Any]:
        return {**self.valid(), "type": self.rng.choice(FORBIDDEN)}


def told(command: rules.PlayerCommand) -> dict[str, Any]:
    return {key: value for key, value in rules.dump_command(command).items() if key != "seat"}


def stored(table: Table) -> tuple[Any, ...]:
    row = Match.objects.values().get(pk=table.match_id)
    return tuple(row.values()), MatchEvent.objects.filter(match_id=table.match_id).count()


def table_with_programs() -> tuple[Table, list[str], str]:
    users = [make_user(), make_user()]
    tokens = [program_token(user) for user in users]
    table = Table.dealt(clock_source.now_ms, users=users)
    while table.state.phase != "play" or len(table.state.layout.tiles) < 4:
        table.send(table.moves()[0])
    return table, tokens, program_token(make_user())


@pytest.mark.asyncio
async def test_wrong_frames_are_refused_with_a_code(caplog: pytest.LogCaptureFixture) -> None:
    table, tokens, foreign = await sync_to_async(table_with_programs)()
    before = await sync_to_async(stored)(table)
    rng = random.Random(11)
    codes: Counter[str] = Counter()
    senders = [Program(table.public_id, token) for token in (*tokens, foreign)]
    for sender in senders:
        await sender.open()
        await sender.next_json()
    for number in range(FRAMES):
        seat = number % 3
        nonsense = Nonsense(table, seat, rng)
        nonsense.count = number
        sender = senders[seat]
        text = json.dumps(nonsense.valid()) if seat == 2 else nonsense.text()
        if number % 50 == 0:
            junk = {"type": rng.choice(("hello", "resync", "format", "ping")), **{k: rng.choice(JUNK) for k in "tx"}}
            await sender.send_json_to({**junk, "seq": rng.choice(JUNK), "format": rng.choice(JUNK)})
        await sender.send_to(text_data=text)
        answer = await sender.until(lambda frame: frame["type"] not in ("sight", "pong"))
        assert answer["type"] == "error", (text, answer)
        assert answer["code"].isidentifier()
        codes[answer["code"]] += 1
    assert await sync_to_async(stored)(table) == before
    assert {"MalformedCommand", "StaleCommand", "NotSeated", "NotYourTurn", "WrongPhase"} <= set(codes)
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []
    command = table.moves()[0]
    answer = await senders[command.seat].command(rules.dump_command(command), seq=table.seq)
    assert answer["type"] == "accepted"  # B123: after all of them the next legal one counts
    for sender in senders:
        await sender.close()


@pytest.mark.asyncio
async def test_a_page_gets_a_code_for_each_wrong_frame() -> None:
    table, _, _ = await sync_to_async(table_with_programs)()
    seat = table.moves()[0].seat
    session = await sync_to_async(lambda: client_of(table.users[seat]).cookies["sessionid"].value)()
    page = Page(table.public_id, session)
    await page.open()
    await page.greet(seq=-1)
    rng = random.Random(12)
    for number in range(FRAMES // 20):
        nonsense = Nonsense(table, seat, rng)
        nonsense.count = number
        page.parts.pop("f-toast", None)
        await page.send_to(text_data=nonsense.text())
        while "f-toast" not in page.parts:
            await page.next_html()
        assert 'data-code="' in page.parts["f-toast"]
        if number % 20 == 0:
            await page.ping()  # each refusal draws the page anew, and a page says what it has read
    assert (await sync_to_async(table.row)()).seq == table.seq
    await page.close()


def client_of(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_wrong_posts_are_refused_with_a_code() -> None:
    table, _, _ = table_with_programs()
    before = stored(table)
    rng = random.Random(13)
    clients = [client_of(table.users[0]), client_of(table.users[1]), client_of(make_user()), Client()]
    codes: Counter[str] = Counter()
    for number in range(TOTAL - FRAMES):
        seat = number % 4
        nonsense = Nonsense(table, seat, rng)
        nonsense.count = number
        frame = nonsense.valid() if seat > 1 else nonsense.frame()
        form = {key: "" if value is None else value for key, value in frame.items() if not isinstance(value, dict)}
        headers = {"HX-Request": "true"} if number % 7 == 0 else {}
        try:
            answer = clients[seat].post(f"/matches/{table.public_id}/commands/", form, headers=headers)
        except UnicodeEncodeError:
            continue  # a lone surrogate, which no browser can put into a form
        # 403: the page of a visitor is told to load itself again.
        assert answer.status_code in ((303, 403) if seat == 3 else (200, 303)), (form, answer)
        assert answer.get(views.ERROR_HEADER, "").isidentifier(), form
        codes[answer[views.ERROR_HEADER]] += 1
    bodies = (b"", b"\xff\xfe", b"type=play&type=draw", b"a" * 9_000, b"%", b"type=%00", b"=&=&=", b"{}")
    for body in bodies:
        for content_type in (
            "application/x-www-form-urlencoded",
            "multipart/form-data; boundary=x",
            "application/json",
        ):
            answer = clients[0].post(f"/matches/{table.public_id}/commands/", body, content_type=content_type)
            assert answer.status_code in (303, 400)
            assert answer.status_code == 400 or answer[views.ERROR_HEADER] == "MalformedCommand"
    assert stored(table) == before
    assert {"MalformedCommand", "StaleCommand", "NotSeated", "NotYourTurn"} <= set(codes)
