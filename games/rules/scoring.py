"""What positions and hands are worth, and how points move. All in points, multiples of five."""

from collections.abc import Iterable
from typing import Final

from games.rules.tiles import Tile

CHIP: Final = 5


def points_due(total: int) -> int:
    """What a placement earns that leaves this total on the table.

    >>> [points_due(total) for total in (0, 9, 15, 36)]
    [0, 0, 15, 0]

    Rule: SB-29.
    """
    return total if total % CHIP == 0 else 0


def transfer_points(due: int, payer_balance: int) -> int:
    """Points that really move when `due` are owed.

    Never more than the payer holds, so the result may be less than `due` and leave the payer at
    zero, who has then lost.

    >>> transfer_points(20, payer_balance=5)
    5

    Rule: SB-5.
    """
    return min(due, payer_balance)


def pips_held(held: Iterable[Tile]) -> int:
    """The pip total of the tiles in a hand.

    >>> pips_held([Tile(5, 6), Tile(0, 3)])
    14
    """
    return sum(low + high for low, high in held)


def block_due(loser_pips: int) -> int:
    """What the lower hand is due after a block: the other's pips to the nearest multiple of five.

    >>> [block_due(pips) for pips in (18, 17, 2, 3)]
    [20, 15, 0, 5]

    Rule: SB-43.
    """
    return CHIP * ((loser_pips + 2) // CHIP)
