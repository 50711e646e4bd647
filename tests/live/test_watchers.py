"""Who only watches: counted, served after the players, drawn once for all, bounded, and told nothing secret."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import Client

from games import clock_source, consumers, fragments, gallery, live, pictures, rules
from games.arrival import doors
from games.consumers import MatchConsumer
from games.gallery import AT_ONCE, Gallery, Places
from games.live import SEAT_SOCKETS, registry
from games.pictures import ALWAYS_DRAWN
from games.presence import VOUCH_MS, Presence, read_presence
from games.sockets import CLOSE_FAULT, CLOSE_FULL, CLOSE_LIMIT
from games.table import TableView
from tests.device.browsers import DevicePage, key
from tests.device.desk import Desk
from tests.drivers import ManualClock, Table
from tests.factories import make_user
from tests.live.clients import (
    HOST,
    ORIGIN,
    Page,
    Program,
    dealt_table,
    program_table,
    program_token,
    send,
    stranger,
)

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]

COUNTS = {"f-watching", "f-bar-watching"}


async def opened(*pages: Page) -> tuple[Page, ...]:
    """The pages, connected and drawn."""
    for page in pages:
        await page.open()
        await page.greet(seq=-1)
    return pages


async def close(*pages: Page) -> None:
    for page in pages:
        await page.close()


async def play_a_tile(table: Table) -> None:
    """Whatever comes before it, as a draw or an auction, is done as well."""
    before = table.state.layout
    while table.state.layout == before:
        await send(table)


async def until(page: Page, is_so: Callable[[Page], bool]) -> None:
    """Take frames until the page is as asked for."""
    while not is_so(page):
        await page.next_html()


def says(text: str) -> Callable[[Page], bool]:
    """Whether the newest frame that told how many watch told this."""
    return lambda page: text in next((frame for frame in reversed(page.frames) if 'id="f-watching"' in frame), "")


def visitor(public_id: str, language: str) -> Page:
    page = Page(public_id, None)
    page.scope["headers"] = [HOST, ORIGIN, (b"accept-language", language.encode())]
    return page


# How many.


async def test_players_and_spectators_are_told_how_many_watch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "WATCHERS_S", 0.02)
    table, sessions = await dealt_table()
    players = await opened(*(Page(table.public_id, session) for session in sessions))
    spectators = await opened(*(Page(table.public_id, session) for session in (None, None, await stranger())))
    for page in (*players, *spectators):
        await until(page, says("3 watching"))
        assert page.seq == table.seq
    players[0].frames.clear()
    await close(spectators[0])
    await until(players[0], says("2 watching"))
    told = players[0].frames[-1]
    assert set(re.findall(r' id="(f-[a-z-]+)"', told)) == {*COUNTS, "f-seq"}, "no more than that is drawn"
    await close(*players, *spectators[1:])
    await registry().settle()


async def test_the_number_changes_on_the_tables_only_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "WATCHERS_S", 60.0)  # longer than the pages of this test take to open
    table, sessions = await dealt_table()
    (player,) = await opened(Page(table.public_id, sessions[0]))
    shown = registry().matches[table.public_id]
    spectators = await opened(Page(table.public_id, None))
    await asyncio.sleep(0)
    await registry().settle()
    asked = shown.moment
    spectators += await opened(*(Page(table.public_id, None) for _ in range(5)))
    for page in spectators[:3]:
        await page.close()
    await registry().settle()
    assert shown.watching == 3
    assert shown.moment == asked, "nothing was drawn for it"
    assert shown.watchers_timer is not None
    assert shown.watchers_timer.when() <= shown.watchers_due_s + 0.1
    await close(player, *spectators[3:])


async def test_nobody_is_counted_when_the_last_has_gone() -> None:
    table, _ = await dealt_table()
    token = await sync_to_async(lambda: program_token(make_user()))()
    page, program = Page(table.public_id, None), Program(table.public_id, token)
    await opened(page)
    await program.open()
    await program.at(0)
    shown = registry().matches[table.public_id]
    assert shown.watching == 2
    await close(page)
    await program.close()
    assert shown.watching == 0
    assert (await sync_to_async(read_presence)(table.public_id, 2))[1] == 0


async def test_the_processes_add_up_and_one_that_died_fades() -> None:
    clock = ManualClock()
    with clock_source.use_source(clock):
        dead, living = Presence("dead"), Presence("living")
        assert await dead.watch({"w1": 3}) == {"w1": 3}
        assert await living.watch({"w1": 2, "w2": 0}) == {"w1": 5, "w2": 0}
        assert (await sync_to_async(read_presence)("w1", 2))[1] == 5
        clock.move(VOUCH_MS - 1)
        await living.watch({"w1": 2})
        clock.move(2)
        assert await living.watch({"w1": 1}) == {"w1": 1}
        await dead.close()
        await living.close()


async def test_the_page_says_how_many_watch_before_its_socket_opens() -> None:
    table, _ = await dealt_table()
    there = Presence("elsewhere")
    await there.watch({table.public_id: 7})
    answer = await sync_to_async(Client().get)(f"/matches/{table.public_id}/")
    assert "7 watching" in answer.content.decode()
    await there.close()


async def test_nobody_watches_a_match_at_one_device() -> None:
    cookie, digest = key()
    desk = await sync_to_async(Desk.new)(clock_source.now_ms, device=digest)
    page = DevicePage(desk.public_id, cookie)
    await page.open()
    await page.greet(seq=-1)
    assert registry().matches[desk.public_id].watching == 0
    await page.close()


# Once for all.


async def test_a_frame_is_made_once_for_all_who_see_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    table, _ = await dealt_table()
    steps: list[str] = []
    step = pictures.Picture._step
    monkeypatch.setattr(
        pictures.Picture, "_step", lambda self, have: (steps.append(self.view.language), step(self, have))[1]
    )
    spectators = [visitor(table.public_id, language) for language in ("en", "pl") * 4]
    for page in spectators:
        await page.open()
    for page in spectators[:6]:
        await page.greet(seq=-1)
    for page in spectators[6:]:
        await page.greet(seq=-1, table_format="long")
    await registry().settle()
    for page in spectators:
        await page.ping()
    for _ in range(3):
        steps.clear()
        await send(table)
        for page in spectators:
            await page.at(table.seq)
        assert sorted(steps) == ["en", "en", "pl", "pl"]
    assert len({page.frames[-1] for page in spectators}) == 4
    await close(*spectators)


async def test_a_fragment_is_drawn_once_for_all_who_see_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a version, in a language, for a shape of the cloth; whenever somebody came, and whatever is shown there."""
    table, _ = await dealt_table()
    drawn: Counter[tuple[str, int, str, str]] = Counter()
    lacking = fragments.lacking

    def draw(fragment: fragments.Fragment, view: TableView) -> str:
        drawn[fragment.id, view.seq, view.language, view.table_format] += 1
        return fragment.render(view)

    def counted(*given: Any) -> list[fragments.Fragment]:
        return [replace(fragment, render=partial(draw, fragment)) for fragment in lacking(*given)]

    monkeypatch.setattr(fragments, "lacking", counted)
    spectators: list[Page] = []
    for _round in range(3):
        for language, table_format in (("en", "wide"), ("pl", "wide"), ("pl", "long")):
            for _ in range(2):
                page = visitor(table.public_id, language)
                await page.open()
                await page.greet(seq=-1, table_format=table_format)
                spectators.append(page)
        await play_a_tile(table)
        for page in spectators:
            await page.at(table.seq)
    known = {name: times for name, times in drawn.items() if name[0] not in ALWAYS_DRAWN}
    assert {name[1:] for name in known if name[0] == "f-cloth"} >= {
        (table.seq, *place) for place in (("en", "wide"), ("pl", "wide"), ("pl", "long"))
    }
    assert set(known.values()) == {1}
    await close(*spectators)


