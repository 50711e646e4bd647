"""A hand played on to its end by ranked plays alone, with all its tiles known.

The players of a playout know nothing of each other's tiles: they take the play that ranks first
among those they hold. So its result is what such players really reach, and no wonder of foresight.
"""

from collections.abc import Sequence
from typing import Final

from games.bots.strategy.positions import PIPS, Position, ranked_plays
from games.rules.scoring import block_due

# What it is worth to be the jockey of the next hand, in points (SB-41): half of the difference
# between opening it and not, which is about ten points on the average of hands.
JOCKEY_WORTH: Final = 5.0


def play_out(
    position: Position,
    hand: int,
    other: int,
    yard: Sequence[int],
    *,
    margin: int,
    balance: int,
    other_balance: int,
    sign: int = 1,
    jockey_worth: float = JOCKEY_WORTH,
) -> float:
    """The points that `hand` gains from here, with those it has gained already, `margin`.

    `hand` is on turn, `other` is the other's tiles, `yard` the boneyard in drawing order. The
    balances are those before the margin: nobody wins more than the other holds (SB-5), and a
    hand ends there (SB-6). With `sign` -1 it is `other` whose gain is asked for: margin, balance
    and result are then those of `other`.
    """
    drawn = 0
    left = len(yard)
    passes = 0
    while True:
        playable = hand & position.fitting
        while not playable and drawn < left:
            bit = yard[drawn]
            drawn += 1
            hand |= bit
            playable = bit & position.fitting  # SB-35
        if not playable:
            passes += 1
            if passes == 2:
                return _settled(hand, other, sign, margin, balance, other_balance)
            hand, other, sign = other, hand, -sign
            continue
        passes = 0
        for play in position.ranked or ranked_plays(position):
            if play[0] & playable:
                break
        bit, due, position, _ = play
        hand ^= bit
        if due:
            margin += sign * due
            if margin >= other_balance:
                return other_balance
            if margin <= -balance:
                return -balance
        if not hand:
            return margin + sign * jockey_worth
        hand, other, sign = other, hand, -sign


def pips_of(hand: int) -> int:
    """The pips of a set of tiles."""
    pips = 0
    while hand:
        bit = hand & -hand
        pips += PIPS[bit]
        hand ^= bit
    return pips


def _settled(hand: int, other: int, sign: int, margin: int, balance: int, other_balance: int) -> float:
    # SB-43: the lower hand is due the pips of the other.
    pips, other_pips = pips_of(hand), pips_of(other)
    if pips < other_pips:
        margin += sign * block_due(other_pips)
    elif pips > other_pips:
        margin -= sign * block_due(pips)
    return max(-balance, min(other_balance, margin))
