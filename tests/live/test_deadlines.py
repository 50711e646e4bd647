"""Time runs out while the table is open: how early it may be judged, and what may not be overlooked (D-27)."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings

from games import clock_source, live, rules
from games.arrival import doors
from games.clock_source import now_ms
from games.live import registry
from games.models import MatchEvent
from games.processes import WebProcess
from games.threads import in_writer
from tests.drivers import Table
from tests.live.clients import Page, Program, dealt_table, program_table

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]

SOON_MS = 200


class ShiftedClock:
    """The real clock, put forward."""

    def __init__(self) -> None:
        self.by_ms = 0

    def __call__(self) -> int:
        return time.time_ns() // 1_000_000 + self.by_ms

    def put_before(self, at_ms: int, by_ms: int = SOON_MS) -> None:
        """Make it `by_ms` before that time."""
        self.by_ms += at_ms - by_ms - self()


@pytest.fixture
def clock() -> Iterator[ShiftedClock]:
    shifted = ShiftedClock()
    with clock_source.use_source(shifted):
        yield shifted


@pytest.fixture
def web_process(monkeypatch: pytest.MonkeyPatch) -> Iterator[WebProcess]:
    """This process as a web process, the only one."""
    process = WebProcess()
    process.join()
    monkeypatch.setattr(live, "this_process", process)
    yield process
    process.leave()


@sync_to_async
def judged_at(table: Table) -> int:
    return MatchEvent.objects.get(match_id=table.match_id, kind="expire_time").applied_ms


async def open_pages(table: Table, sessions: list[str]) -> list[Page]:
    """Both are open while the clock runs out, however long a crowded machine takes to open them."""
    pages = [Page(table.public_id, session) for session in sessions]
    for page in pages:
        await page.open()
        await page.greet(seq=-1)
    return pages


def look_at_clock(table: Table) -> None:
    """The time was put forward: wait for the deadline anew."""
    registry()._arm(registry().matches[table.public_id])


async def wait_for_loss(pages: list[Page]) -> None:
    for page in pages:
        while 'data-kind="result"' not in page.parts["f-sheet"]:
            await page.next_html()
        await page.close()


async def test_the_only_process_judges_at_once(clock: ShiftedClock, web_process: WebProcess) -> None:
    table, sessions = await dealt_table()
    deadline_ms, on_turn = table.state.deadline_ms, table.state.turn
    pages = await open_pages(table, sessions)
    clock.put_before(deadline_ms)
    look_at_clock(table)
    await wait_for_loss(pages)
    assert deadline_ms <= await judged_at(table) < deadline_ms + settings.GRACE_MS
    final = await sync_to_async(table.refresh)()
    assert (final.ending, final.winner) == ("time", 1 - on_turn)
    over = await sync_to_async(lambda: MatchEvent.objects.get(match_id=table.match_id, kind="expire_time").facts[-1])()
    assert over["at_ms"] == deadline_ms  # dated at the deadline, whenever it was judged


async def test_one_process_of_several_waits_for_the_grace(clock: ShiftedClock, web_process: WebProcess) -> None:
    other = WebProcess()
    await sync_to_async(other.join)()
    try:
        assert not await sync_to_async(web_process.alone_now)()
        table, sessions = await dealt_table()
        deadline_ms = table.state.deadline_ms
        pages = await open_pages(table, sessions)
        clock.put_before(deadline_ms)
        await sync_to_async(other.alone_now)()  # by the new time it had not been heard of for long
        look_at_clock(table)
        await wait_for_loss(pages)
        assert await judged_at(table) >= deadline_ms + settings.GRACE_MS
    finally:
        await sync_to_async(other.leave)()


async def test_a_process_that_knows_of_no_other_cannot_be_sure(clock: ShiftedClock) -> None:
    """Not registered, or Valkey is away: it waits like one of several."""
    table, sessions = await dealt_table()
    deadline_ms = table.state.deadline_ms
    pages = await open_pages(table, sessions)
    clock.put_before(deadline_ms)
    look_at_clock(table)
    await wait_for_loss(pages)
    assert await judged_at(table) >= deadline_ms + settings.GRACE_MS


async def test_a_stamped_command_at_any_door_holds_the_verdict(clock: ShiftedClock, web_process: WebProcess) -> None:
    """Here one that waits at the HTTP door of the only process."""
    table, sessions = await dealt_table()
    deadline_ms = table.state.deadline_ms
    clock.put_before(deadline_ms)
    arrival = doors.enter(table.public_id, table.users[0].pk)
    assert arrival.arrived_ms < deadline_ms
    page = Page(table.public_id, sessions[0])
    await page.open()
    await page.greet(seq=-1)
    while now_ms() < deadline_ms + 100:
        await asyncio.sleep(0.01)
    assert (await sync_to_async(table.row)()).seq == table.seq
    doors.leave(arrival)
    while 'data-kind="result"' not in page.parts["f-sheet"]:
        await page.next_html()
    assert deadline_ms + 100 <= await judged_at(table)
    await page.close()


async def test_a_command_in_time_counts_although_it_is_handled_late(
    clock: ShiftedClock, web_process: WebProcess
) -> None:
    """The stamp decides: the database is busy until after the deadline."""
    table, tokens = await program_table()
    await sync_to_async(table.both_press)()
    deadline_ms = table.state.deadline_ms
    command = table.moves()[0]
    seat = Program(table.public_id, tokens[command.seat])
    await seat.open()
    await seat.next_json()
    free = threading.Event()
    busy = [asyncio.create_task(in_writer(free.wait)) for _ in range(8)]
    try:
        clock.put_before(deadline_ms, 1_000)  # enough for a crowded machine to take a frame
        look_at_clock(table)
        await seat.send_json_to({**told(command), "seq": table.seq, "id": "late"})
        while not doors.waiting(table.public_id):
            await asyncio.sleep(0)
        assert now_ms() < deadline_ms
        while now_ms() < deadline_ms + 50:
            await asyncio.sleep(0.01)
    finally:
        free.set()  # the writers are those of all tests
    answer = await seat.until(lambda frame: frame["type"] != "sight")
    assert answer == {"type": "accepted", "seq": table.seq + 1, "id": "late"}
    await asyncio.gather(*busy)
    await seat.close()


async def test_a_late_command_is_told_so_with_the_final_table(clock: ShiftedClock) -> None:
    """B086: two seconds after the deadline, timers or not."""
    table, tokens = await program_table()
    await sync_to_async(table.both_press)()
    command = table.moves()[0]
    deadline_ms = table.state.deadline_ms
    seats = [Program(table.public_id, token) for token in tokens]
    for seat in seats:
        await seat.open()
        await seat.next_json()
    clock.put_before(deadline_ms, -2_000)
    answer = await seats[command.seat].command(told(command))
    assert (answer["type"], answer["code"]) == ("error", "TimeIsUp")
    for seat in seats:
        frame = await seat.until(lambda frame: frame["type"] == "sight" and frame["sight"]["phase"] == "over")
        assert frame["sight"]["winner"] == 1 - command.seat
    held = seats[command.seat].seen["sight"]["held"][command.seat]
    assert rules.format_tile(command.tile) in held
    for seat in seats:
        await seat.close()


async def test_a_claim_inside_the_grace_is_answered_and_after_it_judged(clock: ShiftedClock, settings: object) -> None:
    settings.DEADLINE_TIMERS = False
    table, tokens = await program_table()
    await sync_to_async(table.both_press)()
    assert table.state.turn is not None
    claimant = Program(table.public_id, tokens[1 - table.state.turn])
    await claimant.open()
    await claimant.next_json()
    assert registry().matches[table.public_id].timer is None
    clock.put_before(table.state.deadline_ms, -10)
    await claimant.send_json_to({"type": "claim"})
    assert (await claimant.until(lambda frame: frame["type"] == "error"))["code"] == "TimeIsUp"
    clock.put_before(table.state.deadline_ms, -1_000)
    await claimant.send_json_to({"type": "claim"})
    frame = await claimant.until(lambda frame: frame["type"] == "sight" and frame["sight"]["phase"] == "over")
    assert frame["sight"]["ending"] == "time"
    await claimant.close()


async def test_closing_the_page_stops_no_clock(clock: ShiftedClock, web_process: WebProcess) -> None:
    """B084: the player on turn is gone; the other one's page shows the verdict all the same."""
    table, sessions = await dealt_table()
    assert table.state.turn is not None
    deadline_ms = table.state.deadline_ms
    mover, waiting = (Page(table.public_id, sessions[seat]) for seat in (table.state.turn, 1 - table.state.turn))
    for page in (mover, waiting):
        await page.open()
        await page.greet(seq=-1)
    await mover.close()
    assert (await sync_to_async(table.row)()).deadline_ms == deadline_ms
    await waiting.close()
    clock.put_before(deadline_ms)
    again = Page(table.public_id, sessions[1 - table.state.turn])
    await again.open()
    await again.greet(seq=-1)
    while 'data-kind="result"' not in again.parts["f-sheet"]:
        await again.next_html()
    await again.close()


def told(command: rules.PlayerCommand) -> dict[str, object]:
    return {key: value for key, value in rules.dump_command(command).items() if key != "seat"}
