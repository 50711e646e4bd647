"""How news reach the screens of a process: directly, by notice, and by comparison when notices get lost."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.layers import get_channel_layer
from django.conf import settings
from django.db import OperationalError

from games import announce, live, rules, service
from games.clock_source import now_ms
from games.live import registry
from games.loading import load_details, load_match
from games.players import past_matches
from games.table import Totals
from tests.drivers import Table
from tests.live.clients import WAIT_S, Page, Program, dealt_table, program_table, send, session_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]


def hear_nothing_directly() -> None:
    """From now on commits of this process look to the registry like those of another one."""
    announce.unlisten(registry().heard)


async def open_pages(table: Table, sessions: list[str]) -> list[Page]:
    pages = [Page(table.public_id, session) for session in sessions]
    for page in pages:
        await page.open()
        await page.greet()
    return pages


async def test_moves_of_another_process_come_by_notice() -> None:
    table, sessions = await dealt_table()
    pages = await open_pages(table, sessions)
    hear_nothing_directly()
    for _ in range(3):
        await send(table)
        for page in pages:
            await page.at(table.seq)
    shown = registry().matches[table.public_id]
    assert shown.state == table.state
    assert shown.hand_facts == list((await sync_to_async(load_match)(table.public_id)).facts)
    for page in pages:
        await page.close()


async def test_a_notice_says_nothing_but_match_and_version() -> None:
    table, _ = await dealt_table()
    layer = get_channel_layer()
    channel = await layer.new_channel()
    await layer.group_add(announce.match_group(table.public_id), channel)
    await send(table)
    while (notice := await asyncio.wait_for(layer.receive(channel), WAIT_S))["seq"] < table.seq:
        pass  # of the deal: notices go out beside what caused them
    assert notice == {"type": "match.advanced", "match": table.public_id, "seq": table.seq}
    await layer.group_discard(announce.match_group(table.public_id), channel)


async def test_a_lost_notice_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """B082: never more than 3 s on a wrong turn; here the two seconds between comparisons are made short."""
    monkeypatch.setattr(live, "COMPARE_S", 0.05)
    table, sessions = await dealt_table()
    pages = await open_pages(table, sessions)
    hear_nothing_directly()
    monkeypatch.setattr(announce, "send_to_group", lambda group, message: None)
    await send(table)
    for page in pages:
        await page.at(table.seq)
        await page.close()


async def test_comparisons_are_frequent_enough() -> None:
    assert live.COMPARE_S + 1 <= 3


async def test_moves_made_while_the_match_is_read_are_not_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    """B110: three events happen between the reading of the match and its being shown."""
    table, sessions = await dealt_table()
    read, go_on = asyncio.Event(), asyncio.Event()
    original = live.in_database

    async def slow(function: Any, *args: Any) -> Any:
        result = await original(function, *args)
        if function is load_match and not read.is_set():
            read.set()
            await go_on.wait()
        return result

    monkeypatch.setattr(live, "in_database", slow)
    page = Page(table.public_id, sessions[0])
    await page.open()
    await page.send_json_to({"type": "hello", "seq": -1, "format": "wide"})
    await read.wait()
    for _ in range(3):
        await send(table)
    go_on.set()
    await page.at(table.seq)
    await page.close()


@pytest.mark.parametrize("broken_off", [True, False])
async def test_a_match_that_could_not_be_read_leaves_nothing_running(
    monkeypatch: pytest.MonkeyPatch, broken_off: bool
) -> None:
    """The database fails, or the socket is gone, while the match is read for the only one who looks."""
    table, sessions = await dealt_table()
    running: list[live.Registry] = []
    reading = asyncio.Event()
    original = live.in_database

    async def unread(function: Any, *args: Any) -> Any:
        if function is load_match:
            running.append(registry())
            reading.set()
            if not broken_off:
                raise OperationalError
        return await original(function, *args)

    monkeypatch.setattr(live, "in_database", unread)
    page = Page(table.public_id, sessions[0])
    await page.open()
    await reading.wait()
    if broken_off:
        page.future.cancel()
    await asyncio.wait([page.future])
    assert len(running) == 1
    assert not running[0]._running
    assert registry() is not running[0]


async def test_start_not_pressed_in_time_is_told() -> None:
    """D-1, by the sweep of a worker."""
    table, tokens = await program_table()
    seat = Program(table.public_id, tokens[0])
    await seat.open()
    await seat.next_json()
    hear_nothing_directly()
    later_ms = now_ms() + settings.START_CAP_MS + settings.GRACE_MS
    await sync_to_async(service.cancel_unstarted)(table.match_id, now_ms=later_ms)
    frame = await seat.until(lambda frame: frame["sight"]["phase"] == "over")
    assert frame["sight"]["ending"] == "cancelled"
    await seat.close()


async def test_continue_by_the_server_is_told_and_the_next_hand_is_dealt() -> None:
    """D-2."""
    table, tokens = await program_table()
    await sync_to_async(table.both_press)()
    await sync_to_async(play_hand)(table)
    seat = Program(table.public_id, tokens[0])
    await seat.open()
    hand = (await seat.next_json())["sight"]["hand"]
    hear_nothing_directly()
    later_ms = now_ms() + settings.CONTINUE_CAP_MS + settings.GRACE_MS
    await sync_to_async(service.continue_overdue)(table.match_id, now_ms=later_ms)
    frame = await seat.until(lambda frame: frame["sight"]["phase"] != "ready")
    assert frame["sight"]["hand"] == hand + 1
    await seat.close()


def play_hand(table: Table) -> None:
    """To the first accounts."""
    while table.state.phase not in ("ready", "over"):
        table.send(table.moves()[0])
    assert table.state.phase == "ready"


async def test_the_end_of_a_hand_shows_seed_and_next_commitment() -> None:
    table, sessions = await dealt_table()
    pages = await open_pages(table, sessions)
    shown = registry().matches[table.public_id]
    committed = shown.details.commitment
    assert shown.details.seed == ""
    await sync_to_async(play_hand)(table)
    for page in pages:
        await page.at(table.seq)
    assert rules.commitment(bytes.fromhex(shown.details.seed)) == committed
    assert shown.details.commitment not in ("", committed)
    assert shown.details.cap_ms is not None
    await sync_to_async(table.both_press)()
    for page in pages:
        await page.at(table.seq)
    assert shown.details.seed == ""
    assert shown.details.cap_ms is None
    for page in pages:
        await page.close()


async def test_the_result_comes_with_the_ratings() -> None:
    table, sessions = await dealt_table()
    pages = await open_pages(table, sessions)
    await send(table, rules.Resign(0))
    for page in pages:
        await page.at(table.seq)
        assert 'data-kind="result"' in page.parts["f-sheet"]
        await page.close()
    result = await sync_to_async(lambda: load_match(table.public_id).details.result)()
    assert result is not None
    assert result.winner == 1
    assert result.ratings is not None
    assert all(before != after for before, after in result.ratings)
    assert result.ratings == (("1500?", "1490?"), ("1500?", "1510?"))
    assert result.reckonings is not None
    assert [(why.expected, why.k, why.delta_centi) for why in result.reckonings if why] == [
        (0.5, 20, -1000),
        (0.5, 20, 1000),
    ]
    assert result.totals == Totals(hands_won=(0, 0), scored=(0, 0), auctions_paid=(0, 0))
    for page in pages:
        assert "<b>1510?</b>" in page.parts["f-sheet"]


async def test_a_match_that_ended_before_its_first_deal_promises_no_rating() -> None:
    """D-34: neither the result nor the panel beside it, nor the players' own pages."""
    table = await sync_to_async(Table.new)(now_ms)
    session = await sync_to_async(session_of)(table.users[1])
    page = Page(table.public_id, session)
    await page.open()
    await page.greet(seq=-1)
    assert "Rated" in page.parts["f-log"]
    await send(table, rules.Resign(0))
    await page.at(table.seq)
    assert "This match was not rated." in page.parts["f-sheet"]
    assert "Rated" not in page.parts["f-log"]
    await page.close()
    past = await sync_to_async(past_matches)(table.users[0])
    assert [match.rated for match in past] == [False]


