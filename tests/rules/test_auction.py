"""Bids: what they cost and how far they may go."""

import pytest

from games.rules import BidNotMultipleOfFive, BidTooLow, BidUnaffordable, IllegalCommand
from games.rules.auction import check_amount, legal_amounts, net_price


def test_the_jockey_alone_has_the_discount() -> None:
    """SB-54, SB-59."""
    assert [net_price(bid, is_jockey=True) for bid in (15, 20, 165)] == [0, 5, 150]
    assert [net_price(bid, is_jockey=False) for bid in (15, 20, 150)] == [15, 20, 150]


@pytest.mark.parametrize(
    ("standing", "balance", "is_jockey", "amounts"),
    [
        (None, 10, False, []),
        (None, 15, False, [15]),
        (None, 150, False, list(range(15, 155, 5))),
        (15, 150, True, list(range(20, 170, 5))),
        (15, 5, True, [20]),
        (20, 5, True, []),
        (20, 20, False, []),
        (20, 25, False, [25]),
    ],
)
def test_the_amounts_open_to_a_bidder(standing: int | None, balance: int, is_jockey: bool, amounts: list[int]) -> None:
    """SB-51, SB-55 and the corner cases of affordability (B041, B049)."""
    assert list(legal_amounts(standing, balance, is_jockey=is_jockey)) == amounts


@pytest.mark.parametrize("standing", [None, 15, 145])
@pytest.mark.parametrize("is_jockey", [False, True])
@pytest.mark.parametrize("balance", [5, 15, 150, 295])
def test_an_amount_is_refused_exactly_when_it_is_not_open(standing: int | None, is_jockey: bool, balance: int) -> None:
    open_amounts = legal_amounts(standing, balance, is_jockey=is_jockey)
    for amount in (*range(-20, 340), 10**12):
        try:
            check_amount(amount, standing, balance, is_jockey=is_jockey)
        except IllegalCommand:
            assert amount not in open_amounts
        else:
            assert amount in open_amounts


@pytest.mark.parametrize(
    ("amount", "refusal"),
    [(10, BidTooLow), (12, BidNotMultipleOfFive), (17, BidNotMultipleOfFive), (155, BidUnaffordable)],
)
def test_a_refused_bid_says_why(amount: int, refusal: type[IllegalCommand]) -> None:
    with pytest.raises(refusal) as refused:
        check_amount(amount, None, 150, is_jockey=False)
    assert refused.value.detail["amount"] == amount
    assert refused.value.code == refusal.__name__


def test_the_longest_auction_has_thirty_bids() -> None:
    """SB-60: both go up by the least step, from 145 of the jockey and 155 of the rival."""
    balances = {"jockey": 145, "rival": 155}
    bids: list[int] = []
    bidder = "rival"
    while amounts := legal_amounts(bids[-1] if bids else None, balances[bidder], is_jockey=bidder == "jockey"):
        bids.append(amounts[0])
        bidder = "jockey" if bidder == "rival" else "rival"
    assert len(bids) <= 30
    assert bids[-1] == 160
