"""The one writer of matches.

Every accepted command is one transaction: read the match under its lock, let the rules decide,
insert one `MatchEvent`, update the row on condition of its `seq`. A plain move costs these three
statements and no more, however long the match. Sockets, forms, programs, tasks and management
commands all come through here; nothing else changes a match. Who may see what is not decided
here (`games.access`, `games.rules.sight`), nor is any rule of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Count

from accounts.service import lock_accounts
from games import announce, clock_source, deals, rules, snapshots
from games.errors import (
    AlreadyDealt,
    AlreadyInMatch,
    CannotStart,
    DeviceBusy,
    MalformedCommand,
    NoSuchMatch,
    NotSeated,
    StaleCommand,
    TimeIsUp,
    TimingFault,
)
from games.models import Hand, Match, MatchEvent, Seat
from games.statements import MOVED, EventRow, MatchRow, insert_event, lock_match, move_match, settle_seats
from ratings import service as ratings

if TYPE_CHECKING:
    from accounts.models import User

# What the other side does must not make these stale, so they name the hand (D-30).
NAMES_THE_HAND = (rules.Start, rules.Continue, rules.Reveal, rules.Resign)
# At one device there is no other side. There all but these name the version: what one player was shown
# must never be taken for a press of the other.
PRESSES = (rules.Start, rules.Continue)
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


@dataclass(frozen=True, slots=True)
class _Asked:
    """What `submit` was given."""

    command: rules.PlayerCommand
    expected_seq: int | None
    expected_hand: int | None
    command_id: str
    arrived_ms: int
    nonce: bytes | None
    waited_behind: bool
    at_device: bool = False

    @property
    def names_the_hand(self) -> bool:
        return isinstance(self.command, PRESSES if self.at_device else NAMES_THE_HAND)

    def check(self) -> None:
        """Raises `MalformedCommand` when it does not say what it was made for."""
        if (self.expected_hand if self.names_the_hand else self.expected_seq) is None:
            raise MalformedCommand(field="hand" if self.names_the_hand else "seq", reason="missing")

    def is_for(self, row: MatchRow, state: rules.MatchState) -> bool:
        """Whether it was made for the match as it is now."""
        if not self.names_the_hand:
            return self.expected_seq == row.seq
        if isinstance(self.command, rules.Resign):
            # Both may press at once: a deal made by the other's Continue must not undo a resignation.
            return self.expected_hand in (state.hand, state.hand - 1)
        return self.expected_hand == state.hand


def submit(
    match_id: int,
    command: rules.PlayerCommand,
    *,
    actor: User | None,
    expected_seq: int | None,
    expected_hand: int | None = None,
    command_id: str,
    arrived_ms: int,
    nonce: bytes | None = None,
    waited_behind: bool = False,
) -> Applied:
    """The result of a player's command, charged up to `arrived_ms` and applied now (D-26).

    Start, Continue, Reveal and Resign name the hand (`expected_hand`), all others the version
    (`expected_seq`). The id of an accepted command of the same seat gives its former answer again.
    A command that comes at or after a deadline, whoever sent it, gives the loss on time as soon
    as that may be judged (D-27); its `Applied` then holds `ExpireTime`.

    `nonce` goes into the shuffle when a Start or Continue brings it. `waited_behind` says that the
    command queued behind others of the same player, which rules it out as proof of a fault (D-28).

    Raises `StaleCommand`, `NotSeated`, `TimeIsUp` (inside the grace), `TimingFault` (the loss on time
    was judged wrongly, and is void now), `NoSuchMatch`, `MalformedCommand` and what the rules refuse
    (`rules.IllegalCommand`). Nothing has changed then, but for the void.
    """
    asked = _Asked(command, expected_seq, expected_hand, command_id, arrived_ms, nonce, waited_behind)
    asked.check()
    seat = command.seat
    try:
        with transaction.atomic(durable=True):
            row = _locked(match_id)
            if actor is None or not 0 <= seat < len(row.player_ids) or row.player_ids[seat] != actor.pk:
                raise NotSeated
            applied = _answer(row, snapshots.decode(row.id, row.snapshot), asked)
    except IntegrityError:
        # The id belongs to an accepted command that named another version.
        former = _former_by_id(match_id, seat, command_id)
        if former is None:
            raise
        return former
    if isinstance(applied.command, rules.VoidForFault):
        raise TimingFault
    return applied


def submit_at_device(
    match_id: int,
    command_of: Callable[[int], rules.PlayerCommand],
    *,
    device: str,
    expected_seq: int | None,
    expected_hand: int | None = None,
    command_id: str,
    arrived_ms: int,
    nonce: bytes | None = None,
    waited_behind: bool = False,
) -> Applied:
    """What `submit` gives, for two people at one device (D-4).

    `command_of` makes the command of a seat: that of the seat on turn, who holds the device; a Start
    or Continue counts for both. Start and Continue name the hand, Reveal and Resign the version like
    all others, so that a late press never shows the tiles of the one to the other. `device` is the
    digest of the key that the browser holds; raises `NotSeated` for another one's.
    """
    try:
        with transaction.atomic(durable=True):
            row = _locked(match_id)
            if not _is_at(row, device):
                raise NotSeated
            state = snapshots.decode(row.id, row.snapshot)
            command = command_of(0 if state.turn is None else state.turn)
            asked = _Asked(command, expected_seq, expected_hand, command_id, arrived_ms, nonce, waited_behind, True)
            asked.check()
            applied = _answer(row, state, asked)
    except IntegrityError:
        former = _former_by_id(match_id, None, command_id)
        if former is None:
            raise
        return former
    if isinstance(applied.command, rules.VoidForFault):
        raise TimingFault
    return applied


def start_match(
    *,
    users: Sequence[User],
    variant: str = "spectacular-bid",
    options: dict[str, Any] | None = None,
    rated: bool,
    now_ms: int | None = None,
) -> Match:
    """A new match of these users, seated in this order, waiting for Start.

    Ratings are frozen here, the first deal is committed to, and the 60 s for Start begin. Raises
    `AlreadyInMatch(user)` for a person who still plays, `CannotStart(reason)`.
    """
    options = dict(options or {})
    now_ms = clock_source.now_ms() if now_ms is None else now_ms
    if len({user.pk for user in users}) != len(users):
        raise CannotStart(reason="same_user")
    state = rules.new_match(variant, at_ms=now_ms, options=options)
    if rated and state.options != rules.get_variant(variant).read_options({}):
        raise CannotStart(reason="options")  # CL-30
    if state.options.shared_device:
        raise CannotStart(reason="options")  # D-4: see start_at_device
    if len(users) != len(state.banks_ms):
        raise CannotStart(reason="seats")
    state = _as_fixed(state)
    with transaction.atomic():
        users = _seated_accounts(users)
        programs = {user.is_program for user in users}
        if rated and len(programs) > 1:
            raise CannotStart(reason="mixed_rated")
        pool = ratings.pool_for(variant, len(users), programs=programs == {True})
        frozen = ratings.freeze(users, pool, at=clock_source.as_datetime(now_ms))
        match = _new_match(
            state,
            now_ms,
            options=options,
            rated=rated,
            pool=pool,
            player_ids=[user.pk for user in users],
            cap_ms=now_ms + settings.START_CAP_MS,
        )
        for index, (user, facts) in enumerate(zip(users, frozen, strict=True)):
            _seat(match, index, user, facts, points=state.balances[index])
    return match


def start_at_device(
    *, names: Sequence[str], device: str, variant: str = "spectacular-bid", now_ms: int | None = None
) -> Match:
    """A new match of two people at one browser, waiting for Start; never rated and nobody's but theirs (D-4).

    `names` are shown in seat order, `device` is the digest of the key that the browser holds. Raises
    `DeviceBusy(match)` while another match runs there, `CannotStart(reason)`.
    """
    assert device
    now_ms = clock_source.now_ms() if now_ms is None else now_ms
    options = {"shared_device": True}
    state = _as_fixed(rules.new_match(variant, at_ms=now_ms, options=options))
    if len(names) != len(state.banks_ms):
        raise CannotStart(reason="seats")
    try:
        with transaction.atomic():
            cap_ms = now_ms + DEVICE_CAP_MS
            match = _new_match(
                state, now_ms, options=options, player_ids=[None] * len(names), device=device, cap_ms=cap_ms
            )
            for index, name in enumerate(names):
                Seat.objects.create(match=match, index=index, side=index, name=name, points=state.balances[index])
    except IntegrityError as error:
        running = running_at_device(device)
        if running is None:
            raise
        raise DeviceBusy(match=running.public_id) from error
    return match


def running_at_device(device: str) -> Match | None:
    """The match that is being played at this device; None without a query where there is no key."""
    return Match.objects.filter(device=device, status__in=Match.RUNNING).first() if device else None


def running_rated(user: User, opponents: Iterable[User]) -> dict[int, int]:
    """How many rated matches `user` plays with each of `opponents` now, by their ids; nobody else is named.

    A person plays one match at a time, so this is about programs.
    """
    seats = Seat.objects.filter(
        user__in=[other.pk for other in opponents],
        match__status__in=Match.RUNNING,
        match__rated=True,
        match__seats__user=user,
    )
    return dict(seats.exclude(user=user).values_list("user").annotate(Count("pk")).order_by())


def active_match_of(user: User) -> Match | None:
    """The match that `user` plays now, the latest for a program; None when there is none."""
    running = Match.objects.filter(seats__user=user, status__in=Match.RUNNING)
    if not user.is_program:
        running = Match.objects.filter(seats__active_person=user)
    return running.order_by("-created_at", "-pk").first()


def leave(match_id: int, actor: User, *, arrived_ms: int | None = None) -> Applied:
    """The match cancelled because `actor` left before the first deal (D-1).

    Raises `AlreadyDealt`, `NotSeated`, `NoSuchMatch`.
    """
    with transaction.atomic(durable=True):
        row = _locked(match_id)
        if actor.pk not in row.player_ids:
            raise NotSeated
        if row.status != Match.Status.WAITING:
            raise AlreadyDealt
        absent = (row.player_ids.index(actor.pk),)
        return _cancel(row, absent, arrived_ms)


def end_at_device(match_id: int, *, device: str, arrived_ms: int | None = None) -> Applied | None:
    """The match cancelled because those at its device want no result; None when it is over already.

    A clock that has run out is judged first. Raises `NotSeated` for another device, `TimeIsUp` inside
    the grace, `NoSuchMatch`.
    """
    with transaction.atomic(durable=True):
        row = _locked(match_id)
        if not _is_at(row, device):
            raise NotSeated
        if not row.is_running:
            return None
        state = snapshots.decode(row.id, row.snapshot)
        came_ms = clock_source.now_ms() if arrived_ms is None else arrived_ms
        now_ms = _applied_now(state, came_ms)
        if _is_late(row, state, came_ms):
            return _judge_late(row, state, now_ms)
        return _apply(row, state, rules.CancelAbandoned(), arrived_ms=came_ms, now_ms=now_ms)


def claim_time(match_id: int, *, actor: User | None, arrived_ms: int, device: str = "") -> Applied | None:
    """The verdict that a seated player asks for, or a device for its two, or None when no clock has run out.

    Raises `TimeIsUp` inside the grace (D-27), `NotSeated`, `NoSuchMatch`.
    """
    with transaction.atomic(durable=True):
        row = _locked(match_id)
        if not _is_at(row, device) and (actor is None or actor.pk not in row.player_ids):
            raise NotSeated
        if not row.is_running:
            return None
        state = snapshots.decode(row.id, row.snapshot)
        if not _is_late(row, state, arrived_ms):
            return None
        return _judge_late(row, state, _applied_now(state, arrived_ms))


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
        return _cancel(row, _not_ready(row, state), now_ms)


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
        return _apply(row, state, rules.CancelAbandoned(), arrived_ms=now_ms, now_ms=now_ms)


def void_for_fault(match_id: int, *, reason: str) -> Applied:
    """The match aborted for a fault of the service (SB-72, D-28): running, or lost on time before.

    A rating that was applied is reversed in the same transaction. Raises `rules.IllegalCommand`
    (`MatchIsOver`) when it ended otherwise, `NoSuchMatch`.
    """
    with transaction.atomic(durable=True):
        row = _locked(match_id)
        return _void(row, snapshots.decode(row.id, row.snapshot), reason)


def rebuild_snapshot(match_id: int) -> bool:
    """Write the state that the log folds to; whether that differed from what was stored."""
    with transaction.atomic(durable=True):
        row = _locked(match_id)
        state = _state_at(row.id, row.seq)
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


# One command, under the lock of its match.


def _locked(match_id: int) -> MatchRow:
    row = lock_match(match_id)
    if row is None:
        raise NoSuchMatch
    return row


def _applied_now(state: rules.MatchState, arrived_ms: int) -> int:
    """The time of application: read under the lock, never before the arrival or the start of the turn."""
    return max(clock_source.now_ms(), arrived_ms, state.turn_started_ms or 0)


def _answer(row: MatchRow, state: rules.MatchState, asked: _Asked) -> Applied:
    """What a player's command leads to; raises what `submit` raises."""
    now_ms = _applied_now(state, asked.arrived_ms)
    is_late = row.is_running and _is_late(row, state, asked.arrived_ms)
    refusal: Exception = StaleCommand(row.seq)
    if row.is_running and not is_late and asked.is_for(row, state):
        try:
            return _apply(
                row,
                state,
                asked.command,
                arrived_ms=asked.arrived_ms,
                now_ms=now_ms,
                command_id=asked.command_id,
                nonce=asked.nonce,
            )
        except rules.IllegalCommand as illegal:
            refusal = illegal
    # Only what is not accepted is looked up, so a move pays nothing for it.
    # What was sent at a device may have been of either seat by now.
    former = _former(row, state, None if asked.at_device else asked.command.seat, asked.command_id)
    if former is not None:
        return former
    if is_late:
        return _judge_late(row, state, now_ms)
    if not row.is_running:
        return _after_the_end(row, state, asked)
    raise refusal


