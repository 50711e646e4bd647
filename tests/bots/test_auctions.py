"""When the price of the opening is worth paying."""

import pytest

from games.bots.strategy.auctions import speak
from games.rules import Accept, Bid, Decline, MatchState, PlayerCommand, Raise, sight
from tests.rules.table import Table, deal


def auction(*says: str, rival: int = 150) -> MatchState:
    """Seat 0 is the jockey, seat 1 the rival with this balance; this was said so far."""
    table = Table(deal(), balances=(300 - rival, rival), jockey=0).started()
    for line in says:
        table.act(line)
    return table.state


def said(state: MatchState, gain: float) -> PlayerCommand:
    assert state.turn is not None
    return speak(sight(state, state.turn), lambda: gain)


def never() -> float:
    raise AssertionError("nothing to work out")


@pytest.mark.parametrize(("gain", "command"), [(10, Decline(1)), (15, Decline(1)), (18, Bid(1, 15))])
def test_a_first_bid_costs_fifteen(gain: float, command: PlayerCommand) -> None:
    assert said(auction(), gain) == command


@pytest.mark.parametrize(("gain", "command"), [(18, Accept(0)), (20, Accept(0)), (23, Raise(0, 20))])
def test_a_raise_of_the_jockey_forgoes_fifteen_and_costs_five(gain: float, command: PlayerCommand) -> None:
    assert said(auction("1 bid 15"), gain) == command


@pytest.mark.parametrize(("gain", "command"), [(30, Accept(1)), (33, Raise(1, 25))])
def test_a_raise_of_the_rival_forgoes_five_and_costs_twenty_five(gain: float, command: PlayerCommand) -> None:
    assert said(auction("1 bid 15", "0 raise 20"), gain) == command


def test_no_gain_is_worth_the_whole_balance() -> None:
    assert said(auction(rival=15), 1000) == Decline(1)
    assert said(auction("1 bid 15", rival=295), 1000) == Accept(0)


def test_the_whole_balance_of_the_other_is_taken_at_once() -> None:
    assert speak(sight(auction("1 bid 15", rival=15), 0), never) == Accept(0)


def test_nothing_is_worked_out_where_nothing_can_be_bid() -> None:
    assert speak(sight(auction(rival=15), 1), never) == Decline(1)
