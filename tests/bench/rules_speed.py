"""How many commands a second the rules take on one core.

    python -m tests.bench.rules_speed [matches]

One command is legal_commands + decide + evolve of its facts in a random match, the choice among
the legal ones included; shuffling the tiles is not the rules' work and is done beforehand.
Measured in processor time, since other processes may share the core.
"""

import sys
import time
from random import Random

from games.rules import TILES, Tile, decide, evolve, legal_commands, new_match

GOAL_PER_SECOND = 40_000
ROUNDS = 3


def measure(matches: int, seed: int = 1) -> tuple[int, float]:
    """Commands played and processor seconds taken for so many random matches."""
    rng = Random(seed)
    orders = _orders(rng)
    commands = 0
    begun = time.process_time()
    for _ in range(matches):
        state = new_match(at_ms=0)
        now_ms = 0
        while state.phase != "over":
            legal = legal_commands(state)
            # The last two are the resignations.
            command = legal[int(rng.random() * (len(legal) - 2))]
            order = orders[commands % len(orders)] if state.phase == "ready" else None
            now_ms += 1_000
            for fact in decide(state, command, arrived_ms=now_ms, now_ms=now_ms, order=order):
                state = evolve(state, fact)
            commands += 1
    return commands, time.process_time() - begun


def main(matches: int = 200) -> float:
    """Print the best of a few rounds and give it, in commands a second."""
    best = 0.0
    for _ in range(ROUNDS):
        commands, seconds = measure(matches)
        best = max(best, commands / seconds)
    print(f"rules: {best:,.0f} commands/s on one core ({commands:,} commands; goal {GOAL_PER_SECOND:,})")
    return best


def _orders(rng: Random) -> list[tuple[Tile, ...]]:
    return [tuple(rng.sample(TILES, len(TILES))) for _ in range(997)]


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
