"""Nothing that leaves for a viewer holds a tile it may not know, over generated matches (B056, B060, B064, D-31)."""

from __future__ import annotations

import json
import os
import random
import re
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import Client

from games import rules
from games.clock_source import now_ms
from tests.drivers import Table
from tests.factories import make_user
from tests.live.clients import Page, Program, Socket, program_token, session_of

pytestmark = pytest.mark.django_db(transaction=True)

IS_SOAK = bool(os.environ.get("BONEYARD_SOAK"))
# Whole matches, some 200 commands each at two tables; or a tenth of that.
MATCHES = 12 if IS_SOAK else 2
COMMANDS = 10_000 if IS_SOAK else 120
PAGE_EVERY = 20
_SEQ = re.compile(r'id="f-seq"[^>]*data-seq="(\d+)"')
# Looks ahead only, so that one name may begin inside of another.
_NAME = re.compile(r"(?<!\d)(?=(\d)\|(\d)(?!\d))|(?<!\d)t(?:ile)?-(?=(\d)-(\d)(?!\d))|(?<![\d–])(?=(\d)–(\d)(?![\d–]))")


def hidden(state: rules.MatchState, viewer: int | None) -> set[rules.Tile]:
    """The tiles this viewer may not know."""
    tiles = set(state.boneyard)
    if state.phase not in ("ready", "over"):
        for seat, held in enumerate(state.held):
            if seat != viewer:
                tiles.update(held)
    return tiles


def leaks(text: str, tiles: set[rules.Tile]) -> list[str]:
    """Where a text names one of the tiles, in any of the ways the site writes them."""
    found = []
    for name in _NAME.finditer(text):
        one, other = (int(half) for half in name.groups() if half is not None)
        if (one, other) in tiles or (name[1] and (other, one) in tiles):
            found.append(text[name.start() : name.start() + 12])
    return found


@pytest.mark.parametrize("name", ["1|4", "4|1", "tile-1-4", "t-1-4", "1–4"])
def test_each_name_of_a_tile_is_found(name: str) -> None:
    tile = {rules.parse_tile("1|4")}
    for text in (name, f'"{name}"', f"#{name}.", f"{name}.low", f"0|0 {name}|", f"3{name}"[1:]):
        assert leaks(text, tile), text
    for text in (f"1{name[:-1]}", f"{name}0", name.replace("4", "5").replace("1", "0"), ""):
        assert not leaks(text, tile), text


class Watch:
    """A socket whose every frame is held against what its viewer may know at that version."""

    def __init__(self, socket: Socket, viewer: int | None) -> None:
        self.socket = socket
        self.viewer = viewer
        self.seq = -1

    async def follow(self, states: dict[int, rules.MatchState], until: int) -> None:
        while self.seq < until:
            text = await self.socket.next()
            if text.startswith('{"type": "pong"'):
                self.socket.mark = json.loads(text)["mark"]
                continue
            if isinstance(self.socket, Program):
                frame = json.loads(text)
                self.seq = frame["seq"]
                self.check_program(frame, states[self.seq])
            elif found := _SEQ.search(text):
                self.seq = int(found[1])
            assert leaks(text, hidden(states[self.seq], self.viewer)) == [], (self.seq, self.viewer, text)

    def check_program(self, frame: dict[str, Any], state: rules.MatchState) -> None:
        """D-31: what the other side must open with or must play is its own affair until it lies on the table."""
        if state.turn is not None and state.turn != self.viewer:
            assert frame["sight"]["must_open"] is None
            assert frame["sight"]["must_play"] is None
        assert isinstance(frame["sight"]["boneyard"], int)
        for fact in frame["facts"]:
            if fact["type"] == "drew" and fact["seat"] != self.viewer:
                assert fact["tile"] is None
            if fact["type"] == "dealt":
                assert fact["order"] is None


