"""Who is at the table: never a wrong away, no good-bye needed, and part of what is fetched on return."""

from __future__ import annotations

import re
import socket
from pathlib import Path
from typing import Any

import pytest
import redis
from asgiref.sync import sync_to_async
from django.conf import settings
from django.http import HttpResponse
from django.test import Client

from games import clock_source, live, presence
from games.live import registry
from games.presence import LINGER_MS, PAGE_VOUCH_MS, VOUCH_MS, Presence, page_asked, read_presence
from tests.drivers import ManualClock, Table
from tests.live.clients import Page, dealt_table, stranger
from tests.live.test_http_door import fields

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]


async def away(public_id: str) -> tuple[int | None, ...]:
    found, _ = await sync_to_async(read_presence)(public_id, 2)
    return found[0], found[1]


@sync_to_async
def by_http(table: Table, session: str, end: str = "", form: dict[str, Any] | None = None) -> HttpResponse:
    """What a page without a socket does: asks for itself, for what is new, or posts a form and follows."""
    client = Client()
    client.cookies[settings.SESSION_COOKIE_NAME] = session
    address = f"/matches/{table.public_id}/{end}"
    return client.get(address) if form is None else client.post(address, form, follow=True)


async def test_a_seat_is_present_while_any_tab_is_open() -> None:
    """B098: closing one tab does not mark the player as gone."""
    table, sessions = await dealt_table()
    opponent = Page(table.public_id, sessions[1])
    tabs = [Page(table.public_id, sessions[0]) for _ in range(3)]
    for page in (opponent, *tabs):
        await page.open()
        await page.greet()
    await registry().settle()
    assert await away(table.public_id) == (None, None)
    shown = registry().matches[table.public_id]
    for page in tabs[:2]:
        await page.close()
        await registry().settle()
        assert shown.away_ms(clock_source.now_ms()) == (None, None)
    await tabs[2].close()
    await opponent.close()


async def test_a_player_who_left_is_away_after_a_while() -> None:
    clock = ManualClock()
    with clock_source.use_source(clock):
        table, sessions = await dealt_table()
        pages = [Page(table.public_id, session) for session in sessions]
        for page in pages:
            await page.open()
            await page.greet(seq=-1)
        await registry().settle()
        await pages[1].close()
        await registry().settle()
        assert (await away(table.public_id))[1] is None  # perhaps only a reload
        left_ms = clock()
        clock.move(LINGER_MS + 1)
        assert (await away(table.public_id))[1] == left_ms
        shown = registry().matches[table.public_id]
        await registry().look_at_presence([shown])
        assert shown.away_ms(clock())[1] == LINGER_MS + 1
        assert "f-opponent" in await pages[0].next_html()
        await pages[0].close()


async def test_who_returns_is_told_that_the_other_is_back() -> None:
    """B108: what is fetched on return includes presence, in both pages and sockets."""
    clock = ManualClock()
    with clock_source.use_source(clock):
        table, sessions = await dealt_table()
        first = Page(table.public_id, sessions[0])
        await first.open()
        await first.greet(seq=-1)
        await registry().settle()
        shown = registry().matches[table.public_id]
        assert shown.away_ms(clock())[1] is not None  # the opponent has not come yet
        was_away = first.parts["f-opponent"]
        await first.close()
        opponent = Page(table.public_id, sessions[1])
        await opponent.open()
        await opponent.greet()
        await registry().settle()
        again = Page(table.public_id, sessions[0])
        await again.open()
        await again.greet(seq=table.seq)
        assert again.parts["f-opponent"] != was_away
        assert registry().matches[table.public_id].away_ms(clock())[1] is None
        await again.close()
        await opponent.close()


async def test_presence_of_a_process_that_died_fades() -> None:
    """B092: no good-bye is needed."""
    clock = ManualClock()
    with clock_source.use_source(clock):
        dead, living = Presence("dead"), Presence("living")
        await dead.came("m1", 0)
        await living.came("m1", 1)
        clock.move(VOUCH_MS - 1)
        await living.came("m1", 1)
        assert (await living.read({}, {"m1": 2}))["m1"] == {0: None, 1: None}
        clock.move(2)
        assert (await living.read({}, {"m1": 2}))["m1"] == {0: clock(), 1: None}
        await dead.close()
        await living.close()
    assert VOUCH_MS <= 60_000


async def test_two_processes_vouch_for_one_seat() -> None:
    clock = ManualClock()
    with clock_source.use_source(clock):
        here, there = Presence("here"), Presence("there")
        await here.came("m2", 0)
        await there.came("m2", 0)
        await here.left("m2", 0)
        clock.move(LINGER_MS + 1)
        assert (await there.read({}, {"m2": 1}))["m2"] == {0: None}
        await here.close()
        await there.close()


