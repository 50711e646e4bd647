"""The sweep: every clock and cap enforced although nobody moves (D-27, D-1, D-2).

It asks the database which matches are due and calls the service for each, in short
transactions of their own. What it finds is judged again under the lock, so two sweeps at
once, a task delivered twice or one that comes hours late lead to the same result.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass

from celery import shared_task
from django.conf import settings
from django.core.cache import cache

from games import clock_source, service
from games.models import Match

logger = logging.getLogger(__name__)

LAST_SWEEP_KEY = "boneyard:last-sweep-ms"
AT_ONCE = 200  # matches of a kind taken from the database at a time
ROUNDS = 20  # so that one sweep ends before the next ones pile up
FIRST_BACK_OFF_MS = 1_000
LONGEST_BACK_OFF_MS = 60_000


@dataclass(slots=True)
class _SetAside:
    """A match whose judgement failed: not tried again before `until_ms`."""

    until_ms: int
    failures: int


_set_aside: dict[int, _SetAside] = {}
_set_aside_lock = threading.Lock()


@shared_task(name="games.tasks.enforce_deadlines", ignore_result=True)
def enforce_deadlines() -> None:
    """One sweep, and the heartbeat that `/readyz` looks at."""
    sweep(after_round=_beat)


def sweep(now_ms: int | None = None, *, after_round: Callable[[], None] | None = None) -> int:
    """How many matches were moved on: losses on time, cancelled starts, continued hands.

    `now_ms` stands in for the clock, in tests. A match that another transaction holds is left
    to the next sweep; one that raises is set aside for a while and stops nobody else.
    """
    asked_ms = clock_source.now_ms() if now_ms is None else now_ms
    moved, seen = 0, _waiting(asked_ms)
    for _round in range(ROUNDS):
        due = _due(asked_ms, seen)
        for match_id, judge in due:
            seen.add(match_id)
            moved += _judge(match_id, judge, now_ms, asked_ms)
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


Judge = Callable[..., service.Applied | None]


def _due(now_ms: int, seen: set[int]) -> list[tuple[int, Judge]]:
    over_ms = now_ms - settings.GRACE_MS
    # Only running matches have a deadline or a cap: the database sees to it.
    matches = Match.objects.exclude(pk__in=seen)
    clocks = matches.filter(deadline_ms__lte=over_ms).order_by("deadline_ms").values_list("pk", flat=True)
    found: list[tuple[int, Judge]] = [(match_id, service.expire_due) for match_id in clocks[:AT_ONCE]]
    caps = matches.filter(cap_ms__lte=over_ms).order_by("cap_ms").values_list("pk", "status")
    for match_id, status in caps[:AT_ONCE]:
        is_waiting = status == Match.Status.WAITING
        found.append((match_id, service.cancel_unstarted if is_waiting else service.continue_overdue))
    return found


def _judge(match_id: int, judge: Judge, now_ms: int | None, asked_ms: int) -> bool:
    try:
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
