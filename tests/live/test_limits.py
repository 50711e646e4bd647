"""What one socket and one user may ask, here and over several processes."""

from __future__ import annotations

from typing import Any

import pytest
from asgiref.sync import sync_to_async

from games import limits
from games.limits import COMMAND_COST, FAILED_COST, Bucket, UserBucket, share
from games.presence import Presence
from games.sockets import CLOSE_LIMIT
from tests.live.clients import Program, program_table


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
    while (message := await seat.receive_output(5))["type"] == "websocket.send":
        codes.append(message["text"])
    assert message["code"] == CLOSE_LIMIT
    assert any("StaleCommand" in text or "TooManyWaiting" in text for text in codes)
    assert any("RateLimited" in text for text in codes)
    assert (await sync_to_async(table.row)()).seq == table.seq
    await seat.close()
