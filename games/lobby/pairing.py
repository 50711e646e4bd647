"""Who meets whom among the players waiting in a pool: a pure function, called every second.

Each two who may meet have a weight, and the pairs with the greatest total are chosen (a matching of
maximum weight). Who may meet is in `games.lobby.candidates`, what a player brings in
`games.lobby.waiting`. The arithmetic of the matching is a library's.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b

from rustworkx import PyGraph, max_weight_matching

from games.lobby.candidates import candidates, nearest
from games.lobby.waiting import ANYBODY, ANYBODY_FROM_MS, WINDOWS, Waiting, next_step, window

__all__ = [
    "ANYBODY",
    "ANYBODY_FROM_MS",
    "WINDOWS",
    "Pair",
    "Waiting",
    "next_step",
    "pair",
    "weight",
    "window",
]

# Weights count in squared rating points: two pairs 100 apart are better than pairs 0 and 200 apart.

# What a pair is worth before anything is taken off; as much as a distance of 3,162 points.
PAIR_WORTH = 10_000_000
# A second of waiting. After a minute somebody goes before one who has just come and is 245 points nearer.
WAITED_SECOND_WORTH = 1_000
# One of a hundred in reliability separates two players like so many rating points. So nobody is passed over
# for longer than 160 s for it: then waiting outweighs the 400 points between 0 and 100.
RELIABILITY_POINTS = 4
# Below that a player leaves too often, and is compared with the nearest of their kind too.
RELIABLE = 80
# How many candidates on each side of a player's rating are compared.
NEAR = 4
_LOT_BITS = 40


@dataclass(frozen=True, slots=True)
class Pair:
    """Two players, by id, who begin a match; `first` is the lower id and says nothing about seats."""

    first: int
    second: int


def pair(waiting: Iterable[Waiting], *, near: int | None = NEAR) -> tuple[Pair, ...]:
    """The pairs that begin now, those of whom one has waited longest first; the others go on waiting.

    Nobody is in two pairs, and each pair lies within both windows and both wishes, never two of whom
    one avoids the other. A repeat, a pair of whom one had the other as the last opponent, comes about
    only when nobody else who waits fits either of them. No two are left who could be paired but for
    that. The order of `waiting` does not matter, and ties are broken by lots that hang on the ids alone.

    For each player `near` candidates on each side of their rating are compared (None: all of them);
    whoever is left over gets the best of what is left, the longest waiting first.

    Raises `ValueError` when somebody waits twice.
    """
    row = sorted(waiting, key=lambda player: (player.rating, player.user_id))
    if len({player.user_id for player in row}) < len(row):
        raise ValueError("a player waits twice")
    found = candidates(row)
    matched = _match(row, set(_edges(row, found, len(row) if near is None else near)))
    matched += _match_rest(row, found, matched)
    matched.sort(key=lambda places: _turn(row[places[0]], row[places[1]]))
    return tuple(_pair(row[one], row[other]) for one, other in matched)


def weight(one: Waiting, other: Waiting) -> int:
    """What a pair of two who may meet is worth, at least 1: nearness, waiting and like reliability."""
    distance = one.rating - other.rating
    unlikeness = RELIABILITY_POINTS * (one.reliability - other.reliability)
    waited_s = (max(one.waited_ms, 0) + max(other.waited_ms, 0)) // 1_000
    return max(PAIR_WORTH + WAITED_SECOND_WORTH * waited_s - distance**2 - unlikeness**2, 1)


def _edges(row: Sequence[Waiting], found: Sequence[int], near: int) -> Iterator[tuple[int, int]]:
    """The two places of each pair that is compared, the lower first; some come twice."""
    leavers = sum(1 << place for place, player in enumerate(row) if player.reliability < RELIABLE)
    for place, player in enumerate(row):
        compared = [*nearest(found[place], place, near)]
        if player.reliability < RELIABLE:
            compared += nearest(found[place] & leavers, place, near)
        for other in compared:
            yield min(place, other), max(place, other)


def _match(row: Sequence[Waiting], edges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The pairs of places with the greatest total weight."""
    graph: PyGraph[int, int] = PyGraph(multigraph=False)
    graph.add_nodes_from(range(len(row)))
    # Lots may not outweigh one unit of weight, all of them together.
    shift = _LOT_BITS + len(row).bit_length()
    pairs = ((one, other, row[one], row[other]) for one, other in sorted(edges))
    graph.add_edges_from([(one, other, (weight(a, b) << shift) + _lot(a, b)) for one, other, a, b in pairs])
    return list(max_weight_matching(graph, weight_fn=int))


def _match_rest(
    row: Sequence[Waiting], found: Sequence[int], matched: Iterable[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Pairs among those left over whose near candidates are all taken, while others are not."""
    free = (1 << len(row)) - 1
    for one, other in matched:
        free &= ~(1 << one | 1 << other)
    rest: list[tuple[int, int]] = []
    left = sorted(nearest(free, 0, len(row)), key=lambda place: _turn(row[place], row[place]))
    for place in left:
        open_to = found[place] & free
        if not free >> place & 1 or not open_to:
            continue
        best = max(
            nearest(open_to, place, len(row)),
            key=lambda other: (weight(row[place], row[other]), _lot(row[place], row[other])),
        )
        free &= ~(1 << place | 1 << best)
        rest.append((place, best))
    return rest


def _lot(one: Waiting, other: Waiting) -> int:
    """A number of `_LOT_BITS` bits for the two ids, always the same.

    The library does not say which of several best choices it gives. With lots there is one best choice
    (but for a chance of about one in a hundred million), and no account is left over by habit.
    """
    ids = sorted((one.user_id, other.user_id))
    return int.from_bytes(blake2b(b"%d %d" % (ids[0], ids[1]), digest_size=_LOT_BITS // 8).digest(), "big")


def _turn(one: Waiting, other: Waiting) -> tuple[int, int]:
    """Sorts by the longer waiting of two, then by the lower id."""
    return -max(one.waited_ms, other.waited_ms), min(one.user_id, other.user_id)


def _pair(one: Waiting, other: Waiting) -> Pair:
    return Pair(min(one.user_id, other.user_id), max(one.user_id, other.user_id))
