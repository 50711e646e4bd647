"""The double-six set: tiles, their order, how they are written.

What happens to tiles on the table is in layout.py, what they are worth in scoring.py.
"""

from typing import Final, NamedTuple

MAX_PIPS: Final = 6


class Tile(NamedTuple):
    """One domino, lower half first.

    Tiles compare by their lower, then their higher half: the canonical order of SB-27.
    """

    low: int
    high: int

    @property
    def is_double(self) -> bool:
        return self.low == self.high

    @property
    def pips(self) -> int:
        return self.low + self.high


# SB-9: each combination once, [0|0] included, in canonical order.
TILES: Final[tuple[Tile, ...]] = tuple(
    Tile(low, high) for low in range(MAX_PIPS + 1) for high in range(low, MAX_PIPS + 1)
)
_TILE_BY_TEXT: Final = {f"{tile.low}|{tile.high}": tile for tile in TILES}


def parse_tile(text: str) -> Tile:
    """The tile written as `text`, lower half first; ValueError for anything else.

    >>> parse_tile("1|4")
    Tile(low=1, high=4)
    """
    try:
        return _TILE_BY_TEXT[text]
    except (KeyError, TypeError):
        raise ValueError(f"not a tile: {text!r}") from None


def format_tile(tile: Tile) -> str:
    """The tile as text, lower half first.

    >>> format_tile(Tile(1, 4))
    '1|4'
    """
    return f"{tile[0]}|{tile[1]}"


def rank(tile: Tile) -> tuple[bool, int, int]:
    """Where a tile stands when the highest of two hands must open.

    Every double is above every non-double; doubles go by their value, the others by their
    pip total and then by the higher half.

    >>> rank(Tile(0, 0)) > rank(Tile(5, 6))
    True
    >>> rank(Tile(4, 5)) < rank(Tile(3, 6))
    True

    Rule: SB-14, SB-15.
    """
    return tile.is_double, tile.pips, tile.high
