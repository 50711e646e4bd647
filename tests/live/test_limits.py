"""What one socket and one user may ask, here and over several processes, and how much may wait to be read."""

from __future__ import annotations

from typing import Any

import pytest
from asgiref.sync import sync_to_async

from games import consumers, limits, rules
from games.limits import COMMAND_COST, DRAWN_COST, FAILED_COST, MARKS_KEPT, Bucket, Unread, UserBucket, share
from games.presence import Presence
from games.sockets import CLOSE_LAGGING, CLOSE_LIMIT
from tests.live.clients import WAIT_S, Page, Program, dealt_table, program_table


def test_a_bucket_fills_up_again_but_not_beyond_its_burst() -> None:
    bucket = Bucket(rate=2.0, burst=4.0)
    now_s = bucket.at_s
    assert [bucket.take(now_s=now_s) for _ in range(5)] == [True] * 4 + [False]
    assert bucket.take(now_s=now_s + 0.5)
    assert not bucket.take(now_s=now_s + 0.5)
    assert [bucket.take(now_s=now_s + 100) for _ in range(5)] == [True] * 4 + [False]


def test_a_failed_command_costs_more() -> None:
    assert FAILED_COST > COMMAND_COST
    bucket = Bucket(rate=1.0, burst=4.0)
    now_s = bucket.at_s
    assert bucket.take(now_s=now_s)
    bucket.charge(now_s=now_s)
    assert not bucket.take(now_s=now_s)


def test_a_debt_has_an_end() -> None:
    bucket = Bucket(rate=1.0, burst=4.0)
    for _ in range(100):
        bucket.charge(now_s=bucket.at_s)
    assert bucket.tokens == -4.0


@pytest.mark.asyncio
async def test_what_is_spent_in_one_process_is_missing_in_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two processes, played by two sets of buckets."""
    monkeypatch.setattr(limits, "WINDOW_S", 1_000_000)
    here, there = UserBucket(rate=0.0, burst=10.0), UserBucket(rate=0.0, burst=10.0)
    presence = Presence("limits")
    for bucket in (here, there):
        assert bucket.take(4.0)
    for bucket, others in ((here, 0.0), (there, 4.0), (here, 4.0)):
        monkeypatch.setattr(limits, "_users", {990_001: bucket})
        bucket.take(0.25)
        await share(presence.client())
        assert bucket.heard == pytest.approx(others, abs=0.3)
    assert not here.take(4.0)
    assert not there.take(4.0)
    await presence.close()


class Crowded(UserBucket):
    """A bucket beside which another one appears whenever it is looked at, as when a page's thread makes it."""

    def __getattribute__(self, name: str) -> Any:
        if name in ("untold", "at_s"):
            limits._users[len(limits._users)] = UserBucket(rate=1.0, burst=1.0)
        return object.__getattribute__(self, name)


@pytest.mark.asyncio
async def test_users_may_come_while_the_buckets_are_walked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "_users", {})
    limits._users[0] = Crowded(rate=1.0, burst=1.0)
    presence = Presence("limits")
    await share(presence.client())
    await presence.close()
    monkeypatch.setattr(limits, "IDLE_S", -1)
    limits._forget_idle()
    assert 0 not in limits._users
    assert limits._users


@pytest.mark.django_db(transaction=True)
@pytest.mark.asyncio
async def test_who_does_not_stop_is_closed(settings: Any) -> None:
    settings.SOCKET_RATE = 0.0
    settings.SOCKET_BURST = 0.5  # of a program: ten commands
    table, tokens = await program_table()
    seat = Program(table.public_id, tokens[0])
    await seat.open()
    await seat.next_json()
    for _ in range(60):
        await seat.send_json_to({"type": "draw", "seq": 99, "id": "x"})
    codes = []
    while (message := await seat.receive_output(WAIT_S))["type"] == "websocket.send":
        codes.append(message["text"])
    assert message["code"] == CLOSE_LIMIT
    assert any("StaleCommand" in text or "TooManyWaiting" in text for text in codes)
    assert any("RateLimited" in text for text in codes)
    assert (await sync_to_async(table.row)()).seq == table.seq
    await seat.close()


# Reading.


