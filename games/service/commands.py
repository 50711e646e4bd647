"""What players send: a command, and what it gives when it is late, repeated or proves a fault."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction

from games import clock_source, rules, snapshots
from games.errors import AlreadyDealt, MalformedCommand, NotSeated, StaleCommand, TimingFault
from games.models import Match, MatchEvent
from games.service.applying import Applied, applied_now, apply, is_at, locked, state_at
from games.service.deadlines import cancel, is_late, judge_late
from games.service.repair import void
from games.statements import MatchRow

if TYPE_CHECKING:
    from accounts.models import User

# What the other side does must not make these stale, so they name the hand (D-30).
NAMES_THE_HAND = (rules.Start, rules.Continue, rules.Reveal, rules.Resign)
# At one device there is no other side. There all but these name the version: what one player was shown
# must never be taken for a press of the other.
PRESSES = (rules.Start, rules.Continue)


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

    def answer(row: MatchRow) -> Applied:
        if actor is None or not 0 <= seat < len(row.player_ids) or row.player_ids[seat] != actor.pk:
            raise NotSeated
        return _answer(row, snapshots.decode(row.id, row.snapshot), asked)

    return _in_one_transaction(match_id, seat, command_id, answer)


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

    def answer(row: MatchRow) -> Applied:
        if not is_at(row, device):
            raise NotSeated
        state = snapshots.decode(row.id, row.snapshot)
        command = command_of(0 if state.turn is None else state.turn)
        asked = _Asked(command, expected_seq, expected_hand, command_id, arrived_ms, nonce, waited_behind, True)
        asked.check()
        return _answer(row, state, asked)

    return _in_one_transaction(match_id, None, command_id, answer)


def leave(match_id: int, actor: User, *, arrived_ms: int | None = None) -> Applied:
    """The match cancelled because `actor` left before the first deal (D-1).

    Raises `AlreadyDealt`, `NotSeated`, `NoSuchMatch`.
    """
    with transaction.atomic(durable=True):
        row = locked(match_id)
        if actor.pk not in row.player_ids:
            raise NotSeated
        if row.status != Match.Status.WAITING:
            raise AlreadyDealt
        absent = (row.player_ids.index(actor.pk),)
        return cancel(row, absent, arrived_ms)


def end_at_device(match_id: int, *, device: str, arrived_ms: int | None = None) -> Applied | None:
    """The match cancelled because those at its device want no result; None when it is over already.

    A clock that has run out is judged first. Raises `NotSeated` for another device, `TimeIsUp` inside
    the grace, `NoSuchMatch`.
    """
    with transaction.atomic(durable=True):
        row = locked(match_id)
        if not is_at(row, device):
            raise NotSeated
        if not row.is_running:
            return None
        state = snapshots.decode(row.id, row.snapshot)
        came_ms = clock_source.now_ms() if arrived_ms is None else arrived_ms
        now_ms = applied_now(state, came_ms)
        if is_late(row, state, came_ms):
            return judge_late(row, state, now_ms)
        return apply(row, state, rules.CancelAbandoned(), arrived_ms=came_ms, now_ms=now_ms)


def _in_one_transaction(
    match_id: int, seat: int | None, command_id: str, answer: Callable[[MatchRow], Applied]
) -> Applied:
    """What `answer` gives under the lock of the match, or gave before to the command of this id (see `_former`)."""
    try:
        with transaction.atomic(durable=True):
            applied = answer(locked(match_id))
    except IntegrityError:
        # The id belongs to an accepted command that named another version.
        former = _former_by_id(match_id, seat, command_id)
        if former is None:
            raise
        return former
    if isinstance(applied.command, rules.VoidForFault):
        raise TimingFault
    return applied


def _answer(row: MatchRow, state: rules.MatchState, asked: _Asked) -> Applied:
    """What a player's command leads to; raises what `submit` raises."""
    now_ms = applied_now(state, asked.arrived_ms)
    late = row.is_running and is_late(row, state, asked.arrived_ms)
    refusal: Exception = StaleCommand(row.seq)
    if row.is_running and not late and asked.is_for(row, state):
        try:
            return apply(
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
    if late:
        return judge_late(row, state, now_ms)
    if not row.is_running:
        return _after_the_end(row, state, asked)
    raise refusal


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
    open_turn = state_at(row.id, row.seq - 1)
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
    return void(row, state, reason)


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
        row = locked(match_id)
        return _former(row, snapshots.decode(row.id, row.snapshot), seat, command_id)