async def test_everything_is_let_go_with_the_last_socket() -> None:
    table, sessions = await dealt_table()
    pages = await open_pages(table, sessions)
    shown = registry()
    for page in pages:
        await page.close()
    assert shown.matches == {}
    assert shown.users == {}
    assert registry() is not shown
    again = await open_pages(table, [await sync_to_async(session_of)(table.users[0])])
    assert again[0].seq == table.seq
    await again[0].close()


@pytest.mark.parametrize("presses", [1, 2])
async def test_who_goes_on_at_once_does_not_outrun_the_accounts(monkeypatch: pytest.MonkeyPatch, presses: int) -> None:
    """Continue by one or both while commitment, cap and seed are still being read: what is shown is of that stage."""
    table, sessions = await dealt_table()
    (page, _other) = pages = await open_pages(table, sessions)
    reached, go_on = asyncio.Event(), asyncio.Event()
    original = live.in_database

    async def slow(function: Any, *args: Any) -> Any:
        result = await original(function, *args)
        if function is load_details and not go_on.is_set():
            reached.set()
            await go_on.wait()
        return result

    monkeypatch.setattr(live, "in_database", slow)
    await sync_to_async(play_hand)(table)
    await reached.wait()
    for seat in range(presses):
        await send(table, rules.Continue(seat))
    shown = registry().matches[table.public_id]
    while shown.seq < table.seq:
        await asyncio.sleep(0)
    go_on.set()
    await page.at(table.seq)
    assert shown.details == (await sync_to_async(load_match)(table.public_id)).details
    for page in pages:
        await page.close()


async def test_what_is_read_anew_never_takes_a_table_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """A move is told while the match is read as a whole, as after a gap."""
    table, sessions = await dealt_table()
    pages = await open_pages(table, sessions)
    shown = registry().matches[table.public_id]
    original = live.in_database

    async def overtaken(function: Any, *args: Any) -> Any:
        if function is live.load_since:
            return None
        result = await original(function, *args)
        if function is load_match:
            told = await send(table)
            while shown.seq < told.seq:
                await asyncio.sleep(0)
        return result

    monkeypatch.setattr(live, "in_database", overtaken)
    registry()._behind(shown, table.seq + 1)
    await registry().settle()
    assert shown.seq == table.seq
    assert shown.state == table.state
    for page in pages:
        await page.close()


async def test_comparisons_do_not_wait_for_valkey(monkeypatch: pytest.MonkeyPatch) -> None:
    """B082: it takes connections and says nothing, and the notice of another process is lost."""
    monkeypatch.setattr(live, "COMPARE_S", 0.05)
    table, sessions = await dealt_table()
    pages = await open_pages(table, sessions)

    async def never(*_args: Any) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(live.Registry, "_keep_up_once", never)
    hear_nothing_directly()
    monkeypatch.setattr(announce, "send_to_group", lambda group, message: None)
    await send(table)
    for page in pages:
        await page.at(table.seq)
        await page.close()
