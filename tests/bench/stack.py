"""What the real site does under load: daphne, SQLite, Valkey, workers and beat, and players in a process of their own.

`python -m tests.bench.stack` prints a table of figures. Loopback only, bounded in count and time (about two minutes).
"""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psutil

from tests.stack import ROOT, Stack, running_stack

TABLES = 100
PACED = ((50, 500), (200, 2_000))  # moves a second, moves in all
FLAT_OUT = {"json": 5_000, "html": 2_000}
LIMIT_S = 15  # of one measurement, whatever is left to play
TIME_OUTS = 60
SHORT_BANK_MS = 1
DELAY_S = 10  # SB-62
WAIT_S = 60
GOALS = {
    "json saturation": 500,
    "html saturation": 200,
    "json p99 at 200": 15.0,
    "lateness open p99": 250,
    "lateness nobody p99": 1_200,
}


def main() -> None:
    """Measure, print, and say which goals are missed."""
    print(f"{os.cpu_count()} cores, Python {sys.version.split()[0]}, {TABLES} matches at once, one web process, SQLite")
    figures: dict[str, float] = {}
    for door in ("json", "html"):
        with running_stack() as stack:
            figures |= moves(stack, door)
    with running_stack() as stack:
        figures |= time_outs(stack)
    for name, goal in GOALS.items():
        is_met = figures[name] >= goal if "saturation" in name else figures[name] <= goal
        print(f"goal {name}: {goal} {'met' if is_met else 'MISSED'} ({figures[name]:.1f})")


def moves(stack: Stack, door: str) -> dict[str, float]:
    """Latency and cost at two paces, and what can be had at most."""
    figures: dict[str, float] = {}
    for rate, count in (*PACED, (0, FLAT_OUT[door])):
        web = psutil.Process(stack.pids["web"])
        before_kb = web.memory_info().rss / 1024
        with players(stack, {"door": door, "count": TABLES}, rate=rate, moves=count, limit_s=LIMIT_S) as load:
            opened_kb = web.memory_info().rss / 1024
            began = web.cpu_times()
            seen = load()
            cpu = web.cpu_times()
        cpu_ms = 1000 * (cpu.user + cpu.system - began.user - began.system) / seen["moves"]
        spread = percentiles([latency / 1000 for latency in seen["latencies_us"]])
        pace = f"{rate:>4}/s" if rate else " most"
        per_s = seen["moves"] / seen["took_s"]
        print(
            f"{door} {pace}: {per_s:6.0f} moves/s  p50 {spread[50]:6.2f} p95 {spread[95]:6.2f} p99 {spread[99]:6.2f} ms"
            f"  web CPU {cpu_ms:5.2f} ms/move  refused {seen['refusals']}  behind {seen['late_starts']}"
        )
        if rate:
            figures[f"{door} p99 at {rate}"] = spread[99]
        else:
            figures[f"{door} saturation"] = per_s
        if rate == PACED[0][0]:
            print(f"{door} memory: {(opened_kb - before_kb) / TABLES:.0f} kB a live match with two sockets")
    return figures


def time_outs(stack: Stack) -> dict[str, float]:
    """How late the loss on time is known: to both boards of an open table, and in the log when nobody is connected."""
    job = {"door": "json", "count": TIME_OUTS, "bank_ms": SHORT_BANK_MS}
    with players(stack, job, rate=0, moves=0, time_outs=True) as load:
        spread = percentiles(load()["lateness_ms"])
    print(
        f"time-out, table open:        p50 {spread[50]:6.0f}  p99 {spread[99]:6.0f} ms after the deadline, both boards"
    )
    figures = {"lateness open p99": spread[99]}
    tables = make_tables(stack, {**job, "started": True})
    spread = percentiles(_lateness_in_log(stack, [table["id"] for table in tables]))
    print(
        f"time-out, nobody connected:  p50 {spread[50]:6.0f}  p99 {spread[99]:6.0f} ms after the deadline, in the log"
    )
    return figures | {"lateness nobody p99": spread[99]}


@contextmanager
def players(stack: Stack, tables: dict[str, Any] | list[dict[str, Any]], **job: Any) -> Iterator[Any]:
    """A process of players, connected and dealt to; calling what is yielded lets them play and gives what they saw.

    `tables`: what to make, or what was made.
    """
    made = tables if isinstance(tables, list) else make_tables(stack, tables)
    with outsiders(stack, "tests.bench.load", tables=made, **job) as play:
        yield play


@contextmanager
def outsiders(stack: Stack, module: str, **job: Any) -> Iterator[Any]:
    """A process of clients that is ready; calling what is yielded has it do its work and gives what it saw."""
    asked = {"ws": f"ws://localhost:{stack.port}", "http": stack.base_url, **job}
    command = [sys.executable, "-m", module]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as clients:
        assert clients.stdin is not None
        assert clients.stdout is not None
        stdin, stdout = clients.stdin, clients.stdout

        def work() -> dict[str, Any]:
            stdin.write("go\n")
            stdin.flush()
            seen: dict[str, Any] = json.loads(stdout.readline())
            return seen

        stdin.write(json.dumps(asked) + "\n")
        stdin.flush()
        assert stdout.readline().strip() == "ready", stack.last_lines()
        yield work


def make_tables(stack: Stack, job: dict[str, Any]) -> list[dict[str, Any]]:
    """New matches of new accounts in the database of the site."""
    code = f"from tests.bench.tables import print_tables; print_tables({job!r})"
    tables: list[dict[str, Any]] = json.loads(stack.manage("shell", "-c", code).splitlines()[-1])
    return tables


def percentiles(values: list[float]) -> dict[int, float]:
    """The 50th, 95th and 99th percentile."""
    ranked = sorted(values)
    return {percent: ranked[min(len(ranked) - 1, len(ranked) * percent // 100)] for percent in (50, 95, 99)}


def _lateness_in_log(stack: Stack, match_ids: list[int]) -> list[float]:
    """Application less deadline of every time-out, read from the log once all are there."""
    marks = ",".join("?" * len(match_ids))
    query = f"SELECT applied_ms, facts FROM games_matchevent WHERE kind = 'expire_time' AND match_id IN ({marks})"
    end_s = time.monotonic() + WAIT_S
    with sqlite3.connect(stack.var_dir / "boneyard.sqlite3") as database:
        while len(rows := database.execute(query, match_ids).fetchall()) < len(match_ids):
            assert time.monotonic() < end_s, f"{len(rows)} of {len(match_ids)} time-outs\n{stack.last_lines()}"
            time.sleep(0.5)
    return [applied_ms - json.loads(facts)[-1]["at_ms"] for applied_ms, facts in rows]


if __name__ == "__main__":
    main()
