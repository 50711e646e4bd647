"""The decisions of an auction, with those that have one legal choice made at once (D-7)."""

from games.rules.auction import check_amount, legal_amounts, net_price
from games.rules.commands import Accept, Bid, Decline, Raise
from games.rules.errors import BidStands, NoBidStands
from games.rules.facts import Accepted, BidMade, Declined, Fact, Raised
from games.rules.hand import transfer
from games.rules.state import MatchState
from games.rules.turns import banks_after, check_turn, start_turn, stop_clock


def amounts_open(state: MatchState, seat: int) -> range:
    """Every amount that `seat` may bid or raise to now."""
    standing = None if state.bid is None else state.bid.amount
    return legal_amounts(standing, state.balances[seat], is_jockey=seat == state.jockey)


def decide_decline(state: MatchState, command: Decline, arrived_ms: int, now_ms: int) -> tuple[Fact, ...]:
    """The rival lets the jockey open free (SB-50)."""
    check_turn(state, command.seat, "auction")
    _refuse_if_bid_stands(state)
    stopped = stop_clock(state, arrived_ms=arrived_ms, now_ms=now_ms)
    return (stopped, *decline(state, command.seat, now_ms=now_ms))


def decline(state: MatchState, rival: int, *, now_ms: int) -> tuple[Fact, ...]:
    """The rival's decline without its clock, and the jockey's opening."""
    return Declined(now_ms, rival), *start_turn(state, 1 - rival, "opening", now_ms=now_ms, banks_ms=state.banks_ms)


def decide_bid(state: MatchState, command: Bid, arrived_ms: int, now_ms: int) -> tuple[Fact, ...]:
    """The rival's first bid (SB-49)."""
    seat, amount = command.seat, command.amount
    check_turn(state, seat, "auction")
    _refuse_if_bid_stands(state)
    is_jockey = seat == state.jockey
    check_amount(amount, None, state.balances[seat], is_jockey=is_jockey)
    stopped = stop_clock(state, arrived_ms=arrived_ms, now_ms=now_ms)
    bid = BidMade(now_ms, seat, amount, net_price(amount, is_jockey=is_jockey))
    return (stopped, bid, *_answer_to(state, seat, amount, now_ms, banks_after(state, stopped)))


def decide_raise(state: MatchState, command: Raise, arrived_ms: int, now_ms: int) -> tuple[Fact, ...]:
    """A higher bid of the other seat (SB-52)."""
    seat, amount = command.seat, command.amount
    check_turn(state, seat, "auction")
    if state.bid is None:
        raise NoBidStands
    is_jockey = seat == state.jockey
    check_amount(amount, state.bid.amount, state.balances[seat], is_jockey=is_jockey)
    stopped = stop_clock(state, arrived_ms=arrived_ms, now_ms=now_ms)
    raised = Raised(now_ms, seat, amount, net_price(amount, is_jockey=is_jockey))
    return (stopped, raised, *_answer_to(state, seat, amount, now_ms, banks_after(state, stopped)))


def decide_accept(state: MatchState, command: Accept, arrived_ms: int, now_ms: int) -> tuple[Fact, ...]:
    """The standing bid is taken: its author pays and opens (SB-53)."""
    check_turn(state, command.seat, "auction")
    if state.bid is None:
        raise NoBidStands
    stopped = stop_clock(state, arrived_ms=arrived_ms, now_ms=now_ms)
    return (stopped, *_accept(state, state.bid.seat, state.bid.amount, now_ms, banks_after(state, stopped)))


def _refuse_if_bid_stands(state: MatchState) -> None:
    if state.bid is not None:
        raise BidStands(amount=state.bid.amount)


def _answer_to(state: MatchState, bidder: int, amount: int, now_ms: int, banks_ms: tuple[int, ...]) -> tuple[Fact, ...]:
    # SB-56: whoever cannot afford the least raise accepts at once. The turn then comes back to
    # the bidder, so that the bank just charged is the one that counts.
    other = 1 - bidder
    if not legal_amounts(amount, state.balances[other], is_jockey=other == state.jockey):
        return _accept(state, bidder, amount, now_ms, banks_ms)
    return start_turn(state, other, "auction", now_ms=now_ms, banks_ms=banks_ms)


def _accept(state: MatchState, bidder: int, amount: int, now_ms: int, banks_ms: tuple[int, ...]) -> tuple[Fact, ...]:
    net = net_price(amount, is_jockey=bidder == state.jockey)
    facts: tuple[Fact, ...] = (Accepted(now_ms, 1 - bidder, bidder, amount, net),)
    if net:
        facts += transfer(state.balances, bidder, net, "bid", now_ms=now_ms)
        if net == state.balances[bidder]:
            return facts  # SB-57: lost before the opening.
    return facts + start_turn(state, bidder, "opening", now_ms=now_ms, banks_ms=banks_ms)
