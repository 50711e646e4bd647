"""Positions on the table as a search needs them: which tiles fit, what they earn, what follows.

The rules keep a layout with its tiles and joins. What can still be joined and what it earns
depends on the open ends alone, of which there are at most four, so that whole hands lead through
the same seven thousand positions again and again. Each is made once, on demand, and kept with all
its plays for the life of the process, 20 MB in the end. Tests hold them together with
games.rules.

Tiles are bits here, in the order of TILES, and sets of tiles are sums of bits.
"""

from typing import Final

from games.rules import TILES, Layout, Site, Tile

# A play: the bit of the tile, the points due, the position after it, the end it was joined to.
Play = tuple[int, int, "Position", int | None]

BIT: Final[dict[Tile, int]] = {tile: 1 << at for at, tile in enumerate(TILES)}
TILE: Final[dict[int, Tile]] = {bit: tile for tile, bit in BIT.items()}
PIPS: Final[dict[int, int]] = {bit: tile.pips for tile, bit in BIT.items()}
ALL: Final = (1 << len(TILES)) - 1
# The tiles with such a half, by its pips.
WITH_VALUE: Final = tuple(sum(BIT[tile] for tile in TILES if value in tile) for value in range(7))

# An end is its kind times 7 and its value. Both line sides of a lone spinner are one end, since
# they count once (SB-28) and are alike (D-12).
SINGLE: Final = 0  # the half of a non-double: counts its value
DOUBLE: Final = 1  # the open side of a later double: counts both halves
ARM: Final = 2  # an arm of the spinner that nothing lies on: counts nothing
SPINNER: Final = 3  # the last open line side of the spinner: counts both halves, then the arms open
LONE: Final = 4  # the spinner as the only tile
_WEIGHTS: Final = (1, 2, 0, 2, 2)
_COUNTS: Final = tuple(weight * value for weight in _WEIGHTS for value in range(7))

# How a play is ranked where nothing is known of the hands: what it earns, less a share of what
# the answer may earn, each tile being held with about this chance; and the tiles that are hard to
# get rid of first. Chosen by letting ranked plays play against each other, 70,000 hands a trial.
_REPLY_SHARE: Final = 0.5
_REPLY_CHANCE: Final = 0.22
_PIP_WORTH: Final = 0.1
_DOUBLE_WORTH: Final = 1.5


class Position:
    """The open ends of a layout, ascending, and what follows from them.

    `fitting` is the set of the tiles that can be placed. `scores` are pairs (bit, points) of the
    tiles that can score, the most first. `ranked` is every play, that which a player without
    any knowledge would prefer first; None until `ranked_plays` was called.
    """

    __slots__ = ("ends", "fitting", "ranked", "scores", "threat", "total")

    def __init__(self, ends: tuple[int, ...]) -> None:
        self.ends = ends
        self.total = sum(_COUNTS[end] for end in ends)
        self.fitting = ALL if not ends else 0
        for end in ends:
            self.fitting |= WITH_VALUE[end % 7]
        self.ranked: tuple[Play, ...] | None = None
        self.scores = _scores(self)
        self.threat = expected_reply(self, ALL, _REPLY_CHANCE)

    def after(self, bit: int, end: int | None) -> "Position":
        """The position with the tile joined at an end that it fits; None for the opening."""
        return _position(_ends_after(self.ends, TILE[bit], end))


def ranked_plays(position: Position) -> tuple[Play, ...]:
    """Every play of a position that differs from the others, found at the first call."""
    if position.ranked is None:
        plays = [_play(position, bit, end) for end in _choices(position) for bit in _bits_at(end)]
        plays.sort(key=_rank, reverse=True)
        position.ranked = tuple(plays)
    return position.ranked


def find_positions() -> int:
    """Find every position with its plays now instead of on demand, and give their number."""
    found = {EMPTY: None}
    left = [EMPTY]
    while left:
        new = {play[2]: None for play in ranked_plays(left.pop()) if play[2] not in found}
        found |= new
        left += new
    return len(found)


def expected_reply(position: Position, unseen: int, chance: float) -> float:
    """The points that the best reply earns on average.

    Each of the `unseen` tiles is held with that chance, independently of the others.
    """
    expected = 0.0
    none_better = 1.0
    for bit, due in position.scores:
        if bit & unseen:
            expected += due * chance * none_better
            none_better *= 1.0 - chance
    return expected


