"""What an operator may do to a match, and the service when it has found a fault of its own."""

from __future__ import annotations

from django.db import transaction

from games import rules, snapshots
from games.models import Match
from games.service.applying import Applied, applied_now, apply, locked, state_at
from games.statements import MatchRow


def void_for_fault(match_id: int, *, reason: str) -> Applied:
    """The match aborted for a fault of the service (SB-72, D-28): running, or lost on time before.

    A rating that was applied is reversed in the same transaction. Raises `rules.IllegalCommand`
    (`MatchIsOver`) when it ended otherwise, `NoSuchMatch`.
    """
    with transaction.atomic(durable=True):
        row = locked(match_id)
        return void(row, snapshots.decode(row.id, row.snapshot), reason)


def rebuild_snapshot(match_id: int) -> bool:
    """Write the state that the log folds to; whether that differed from what was stored."""
    with transaction.atomic(durable=True):
        row = locked(match_id)
        state = state_at(row.id, row.seq)
        text = snapshots.encode(state)
        if text == row.snapshot:
            return False
        over = state.phase == "over"
        Match.objects.filter(pk=row.id, seq=row.seq).update(
            snapshot=text,
            phase=state.phase,
            hand_no=state.hand,
            turn_seat=None if over else state.turn,
            deadline_ms=state.deadline_ms,
        )
        return True


def void(row: MatchRow, state: rules.MatchState, reason: str) -> Applied:
    """The match aborted, now. Raises `rules.MatchIsOver` when it ended otherwise than by time."""
    now_ms = applied_now(state, 0)
    return apply(row, state, rules.VoidForFault(), arrived_ms=now_ms, now_ms=now_ms, reason=reason)
