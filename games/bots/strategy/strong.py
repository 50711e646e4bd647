"""The strong strategy: every placement is played to the end of the hand, over many likely deals.

The players of these playouts know only their own tiles (playout.py), so that a placement is not
thought good because it would be answered by somebody who sees through the tiles. Gains are points
and no more: while no balance is exhausted nothing else is worth anything (SB-6), and a playout
ends where one is, so that what wins the match or loses it is seen with the rest.
"""

from random import Random

from games.bots.strategy.auctions import speak
from games.bots.strategy.budget import Budget
from games.bots.strategy.known import Choice, Known, choices_of, known_of, likelihoods, openings_of
from games.bots.strategy.playout import JOCKEY_WORTH, play_out
from games.bots.strategy.positions import EMPTY, Position
from games.bots.strategy.race import best_of
from games.bots.strategy.worlds import World, deal
from games.rules import PlayerCommand, Sight


def choose_strong(sight: Sight, rng: Random, budget: Budget) -> PlayerCommand:
    """The placement that gains most in the end, on the average of the deals looked at."""
    known = known_of(sight)
    weights = likelihoods(sight, known)

    def dealt() -> World:
        return deal(known, weights, rng)

    def gain(choice: Choice, world: World) -> float:
        return _gain(known, choice, world)

    def gain_of_opening(choice: Choice, world: World) -> float:
        return _gain(known, choice, world) - _gain_if_other_opens(known, world)

    def opening_gain() -> float:
        return best_of(openings_of(known), gain_of_opening, dealt, budget, until_settled=False)[1]

    if sight.phase == "auction":
        return speak(sight, opening_gain)
    choices = choices_of(sight, known)
    return choices[best_of(list(choices), gain, dealt, budget, until_settled=True)[0]]


def _gain(known: Known, choice: Choice, world: World) -> float:
    # What the seat gains from here to the end of the hand.
    margin = min(choice.due, known.other_balance)
    hand = known.hand ^ choice.bit
    if margin == known.other_balance:
        return margin
    if not hand:
        return margin + JOCKEY_WORTH
    return _gain_after(known, choice.after, hand, world, margin)


def _gain_if_other_opens(known: Known, world: World) -> float:
    return _gain_after(known, EMPTY, known.hand, world, 0)


def _gain_after(known: Known, position: Position, hand: int, world: World, margin: int) -> float:
    other, yard = world
    return play_out(
        position,
        other,
        hand,
        yard,
        margin=margin,
        balance=known.balance,
        other_balance=known.other_balance,
        sign=-1,
    )
