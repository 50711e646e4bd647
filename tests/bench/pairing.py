"""How long the pairing of a crowd takes on one core, and what it costs to compare near ratings only.

    python -m tests.bench.pairing [players]

Ratings are normal around 1500 with a deviation of 300, waits even between 0 and 60 s, and one in
ten is a leaver. Measured in processor time, since other processes may share the core. Goal: 2,000
who wait are paired in under a second.
"""

import statistics
import sys
import time
from collections.abc import Sequence
from random import Random

from games.lobby.pairing import ANYBODY_FROM_MS, NEAR, Pair, Waiting, pair, weight

GOAL_S = 1.0
ROUNDS = 5
COMPARED = 200
CROWDS_COMPARED = 5
LEAVERS = 0.1


def crowd(players: int, seed: int) -> list[Waiting]:
    """Some who wait, always the same for a seed."""
    rng = Random(seed)
    return [
        Waiting(
            user_id=user_id,
            rating=round(rng.gauss(1500, 300)),
            waited_ms=rng.randrange(ANYBODY_FROM_MS),
            reliability=rng.randrange(30, 80) if rng.random() < LEAVERS else rng.randrange(90, 101),
        )
        for user_id in range(1, players + 1)
    ]


def measure(waiting: Sequence[Waiting], near: int | None = NEAR) -> tuple[tuple[Pair, ...], float]:
    """The pairs of a crowd, and the processor seconds they took."""
    begun = time.process_time()
    pairs = pair(waiting, near=near)
    return pairs, time.process_time() - begun


def main(players: int = 2_000) -> float:
    """Print the figures and give the median of the large crowd, in seconds."""
    measured = [measure(crowd(players, seed)) for seed in range(ROUNDS)]
    seconds = sorted(taken for _pairs, taken in measured)
    median = statistics.median(seconds)
    found = [len(pairs) for pairs, _taken in measured]
    print(
        f"pairing: {players:,} waiting in {median:.2f} s of one core ({seconds[0]:.2f} to {seconds[-1]:.2f} s in "
        f"{ROUNDS} crowds; goal {GOAL_S:.0f} s), at least {min(found):,} pairs"
    )
    (near, near_worth), (every, every_worth) = _account(NEAR), _account(None)
    print(f"  {COMPARED} waiting, {NEAR} near ratings on each side: {near}")
    print(f"  {COMPARED} waiting, all candidates: {every}")
    print(f"  near ratings give {near_worth / every_worth:.4%} of the weight, {every_worth - near_worth:,} less")
    return median


def _account(near: int | None) -> tuple[str, int]:
    """What becomes of some smaller crowds, all together: in words, and the weight of their pairs."""
    distances: list[int] = []
    worth, seconds = 0, 0.0
    for seed in range(CROWDS_COMPARED):
        waiting = crowd(COMPARED, seed)
        by_id = {player.user_id: player for player in waiting}
        pairs, taken = measure(waiting, near)
        couples = [(by_id[found.first], by_id[found.second]) for found in pairs]
        distances += [abs(one.rating - other.rating) for one, other in couples]
        worth += sum(weight(one, other) for one, other in couples)
        seconds += taken
    text = (
        f"{len(distances) / CROWDS_COMPARED:.1f} pairs, {statistics.mean(distances):.1f} points apart in the mean "
        f"({statistics.quantiles(distances, n=20)[-1]:.0f} at p95), {1_000 * seconds / CROWDS_COMPARED:.0f} ms"
    )
    return text, worth


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
