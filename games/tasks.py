"""The sweep: every clock and cap enforced although nobody moves (D-27, D-1, D-2).

It asks the database which matches are due and calls the service for each, in short
transactions of their own. What it finds is judged again under the lock, so two sweeps at
once, a task delivered twice or one that comes hours late lead to the same result.

A sweep that is through goes on with what falls due until the next one, so that nobody waits
for the period beside the grace.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

from celery import shared_task
from django.conf import settings
from django.core.cache import cache
from django.db import connection

from games import clock_source, service
from games.models import Match

logger = logging.getLogger(__name__)

LAST_SWEEP_KEY = "boneyard:last-sweep-ms"
AT_ONCE = 200  # matches of a kind taken from the database at a time
ROUNDS = 20  # so that one sweep ends before the next ones pile up
PERIOD_MS = 500  # as beat asks for sweeps
STEP_MS = 40  # rest between two looks at what falls due meanwhile
FIRST_BACK_OFF_MS = 1_000
LONGEST_BACK_OFF_MS = 60_000


@dataclass(slots=True)
class _SetAside:
    """A match whose judgement failed: not tried again before `until_ms`."""

    until_ms: int
    failures: int


_set_aside: dict[int, _SetAside] = {}
_in_hand: set[int] = set()
_set_aside_lock = threading.Lock()
_writing = threading.RLock()


@shared_task(name="games.tasks.enforce_deadlines", ignore_result=True)
def enforce_deadlines() -> None:
    """One sweep, the heartbeat that `/readyz` looks at, and what falls due before the next sweep."""
    began_ms = clock_source.now_ms()
    sweep(after_round=_beat)
    follow(began_ms, began_ms + PERIOD_MS)


def follow(from_ms: int, until_ms: int, pause: Callable[[float], None] = time.sleep) -> int:
    """Judge what may be judged from then to then, each as soon as that comes; how many were moved on.

    `pause` takes seconds.
    """
    moved, rested_ms = 0, from_ms
    while (next_ms := _next_due(from_ms, until_ms)) is not None:
        pause(max(0, max(next_ms, rested_ms) - clock_source.now_ms()) / 1000)
        asked_ms = clock_source.now_ms()
        moved += sweep()
        # Further at any rate: a match that stays where it is must not be waited for again.
        from_ms, rested_ms = max(next_ms, asked_ms), asked_ms + STEP_MS
    return moved


def sweep(now_ms: int | None = None, *, after_round: Callable[[], None] | None = None) -> int:
    """How many matches were moved on: losses on time, cancelled starts, continued hands.

    `now_ms` stands in for the clock, in tests. A match that another transaction holds is left
    to the next sweep; one that raises is set aside for a while and stops nobody else.
    """
    asked_ms = clock_source.now_ms() if now_ms is None else now_ms
    moved, seen = 0, _waiting(asked_ms)
    for _round in range(ROUNDS):
        due = _due(asked_ms, seen)
        seen.update(match_id for match_id, _judge_it in due)
        for match_id, judge in due:
            if _take(match_id):
                try:
                    moved += _judge(match_id, judge, now_ms, asked_ms)
                finally:
                    _in_hand.discard(match_id)
        if after_round is not None:
            after_round()
        if len(due) < AT_ONCE:  # neither of the two lists was cut
            break
    return moved


def _beat() -> None:
    cache.set(LAST_SWEEP_KEY, clock_source.now_ms(), timeout=None)


def forget() -> None:
    """Try every match again at once, those set aside too."""
    with _set_aside_lock:
        _set_aside.clear()


def _take(match_id: int) -> bool:
    """Whether no other sweep of this process is at the match."""
    with _set_aside_lock:
        if match_id in _in_hand:
            return False
        _in_hand.add(match_id)
        return True


Judge = Callable[..., service.Applied | None]


def _due(now_ms: int, seen: set[int]) -> list[tuple[int, Judge]]:
    over_ms = now_ms - settings.GRACE_MS
    # Only running matches have a deadline or a cap: the database sees to it.
    matches = Match.objects.exclude(pk__in=seen)
    clocks = matches.filter(deadline_ms__lte=over_ms).order_by("deadline_ms").values_list("pk", flat=True)
    found: list[tuple[int, Judge]] = [(match_id, service.expire_due) for match_id in clocks[:AT_ONCE]]
    caps = matches.filter(cap_ms__lte=over_ms).order_by("cap_ms").values_list("pk", "status", "device")
    found += [(match_id, _judge_of_cap(status, device)) for match_id, status, device in caps[:AT_ONCE]]
    return found


def _judge_of_cap(status: str, device: str) -> Judge:
    if device:
        return service.cancel_abandoned
    return service.cancel_unstarted if status == Match.Status.WAITING else service.continue_overdue


def _turn() -> AbstractContextManager[object]:
    """The turn to write. SQLite has one writer, and whoever meets another sleeps, at last a tenth of a second."""
    return _writing if connection.vendor == "sqlite" else nullcontext()


def _next_due(after_ms: int, until_ms: int) -> int | None:
    """When the next match may be judged, after the one time and up to the other."""
    found: list[int] = []
    for column in ("deadline_ms", "cap_ms"):
        due = {f"{column}__gt": after_ms - settings.GRACE_MS, f"{column}__lte": until_ms - settings.GRACE_MS}
        found += Match.objects.filter(**due).order_by(column).values_list(column, flat=True)[:1]
    return min(found) + settings.GRACE_MS if found else None


def _judge(match_id: int, judge: Judge, now_ms: int | None, asked_ms: int) -> bool:
    try:
        with _turn():
            applied = judge(match_id, now_ms=now_ms, skip_locked=True)
    except Exception:
        with _set_aside_lock:
            failures = _set_aside[match_id].failures + 1 if match_id in _set_aside else 1
            back_off_ms = min(FIRST_BACK_OFF_MS * 2 ** (failures - 1), LONGEST_BACK_OFF_MS)
            _set_aside[match_id] = _SetAside(asked_ms + back_off_ms, failures)
        logger.exception("match %s: its clock could not be judged, %s in a row", match_id, failures)
        return False
    with _set_aside_lock:
        _set_aside.pop(match_id, None)
    return applied is not None


def _waiting(now_ms: int) -> set[int]:
    with _set_aside_lock:
        return {match_id for match_id, aside in _set_aside.items() if aside.until_ms > now_ms}
