"""What each fact changes in the state of a match.

No rule is judged here: a fact has happened. What follows from a fact without being told in it
(the hand of a deal, the obligation after a draw, the curtain) is worked out here, so that the
facts alone give the state.
"""

from collections.abc import Callable, Iterable
from typing import Any, Final

from games.rules.facts import (
    Accepted,
    BidMade,
    ClockStopped,
    Dealt,
    Declined,
    Fact,
    HandOver,
    MatchOver,
    Passed,
    Raised,
    Readied,
    Revealed,
    TileDrawn,
    TilePlayed,
    Transferred,
    TurnKind,
    TurnStarted,
)
from games.rules.hand import fits, opening_by_rank, split_order, with_hand, with_tile, without
from games.rules.layout import EMPTY_LAYOUT
from games.rules.state import MatchState, StandingBid
from games.rules.turns import banks_after
from games.rules.variants import get_variant


def evolve(state: MatchState, fact: Fact) -> MatchState:
    """The state after a fact."""
    return _CHANGES[type(fact)](state, fact)


def fold(state: MatchState, facts: Iterable[Fact]) -> MatchState:
    """The state after facts, in their order."""
    for fact in facts:
        state = _CHANGES[type(fact)](state, fact)
    return state


def _after_ready(state: MatchState, fact: Readied) -> MatchState:
    return state.but(ready=tuple(sorted((*state.ready, fact.seat))))


def _after_deal(state: MatchState, fact: Dealt) -> MatchState:
    variant = get_variant(state.variant)
    held, boneyard = split_order(fact.order, seats=variant.seats, tiles_per_hand=variant.tiles_per_hand)
    if state.jockey is None:
        opener, must_open = opening_by_rank(held)
        turn = _turn_goes_to(state, opener, "opening", revealed=None)
    else:
        must_open = None
        turn = _turn_goes_to(state, 1 - state.jockey, "auction", revealed=None)
    return state.but(
        hand=fact.hand,
        held=held,
        boneyard=boneyard,
        layout=EMPTY_LAYOUT,
        must_open=must_open,
        ready=(),
        revealed=None,
        **turn,
    )


def _after_reveal(state: MatchState, fact: Revealed) -> MatchState:
    return state.but(revealed=fact.seat)


def _after_turn_start(state: MatchState, fact: TurnStarted) -> MatchState:
    changes: dict[str, Any] = {}
    if fact.kind == "opening":
        changes["jockey"] = None  # SB-58
    return state.but(
        phase="auction" if fact.kind == "auction" else "play",
        turn=fact.seat,
        turn_kind=fact.kind,
        turn_started_ms=fact.at_ms,
        deadline_ms=fact.deadline_ms,
        **changes,
    )


def _after_clock_stop(state: MatchState, fact: ClockStopped) -> MatchState:
    return state.but(banks_ms=banks_after(state, fact), turn=None, turn_started_ms=None, deadline_ms=None)


def _after_decline(state: MatchState, fact: Declined) -> MatchState:
    return state.but(**_turn_goes_to(state, 1 - fact.seat, "opening", revealed=state.revealed))


def _after_bid(state: MatchState, fact: BidMade | Raised) -> MatchState:
    return state.but(
        bid=StandingBid(fact.seat, fact.amount),
        **_turn_goes_to(state, 1 - fact.seat, "auction", revealed=state.revealed),
    )


def _after_acceptance(state: MatchState, fact: Accepted) -> MatchState:
    return state.but(bid=None, **_turn_goes_to(state, fact.bidder, "opening", revealed=state.revealed))


def _after_play(state: MatchState, fact: TilePlayed) -> MatchState:
    seat = fact.seat
    held = state.held
    changes: dict[str, Any] = {}
    if state.options.shared_device:
        changes = _turn_goes_to(state, 1 - seat, "turn", revealed=state.revealed)
    return state.but(
        held=with_hand(held, seat, without(held[seat], fact.tile)),
        layout=state.layout.place(fact.tile, fact.site),
        must_open=None,
        must_play=None,
        **changes,
    )


def _after_draw(state: MatchState, fact: TileDrawn) -> MatchState:
    held = state.held
    return state.but(
        held=with_hand(held, fact.seat, with_tile(held[fact.seat], fact.tile)),
        boneyard=state.boneyard[1:],
        must_play=fact.tile if fits(fact.tile, state.layout) else None,  # SB-35
    )


def _after_pass(state: MatchState, fact: Passed) -> MatchState:
    return state.but(**_turn_goes_to(state, 1 - fact.seat, "turn", revealed=state.revealed))


def _after_transfer(state: MatchState, fact: Transferred) -> MatchState:
    return state.but(balances=fact.balances)


def _after_hand(state: MatchState, fact: HandOver) -> MatchState:
    return state.but(
        phase="ready",
        turn=None,
        turn_kind=None,
        jockey=fact.winner if fact.how == "domino" else None,  # SB-41, SB-45
    )


def _after_match(state: MatchState, fact: MatchOver) -> MatchState:
    return state.but(
        phase="over",
        turn=None,
        turn_kind=None,
        turn_started_ms=None,
        deadline_ms=None,
        must_open=None,
        must_play=None,
        bid=None,
        ready=(),
        winner=fact.winner,
        ending=fact.ending,
    )


def _turn_goes_to(state: MatchState, seat: int, kind: TurnKind, *, revealed: int | None) -> dict[str, Any]:
    # The clock starts with a fact of its own. On a shared device it does not until the seat has
    # revealed, and the curtain is there as soon as the turn goes over (D-4).
    if state.options.shared_device and revealed != seat:
        return {"phase": "curtain", "turn": seat, "turn_kind": kind}
    return {"phase": "auction" if kind == "auction" else "play", "turn": None, "turn_kind": kind}


_CHANGES: Final[dict[type[Any], Callable[[MatchState, Any], MatchState]]] = {
    Readied: _after_ready,
    Dealt: _after_deal,
    Revealed: _after_reveal,
    TurnStarted: _after_turn_start,
    ClockStopped: _after_clock_stop,
    Declined: _after_decline,
    BidMade: _after_bid,
    Raised: _after_bid,
    Accepted: _after_acceptance,
    TilePlayed: _after_play,
    Transferred: _after_transfer,
    TileDrawn: _after_draw,
    Passed: _after_pass,
    HandOver: _after_hand,
    MatchOver: _after_match,
}
