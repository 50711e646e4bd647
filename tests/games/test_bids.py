"""Amounts that are no bid, from the door to the database (B043)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from games import rules, service, wire
from games.errors import MalformedCommand
from tests.drivers import ManualClock, Table
from tests.games.test_service import nothing_changes

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(clock: ManualClock) -> Table:
    """A match whose rival decides first in the auction."""
    table = Table.dealt(clock)
    rng = random.Random(3)
    while table.state.phase != "auction":
        table.play_until(lambda state: state.phase in ("ready", "auction"), rng)
        if table.state.phase == "ready":
            table.both_press()
    return table


def bid(table: Table, amount: Any) -> service.Applied:
    kind = "bid" if table.state.bid is None else "raise"
    envelope = wire.parse_frame({"type": kind, "amount": amount, "seq": table.seq, "id": "b1"})
    assert table.state.turn is not None
    return table.send(envelope.command(table.state.turn))


@pytest.mark.parametrize(
    "amount",
    [
        10,
        16,
        17,
        0,
        305,
        999_999,
        "10",
        -15,
        15.5,
        1e2,
        "1e2",
        "015",
        "１５",
        "١٥",
        "",
        10**12,
        str(10**12),
        None,
        True,
    ],
)
def test_an_amount_that_is_no_bid_changes_nothing(clock: ManualClock, table: Table, amount: Any) -> None:
    clock.move(3_000)
    with nothing_changes(table), pytest.raises((MalformedCommand, rules.IllegalCommand)):
        bid(table, amount)
    applied = bid(table, 15)
    assert applied.state.bid == (applied.command.seat, 15)


def test_the_highest_bid_is_all_there_is(table: Table) -> None:
    bidder = table.state.turn
    assert bidder is not None
    most = table.state.balances[bidder]
    with nothing_changes(table), pytest.raises(rules.BidUnaffordable):
        bid(table, most + 5)
    assert bid(table, most).state.bid == (bidder, most)


def test_a_bid_may_come_as_digits(table: Table) -> None:
    assert bid(table, "20").state.bid.amount == 20
