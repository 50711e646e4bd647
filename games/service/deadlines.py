"""What time alone leads to, whoever notices it first: losses on time, caps of waiting, devices left alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import transaction

from games import clock_source, rules, snapshots
from games.errors import NotSeated, TimeIsUp
from games.models import Match
from games.service.applying import Applied, applied_now, apply, is_at, locked
from games.statements import MatchRow, lock_match

if TYPE_CHECKING:
    from accounts.models import User


def claim_time(match_id: int, *, actor: User | None, arrived_ms: int, device: str = "") -> Applied | None:
    """The verdict that a seated player asks for, or a device for its two, or None when no clock has run out.

    Raises `TimeIsUp` inside the grace (D-27), `NotSeated`, `NoSuchMatch`.
    """
    with transaction.atomic(durable=True):
        row = locked(match_id)
        if not is_at(row, device) and (actor is None or actor.pk not in row.player_ids):
            raise NotSeated
        if not row.is_running:
            return None
        state = snapshots.decode(row.id, row.snapshot)
        if not is_late(row, state, arrived_ms):
            return None
        return judge_late(row, state, applied_now(state, arrived_ms))


def expire_due(
    match_id: int, *, now_ms: int | None = None, sole_process: bool = False, skip_locked: bool = False
) -> Applied | None:
    """The loss on time, dated at the deadline, if the turn is still open; None when nothing is due.

    Called by sweep, timer and operator, any number of times. Waits for the grace but for the
    `sole_process` that knows of no waiting command (D-27). With `skip_locked` a match that another
    transaction holds is left alone.
    """
    with transaction.atomic(durable=True):
        row = lock_match(match_id, skip_locked=skip_locked)
        if row is None or not row.is_running:
            return None
        state = snapshots.decode(row.id, row.snapshot)
        now_ms = clock_source.now_ms() if now_ms is None else now_ms
        grace_ms = 0 if sole_process else settings.GRACE_MS
        if state.deadline_ms is None or now_ms < state.deadline_ms + grace_ms:
            return None
        return _expire(row, state, now_ms)


def cancel_unstarted(match_id: int, *, now_ms: int | None = None, skip_locked: bool = False) -> Applied | None:
    """The match cancelled, unrated, because not everybody pressed Start in time (D-1); None when not due.

    Those who had not pressed are noted as absent.
    """
    with transaction.atomic(durable=True):
        row = lock_match(match_id, skip_locked=skip_locked)
        now_ms = clock_source.now_ms() if now_ms is None else now_ms
        if row is None or row.status != Match.Status.WAITING or not _cap_is_over(row, now_ms):
            return None
        state = snapshots.decode(row.id, row.snapshot)
        return cancel(row, _not_ready(row, state), now_ms)


def continue_overdue(match_id: int, *, now_ms: int | None = None, skip_locked: bool = False) -> Applied | None:
    """The last of the Continues that the server gave for those who had not pressed (D-2); None when not due.

    Each is an event of its own, without a nonce and without an id.
    """
    applied = None
    while (step := _continue_for_one(match_id, now_ms, skip_locked=skip_locked)) is not None:
        applied = step
    return applied


def cancel_abandoned(match_id: int, *, now_ms: int | None = None, skip_locked: bool = False) -> Applied | None:
    """The match cancelled because its device was left alone for 24 hours (D-4); None when not due."""
    with transaction.atomic(durable=True):
        row = lock_match(match_id, skip_locked=skip_locked)
        now_ms = clock_source.now_ms() if now_ms is None else now_ms
        if row is None or not row.device or not row.is_running or not _cap_is_over(row, now_ms):
            return None
        state = snapshots.decode(row.id, row.snapshot)
        return apply(row, state, rules.CancelAbandoned(), arrived_ms=now_ms, now_ms=now_ms)


def is_late(row: MatchRow, state: rules.MatchState, arrived_ms: int) -> bool:
    """Whether what came then came at or after the clock's deadline, or the end of the wait for Start."""
    due_ms = state.deadline_ms
    if due_ms is None and row.status == Match.Status.WAITING and not row.device:
        due_ms = row.cap_ms
    return due_ms is not None and arrived_ms >= due_ms


def judge_late(row: MatchRow, state: rules.MatchState, now_ms: int) -> Applied:
    """The verdict on a match whose time is up. Raises `TimeIsUp` while it may not be given yet."""
    due_ms = row.cap_ms if state.deadline_ms is None else state.deadline_ms
    assert due_ms is not None
    if now_ms < due_ms + settings.GRACE_MS:
        raise TimeIsUp(deadline_ms=due_ms)
    if state.deadline_ms is None:
        return cancel(row, _not_ready(row, state), now_ms)
    return _expire(row, state, now_ms)


def _expire(row: MatchRow, state: rules.MatchState, now_ms: int) -> Applied:
    assert state.deadline_ms is not None
    return apply(row, state, rules.ExpireTime(), arrived_ms=state.deadline_ms, now_ms=now_ms)


def _cap_is_over(row: MatchRow, now_ms: int) -> bool:
    # The same grace as for a clock: a Start stamped in time may still wait at a door.
    return row.cap_ms is not None and now_ms >= row.cap_ms + settings.GRACE_MS


def _not_ready(row: MatchRow, state: rules.MatchState) -> tuple[int, ...]:
    return tuple(seat for seat in range(len(row.player_ids)) if seat not in state.ready)


def cancel(row: MatchRow, absent: tuple[int, ...], arrived_ms: int | None = None) -> Applied:
    """The match cancelled before its first deal (D-1)."""
    state = snapshots.decode(row.id, row.snapshot)
    now_ms = clock_source.now_ms()
    came_ms = now_ms if arrived_ms is None else arrived_ms
    command = rules.CancelUnstarted(absent)
    return apply(row, state, command, arrived_ms=came_ms, now_ms=max(now_ms, came_ms))


def _continue_for_one(match_id: int, now_ms: int | None, *, skip_locked: bool) -> Applied | None:
    with transaction.atomic(durable=True):
        row = lock_match(match_id, skip_locked=skip_locked)
        now_ms = clock_source.now_ms() if now_ms is None else now_ms
        if row is None or row.status != Match.Status.PLAYING or not _cap_is_over(row, now_ms):
            return None
        state = snapshots.decode(row.id, row.snapshot)
        missing = _not_ready(row, state)
        if state.phase != "ready" or not missing:
            return None
        return apply(row, state, rules.Continue(missing[0]), arrived_ms=now_ms, now_ms=now_ms)