def _apply(
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


# Deadlines and faults.


def _is_late(row: MatchRow, state: rules.MatchState, arrived_ms: int) -> bool:
    due_ms = state.deadline_ms
    if due_ms is None and row.status == Match.Status.WAITING and not row.device:
        due_ms = row.cap_ms
    return due_ms is not None and arrived_ms >= due_ms


def _judge_late(row: MatchRow, state: rules.MatchState, now_ms: int) -> Applied:
    """The verdict on a match whose time is up. Raises `TimeIsUp` while it may not be given yet."""
    due_ms = row.cap_ms if state.deadline_ms is None else state.deadline_ms
    assert due_ms is not None
    if now_ms < due_ms + settings.GRACE_MS:
        raise TimeIsUp(deadline_ms=due_ms)
    if state.deadline_ms is None:
        return _cancel(row, _not_ready(row, state), now_ms)
    return _expire(row, state, now_ms)


def _expire(row: MatchRow, state: rules.MatchState, now_ms: int) -> Applied:
    assert state.deadline_ms is not None
    return _apply(row, state, rules.ExpireTime(), arrived_ms=state.deadline_ms, now_ms=now_ms)


def _cap_is_over(row: MatchRow, now_ms: int) -> bool:
    # The same grace as for a clock: a Start stamped in time may still wait at a door.
    return row.cap_ms is not None and now_ms >= row.cap_ms + settings.GRACE_MS


def _not_ready(row: MatchRow, state: rules.MatchState) -> tuple[int, ...]:
    return tuple(seat for seat in range(len(row.player_ids)) if seat not in state.ready)


def _cancel(row: MatchRow, absent: tuple[int, ...], arrived_ms: int | None = None) -> Applied:
    state = snapshots.decode(row.id, row.snapshot)
    now_ms = clock_source.now_ms()
    came_ms = now_ms if arrived_ms is None else arrived_ms
    command = rules.CancelUnstarted(absent)
    return _apply(row, state, command, arrived_ms=came_ms, now_ms=max(now_ms, came_ms))


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
        return _apply(row, state, rules.Continue(missing[0]), arrived_ms=now_ms, now_ms=now_ms)


def _void(row: MatchRow, state: rules.MatchState, reason: str) -> Applied:
    now_ms = _applied_now(state, 0)
    return _apply(row, state, rules.VoidForFault(), arrived_ms=now_ms, now_ms=now_ms, reason=reason)


def _after_the_end(row: MatchRow, state: rules.MatchState, asked: _Asked) -> Applied:
    """The void of a loss on time that this command proves wrong; raises `MatchIsOver` when it proves nothing.

    Rule: D-28 (1). It must have come before the deadline, be legal, come from the player on turn and
    name the version of that turn, and must not have waited behind other commands of that player.
    A resignation names no version and would have lost all the same.
    """
    over = rules.MatchIsOver(ending=row.ending)
    if row.ending != rules.Ending.TIME or asked.waited_behind or isinstance(asked.command, NAMES_THE_HAND):
        raise over
    if asked.expected_seq != row.seq - 1:
        raise over
    verdict = MatchEvent.objects.get(match_id=row.id, seq=row.seq)
    if asked.arrived_ms >= verdict.arrived_ms:  # which is the deadline
        raise over
    open_turn = _state_at(row.id, row.seq - 1)
    assert open_turn.turn is not None
    # At a device it is the command of whoever was on turn; the match that is over tells no more who that was.
    command = replace(asked.command, seat=open_turn.turn) if asked.at_device else asked.command
    if command.seat != open_turn.turn:
        raise over
    try:
        rules.decide(open_turn, command, arrived_ms=asked.arrived_ms, now_ms=verdict.arrived_ms)
    except rules.IllegalCommand:
        raise over from None
    early_ms = verdict.applied_ms - asked.arrived_ms
    reason = f"command for version {asked.expected_seq} stamped {early_ms} ms before the verdict was written"
    return _void(row, state, reason)


# What was accepted before.


def _former(row: MatchRow, state: rules.MatchState, seat: int | None, command_id: str) -> Applied | None:
    """The answer that a command of this id was given, if it was accepted; `seat` None: of whichever seat."""
    accepted = MatchEvent.objects.filter(match_id=row.id, command_id=command_id)
    event = (accepted if seat is None else accepted.filter(seat=seat)).first()
    if event is None:
        return None
    return Applied(
        row.id,
        row.public_id,
        event.seq,
        state,
        tuple(rules.load_fact(fact) for fact in event.facts),
        rules.load_command(event.command),
        event.arrived_ms,
        event.applied_ms,
        repeated=True,
    )


def _former_by_id(match_id: int, seat: int | None, command_id: str) -> Applied | None:
    with transaction.atomic(durable=True):
        row = _locked(match_id)
        return _former(row, snapshots.decode(row.id, row.snapshot), seat, command_id)


def _state_at(match_id: int, seq: int) -> rules.MatchState:
    """The state after `seq` commands, folded from the log."""
    origin = Match.objects.values_list("origin", flat=True).get(pk=match_id)
    state = snapshots.read(origin)
    logs = MatchEvent.objects.filter(match_id=match_id, seq__lte=seq).order_by("seq").values_list("facts", flat=True)
    for facts in logs.iterator(chunk_size=500):
        state = rules.fold(state, [rules.load_fact(fact) for fact in facts])
    return state


# New matches, their seats and what was frozen for these.


def _as_fixed(state: rules.MatchState) -> rules.MatchState:
    """The beginning as the test setting wants it; on every real site as it is."""
    fixed = deals.test_deals()
    if fixed is None:
        return state
    return state.but(balances=fixed.balances or state.balances, banks_ms=fixed.banks_ms or state.banks_ms)


def _new_match(state: rules.MatchState, now_ms: int, **columns: Any) -> Match:
    """The match that begins like this, its first deal committed to; its seats are still to come."""
    text = snapshots.encode(state)
    match = Match.objects.create(
        variant=state.variant,
        rules_version=rules.RULES_VERSION,
        phase=state.phase,
        origin=text,
        snapshot=text,
        hand_no=state.hand,
        created_at=clock_source.as_datetime(now_ms),
        **columns,
    )
    deals.new_hand(match.pk, state.hand + 1, len(state.banks_ms)).save(force_insert=True)
    return match


def _is_at(row: MatchRow, device: str) -> bool:
    """Whether the match is played at the device with this digest."""
    return row.device != "" and row.device == device


def _seated_accounts(users: Sequence[User]) -> list[User]:
    """The accounts as they are under their lock: whoever asked read them some time ago."""
    accounts = lock_accounts(user.pk for user in users)
    if any(user.pk not in accounts or not accounts[user.pk].is_active for user in users):
        raise CannotStart(reason="closed")
    return [accounts[user.pk] for user in users]


def _seat(match: Match, index: int, user: User, frozen: ratings.Frozen, *, points: int) -> Seat:
    try:
        with transaction.atomic():
            return Seat.objects.create(
                match=match,
                index=index,
                side=index,
                user=user,
                active_person=None if user.is_program else user,
                points=points,
                rating_at_start=frozen.rating,
                k_at_start=frozen.k,
                games_at_start=frozen.games,
                farming_factor=frozen.farming_factor,
                provisional_at_start=frozen.provisional,
            )
    except IntegrityError as error:
        raise AlreadyInMatch(user=user.pk) from error


def _frozen_seats(match_id: int) -> tuple[list[ratings.Frozen], int]:
    """What was frozen for each seat of a dealt match, and when its first hand was dealt."""
    rows = Seat.objects.filter(match_id=match_id, match__hands__number=1).order_by("index")
    found = list(rows.values_list("match__hands__dealt_ms", *FROZEN))
    seats = [
        ratings.Frozen(user_id, rating, k, games, float(farming_factor), bool(provisional))
        for _dealt_ms, user_id, rating, k, games, farming_factor, provisional in found
    ]
    return seats, found[0][0]
