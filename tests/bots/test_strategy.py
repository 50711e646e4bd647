"""What the three strategies choose, and what their choice rests on."""

from random import Random

import pytest

from games.bots.strategy import STRENGTHS, Strength, choose
from games.bots.strategy.known import bits_of, known_of, likelihoods
from games.bots.strategy.positions import BIT
from games.bots.strategy.worlds import deal as deal_unseen
from games.rules import (
    Accept,
    Bid,
    Decline,
    DrawTile,
    MatchState,
    PlayTile,
    Raise,
    Resign,
    Start,
    parse_tile,
    sight,
)
from tests.bots.play import Player, decisions, player, winner_of
from tests.rules.table import Table, deal

FEW = 12
MANY = 200
each_strength = pytest.mark.parametrize("strength", STRENGTHS)
thinking = pytest.mark.parametrize("strength", ["medium", "strong"])


def quick(strength: Strength) -> Player:
    """A player that thinks so little that whole matches are quick."""
    return player(strength, iterations=FEW)


def answer(strength: Strength, state: MatchState, seat: int, *, seed: int = 1, iterations: int = MANY) -> object:
    return choose(strength, sight(state, seat), rng=Random(seed), iterations=iterations)


def auction(*, rival: int, hands: tuple[str, str] = ("", ""), says: str = "") -> MatchState:
    """Seat 0 is the jockey, seat 1 the rival with this balance, who has said this."""
    table = Table(deal(*hands), balances=(300 - rival, rival), jockey=0).started()
    for line in filter(None, says.split(", ")):
        table.act(line)
    return table.state


@pytest.mark.parametrize("strengths", [("simple", "medium"), ("medium", "strong"), ("strong", "simple")])
@pytest.mark.parametrize("seed", range(3))
def test_every_command_of_a_match_is_legal_and_none_gives_up(strengths: tuple[Strength, Strength], seed: int) -> None:
    first, second = strengths
    for decision in decisions((quick(first), quick(second)), seed=seed):
        assert decision.command in decision.seen.legal
        assert not isinstance(decision.command, Resign)


@each_strength
def test_it_presses_start_draws_and_shows_its_tiles(strength: Strength) -> None:
    table = Table(deal("6|6 5|6 4|6 3|6 2|6 1|6 0|6", "0|0 0|1 1|1 0|2 1|2 2|2 0|3"), options={"shared_device": True})
    assert answer(strength, table.state, 0) == Start(0)
    table.started()
    table.act("0 reveal")
    assert answer(strength, table.state, 0) == PlayTile(0, parse_tile("6|6"), None)
    table.act("0 play 6|6")
    assert answer(strength, table.state, 1).type == "reveal"
    table.act("1 reveal")
    assert answer(strength, table.state, 1) == DrawTile(1)


@each_strength
def test_it_refuses_to_choose_for_a_seat_that_is_not_on_turn(strength: Strength) -> None:
    state = Table(deal("6|6")).started().state
    with pytest.raises(ValueError, match="not on turn"):
        answer(strength, state, 1)


@each_strength
def test_the_same_sight_and_seed_give_the_same_command(strength: Strength) -> None:
    """Whatever was thought about in between."""
    seen = [
        decision.seen for decision in decisions((quick("simple"), quick("medium")), seed=5) if decision.seen.previews
    ][:40]

    def choices() -> list[object]:
        return [choose(strength, one, rng=Random(at), iterations=FEW) for at, one in enumerate(seen)]

    first = choices()
    choose(strength, seen[-1], rng=Random(9), iterations=FEW)
    assert choices() == first


@each_strength
def test_hidden_tiles_change_nothing(strength: Strength) -> None:
    """The other hand and the boneyard may hold any of the unseen tiles, in any order."""
    rng = Random(4)
    tried = 0
    for decision in decisions((quick("medium"), quick("simple")), seed=6):
        state = decision.before
        seat = state.turn
        if seat is None or len(decision.seen.legal) < 3:
            continue
        hidden = [*state.held[1 - seat], *state.boneyard]
        rng.shuffle(hidden)
        count = len(state.held[1 - seat])
        held = list(state.held)
        held[1 - seat] = tuple(sorted(hidden[:count]))
        other = state.but(held=tuple(held), boneyard=tuple(hidden[count:]))
        assert answer(strength, other, seat, iterations=FEW) == answer(strength, state, seat, iterations=FEW)
        tried += 1
        if tried == 30:
            break
    assert tried == 30


@thinking
def test_it_takes_the_placement_that_wins_the_match(strength: Strength) -> None:
    """Also one look or one deal is enough to see it."""
    table = Table(deal("5|5 0|0", "0|5 5|6 4|5 3|5 2|5 1|5 4|4")).started()
    table.act("0 play 5|5")
    state = table.state.but(balances=(10, 290))
    chosen = answer(strength, state, 1, iterations=1)
    assert isinstance(chosen, PlayTile)
    assert chosen.tile == parse_tile("0|5")


@thinking
def test_it_takes_a_score_that_costs_nothing(strength: Strength) -> None:
    table = Table(deal("5|5", "0|5 5|6 0|1 0|2 0|3 0|4 0|6")).started()
    table.act("0 play 5|5")
    chosen = answer(strength, table.state, 1)
    assert isinstance(chosen, PlayTile)
    assert chosen.tile == parse_tile("0|5")


