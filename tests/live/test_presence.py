"""Who is at the table: never a wrong away, no good-bye needed, and part of what is fetched on return."""

from __future__ import annotations

import pytest
import redis
from asgiref.sync import sync_to_async
from django.conf import settings

from games import clock_source, live, presence
from games.live import registry
from games.presence import LINGER_MS, VOUCH_MS, Presence, read_presence
from tests.drivers import ManualClock
from tests.live.clients import Page, dealt_table

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]


async def away(public_id: str) -> tuple[int | None, ...]:
    found, _ = await sync_to_async(read_presence)(public_id, 2)
    return found[0], found[1]


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