async def test_without_valkey_the_table_is_shown_all_the_same(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(self: Presence) -> None:
        raise redis.ConnectionError("gone")

    monkeypatch.setattr(presence.Presence, "client", broken)
    table, sessions = await dealt_table()
    page = Page(table.public_id, sessions[0])
    await page.open()
    await page.greet()
    assert page.seq == table.seq
    await page.close()
    assert settings.VALKEY_URL
    assert live.COMPARE_S > 0
    assert "presence" in caplog.text


async def test_who_has_no_socket_is_there_while_the_page_asks() -> None:
    """The opponent's table learns it at its usual look, and that it stopped: away since the last request."""
    clock = ManualClock()
    with clock_source.use_source(clock):
        table, sessions = await dealt_table()
        opponent = Page(table.public_id, sessions[0])
        await opponent.open()
        await opponent.greet(seq=-1)
        await registry().settle()
        shown = registry().matches[table.public_id]
        assert shown.away_ms(clock())[1] is not None
        await by_http(table, sessions[1])
        await registry().look_at_presence([shown])
        assert shown.away_ms(clock()) == (None, None)
        assert "f-opponent" in await opponent.next_html()
        clock.move(PAGE_VOUCH_MS + 1)
        await registry().look_at_presence([shown])
        assert shown.away_ms(clock())[1] == PAGE_VOUCH_MS + 1
        await opponent.close()


@pytest.mark.parametrize("asks", ["page", "fragments", "nothing new", "form"])
async def test_each_kind_of_request_says_that_the_player_is_there(asks: str) -> None:
    clock = ManualClock()
    with clock_source.use_source(clock):
        table, sessions = await dealt_table()
        seat = table.state.turn
        assert seat is not None
        session = sessions[seat]
        page = (await by_http(table, session)).content.decode()
        clock.move(PAGE_VOUCH_MS - 1)
        if asks == "page":
            await by_http(table, session)
        elif asks == "fragments":
            assert (await by_http(table, session, "fragments/")).status_code == 200
        elif asks == "nothing new":
            look = page.partition('data-look="')[2].partition('"')[0]
            answer = await by_http(table, session, f"fragments/?seq={table.seq}&look={look}")
            assert answer.status_code == 204
        else:
            await by_http(table, session, "commands/", fields(table, table.moves()[0]))
        clock.move(PAGE_VOUCH_MS - 1)
        assert (await away(table.public_id))[seat] is None
        clock.move(2)
        assert (await away(table.public_id))[seat] == clock() - PAGE_VOUCH_MS - 1


async def test_who_thinks_long_without_scripts_is_there_as_long_as_the_page_is() -> None:
    """The page stands, for what is half typed in it; a frame within it asks for itself. None of others' tables does."""
    clock = ManualClock()
    with clock_source.use_source(clock):
        table, sessions = await dealt_table()
        seat = table.state.turn
        assert seat is not None
        frame = f'<noscript><iframe src="/matches/{table.public_id}/here/" hidden></iframe></noscript>'
        assert frame not in (await by_http(table, sessions[1 - seat])).content.decode()
        page = await by_http(table, sessions[seat])
        assert frame in page.content.decode()
        assert "frame-src 'self'" in page["Content-Security-Policy"]
        assert table.state.deadline_ms is not None
        while clock() < table.state.deadline_ms:
            here = await by_http(table, sessions[seat], "here/")
            asks = re.search(r'http-equiv="refresh" content="(\d+)"', here.content.decode())
            assert asks is not None
            # One answer may be lost, and a second one late.
            assert 2 * int(asks[1]) * 1000 < PAGE_VOUCH_MS
            clock.move(int(asks[1]) * 1000)
            assert (await away(table.public_id))[seat] is None
        assert here["X-Frame-Options"] == "SAMEORIGIN"
        assert "frame-ancestors 'self'" in here["Content-Security-Policy"]
        asked_ms = clock() - int(asks[1]) * 1000
        clock.move(PAGE_VOUCH_MS)
        assert (await away(table.public_id))[seat] == asked_ms
        for other in (await stranger(), ""):
            assert (await by_http(table, other, "here/")).status_code == 404
        assert (await away(table.public_id))[seat] == asked_ms


async def test_who_only_watches_vouches_for_nobody() -> None:
    table, _sessions = await dealt_table()
    await by_http(table, await stranger())
    await by_http(table, await stranger(), "fragments/")
    assert None not in await away(table.public_id)


async def test_a_page_that_has_a_socket_is_away_soon_after_it_closed() -> None:
    """The request for the page itself does not keep its player at the table."""
    clock = ManualClock()
    with clock_source.use_source(clock):
        table, sessions = await dealt_table()
        page = Page(table.public_id, sessions[1])
        await by_http(table, sessions[1])
        await page.open()
        await page.greet()
        await registry().settle()
        await by_http(table, sessions[1])  # a second tab, which is closed before its socket opens
        left_ms = clock()
        await page.close()
        await registry().settle()
        assert (await away(table.public_id))[1] is None  # perhaps only a reload
        clock.move(LINGER_MS + 1)
        assert (await away(table.public_id))[1] == left_ms


async def test_a_socket_of_another_process_takes_the_place_of_the_request() -> None:
    clock = ManualClock()
    with clock_source.use_source(clock):
        there = Presence("there")
        await sync_to_async(page_asked)("m3", 0)
        await there.came("m3", 0)
        clock.move(VOUCH_MS + 1)
        assert (await there.read({}, {"m3": 1}))["m3"] == {0: clock()}
        await there.close()


async def test_a_valkey_that_does_not_answer_holds_a_page_up_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, settings: Any, tmp_path: Path
) -> None:
    """It takes connections and says nothing: a page waits for one answer and goes on."""
    path = str(tmp_path / "mute")
    with socket.socket(socket.AF_UNIX) as mute:
        mute.bind(path)
        mute.listen()
        mute.setblocking(False)
        settings.VALKEY_URL = f"unix://{path}"
        monkeypatch.setattr(presence, "LIMIT_S", 0.05)
        monkeypatch.setattr(presence, "_pages", presence._pages.__wrapped__)
        await sync_to_async(page_asked)("m4", 0)
        connections = [mute.accept()[0]]
        with pytest.raises(BlockingIOError):
            mute.accept()
        for connection in connections:
            connection.close()
    assert "presence not told" in caplog.text