async def test_a_late_spectator_sees_what_the_others_see() -> None:
    """Frames leave out what somebody has; put together they are the whole picture all the same."""
    table, _ = await dealt_table()
    (early,) = await opened(Page(table.public_id, None))
    for _ in range(4):
        await send(table)
        await early.at(table.seq)
    (late,) = await opened(Page(table.public_id, None))
    for name in {fragment.id for fragment in fragments.FRAGMENTS if fragment.id in late.parts} - set(ALWAYS_DRAWN):
        assert re.findall(r' id="([^"]+)"', early.parts[name]) == re.findall(r' id="([^"]+)"', late.parts[name]), name
    assert "data-kept" not in "".join(late.parts.values())
    await close(early, late)


# After the players.


async def test_players_are_shown_a_move_before_all_who_watch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gallery, "PATIENCE_S", 3_600.0)
    table, sessions = await dealt_table()
    spectators = await opened(*(Page(table.public_id, None) for _ in range(2 * AT_ONCE)))
    players = await opened(*(Page(table.public_id, session) for session in sessions))
    await registry().settle()
    order: list[int | None] = []
    asked = table.seq + 1
    send_text = MatchConsumer.send_text

    async def noted(self: MatchConsumer, text: str) -> None:
        if f'data-seq="{asked}"' in text:
            order.append(self.viewer)
        await send_text(self, text)

    monkeypatch.setattr(MatchConsumer, "send_text", noted)
    await send(table)
    for page in (*spectators, *players):
        await page.at(table.seq)
    assert {order.index(0), order.index(1)} == {0, 1}
    await close(*players, *spectators)


