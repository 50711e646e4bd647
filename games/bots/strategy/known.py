"""What a seat knows, as a search needs it: its tiles, the unseen ones, who laid which tile.

Everything is read from a Sight. It holds no history of draws, but the layout is in order of play
and nobody passes while there is a boneyard (SB-37), so it tells which tiles the other seat laid,
on what, and what it could have earned instead; with the number of its tiles, how many it drew.
"""

from dataclasses import dataclass
from typing import NamedTuple

from games.bots.strategy.positions import BIT, EMPTY, Position, due_of, end_of, position_of, steps_of
from games.rules import PlayTile, Sight, Tile

# How much less likely a tile is in the other hand if it would have earned more than the one laid.
_PASSED_OVER = 0.35
# And if it fitted on a turn that began with a draw. Not nothing: it may have been drawn later.
_FITTED = 0.15


@dataclass(frozen=True, slots=True)
class Known:
    """The own hand and the other's possible tiles, both as sets of bits; balances in points.

    `others` is how many of the unseen tiles the other seat holds; the rest is the boneyard.
    """

    hand: int
    unseen: int
    others: int
    yard: int
    position: Position
    balance: int
    other_balance: int

    @property
    def chance(self) -> float:
        """The chance that any one unseen tile is in the other hand."""
        return self.others / max(1, self.others + self.yard)


class Choice(NamedTuple):
    """A placement: the bit of the tile, the points due, the position after it."""

    bit: int
    due: int
    after: Position


def known_of(sight: Sight) -> Known:
    """What the viewer of this sight, a player in a running hand, knows."""
    seat = sight.viewer
    assert seat is not None
    held, others = sight.held[seat], sight.held[1 - seat]
    assert not isinstance(held, int)
    assert isinstance(others, int)
    hand = bits_of(held)
    return Known(
        hand=hand,
        unseen=sum(BIT.values()) ^ hand ^ bits_of(sight.layout.tiles),
        others=others,
        yard=sight.boneyard,
        position=position_of(sight.layout),
        balance=sight.balances[seat],
        other_balance=sight.balances[1 - seat],
    )


def choices_of(sight: Sight, known: Known) -> dict[Choice, PlayTile]:
    """The viewer's placements, in the order of the rules; of those that come to the same the first."""
    choices: dict[Choice, PlayTile] = {}
    for preview in sight.previews:
        bit = BIT[preview.tile]
        end = None if preview.site is None else end_of(sight.layout, preview.site)
        choice = Choice(bit, preview.due, known.position.after(bit, end))
        if choice not in choices:
            assert sight.viewer is not None
            choices[choice] = PlayTile(sight.viewer, preview.tile, preview.site)
    return choices


def openings_of(known: Known) -> list[Choice]:
    """What the own hand could open with."""
    openings = ((bit, EMPTY.after(bit, None)) for bit in BIT.values() if bit & known.hand)
    return [Choice(bit, due_of(after.total), after) for bit, after in openings]


def likelihoods(sight: Sight, known: Known) -> dict[int, float]:
    """How likely each unseen tile is in the other hand, against one of which nothing is known.

    A tile that would have earned more than the one that was laid was hardly held then; nor was
    one that fitted when the other seat had to draw. When it drew is not seen: of its turns, those
    count in which fewest tiles fitted.
    """
    weights = {bit: 1.0 for bit in BIT.values() if bit & known.unseen}
    if not sight.boneyard:
        return weights  # every unseen tile is held, and passes hide who laid what
    steps = steps_of(sight.layout)
    # The viewer is on turn, so that the last tile is the other's, and every second before it.
    turns = steps[1 - len(steps) % 2 :: 2]
    draws = known.others + len(turns) - 7
    misses = [_miss_chance(position) if draws else 0.0 for position, _, _ in turns]
    all_misses = sum(misses)
    for (position, _, due), miss in zip(turns, misses, strict=True):
        if position is EMPTY and sight.hand == 1:
            continue  # SB-13: there was no choice. After a block there was none either, but that is not seen.
        for bit, other_due in position.scores:
            if other_due <= due:
                break
            if bit in weights:
                weights[bit] *= _PASSED_OVER
        if miss:
            factor = 1.0 - (1.0 - _FITTED) * miss / all_misses
            for bit in weights:
                if bit & position.fitting:
                    weights[bit] *= factor
    return weights


def bits_of(tiles: tuple[Tile, ...]) -> int:
    """The tiles as a set of bits."""
    return sum(BIT[tile] for tile in tiles)


def _miss_chance(position: Position) -> float:
    # That none of some five tiles fits.
    return (1.0 - position.fitting.bit_count() / len(BIT)) ** 5
