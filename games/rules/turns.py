"""Turns: whose it is, how its clock starts and stops, how it passes to the other seat."""

from games.rules.clock import charge_of, deadline_of
from games.rules.errors import NotYourTurn, WrongPhase
from games.rules.facts import ClockStopped, Fact, MatchOver, Passed, TurnKind, TurnStarted
from games.rules.hand import Held, can_play, settle_block
from games.rules.layout import Layout
from games.rules.outcome import Ending
from games.rules.state import MatchState, Phase


def check_turn(state: MatchState, seat: int, phase: Phase) -> None:
    """Refuse a seat that is not on turn, or a command of another phase."""
    if state.phase != phase:
        raise WrongPhase(phase=state.phase)
    if state.turn != seat:
        raise NotYourTurn(turn=state.turn)


def stop_clock(state: MatchState, *, arrived_ms: int, now_ms: int) -> ClockStopped:
    """The charge of the running turn, up to the arrival of its last command.

    The caller has made sure that a clock runs. A stamp older than the start of the turn is
    charged as nothing, one behind the deadline as the whole bank (a void comes that late).

    Rule: SB-63, D-26.
    """
    seat, started_ms = state.turn, state.turn_started_ms
    assert seat is not None
    assert started_ms is not None
    elapsed_ms = max(0, arrived_ms - started_ms)
    charged_ms = min(charge_of(elapsed_ms), state.banks_ms[seat])
    return ClockStopped(now_ms, seat, elapsed_ms, charged_ms, state.banks_ms[seat] - charged_ms)


def banks_after(state: MatchState, stopped: ClockStopped) -> tuple[int, ...]:
    """Both banks once this turn was charged."""
    banks_ms = state.banks_ms
    return (stopped.bank_ms, banks_ms[1]) if stopped.seat == 0 else (banks_ms[0], stopped.bank_ms)


def run_out(state: MatchState) -> tuple[Fact, ...]:
    """The loss on time of the seat on turn, dated at the deadline (SB-71, D-27)."""
    assert state.turn is not None
    assert state.deadline_ms is not None
    stopped = stop_clock(state, arrived_ms=state.deadline_ms, now_ms=state.deadline_ms)
    return stopped, MatchOver(state.deadline_ms, 1 - state.turn, Ending.TIME)


def start_turn(
    state: MatchState, seat: int, kind: TurnKind, *, now_ms: int, banks_ms: tuple[int, ...]
) -> tuple[Fact, ...]:
    """The start of a turn, or nothing where the seat has to reveal its tiles first (D-4)."""
    if state.options.shared_device and state.revealed != seat:
        return ()
    return (TurnStarted(now_ms, seat, kind, deadline_of(now_ms, banks_ms[seat])),)


def pass_turn(
    state: MatchState,
    seat: int,
    *,
    now_ms: int,
    banks_ms: tuple[int, ...],
    balances: tuple[int, ...],
    held: Held,
    layout: Layout,
    boneyard_is_empty: bool,
    passes: int = 0,
) -> tuple[Fact, ...]:
    """What follows when the turn goes to `seat`: its start, forced passes, or a block.

    `passes` is 1 where the other seat has just passed. The position is given as values, since
    it is the one after the facts that the caller is about to report.

    Rule: SB-37, SB-42, D-5, D-10.
    """
    facts: tuple[Fact, ...] = ()
    while boneyard_is_empty and not can_play(held[seat], layout):
        facts += (Passed(now_ms, seat),)
        passes += 1
        if passes == 2:
            return facts + settle_block(held, balances, now_ms=now_ms)
        seat = 1 - seat
    return facts + start_turn(state, seat, "turn", now_ms=now_ms, banks_ms=banks_ms)
