"""A record judged again: the rules are asked for every fact that it tells."""

from collections.abc import Sequence
from typing import Any, Final

from games.rules.commands import (
    Accept,
    Bid,
    CancelAbandoned,
    CancelUnstarted,
    Command,
    Continue,
    Decline,
    DrawTile,
    ExpireTime,
    PlayTile,
    Raise,
    Resign,
    Reveal,
    Start,
    VoidForFault,
)
from games.rules.dealing import commitment, deal_order
from games.rules.errors import BadRecord, Refusal
from games.rules.evolution import fold
from games.rules.facts import (
    Accepted,
    BidMade,
    ClockStopped,
    Dealt,
    Declined,
    Fact,
    MatchOver,
    Passed,
    Raised,
    Readied,
    Revealed,
    TileDrawn,
    TilePlayed,
)
from games.rules.match import decide, needs_order
from games.rules.notation import Record
from games.rules.outcome import Ending
from games.rules.state import MatchState
from games.rules.tiles import Tile


def judge_record(record: Record) -> MatchState:
    """The state at the end of a record, every step of which the rules have confirmed.

    Commands are found again from the facts, decided, and what the rules say is compared with
    what the record tells. Deals whose seed is revealed are checked against their commitment.
    Raises BadRecord with the index of the first fact that the rules contradict.
    """
    check_deals(record)
    facts = record.facts
    state = record.first_state()
    at = 0
    while at < len(facts):
        try:
            decided = _decide_again(state, facts[at : at + _LONGEST_ANSWER])
        except Refusal as refusal:
            raise BadRecord(reason=refusal.code, fact=at, detail=refusal.detail) from None
        except (LookupError, ValueError) as error:
            raise BadRecord(reason="facts", fact=at, error=str(error)) from None
        if not decided or facts[at : at + len(decided)] != decided:
            raise BadRecord(reason="facts", fact=at)
        state = fold(state, decided)
        at += len(decided)
    return state


def check_deals(record: Record) -> None:
    """Check each revealed seed against its commitment and the order that was dealt (D-32).

    Raises BadRecord with the number of the first hand that does not agree.
    """
    orders = {fact.hand: fact.order for fact in record.facts if isinstance(fact, Dealt)}
    for proof in record.deals:
        if proof.seed is None:
            continue
        if commitment(proof.seed) != proof.commitment:
            raise BadRecord(reason="commitment", hand=proof.hand)
        try:
            order = deal_order(proof.seed, record.match_id, proof.hand, proof.nonces)
        except ValueError as error:
            raise BadRecord(reason="seed", hand=proof.hand, error=str(error)) from None
        if orders.get(proof.hand, order) != order:
            raise BadRecord(reason="order", hand=proof.hand)


# The most facts that one command leads to, with room to spare.
_LONGEST_ANSWER: Final = 12


def _decide_again(state: MatchState, facts: Sequence[Fact]) -> tuple[Fact, ...]:
    command, elapsed_ms = _command_behind(state, facts)
    now_ms = facts[0].at_ms
    arrived_ms = now_ms
    if elapsed_ms is not None and state.turn_started_ms is not None:
        arrived_ms = state.turn_started_ms + elapsed_ms
    order = _order(facts) if needs_order(state, command) else None
    return decide(state, command, arrived_ms=arrived_ms, now_ms=now_ms, order=order)


def _command_behind(state: MatchState, facts: Sequence[Fact]) -> tuple[Command, int | None]:
    # The command that begins with these facts, and how long after the turn's start it arrived
    # where that is told.
    first = facts[0]
    second = facts[1] if len(facts) > 1 else None
    if isinstance(first, ClockStopped) and second is not None:
        return _command_of(second, state), first.elapsed_ms
    if isinstance(first, TileDrawn):
        # A clock that is not stopped by a pass is that of the next command.
        ends_turn = isinstance(second, ClockStopped) and len(facts) > 2 and isinstance(facts[2], Passed)
        return DrawTile(first.seat), second.elapsed_ms if ends_turn and isinstance(second, ClockStopped) else None
    return _command_of(first, state), None


def _command_of(fact: Any, state: MatchState) -> Command:
    command: Command | None = None
    match fact:
        case Readied():
            command = Start(fact.seat) if state.hand == 0 else Continue(fact.seat)
        case Revealed():
            command = Reveal(fact.seat)
        case Declined():
            command = Decline(fact.seat)
        case BidMade():
            command = Bid(fact.seat, fact.amount)
        case Raised():
            command = Raise(fact.seat, fact.amount)
        case Accepted():
            command = Accept(fact.seat)
        case TilePlayed():
            command = PlayTile(fact.seat, fact.tile, fact.site)
        case MatchOver(ending=Ending.TIME):
            command = ExpireTime()
        case MatchOver(ending=Ending.RESIGN, winner=int(winner)):
            command = Resign(1 - winner)
        case MatchOver(ending=Ending.CANCELLED):
            command = CancelAbandoned() if state.options.shared_device else CancelUnstarted(fact.absent)
        case MatchOver(ending=Ending.SERVICE_FAULT):
            command = VoidForFault()
    if command is None:
        raise ValueError(f"no command leads to {type(fact).__name__}")
    return command


def _order(facts: Sequence[Fact]) -> tuple[Tile, ...] | None:
    return next((fact.order for fact in facts if isinstance(fact, Dealt)), None)
