"""Points: what is due, what is paid, how a block settles."""

import pytest

from games.rules import HandOver, MatchOver, Transferred, parse_tile
from games.rules.hand import settle_block, transfer
from games.rules.scoring import block_due, points_due, transfer_points


def test_only_a_positive_multiple_of_five_is_due() -> None:
    """SB-29, SB-4."""
    assert {total: points_due(total) for total in range(37) if points_due(total)} == {
        total: total for total in (5, 10, 15, 20, 25, 30, 35)
    }


def test_a_transfer_is_capped_by_the_payer() -> None:
    """SB-5 and V9."""
    assert transfer_points(20, payer_balance=5) == 5
    assert transfer((295, 5), 1, 20, "placement", now_ms=9) == (
        Transferred(9, payer=1, due=20, paid=5, cause="placement", balances=(300, 0)),
        MatchOver(9, winner=0, ending="balance"),
    )


def test_a_transfer_leaves_300_points() -> None:
    (transferred,) = transfer((150, 150), 0, 15, "bid", now_ms=0)
    assert transferred.balances == (135, 165)


@pytest.mark.parametrize(
    ("own", "other", "due"),
    [
        (4, 18, 20),
        (4, 17, 15),
        (6, 6, 0),
        (0, 1, 0),
        (0, 2, 0),
        (0, 3, 5),
        (2, 7, 5),
        (2, 8, 10),
        (5, 22, 20),
        (5, 23, 25),
    ],
)
@pytest.mark.parametrize("seat", [0, 1])
def test_a_block_pays_the_lower_hand(own: int, other: int, due: int, seat: int) -> None:
    """SB-43, SB-44 and the table of settlements, from either seat."""
    held = (holding(own), holding(other)) if seat == 0 else (holding(other), holding(own))
    over, *paid = settle_block(held, (150, 150), now_ms=0)
    assert isinstance(over, HandOver)
    assert over.winner == (None if own == other else seat)
    assert [(fact.payer, fact.due, fact.paid, fact.cause) for fact in paid if isinstance(fact, Transferred)] == (
        [(1 - seat, due, due, "block")] if due else []
    )


def test_a_block_can_end_the_match() -> None:
    """The last line of the settlement table: the loser holds 15."""
    over, paid, end = settle_block((holding(4), holding(18)), (285, 15), now_ms=0)
    assert isinstance(over, HandOver)
    assert isinstance(paid, Transferred)
    assert (paid.due, paid.paid, paid.balances) == (20, 15, (300, 0))
    assert end == MatchOver(0, winner=0, ending="balance")


def test_rounding_goes_to_the_nearest_chip() -> None:
    assert [block_due(pips) for pips in range(13)] == [0, 0, 0, 5, 5, 5, 5, 5, 10, 10, 10, 10, 10]


def holding(pips: int) -> tuple:
    """Some tiles of so many pips."""
    texts = {
        0: "0|0",
        1: "0|1",
        2: "1|1",
        3: "1|2",
        4: "2|2",
        5: "2|3",
        6: "3|3",
        7: "3|4",
        8: "4|4",
        17: "5|6 3|3",
        18: "6|6 3|3",
        22: "6|6 5|5",
        23: "6|6 5|6",
    }
    return tuple(parse_tile(text) for text in texts[pips].split())