class Fake:
    """A spectator of the gallery that notes when it was served."""

    def __init__(self, served: list[Fake], then: Callable[[], Awaitable[None]] | None = None) -> None:
        self.served = served
        self.then = then

    async def show(self) -> None:
        self.served.append(self)
        if self.then is not None:
            await self.then()


async def test_a_command_is_looked_at_between_two_rounds() -> None:
    crowd, order = Gallery(), []
    loop = asyncio.get_running_loop()

    async def command_comes() -> None:
        loop.call_soon(order.append, "command")

    crowd.call(Fake(order, command_comes))
    for _ in range(3 * AT_ONCE):
        crowd.call(Fake(order))
    task = loop.create_task(crowd.serve())
    while len(order) < 3 * AT_ONCE + 2:
        await asyncio.sleep(0)
    assert order.index("command") == AT_ONCE
    task.cancel()


async def test_they_wait_while_a_player_waits_but_not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gallery, "PATIENCE_S", 3_600.0)
    crowd, order = Gallery(), []
    task = asyncio.get_running_loop().create_task(crowd.serve())
    arrival = doors.enter("elsewhere", "somebody")
    crowd.call(Fake(order))
    await asyncio.sleep(5 * gallery.YIELD_S)
    assert not order
    doors.leave(arrival)
    crowd.players.add("a player who has not been drawn for yet")
    await asyncio.sleep(5 * gallery.YIELD_S)
    assert not order
    crowd.players.clear()
    while not order:
        await asyncio.sleep(gallery.YIELD_S)
    monkeypatch.setattr(gallery, "PATIENCE_S", 0.0)
    crowd.players.add("a player who never gets anything")
    crowd.call(Fake(order))
    while len(order) < 2:
        await asyncio.sleep(0)
    task.cancel()


async def test_whoever_waits_gets_the_newest_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gallery, "PATIENCE_S", 3_600.0)
    table, _ = await dealt_table()
    dealt = table.seq
    (page,) = await opened(Page(table.public_id, None))
    await registry().settle()
    await page.ping()
    arrival = doors.enter("elsewhere", "somebody")
    try:
        first = len(page.frames)
        for _ in range(3):
            await send(table)
    finally:
        doors.leave(arrival)
    await page.at(table.seq)
    told = {int(seq) for frame in page.frames[first:] for seq in re.findall(r'id="f-seq"[^>]*data-seq="(\d+)"', frame)}
    assert told <= {dealt, table.seq}
    assert page.seq == table.seq
    await close(page)


async def test_who_does_not_read_is_held_back_and_gets_the_newest_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consumers, "HELD_BACK", 1_000)
    table, sessions = await dealt_table()
    (page,) = await opened(Page(table.public_id, None))
    (player,) = await opened(Page(table.public_id, sessions[0]))
    for _ in range(3):
        await send(table)
        await player.at(table.seq)
    await registry().settle()
    assert await page.receive_nothing(0.05)
    assert page.seq < table.seq
    await page.ping()
    await page.send_json_to({"type": "ping", "t": 1, "mark": page.mark})
    await page.at(table.seq)
    await close(page, player)


async def test_a_spectator_whose_picture_fails_harms_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    table, sessions = await dealt_table()
    bad, good = await opened(Page(table.public_id, None), Page(table.public_id, None))
    (player,) = await opened(Page(table.public_id, sessions[0]))
    await registry().settle()
    send_text, broken = MatchConsumer.send_text, []

    async def failing(self: MatchConsumer, text: str) -> None:
        if self.viewer is None and not broken:
            broken.append(self)
            raise RuntimeError("nobody expected this")
        await send_text(self, text)

    monkeypatch.setattr(MatchConsumer, "send_text", failing)
    await send(table)
    assert await bad.closed_with() == CLOSE_FAULT
    for page in (good, player):
        await page.at(table.seq)
    await close(bad, good, player)


# Bounds.


async def test_visitors_are_bounded_and_players_are_not(settings: Any) -> None:
    settings.WATCHING_VISITORS = 2
    table, sessions = await dealt_table()
    spectators = await opened(*(Page(table.public_id, None) for _ in range(2)))
    more = Page(table.public_id, None)
    await more.open()
    assert await more.closed_with() == CLOSE_FULL
    players = await opened(*(Page(table.public_id, session) for session in sessions))
    friends = await opened(Page(table.public_id, await stranger()))
    await close(more, spectators[0])
    again = await opened(Page(table.public_id, None))
    await close(*players, *friends, *again, spectators[1])