@each_strength
def test_it_makes_no_bid_that_is_all_it_has(strength: Strength) -> None:
    """SB-57: the only bid is the whole balance of fifteen."""
    state = auction(rival=15, hands=("0|0 0|1", "5|5 0|5 1|4 2|3 4|6"))
    assert Bid(1, 15) in sight(state, 1).legal
    assert all(answer(strength, state, 1, seed=seed, iterations=FEW) == Decline(1) for seed in range(20))


@each_strength
def test_it_makes_no_raise_that_is_all_it_has(strength: Strength) -> None:
    """SB-57: the jockey has five left, which is the price of a raise to twenty."""
    state = auction(rival=295, hands=("5|5 0|5 1|4 2|3 4|6", "0|0"), says="1 bid 15")
    assert Raise(0, 20) in sight(state, 0).legal
    assert all(answer(strength, state, 0, seed=seed, iterations=FEW) == Accept(0) for seed in range(20))


@thinking
def test_it_accepts_a_bid_that_is_all_the_other_has(strength: Strength) -> None:
    """The payment wins the match before any tile is played."""
    state = auction(rival=15, hands=("5|5 0|5 1|4 2|3 4|6", "0|0"), says="1 bid 15")
    assert answer(strength, state, 0) == Accept(0)


@thinking
def test_it_does_not_outbid_what_no_opening_is_worth(strength: Strength) -> None:
    state = auction(rival=150, hands=("5|5 0|5 1|4 2|3 4|6", "0|0"), says="1 bid 100")
    assert answer(strength, state, 0) == Accept(0)


@each_strength
def test_an_auction_of_two_of_a_kind_ends(strength: Strength) -> None:
    for seed in range(10):
        last = None
        table = Table(deal(), balances=(150, 150), jockey=seed % 2).started()
        for last in decisions((quick(strength), quick(strength)), seed=seed, start=table.state):
            if last.after.phase != "auction":
                break
        assert last is not None
        assert last.after.phase in ("play", "over")


def test_likely_tiles_are_those_that_were_not_passed_over() -> None:
    """[5|5] lies there; who answers with [4|5] would rather have laid [0|5] for ten points."""
    table = Table(deal("5|5 0|0 0|1 0|2 0|3 0|4 0|6", "4|5 1|2", "0|5")).started()
    table.act("0 play 5|5")
    table.act("1 play 4|5@5|5.line_a")
    seen = sight(table.state, 0)
    weights = likelihoods(seen, known_of(seen))
    assert weights[BIT[parse_tile("0|5")]] < 0.5
    assert weights[BIT[parse_tile("1|2")]] == 1.0


def test_who_must_open_with_a_tile_has_passed_over_nothing() -> None:
    """[6|6] opens the first hand by rank, whatever [5|5] would have earned."""
    table = Table(deal("6|6", "0|0 0|6")).started()
    table.act("0 play 6|6")
    seen = sight(table.state, 1)
    assert set(likelihoods(seen, known_of(seen)).values()) == {1.0}


def test_tiles_that_fitted_are_unlikely_after_a_draw() -> None:
    table = Table(deal("6|6 5|6 4|6 3|6 5|5 4|4 3|3", "0|0 0|1 1|1 0|2 1|2 2|2 0|3", "4|5 2|6 0|6")).started()
    table.act("0 play 6|6")
    table.act("1 draw")
    table.act("1 draw")
    table.act("1 play 2|6@6|6.line_a")
    seen = sight(table.state, 0)
    weights = likelihoods(seen, known_of(seen))
    assert weights[BIT[parse_tile("0|6")]] < 0.5
    assert weights[BIT[parse_tile("0|0")]] == 1.0


def test_a_likely_deal_holds_each_unseen_tile_once() -> None:
    seen = sight(Table(deal("6|6")).started().state, 0)
    known = known_of(seen)
    weights = {bit: 1.0 for bit in BIT.values() if bit & known.unseen}
    favourite = BIT[parse_tile("5|5")]
    weights[favourite] = 50.0
    held = 0
    for seed in range(200):
        hand, yard = deal_unseen(known, weights, Random(seed))
        assert hand.bit_count() == known.others
        assert len(yard) == known.yard
        assert hand ^ sum(yard) == known.unseen
        held += bool(hand & favourite)
    assert held > 180


def test_what_a_seat_knows_is_read_from_its_own_sight() -> None:
    state = Table(deal("6|6", "0|6")).started().state
    known = known_of(sight(state, 0))
    assert known.hand == bits_of(state.held[0])
    assert known.unseen == bits_of((*state.held[1], *state.boneyard))


def test_medium_beats_simple_and_strong_beats_simple() -> None:
    """How much better they are is for the bench; here they only must not have lost their wits."""
    assert sum(winner_of((quick("medium"), quick("simple")), seed=seed) == 0 for seed in range(8)) >= 6
    assert sum(winner_of((quick("strong"), quick("simple")), seed=seed) == 0 for seed in range(4)) >= 3