def position_of(layout: Layout) -> Position:
    """The position of a layout of the rules."""
    ends = {end_of(layout, site) for site in layout.sites if site.port in ("line_a", "line_b")}
    others = [end_of(layout, site) for site in layout.sites if site.port not in ("line_a", "line_b")]
    return _position(tuple(sorted([*ends, *others])))


def end_of(layout: Layout, site: Site) -> int:
    """The end at an open site of this layout."""
    tile, port = site
    if port == "high":
        return SINGLE * 7 + tile.high
    if port == "low":
        return SINGLE * 7 + tile.low
    if port in ("arm_a", "arm_b"):
        return ARM * 7 + tile.low
    if tile != layout.spinner:
        return DOUBLE * 7 + tile.low
    return (LONE if len(layout.tiles) == 1 else SPINNER) * 7 + tile.low


def steps_of(layout: Layout) -> list[tuple[Position, int, int]]:
    """How the layout grew: for each tile the position before it, its bit, and the points due."""
    position = EMPTY
    steps: list[tuple[Position, int, int]] = []
    for at, tile in enumerate(layout.tiles):
        end = None
        if at:
            site = layout.joins[at - 1][0]
            end = end_of(layout, site)
            if end == SPINNER * 7 + site.tile.low and at == 1:
                end = LONE * 7 + site.tile.low
        after = position.after(BIT[tile], end)
        steps.append((position, BIT[tile], due_of(after.total)))
        position = after
    return steps


def due_of(total: int) -> int:
    """The points due for leaving this total (SB-29)."""
    return 0 if total % 5 else total


def _choices(position: Position) -> list[int | None]:
    return list(dict.fromkeys(position.ends)) if position.ends else [None]


def _bits_at(end: int | None) -> list[int]:
    return _BITS_AT[-1] if end is None else _BITS_AT[end % 7]


_BITS_AT: Final = (*([BIT[tile] for tile in TILES if value in tile] for value in range(7)), list(TILE))


def _play(position: Position, bit: int, end: int | None) -> Play:
    after = position.after(bit, end)
    return bit, due_of(after.total), after, end


def _rank(play: Play) -> float:
    bit, due, after, _ = play
    tile = TILE[bit]
    return due - _REPLY_SHARE * after.threat + _PIP_WORTH * tile.pips + _DOUBLE_WORTH * tile.is_double


def _ends_after(ends: tuple[int, ...], tile: Tile, end: int | None) -> tuple[int, ...]:
    low, high = tile
    if end is None:
        return (LONE * 7 + low,) if low == high else (SINGLE * 7 + low, SINGLE * 7 + high)
    value = end % 7
    kind = end // 7
    left = list(ends)
    left.remove(end)
    if low != high:
        left.append(SINGLE * 7 + (high if value == low else low))
    else:
        left.append((DOUBLE if _has_spinner(ends) else SPINNER) * 7 + value)
    if kind == LONE:
        left.append(SPINNER * 7 + value)
    elif kind == SPINNER:
        left += (ARM * 7 + value, ARM * 7 + value)  # SB-23
    return tuple(sorted(left))


def _has_spinner(ends: tuple[int, ...]) -> bool:
    # Only before the first double are there two ends of non-doubles (SB-21, SB-25).
    return len(ends) != 2 or max(ends) >= 7


def _scores(position: Position) -> tuple[tuple[int, int], ...]:
    # By arithmetic alone: this is done for every position that any play leads to.
    best: dict[int, int] = {}
    for end in _choices(position):
        for bit, gain in _GAINS[end]:
            total = position.total + gain
            if total > 0 and total % 5 == 0 and total > best.get(bit, 0):
                best[bit] = total
    return tuple(sorted(best.items(), key=lambda score: -score[1]))


def _gains_at(end: int | None) -> tuple[tuple[int, int], ...]:
    # What each tile adds to the total there; a new double counts both halves, spinner or not.
    if end is None:
        return tuple((bit, TILE[bit].pips) for bit in TILE)
    value = end % 7
    lost = 0 if end // 7 == LONE else _COUNTS[end]
    return tuple(
        (bit, (2 * value if TILE[bit].is_double else TILE[bit].pips - value) - lost) for bit in _BITS_AT[value]
    )


_GAINS: Final = {end: _gains_at(end) for end in (None, *range(35))}
_positions: Final[dict[tuple[int, ...], Position]] = {}


def _position(ends: tuple[int, ...]) -> Position:
    known = _positions.get(ends)
    if known is None:
        known = _positions[ends] = Position(ends)
    return known


EMPTY: Final = _position(())
