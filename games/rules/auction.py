"""Bids: what they cost and which are allowed. All in points.

The rival decides first and bids for the opening; the jockey, who holds it, pays fifteen less
than bid. The steps of an auction are facts made in match.py.
"""

from typing import Final

from games.rules.errors import BidNotMultipleOfFive, BidTooLow, BidUnaffordable

MIN_BID: Final = 15  # SB-49
STEP: Final = 5  # SB-51
DISCOUNT: Final = 15  # SB-54


def net_price(amount: int, *, is_jockey: bool) -> int:
    """What the author of a bid pays when it is accepted.

    >>> net_price(20, is_jockey=True), net_price(20, is_jockey=False)
    (5, 20)

    Rule: SB-54.
    """
    return max(0, amount - DISCOUNT) if is_jockey else amount


def lowest_bid(standing: int | None) -> int:
    """The least that can be bid: 15, or five above the standing bid (SB-51)."""
    return MIN_BID if standing is None else standing + STEP


def highest_bid(balance: int, *, is_jockey: bool) -> int:
    """The most that a balance can pay for (SB-55)."""
    return balance + DISCOUNT if is_jockey else balance


def legal_amounts(standing: int | None, balance: int, *, is_jockey: bool) -> range:
    """Every amount that may be bid now, ascending; empty if none can be afforded.

    >>> list(legal_amounts(None, 25, is_jockey=False))
    [15, 20, 25]

    Rule: SB-51, SB-55.
    """
    return range(lowest_bid(standing), highest_bid(balance, is_jockey=is_jockey) + 1, STEP)


def check_amount(amount: int, standing: int | None, balance: int, *, is_jockey: bool) -> None:
    """Refuse an amount outside `legal_amounts`, with the bound it breaks."""
    lowest = lowest_bid(standing)
    highest = highest_bid(balance, is_jockey=is_jockey)
    if amount % STEP:
        raise BidNotMultipleOfFive(amount=amount)
    if amount < lowest:
        raise BidTooLow(amount=amount, lowest=lowest)
    if amount > highest:
        raise BidUnaffordable(amount=amount, highest=highest)
