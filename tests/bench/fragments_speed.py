"""How long the fragments of a move take: both players' renders after each command of some random matches.

Run: python -m tests.bench.fragments_speed. Goal: under 2 ms of CPU for both viewers together.
"""

import os
import random
import statistics
import time

import django

MATCHES = 3
COMMANDS = 600


def main() -> None:
    """Prints the figures."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from games import fragments
    from tests.table.drive import Drive

    costs_ms, sizes = [], []
    for seed in range(MATCHES):
        match = Drive(seed)
        keys: list[dict] = [{}, {}]
        for _ in range(COMMANDS):
            if match.step() is None:
                break
            views = [match.view(viewer) for viewer in (0, 1)]
            before = time.process_time_ns()
            for viewer, view in enumerate(views):
                changed, keys[viewer] = fragments.render_changed(view, keys[viewer])
                frame = "".join(changed.values()) + fragments.render_seq(view)
                sizes.append(len(frame))
            costs_ms.append((time.process_time_ns() - before) / 1e6)
    costs_ms.sort()
    print(f"commands          {len(costs_ms)}")
    print(f"CPU of both, ms   mean {statistics.mean(costs_ms):.2f}   median {statistics.median(costs_ms):.2f}")
    print(f"                  p95 {costs_ms[int(len(costs_ms) * 0.95)]:.2f}   max {costs_ms[-1]:.2f}")
    print(f"frame, characters mean {statistics.mean(sizes):.0f}   max {max(sizes)}")


if __name__ == "__main__":
    random.seed(0)
    main()
