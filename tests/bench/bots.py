"""How strong the house players are, and how long they think.

    python -m tests.bench.bots [--matches N] [--budget-ms N]

Every two strengths play matches straight on the rules. Each deal is played twice, with the seats
changed, and the standard error is that of such pairs. Times are processor time, since other
processes may share the core; the search of the strong player is given as much of it.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from random import Random
from statistics import fmean, stdev

from games.bots.strategy import STRENGTHS, Strength, prepare
from games.rules import PlayerCommand, Sight
from tests.bots.play import Player, player, winner_of

MATCHES = 200
BUDGET_MS = 10.0
GOAL_PERCENT = 65
# The goal is for neighbours; the first and the last are shown beside.
NEIGHBOURS = {("simple", "medium"), ("medium", "strong")}


@dataclass
class Thinking:
    """The processor time of a strength's decisions between more than one command."""

    took_ms: list[float] = field(default_factory=list)

    def timed(self, play: Player) -> Player:
        def timed(seen: Sight, rng: Random) -> PlayerCommand:
            begun = time.thread_time()
            command = play(seen, rng)
            # A resignation is always legal and never a choice.
            if len(seen.legal) > 2:
                self.took_ms.append((time.thread_time() - begun) * 1000)
            return command

        return timed


def duel(better: Player, worse: Player, pairs: int) -> tuple[float, float]:
    """The share of matches that `better` wins and its standard error, both in percent."""
    shares = []
    for seed in range(pairs):
        wins = (winner_of((better, worse), seed=seed) == 0) + (winner_of((worse, better), seed=seed) == 1)
        shares.append(50.0 * wins)
    return fmean(shares), stdev(shares) / len(shares) ** 0.5


def main(arguments: Sequence[str] = ()) -> dict[tuple[Strength, Strength], float]:
    """Print the table and give the share of the stronger of each two, in percent."""
    parser = argparse.ArgumentParser(description="Strength and speed of the house players.")
    parser.add_argument("--matches", type=int, default=MATCHES, help="matches of each two strengths, at least 4")
    parser.add_argument("--budget-ms", type=float, default=BUDGET_MS, help="processor time of a search")
    # `./run bench` gives its words to every bench.
    asked, _ = parser.parse_known_args(arguments)
    prepare()
    thinking = {strength: Thinking() for strength in STRENGTHS}
    players = {
        strength: thinking[strength].timed(player(strength, budget_s=asked.budget_ms / 1000)) for strength in STRENGTHS
    }
    shares: dict[tuple[Strength, Strength], float] = {}
    for worse, better in combinations(STRENGTHS, 2):
        pairs = max(2, asked.matches // 2)
        begun = time.process_time()
        share, error = duel(players[better], players[worse], pairs)
        shares[worse, better] = share
        goal = f"; goal {GOAL_PERCENT}" if (worse, better) in NEIGHBOURS else ""
        print(
            f"bots: {better:>6} beats {worse:<6} {share:5.1f} % ± {error:.1f}"
            f" ({2 * pairs} matches{goal}; {time.process_time() - begun:.0f} s)",
            flush=True,
        )
    for strength, times in thinking.items():
        took_ms = sorted(times.took_ms)
        print(
            f"bots: {strength:>6} decides in {fmean(took_ms):.2f} ms on average,"
            f" p99 {took_ms[int(len(took_ms) * 0.99)]:.2f}, at most {took_ms[-1]:.1f} ms"
            f" ({len(took_ms):,} decisions; goal {BUDGET_MS:.0f})"
        )
    return shares


if __name__ == "__main__":
    main(sys.argv[1:])
