"""Deals that nobody can choose and everybody can check (D-32)."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from games import access, deals, records, rules, service
from games.models import Hand
from tests.drivers import ManualClock, Table

pytestmark = pytest.mark.django_db

# The 0.1 % point of chi-square with 27 degrees of freedom: one run in a thousand may exceed it.
CHI_SQUARE_27 = 55.5


@pytest.fixture(autouse=True)
def _real_deals(_same_deals: None, settings: Any) -> None:
    settings.TEST_DEALS = None


def test_a_seed_is_drawn_for_every_hand(clock: ManualClock) -> None:
    table = Table.dealt(clock).play_until(lambda state: state.hand == 3 or state.phase == "over", random.Random(2))
    hands = list(Hand.objects.filter(match_id=table.match_id))
    assert len({hand.seed for hand in hands}) == len(hands) > 1
    for hand in hands:
        assert rules.commitment(bytes.fromhex(hand.seed)) == hand.commitment


def test_the_coming_hand_is_committed_to_before_continue(clock: ManualClock) -> None:
    table = Table.dealt(clock).play_until(lambda state: state.phase in ("ready", "over"), random.Random(2))
    assert set(access.commitments(table.row())) == {1, 2}
    before = access.commitments(table.row())
    table.both_press()
    assert access.commitments(table.row()) == before


def test_the_nonces_of_both_go_into_the_shuffle(clock: ManualClock) -> None:
    table = Table.new(clock)
    table.send(rules.Start(1), nonce=b"b" * 16)
    applied = table.send(rules.Start(0), nonce=b"a" * 16)
    hand = Hand.objects.get(match_id=table.match_id, number=1)
    dealt = next(fact for fact in applied.facts if isinstance(fact, rules.Dealt))
    assert hand.nonces == [(b"a" * 16).hex(), (b"b" * 16).hex()]
    assert dealt.order == rules.deal_order(bytes.fromhex(hand.seed), table.public_id, 1, [b"a" * 16, b"b" * 16])


def test_a_deal_without_a_nonce_is_a_deal(clock: ManualClock) -> None:
    table = Table.dealt(clock)
    hand = Hand.objects.get(match_id=table.match_id, number=1)
    assert hand.nonces == [None, None]


def test_a_refused_press_leaves_no_nonce(clock: ManualClock) -> None:
    table = Table.new(clock)
    table.send(rules.Start(0), nonce=b"a" * 16)
    with pytest.raises(rules.AlreadyReady):
        table.send(rules.Start(0), nonce=b"c" * 16)
    assert Hand.objects.get(match_id=table.match_id).nonces == [(b"a" * 16).hex(), None]


def test_the_seed_is_shown_when_the_hand_is_over_and_never_before(clock: ManualClock) -> None:
    table = Table.new(clock)
    for seat in (0, 1):
        assert access.revealed_deals(table.row()) == ()
        table.send(rules.Start(seat), nonce=bytes([seat]) * 16)
    rng = random.Random(2)
    while table.state.phase not in ("ready", "over"):
        assert access.revealed_deals(table.row()) == ()
        table.step(rng)
    (deal,) = access.revealed_deals(table.row())
    nonces = [bytes.fromhex(nonce) for nonce in deal.nonces if nonce is not None]
    assert rules.commitment(bytes.fromhex(deal.seed)) == deal.commitment
    assert rules.deal_order(bytes.fromhex(deal.seed), table.public_id, deal.number, nonces) == deal.order
    assert deal.has_nonce


def test_a_match_that_ends_within_a_hand_reveals_it(clock: ManualClock) -> None:
    table = Table.dealt(clock)
    table.send(rules.Resign(0))
    (deal,) = access.revealed_deals(table.row())
    assert (deal.number, deal.has_nonce) == (1, False)


def test_a_hand_that_was_never_dealt_is_not_revealed(clock: ManualClock) -> None:
    table = Table.new(clock)
    service.leave(table.match_id, table.users[0])
    assert access.revealed_deals(table.row()) == ()


def test_two_matches_of_the_same_moment_have_nothing_in_common(clock: ManualClock) -> None:
    """B068."""
    tables = [Table.dealt(clock) for _match in range(8)]
    orders = {(*table.state.held[0], *table.state.held[1], *table.state.boneyard) for table in tables}
    assert len(orders) == len(tables)


def test_every_tile_goes_everywhere_equally_often() -> None:
    """B068: chi-square over 20,000 deals, for the first, seventh, fifteenth and last place."""
    places = (0, 6, 14, 27)
    counts: list[Counter[rules.Tile]] = [Counter() for _place in places]
    number = 20_000
    for deal in range(number):
        hand = deals.new_hand(1, deal + 1, 2)
        order = deals.order_of(hand, "fairness")
        for place, counter in zip(places, counts, strict=True):
            counter[order[place]] += 1
    expected = number / len(rules.TILES)
    for counter in counts:
        # Four places, each far beyond one in a thousand: a fair shuffle fails about never.
        assert sum((counter[tile] - expected) ** 2 / expected for tile in rules.TILES) < 1.6 * CHI_SQUARE_27


def test_the_record_can_be_checked_by_anybody(clock: ManualClock) -> None:
    table = Table.new(clock)
    for seat in (0, 1):
        table.send(rules.Start(seat), nonce=bytes([seat]) * 16)
    table.play_until(lambda state: state.hand == 3 and state.phase == "play", random.Random(2))
    if table.state.phase != "over":
        table.send(rules.Resign(0))
    record = rules.read_record(records.record_text(table.row()))
    rules.check_deals(record)
    assert rules.judge_record(record) == table.state


def test_prepared_deals_come_in_their_order(clock: ManualClock, settings: Any, tmp_path: Path) -> None:
    tiles = [rules.format_tile(tile) for tile in rules.TILES]
    prepared = [tiles, tiles[::-1]]
    path = tmp_path / "deals.json"
    path.write_text(json.dumps({"deals": prepared, "balances": [290, 10], "banks_ms": [5_000, 6_000]}))
    settings.TEST_DEALS = path
    table = Table.dealt(clock)
    assert table.state.held[0] == rules.TILES[:7]
    assert table.state.balances == (290, 10)
    assert table.state.banks_ms == (5_000, 6_000)
    assert deals.order_of(Hand(number=2), "x") == rules.TILES[::-1]
    assert deals.order_of(Hand(number=3), "x") == rules.TILES


def test_a_file_with_a_wrong_deal_is_refused(settings: Any, tmp_path: Path) -> None:
    path = tmp_path / "deals.json"
    path.write_text(json.dumps([["0|0"] * 28]))
    settings.TEST_DEALS = path
    with pytest.raises(ValueError, match="28 tiles"):
        deals.test_deals()