@pytest.mark.asyncio
@pytest.mark.parametrize("number", range(MATCHES))
async def test_no_frame_and_no_page_holds_a_hidden_tile(number: int) -> None:
    rng = random.Random(1_000 + number)
    people, programs = await sync_to_async(tables)()
    watches, clients = await sync_to_async(watchers)(people, programs)
    for table in (people, programs):
        for watch in watches[table.public_id]:
            await watch.socket.open()
            if isinstance(watch.socket, Page):
                await watch.socket.send_json_to({"type": "hello", "seq": -1, "format": "wide"})
        states = {table.seq: table.state}
        for step in range(COMMANDS):
            for watch in watches[table.public_id]:
                await watch.follow(states, table.seq)
            if step % PAGE_EVERY == 0:
                await sync_to_async(look_at_pages)(table, clients)
                for watch in watches[table.public_id]:
                    # Who only watches shows now and then that he reads.
                    await watch.socket.send_json_to({"type": "ping", "t": step, "mark": watch.socket.mark})
            if table.state.phase == "over":
                break
            await sync_to_async(advance)(table, rng)
            states[table.seq] = table.state
        assert table.state.phase == "over" or not IS_SOAK
        for watch in watches[table.public_id]:
            await watch.socket.close()


def tables() -> tuple[Table, Table]:
    users = [make_user(), make_user()]
    for user in users:
        program_token(user)
    return Table.new(now_ms), Table.new(now_ms, users=users)


def watchers(people: Table, programs: Table) -> tuple[dict[str, list[Watch]], list[tuple[Client, int | None]]]:
    """On each match both players and somebody who only watches, by page or by program."""
    stranger = make_user()
    token = program_token(stranger)
    pages = [Watch(Page(people.public_id, session_of(user)), seat) for seat, user in enumerate(people.users)]
    pages.append(Watch(Page(people.public_id, session_of(make_user())), None))
    sockets = [Watch(Program(programs.public_id, program_token(user)), n) for n, user in enumerate(programs.users)]
    sockets.append(Watch(Program(programs.public_id, token), None))
    clients: list[tuple[Client, int | None]] = [(Client(), None)]
    for seat, user in enumerate(people.users):
        client = Client()
        client.force_login(user)
        clients.append((client, seat))
    return {people.public_id: pages, programs.public_id: sockets}, clients


def look_at_pages(table: Table, clients: list[tuple[Client, int | None]]) -> None:
    for client, seat in clients:
        viewer = seat if seat is not None and client.session.get("_auth_user_id") == str(table.users[seat].pk) else None
        for end in ("", "fragments/"):
            answer = client.get(f"/matches/{table.public_id}/{end}")
            text = f"{answer.headers}{answer.content.decode()}"
            assert leaks(text, hidden(table.state, viewer)) == [], (table.seq, viewer)


def advance(table: Table, rng: random.Random) -> None:
    """Both press when the clocks stand, else a move; bids are kept low so that matches last."""
    if table.state.phase == "ready":
        press = rules.Continue if table.state.hand else rules.Start
        seat = next(seat for seat in range(2) if seat not in table.state.ready)
        table.send(press(seat))
    else:
        table.send(rng.choice(table.moves()[:3]))


def test_the_rivals_tiles_have_no_identity() -> None:
    """B064: a tile drawn and a tile held are backs, by number alone, whatever they are."""
    from games.fragments import render_all
    from games.table import SeatCard, TableView

    def shown(state: rules.MatchState) -> dict[str, str]:
        seats = (SeatCard(0, 1, "Alice"), SeatCard(1, 2, "Bob"))
        view = TableView("m", 1, 0, rules.sight(state, 0), seats)
        return {name: html for name, html in render_all(view).items() if name != "f-me"}

    order = rules.TILES
    state = rules.new_match(at_ms=0)
    for seat in (0, 1):
        start = rules.Start(seat)
        facts = rules.decide(state, start, arrived_ms=0, now_ms=0, order=order if seat else None)
        state = rules.fold(state, facts)
    rival, boneyard = state.held[1], state.boneyard
    other = state.but(held=(state.held[0], boneyard[:7]), boneyard=(*rival, *boneyard[7:]), must_open=None)
    state = state.but(must_open=None)
    ids = re.compile(r'(?:id|value)="[0-9a-f]{16}"')
    first, second = ({name: ids.sub("", html) for name, html in shown(each).items()} for each in (state, other))
    assert first == second
