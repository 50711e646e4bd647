"""Matches that strategies play against each other, straight on the rules, and the deals for them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from games.bots.strategy import Strength, choose
from games.rules import TILES, MatchState, PlayerCommand, Sight, Tile, decide, fold, needs_order, new_match, sight

Player = Callable[[Sight, Random], PlayerCommand]
START_SEATS = (0, 1)


@dataclass(frozen=True, slots=True)
class Decision:
    """What a player saw, what it chose, and what came of it."""

    before: MatchState
    seen: Sight
    command: PlayerCommand
    after: MatchState


def player(strength: Strength, *, iterations: int | None = None, budget_s: float = 0.010) -> Player:
    """A player of this strength."""

    def play(seen: Sight, rng: Random) -> PlayerCommand:
        return choose(strength, seen, rng=rng, budget_s=budget_s, iterations=iterations)

    return play


def deals(seed: int) -> Iterator[tuple[Tile, ...]]:
    """The orders of the hands of a match, one after the other."""
    rng = Random(seed)
    while True:
        yield tuple(rng.sample(TILES, len(TILES)))


def decisions(players: tuple[Player, Player], *, seed: int, start: MatchState | None = None) -> Iterator[Decision]:
    """A match to its end; clocks stand still. The deals depend on the seed alone, not on the players."""
    orders = deals(seed)
    rngs = [Random(f"{seed} {seat}") for seat in START_SEATS]
    state = start or new_match(at_ms=0)
    while state.phase != "over":
        ready = [seat for seat in START_SEATS if seat not in state.ready]
        seat = ready[0] if state.phase == "ready" else state.turn
        assert seat is not None
        seen = sight(state, seat)
        command = players[seat](seen, rngs[seat])
        order = next(orders) if needs_order(state, command) else None
        after = fold(state, decide(state, command, arrived_ms=0, now_ms=0, order=order))
        yield Decision(state, seen, command, after)
        state = after


def winner_of(players: tuple[Player, Player], *, seed: int) -> int:
    """The seat that wins this match."""
    winner = None
    for decision in decisions(players, seed=seed):
        winner = decision.after.winner
    assert winner is not None
    return winner
