"""What a crowd costs the players: 500 spectators of one match, while it and others are played.

`python -m tests.bench.watchers` prints the players' latency without and with the crowd, by turns, and what a spectator
costs. The site, the players and the crowd are processes of their own. Loopback only, less than a minute.
"""

from __future__ import annotations

import os
import sys
from typing import Any

import psutil

from tests.bench.stack import make_tables, outsiders, percentiles, players
from tests.stack import Stack, running_stack

TABLES = 60  # one of them is watched
RATE = 60  # moves a second on all of them
MOVES = 420  # in one turn of the measurement
TURNS = 2
LIMIT_S = 12
CROWD = 500
GOAL = 2.0  # times the players' p99 without the crowd


def main() -> None:
    """Measure, print, and say whether the goal is missed."""
    print(f"{os.cpu_count()} cores, Python {sys.version.split()[0]}, {TABLES} matches at once, {RATE} moves/s in all")
    with running_stack() as stack:
        without, crowded = by_turns(stack)
    ratio = crowded[99] / without[99]
    print(f"goal players' p99 with {CROWD} watching: {GOAL} times {'met' if ratio <= GOAL else 'MISSED'} ({ratio:.2f})")


def by_turns(stack: Stack) -> tuple[dict[int, float], dict[int, float]]:
    """The players' latencies in ms without and with the crowd, each over all its turns."""
    web = psutil.Process(stack.pids["web"])
    tables = make_tables(stack, {"door": "html", "count": TABLES})
    latencies: dict[bool, list[float]] = {False: [], True: []}
    with players(stack, tables, rate=RATE, moves=MOVES, limit_s=LIMIT_S) as play:
        play()  # warm
        for _ in range(TURNS):
            latencies[False] += measure(web, play, "nobody watching")
            before_kb = web.memory_info().rss / 1024
            with outsiders(stack, "tests.bench.crowd", match=tables[0]["match"], count=CROWD) as crowd:
                each_kb = (web.memory_info().rss / 1024 - before_kb) / CROWD
                latencies[True] += measure(web, play, f"{CROWD} watching")
                seen = crowd()
            spread = percentiles(seen["spreads_ms"])
            characters = seen["characters"] / seen["frames"]
            print(
                f"  {len(seen['spreads_ms'])} versions, {seen['frames']} frames of {characters:.0f} characters,"
                f" the last {spread[50]:.0f} (p99 {spread[99]:.0f}) ms after the first, {seen['lost']} lost;"
                f" {each_kb:.0f} kB a spectator"
            )
    return percentiles(latencies[False]), percentiles(latencies[True])


def measure(web: psutil.Process, play: Any, name: str) -> list[float]:
    """One turn."""
    began = web.cpu_times()
    seen = play()
    cpu = web.cpu_times()
    cpu_s = cpu.user + cpu.system - began.user - began.system
    found = [latency / 1000 for latency in seen["latencies_us"]]
    spread = percentiles(found)
    print(
        f"{name:>16}: {seen['moves'] / seen['took_s']:3.0f} moves/s  p50 {spread[50]:6.2f} p95 {spread[95]:6.2f}"
        f" p99 {spread[99]:6.2f} ms  web CPU {100 * cpu_s / seen['took_s']:3.0f} %  refused {seen['refusals']}"
    )
    return found


if __name__ == "__main__":
    main()
