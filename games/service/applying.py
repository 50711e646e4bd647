"""One command under the lock of its match: decide, write, announce. The heart that all doors of the service share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.db import transaction

from games import announce, clock_source, deals, rules, snapshots
from games.errors import NoSuchMatch, StaleCommand
from games.models import Hand, Match, MatchEvent, Seat
from games.statements import MOVED, EventRow, MatchRow, insert_event, lock_match, move_match, settle_seats
from ratings import service as ratings

DEVICE_CAP_MS = 24 * 3_600_000  # D-4
# Columns of a seat in the order of `ratings.Frozen`.
FROZEN = (
    "user_id",
    "rating_at_start",
    "k_at_start",
    "games_at_start",
    "farming_factor",
    "provisional_at_start",
)
ENDS_WITHOUT_WINNER = {"cancelled": Match.Status.CANCELLED, "service_fault": Match.Status.ABORTED}


@dataclass(frozen=True, slots=True)
class Applied:
    """What one accepted command has done.

    `state` and `facts` hold secrets and do not show in a repr; what a viewer may see of them goes
    through `games.rules.sight` and `sight_fact`. With `repeated` the command had been accepted
    before: `seq`, `facts` and the times are those of then, `state` is the present one.
    """

    match_id: int
    public_id: str
    seq: int
    state: rules.MatchState = field(repr=False)
    facts: tuple[rules.Fact, ...] = field(repr=False)
    command: rules.Command = field(repr=False)
    arrived_ms: int
    applied_ms: int
    repeated: bool = False


def locked(match_id: int) -> MatchRow:
    """The match under its lock. Raises `NoSuchMatch`."""
    row = lock_match(match_id)
    if row is None:
        raise NoSuchMatch
    return row


def applied_now(state: rules.MatchState, arrived_ms: int) -> int:
    """The time of application: read under the lock, never before the arrival or the start of the turn."""
    return max(clock_source.now_ms(), arrived_ms, state.turn_started_ms or 0)


def apply(
    row: MatchRow,
    state: rules.MatchState,
    command: rules.Command,
    *,
    arrived_ms: int,
    now_ms: int,
    command_id: str | None = None,
    nonce: bytes | None = None,
    reason: str = "",
) -> Applied:
    """Decide, write and announce one command. Raises `rules.IllegalCommand` before anything is written."""
    hand, order = None, None
    if isinstance(command, rules.Start | rules.Continue) and state.phase == "ready":
        hand = Hand.objects.get(match_id=row.id, number=state.hand + 1)
        if nonce is not None:
            hand.nonces[command.seat] = nonce.hex()
        if rules.needs_order(state, command):
            order = deals.order_of(hand, row.public_id)
    facts = rules.decide(state, command, arrived_ms=arrived_ms, now_ms=now_ms, order=order)
    after = rules.fold(state, facts)
    seq = row.seq + 1
    told = rules.dump_command(command)
    event = EventRow(
        match_id=row.id,
        seq=seq,
        hand_no=after.hand,
        seat=getattr(command, "seat", None),
        kind=told["type"],
        command=told,
        command_id=command_id,
        facts=[rules.dump_fact(fact) for fact in facts],
        arrived_ms=arrived_ms,
        applied_ms=now_ms,
    )
    insert_event(event)
    text = snapshots.encode(after)
    moved = (seq, text, after.phase, None if after.phase == "over" else after.turn, after.deadline_ms)
    changes = _keep_books(row, state, after, facts, hand, now_ms, reason)
    if changes:
        changes |= zip(MOVED, moved, strict=True)
        is_moved = bool(Match.objects.filter(pk=row.id, seq=row.seq).update(**changes))
    else:
        is_moved = move_match(row.id, row.seq, moved)
    if not is_moved:
        raise StaleCommand(row.seq)
    applied = Applied(row.id, row.public_id, seq, after, facts, command, arrived_ms, now_ms)

    # Not a partial: Django logs the name of a robust callback that fails, and a partial has none.
    def committed() -> None:
        snapshots.hold(row.id, text, after)
        announce.advanced(applied)

    transaction.on_commit(committed, robust=True)
    return applied


def state_at(match_id: int, seq: int) -> rules.MatchState:
    """The state after `seq` commands, folded from the log."""
    origin = Match.objects.values_list("origin", flat=True).get(pk=match_id)
    state = snapshots.read(origin)
    logs = MatchEvent.objects.filter(match_id=match_id, seq__lte=seq).order_by("seq").values_list("facts", flat=True)
    for facts in logs.iterator(chunk_size=500):
        state = rules.fold(state, [rules.load_fact(fact) for fact in facts])
    return state


def is_at(row: MatchRow, device: str) -> bool:
    """Whether the match is played at the device with this digest."""
    return row.device != "" and row.device == device


def _keep_books(
    row: MatchRow,
    before: rules.MatchState,
    after: rules.MatchState,
    facts: Sequence[rules.Fact],
    hand: Hand | None,
    now_ms: int,
    reason: str,
) -> dict[str, Any]:
    """Columns of the match that change beside those of every move; hands, seats and ratings are written here."""
    changes: dict[str, Any] = {}
    if hand is not None:
        changes_of_hand: dict[str, Any] = {"nonces": hand.nonces}
        if after.hand != before.hand:
            changes_of_hand["dealt_ms"] = now_ms
            changes |= {"hand_no": after.hand, "cap_ms": None}
            if row.status == Match.Status.WAITING:
                changes |= {"status": Match.Status.PLAYING, "started_at": clock_source.as_datetime(now_ms)}
        Hand.objects.filter(match_id=row.id, number=hand.number).update(**changes_of_hand)
    for fact in facts:
        if isinstance(fact, rules.TurnStarted):
            if fact.kind == "opening":
                Hand.objects.filter(match_id=row.id, number=after.hand).update(opener=fact.seat)
        elif isinstance(fact, rules.HandOver):
            running = Hand.objects.filter(match_id=row.id, number=after.hand)
            running.update(ending=fact.how, over_ms=fact.at_ms)
            if after.phase != "over":
                deals.new_hand(row.id, after.hand + 1, len(row.player_ids)).save(force_insert=True)
                changes["cap_ms"] = now_ms + settings.CONTINUE_CAP_MS
        elif isinstance(fact, rules.MatchOver):
            changes |= _finish(row, after, fact, reason, now_ms)
    if row.device and after.phase != "over":
        # D-4: whatever waits for somebody to press waits a day and no longer.
        changes["cap_ms"] = now_ms + DEVICE_CAP_MS if after.deadline_ms is None else None
    return changes


def _finish(row: MatchRow, after: rules.MatchState, fact: rules.MatchOver, reason: str, now_ms: int) -> dict[str, Any]:
    """The end of a match, ratings and ledger included, in the transaction of the command that ended it."""
    status = ENDS_WITHOUT_WINNER.get(fact.ending, Match.Status.FINISHED)
    ended_at = clock_source.as_datetime(fact.at_ms)
    changes: dict[str, Any] = {"status": status, "ending": fact.ending, "winner": fact.winner, "cap_ms": None}
    if row.is_running:
        changes |= {"ended_at": ended_at, "absent": list(fact.absent)}
        Hand.objects.filter(match_id=row.id, number=after.hand, over_ms=None).update(
            ending=fact.ending, over_ms=fact.at_ms
        )
        settle_seats(row.id, after.balances)
    if status == Match.Status.ABORTED:
        changes |= {"void_reason": reason[:200], "voided_at": clock_source.as_datetime(now_ms)}
    # D-34: a win counts from the first deal on; before it there is nothing to rate.
    rates = row.rated and after.hand > 0
    if rates and status == Match.Status.FINISHED:
        seats, first_deal_ms = _frozen_seats(row.id)
        ratings.record_result(
            pool=row.pool,
            match_label=row.public_id,
            seats=seats,
            scores=[1.0 if index == fact.winner else 0.0 for index in range(len(seats))],
            at=ended_at,
            play_ms=fact.at_ms - first_deal_ms,
        )
    elif rates and row.status == Match.Status.FINISHED:
        ratings.reverse_result(row.public_id, at=clock_source.as_datetime(now_ms), note=reason[:200])
    return changes


def _frozen_seats(match_id: int) -> tuple[list[ratings.Frozen], int]:
    """What was frozen for each seat of a dealt match, and when its first hand was dealt."""
    rows = Seat.objects.filter(match_id=match_id, match__hands__number=1).order_by("index")
    found = list(rows.values_list("match__hands__dealt_ms", *FROZEN))
    seats = [
        ratings.Frozen(user_id, rating, k, games, float(farming_factor), bool(provisional))
        for _dealt_ms, user_id, rating, k, games, farming_factor, provisional in found
    ]
    return seats, found[0][0]