async def test_one_account_watches_through_so_many_sockets(settings: Any) -> None:
    settings.WATCHING_PER_ACCOUNT = 1
    table, _ = await dealt_table()
    session = await stranger()
    (first,) = await opened(Page(table.public_id, session))
    second = Page(table.public_id, session)
    await second.open()
    assert await second.closed_with() == CLOSE_FULL
    await close(first, second)


async def test_half_of_the_open_files_is_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gallery.resource, "getrlimit", lambda which: (4, 4_096))
    places = Places()
    assert [places.take(None, "") for _ in range(3)] == ["", "", None]
    assert places.take(7, "") == 7


async def test_an_address_of_the_internet_has_so_many_places(settings: Any) -> None:
    settings.WATCHING_PER_ADDRESS = 1
    places = Places()
    for address, more in (("203.0.113.9", True), ("8.8.8.8", False), ("2001:4860:4860::8888", False)):
        assert places.take(None, address) is not None
        assert (places.take(None, address) is not None) == more, "of a network for examples nobody comes"
    for address in ("127.0.0.1", "10.0.0.3", "192.168.1.4", "::1", "", "unix"):
        assert [places.take(None, address) for _ in range(3)] == [address] * 3, "there may be a proxy"
    places.give_back("8.8.8.8")
    assert places.take(None, "8.8.8.8") is not None


async def test_behind_proxies_the_address_is_what_the_outermost_saw(settings: Any) -> None:
    table, _ = await dealt_table()
    told = (b"x-forwarded-for", b"198.51.100.1, 8.8.8.8, 10.0.0.2")
    settings.WATCHING_PER_ADDRESS = 1
    for proxies, code in ((0, None), (2, CLOSE_FULL)):
        settings.ALLAUTH_TRUSTED_PROXY_COUNT = proxies
        first, second = Page(table.public_id, None), Page(table.public_id, None)
        for page in (first, second):
            page.scope["headers"] = [*page.scope["headers"], told]
        await first.open()
        await first.greet(seq=-1)  # it has its place
        await second.open()
        if code is None:
            await second.greet(seq=-1)
        else:
            assert await second.closed_with() == code
        await close(first, second)


async def test_with_too_many_sockets_of_a_seat_the_oldest_closes() -> None:
    """B225: what is drawn for one player is bounded."""
    table, sessions = await dealt_table()
    tabs = await opened(*(Page(table.public_id, sessions[0]) for _ in range(SEAT_SOCKETS)))
    (newest,) = await opened(Page(table.public_id, sessions[0]))
    assert await tabs[0].closed_with() == CLOSE_LIMIT
    await tabs[0].close()
    await send(table)
    for page in (*tabs[1:], newest):
        await page.at(table.seq)
    await close(*tabs[1:], newest)


# What they see.


async def test_a_player_of_another_match_only_watches_this_one() -> None:
    table, _ = await dealt_table()
    _other, sessions = await dealt_table()
    (page,) = await opened(Page(table.public_id, sessions[0]))
    whole = "".join(page.parts.values())
    assert "You are watching" in whole
    assert "hand-tile" not in whole
    assert 'name="type"' not in whole
    await close(page)


async def test_a_seat_holder_plays_in_both_tabs() -> None:
    table, sessions = await dealt_table()
    tabs = await opened(*(Page(table.public_id, sessions[0]) for _ in range(2)))
    assert registry().matches[table.public_id].watching == 0
    for page in tabs:
        assert "hand-tile" in page.parts["f-me"]
    await close(*tabs)


async def test_spectators_see_the_result() -> None:
    table, _ = await dealt_table()
    (page,) = await opened(visitor(table.public_id, "en"))
    await send(table, rules.Resign(0))
    await page.at(table.seq)
    assert 'data-kind="result"' in page.parts["f-sheet"]
    await close(page)


async def test_a_program_watches_and_is_told_counts_only() -> None:
    table, _ = await program_table()
    token = await sync_to_async(lambda: program_token(make_user()))()
    program = Program(table.public_id, token)
    await program.open()
    await program.at(0)
    await sync_to_async(table.both_press)()
    seen = await program.at(table.seq)
    assert all(isinstance(held, int) for held in seen["sight"]["held"])
    await program.close()


async def test_who_returns_gets_what_was_missed() -> None:
    table, _ = await dealt_table()
    (page,) = await opened(Page(table.public_id, None))
    await close(page)
    await send(table)
    (again,) = await opened(Page(table.public_id, None))
    assert again.seq == table.seq
    await close(again)


async def test_everybody_may_look_at_a_public_match() -> None:
    table, _ = await dealt_table()
    lobby = await sync_to_async(Client().get)("/")
    assert f'href="/matches/{table.public_id}/"' in lobby.content.decode()
    page = (await sync_to_async(Client().get)(f"/matches/{table.public_id}/")).content.decode()
    assert "You are watching" in page
    assert "hand-tile" not in page
