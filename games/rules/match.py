"""The state machine of a match: which commands are allowed and what they lead to.

    ready -> (curtain) -> auction -> (curtain) -> play -> ready -> ... -> over

`decide` judges a command and gives facts, `evolve` applies them. The decisions inside a hand
are in play.py and bidding.py, the changes a fact makes in evolution.py.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from games.rules.auction import MIN_BID
from games.rules.bidding import (
    amounts_open,
    decide_accept,
    decide_bid,
    decide_decline,
    decide_raise,
    decline,
)
from games.rules.clock import BANK_MS, is_out
from games.rules.commands import (
    Accept,
    Bid,
    CancelAbandoned,
    Command,
    Continue,
    Decline,
    DrawTile,
    ExpireTime,
    PlayerCommand,
    PlayTile,
    Raise,
    Resign,
    Reveal,
    Start,
    SystemCommand,
    VoidForFault,
)
from games.rules.errors import AlreadyReady, MatchIsOver, NoDeal, WrongPhase
from games.rules.evolution import evolve, fold
from games.rules.facts import Dealt, Fact, MatchOver, Readied, Revealed
from games.rules.hand import legal_plays, opening_by_rank
from games.rules.layout import EMPTY_LAYOUT, Contribution, Port, Site
from games.rules.outcome import Ending
from games.rules.play import decide_draw, decide_play
from games.rules.scoring import points_due
from games.rules.state import MatchState
from games.rules.tiles import Tile
from games.rules.turns import check_turn, run_out, start_turn, stop_clock
from games.rules.variants import get_variant
from games.rules.variants.spectacular_bid import KEY as SPECTACULAR_BID

__all__ = ["Preview", "decide", "evolve", "fold", "legal_commands", "needs_order", "new_match", "previews"]


class Preview(NamedTuple):
    """What one legal play would give: the sum on the table and the points due."""

    tile: Tile
    site: Site | None
    join: Port | None
    contributions: tuple[Contribution, ...]
    total: int
    due: int


def new_match(variant: str = SPECTACULAR_BID, *, at_ms: int, options: Mapping[str, Any] | None = None) -> MatchState:
    """A match before its first deal; `at_ms` is when it was made, no clock runs from it.

    `options` are JSON data. Raises ValueError for an unknown variant or malformed options,
    VariantNotAvailable and BadOption for what is not offered.
    """
    chosen = get_variant(variant)
    return MatchState(
        hand=0,
        phase="ready",
        balances=(chosen.start_balance,) * chosen.seats,
        banks_ms=(BANK_MS,) * chosen.seats,
        turn=None,
        turn_started_ms=None,
        deadline_ms=None,
        held=((),) * chosen.seats,
        boneyard=(),
        layout=EMPTY_LAYOUT,
        must_open=None,
        must_play=None,
        jockey=None,
        bid=None,
        ready=(),
        winner=None,
        ending=None,
        variant=variant,
        options=chosen.read_options(options or {}),
        turn_kind=None,
        revealed=None,
    )


def decide(
    state: MatchState,
    command: Command,
    *,
    arrived_ms: int,
    now_ms: int,
    order: Sequence[Tile] | None = None,
) -> tuple[Fact, ...]:
    """The facts that a command leads to, in the order in which they happen.

    `arrived_ms` is the stamp of the command, to which a running turn is charged; `now_ms` is
    when it is applied, from which the next turn runs (D-26). `order` is the 28 tiles of the
    hand that this command deals (see `needs_order`).

    A player's command that arrived at the deadline or later gives the facts of the time-out,
    whatever it was (SB-70); ExpireTime before the deadline gives none. Raises a subclass of
    IllegalCommand for what the rules do not allow: nothing has changed then (SB-77).
    """
    if isinstance(command, SystemCommand):
        return _decide_for_service(state, command, arrived_ms, now_ms)
    if state.phase == "over":
        raise MatchIsOver(ending=state.ending)
    if is_out(state.deadline_ms, arrived_ms):
        return run_out(state)
    if isinstance(command, (Start, Continue)):
        return _press(state, command, now_ms, order)
    return _DECIDERS[type(command)](state, command, arrived_ms, now_ms)


def legal_commands(state: MatchState) -> tuple[PlayerCommand, ...]:
    """Every command that some seat may give now.

    First those of the seat on turn (plays by tile and site, bids ascending) or the presses of
    Start or Continue by seat, then the resignations.
    """
    phase = state.phase
    if phase == "over":
        return ()
    commands: list[PlayerCommand] = []
    turn = state.turn
    if phase == "ready":
        press = Start if state.hand == 0 else Continue
        commands += [press(seat) for seat in range(len(state.banks_ms)) if seat not in state.ready]
    elif turn is not None:
        if phase == "play":
            commands += [PlayTile(turn, tile, site) for tile, site in legal_plays(state)]
            if not commands:
                commands.append(DrawTile(turn))
        elif phase == "curtain":
            commands.append(Reveal(turn))
        elif state.bid is None:
            commands.append(Decline(turn))
            commands += [Bid(turn, amount) for amount in amounts_open(state, turn)]
        else:
            commands.append(Accept(turn))
            commands += [Raise(turn, amount) for amount in amounts_open(state, turn)]
    return (*commands, *_RESIGNATIONS)


def needs_order(state: MatchState, command: Command) -> bool:
    """Whether this Start or Continue is the one that deals, so that `decide` needs an order."""
    return (
        isinstance(command, Start | Continue)
        and state.phase == "ready"
        and command.seat not in state.ready
        and (state.options.shared_device or len(state.ready) == len(state.banks_ms) - 1)
    )


def previews(state: MatchState) -> tuple[Preview, ...]:
    """What each legal play of the seat on turn would give, in the order of `legal_commands`."""
    shown = []
    for tile, site in legal_plays(state):
        layout = state.layout.place(tile, site)
        join = layout.joins[-1][1].port if site is not None else None
        shown.append(Preview(tile, site, join, layout.contributions, layout.total, points_due(layout.total)))
    return tuple(shown)


def _press(state: MatchState, command: Start | Continue, now_ms: int, order: Sequence[Tile] | None) -> tuple[Fact, ...]:
    if state.phase != "ready" or isinstance(command, Start) != (state.hand == 0):
        raise WrongPhase(phase=state.phase)
    if command.seat in state.ready:
        raise AlreadyReady(seat=command.seat)
    if not needs_order(state, command):
        return (Readied(now_ms, command.seat),)
    if order is None:
        raise NoDeal(hand=state.hand + 1)
    # On a shared device one press counts for both (D-4).
    pressed = tuple(Readied(now_ms, seat) for seat in range(len(state.banks_ms)) if seat not in state.ready)
    return pressed + _deal(state, tuple(order), now_ms)


def _deal(state: MatchState, order: tuple[Tile, ...], now_ms: int) -> tuple[Fact, ...]:
    dealt = Dealt(now_ms, state.hand + 1, order)
    state = evolve(state, dealt)
    jockey = state.jockey
    if jockey is None:
        opener, _ = opening_by_rank(state.held)
        return (dealt, *start_turn(state, opener, "opening", now_ms=now_ms, banks_ms=state.banks_ms))
    rival = 1 - jockey
    if state.balances[rival] < MIN_BID:  # SB-56, D-7
        return (dealt, *decline(state, rival, now_ms=now_ms))
    return (dealt, *start_turn(state, rival, "auction", now_ms=now_ms, banks_ms=state.banks_ms))


def _decide_reveal(state: MatchState, command: Reveal, arrived_ms: int, now_ms: int) -> tuple[Fact, ...]:
    check_turn(state, command.seat, "curtain")
    kind = state.turn_kind
    assert kind is not None
    revealed = Revealed(now_ms, command.seat)
    state = evolve(state, revealed)
    return (revealed, *start_turn(state, command.seat, kind, now_ms=now_ms, banks_ms=state.banks_ms))


def _decide_resign(state: MatchState, command: Resign, arrived_ms: int, now_ms: int) -> tuple[Fact, ...]:
    return _end(state, MatchOver(now_ms, 1 - command.seat, Ending.RESIGN), arrived_ms)


def _decide_for_service(state: MatchState, command: SystemCommand, arrived_ms: int, now_ms: int) -> tuple[Fact, ...]:
    is_over = state.phase == "over"
    if isinstance(command, ExpireTime):
        return run_out(state) if is_out(state.deadline_ms, now_ms) else ()
    if isinstance(command, VoidForFault):
        # D-28: also after a loss on time, which the fault may have caused.
        if is_over and state.ending != Ending.TIME:
            raise MatchIsOver(ending=state.ending)
        return _end(state, MatchOver(now_ms, None, Ending.SERVICE_FAULT), arrived_ms)
    if is_over:
        raise MatchIsOver(ending=state.ending)
    if isinstance(command, CancelAbandoned):
        if not state.options.shared_device:
            raise WrongPhase(phase=state.phase)
        return _end(state, MatchOver(now_ms, None, Ending.CANCELLED), arrived_ms)
    if state.hand != 0:
        raise WrongPhase(phase=state.phase)  # D-1: only before the first deal.
    return (MatchOver(now_ms, None, Ending.CANCELLED, command.absent),)


def _end(state: MatchState, over: MatchOver, arrived_ms: int) -> tuple[Fact, ...]:
    if state.deadline_ms is None:
        return (over,)
    return stop_clock(state, arrived_ms=arrived_ms, now_ms=over.at_ms), over


_RESIGNATIONS: Final = (Resign(0), Resign(1))
_DECIDERS: Final[dict[type[Any], Callable[[MatchState, Any, int, int], tuple[Fact, ...]]]] = {
    Accept: decide_accept,
    Bid: decide_bid,
    Decline: decide_decline,
    DrawTile: decide_draw,
    PlayTile: decide_play,
    Raise: decide_raise,
    Resign: _decide_resign,
    Reveal: _decide_reveal,
}
