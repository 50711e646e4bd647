"""Which of the waiting players may meet at all, and which of these are near.

The players stand in a row, ordered by rating. Sets of them are integers: bit i is set when the
player at place i belongs to it. So who fits whom is exact for thousands of players without looking
at each two of them, however few fit.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence

from games.lobby.waiting import Waiting, ratings_sought


def candidates(row: Sequence[Waiting]) -> list[int]:
    """For each place of the row the set of places whose players may be paired with its player now.

    Two fit when each is within what the other seeks and neither avoids the other. A repeat is a pair
    of whom at least one had the other as the last opponent; it is a candidate only when both of them
    have no other candidate at all. `row` is in order of rating. The relation is symmetrical.
    """
    fitting = [mine & theirs & ~(1 << place) for place, (mine, theirs) in enumerate(zip(*_seekers(row), strict=True))]
    for place, avoided in enumerate(_named(row, [player.avoided for player in row])):
        fitting[place] &= ~avoided
    repeats = _named(row, [() if player.last_opponent is None else (player.last_opponent,) for player in row])
    fresh = [fits & ~repeat for fits, repeat in zip(fitting, repeats, strict=True)]
    without_others = sum(1 << place for place, others in enumerate(fresh) if not others)
    return [others or (fits & without_others) for others, fits in zip(fresh, fitting, strict=True)]


def nearest(found: int, place: int, near: int) -> Iterator[int]:
    """The `near` next places of the set `found` on each side of `place`, nearest first on each side."""
    above, below = found >> place, found & ((1 << place) - 1)
    for _ in range(near):
        if not above:
            break
        lowest = above & -above
        above ^= lowest
        yield place + lowest.bit_length() - 1
    for _ in range(near):
        if not below:
            break
        highest = below.bit_length() - 1
        below ^= 1 << highest
        yield highest


def _seekers(row: Sequence[Waiting]) -> tuple[list[int], list[int]]:
    """For each place whom its player seeks, and who seeks its player, by rating alone."""
    ratings = [player.rating for player in row]
    sought: list[int] = []
    # Whoever seeks an interval of places begins to count at its first place and ends after its last.
    changes = [0] * (len(row) + 1)
    for place, player in enumerate(row):
        lowest, highest = ratings_sought(player)
        first, end = bisect_left(ratings, lowest), bisect_right(ratings, highest)
        sought.append((1 << end) - (1 << first) if first < end else 0)
        if first < end:
            changes[first] ^= 1 << place
            changes[end] ^= 1 << place
    seeking: list[int] = []
    seekers = 0
    for change in changes[:-1]:
        seekers ^= change
        seeking.append(seekers)
    return sought, seeking


def _named(row: Sequence[Waiting], ids: Iterable[Iterable[int]]) -> list[int]:
    """For each place the players whom it names by id, and those who name it."""
    places = {player.user_id: place for place, player in enumerate(row)}
    named = [0] * len(row)
    for place, names in enumerate(ids):
        for name in names:
            other = places.get(name)
            if other is not None:
                named[place] |= 1 << other
                named[other] |= 1 << place
    return named