def test_a_mark_that_comes_back_shows_what_was_read() -> None:
    unread = Unread()
    unread.sent = 100
    first = unread.new_mark()
    unread.sent = 150
    second = unread.new_mark()
    unread.sent = 170
    unread.came_back(first)
    assert unread.count == 70
    unread.came_back(second)
    assert unread.count == 20
    unread.came_back(first)
    assert unread.count == 20


@pytest.mark.parametrize("guess", ["", "0" * 16, None, 0, [], {}, True])
def test_what_is_no_mark_shows_nothing(guess: Any) -> None:
    unread = Unread(sent=100)
    for _ in range(2 * MARKS_KEPT):
        unread.new_mark()
    unread.came_back(guess)
    assert unread.count == 100


@pytest.fixture
def no_rates(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what is unread is bounded, and that tightly."""
    settings.SOCKET_RATE = settings.USER_RATE = settings.SOCKET_BURST = settings.USER_BURST = 1e9
    monkeypatch.setattr(consumers, "UNREAD_LIMIT", 200_000)


FRAMES = (
    {"type": "hello", "seq": -1, "format": "wide"},
    {"type": "resync", "seq": -1},
    {"type": "ping", "t": 1, "mark": ""},
    {"type": "draw", "seq": 0, "id": "x"},
    {"type": "nonsense"},
)


@pytest.mark.django_db(transaction=True)
@pytest.mark.asyncio
@pytest.mark.parametrize("number", range(len(FRAMES)))
async def test_who_writes_and_never_reads_is_closed(no_rates: None, number: int) -> None:
    """Whatever it writes: none of it shows that anything was read."""
    table, sessions = await dealt_table()
    page = Page(table.public_id, sessions[0])
    await page.open()
    await page.greet(seq=-1)
    sent, code = 0, None
    while code is None and sent < 2 * consumers.UNREAD_LIMIT:
        await page.send_json_to(FRAMES[number])
        message = await page.receive_output(WAIT_S)
        sent += len(message.get("text", ""))
        code = message.get("code")
    assert code == CLOSE_LAGGING
    await page.close()


@pytest.mark.django_db(transaction=True)
@pytest.mark.asyncio
async def test_who_sends_marks_back_may_stay(no_rates: None) -> None:
    table, sessions = await dealt_table()
    page = Page(table.public_id, sessions[0])
    await page.open()
    await page.greet(seq=-1)
    while sum(map(len, page.frames)) < 3 * consumers.UNREAD_LIMIT:
        await page.send_json_to({"type": "resync", "seq": -1})
        await page.ping()
    await page.close()


@pytest.mark.django_db(transaction=True)
@pytest.mark.asyncio
async def test_a_program_that_plays_need_not_ping(no_rates: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consumers, "UNREAD_LIMIT", 20_000)
    table, tokens = await program_table()
    await sync_to_async(table.both_press)()
    seats = [Program(table.public_id, token) for token in tokens]
    for seat in seats:
        await seat.open()
        await seat.next_json()
    while min(sum(map(len, seat.frames)) for seat in seats) < 2 * consumers.UNREAD_LIMIT:
        command = table.moves()[0]
        answer = await seats[command.seat].command(rules.dump_command(command))
        assert answer["type"] == "accepted"
        for seat in seats:
            await seat.at(answer["seq"])
        await sync_to_async(table.refresh)()
    for seat in seats:
        await seat.close()


@pytest.mark.django_db(transaction=True)
@pytest.mark.asyncio
@pytest.mark.parametrize("kind", ["hello", "resync"])
async def test_a_picture_that_is_asked_for_is_paid_for(settings: Any, kind: str) -> None:
    """The allowance bounds what is drawn, not only how often somebody asks."""
    settings.SOCKET_RATE, settings.SOCKET_BURST = 0.0, 40.0
    table, sessions = await dealt_table()
    page = Page(table.public_id, sessions[0])
    await page.open()
    await page.greet(seq=-1)
    picture = len(page.frames[0])
    while "f-toast" not in page.parts:
        await page.send_json_to({"type": kind, "seq": -1, "format": "wide"})
        await page.next_html()
    assert 'data-code="RateLimited"' in page.parts["f-toast"]
    assert sum(map(len, page.frames)) <= settings.SOCKET_BURST / DRAWN_COST + 2 * picture
    await page.close()
