"""The strong strategy: every placement is played to the end of the hand, over many likely deals.

The players of these playouts know only their own tiles (playout.py), so that a placement is not
thought good because it would be answered by somebody who sees through the tiles.
"""

from collections.abc import Mapping, Sequence
from random import Random

from games.bots.strategy.auctions import speak
from games.bots.strategy.budget import Budget
from games.bots.strategy.known import Choice, Known, choices_of, known_of, likelihoods, openings_of
from games.bots.strategy.playout import JOCKEY_WORTH, play_out
from games.bots.strategy.positions import EMPTY
from games.bots.strategy.worlds import deal
from games.rules import PlayerCommand, Sight

# The part of the budget after which only so many choices are gone on with.
_ROUNDS = ((0.15, 5), (0.35, 3), (0.6, 2))
_WORLDS_AT_A_TIME = 4
_SHARE_OF_OWN_OPENING = 0.7


def choose_strong(sight: Sight, rng: Random, budget: Budget) -> PlayerCommand:
    """The placement that gains most in the end, on the average of the deals looked at."""
    known = known_of(sight)
    weights = likelihoods(sight, known)
    if sight.phase == "auction":
        return speak(sight, lambda: _opening_gain(known, weights, rng, budget))
    choices = choices_of(sight, known)
    best, _ = _search(known, list(choices), weights, rng, budget)
    return choices[best]


def _search(
    known: Known,
    choices: Sequence[Choice],
    weights: Mapping[int, float],
    rng: Random,
    budget: Budget,
    *,
    until: float = 1.0,
) -> tuple[Choice, float]:
    # The best choice and its mean gain. All choices meet the same deals, and those that do worse
    # are dropped in rounds, so that the deals go where the question is open.
    gains = dict.fromkeys(choices, 0.0)
    worlds = 0
    rounds = list(_ROUNDS)
    share = budget.share() / until
    while share < 1.0 or not worlds:
        for _ in range(_WORLDS_AT_A_TIME):
            world = deal(known, weights, rng)
            for choice in gains:
                gains[choice] += _gain(known, choice, world)
        worlds += _WORLDS_AT_A_TIME
        budget.done += _WORLDS_AT_A_TIME
        share = budget.share() / until
        while rounds and share >= rounds[0][0]:
            _, kept = rounds.pop(0)
            best_first = sorted(gains, key=lambda choice: -gains[choice])
            gains = {choice: gains[choice] for choice in best_first[:kept]}
    best = max(gains, key=lambda choice: gains[choice])
    return best, gains[best] / worlds


def _gain(known: Known, choice: Choice, world: tuple[int, list[int]]) -> float:
    other, yard = world
    hand = known.hand ^ choice.bit
    margin = min(choice.due, known.other_balance)
    if margin == known.other_balance or not hand:
        return margin + (JOCKEY_WORTH if not hand else 0.0)
    return play_out(
        choice.after,
        other,
        hand,
        yard,
        margin=margin,
        balance=known.balance,
        other_balance=known.other_balance,
        sign=-1,
    )


def _opening_gain(known: Known, weights: Mapping[int, float], rng: Random, budget: Budget) -> float:
    # How much better off the seat is opening itself than if the other does.
    _, own = _search(known, openings_of(known), weights, rng, budget, until=_SHARE_OF_OWN_OPENING)
    total = 0.0
    worlds = 0
    while budget.share() < 1.0 or not worlds:
        for _ in range(_WORLDS_AT_A_TIME):
            other, yard = deal(known, weights, rng)
            total += play_out(
                EMPTY,
                other,
                known.hand,
                yard,
                margin=0,
                balance=known.balance,
                other_balance=known.other_balance,
                sign=-1,
            )
        worlds += _WORLDS_AT_A_TIME
        budget.done += _WORLDS_AT_A_TIME
    return own - total / worlds
