"""The strong strategy: every placement is played to the end of the hand, over many likely deals.

The players of these playouts know only their own tiles (playout.py), so that a placement is not
thought good because it would be answered by somebody who sees through the tiles.
"""

from collections.abc import Mapping, Sequence
from random import Random
from statistics import fmean

from games.bots.strategy.auctions import speak
from games.bots.strategy.budget import Budget
from games.bots.strategy.known import Choice, Known, choices_of, known_of, likelihoods, openings_of
from games.bots.strategy.playout import JOCKEY_WORTH, play_out
from games.bots.strategy.positions import EMPTY
from games.bots.strategy.worlds import deal
from games.rules import PlayerCommand, Sight

_DEALS_AT_A_TIME = 4
_DEALS_BETWEEN_DOUBTS = 16
_DOUBT = 2.5
# Of the budget in an auction, for the own opening; the rest is for the other's.
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
    stops_when_settled: bool = True,
) -> tuple[Choice, float]:
    # The best choice and its mean gain. All choices meet the same deals. Those that trail beyond
    # doubt are dropped, so that the rest of the deals goes where the question is open.
    gains: dict[Choice, list[float]] = {choice: [] for choice in choices}
    while True:
        for _ in range(_DEALS_AT_A_TIME):
            world = deal(known, weights, rng)
            for choice, found in gains.items():
                found.append(_gain(known, choice, world))
        budget.done += _DEALS_AT_A_TIME
        leader = max(gains, key=lambda choice: sum(gains[choice]))
        if budget.share() >= until:
            break
        if len(gains[leader]) % _DEALS_BETWEEN_DOUBTS == 0:
            gains = {choice: found for choice, found in gains.items() if not _trails(found, gains[leader])}
            if len(gains) == 1 and stops_when_settled:
                break
    return leader, fmean(gains[leader])


def _trails(found: Sequence[float], leading: Sequence[float]) -> bool:
    # By more than so many standard errors of the difference, deal by deal.
    leads = [more - less for more, less in zip(leading, found, strict=True)]
    lead = fmean(leads)
    spread = sum((one - lead) ** 2 for one in leads)
    return lead > 0 and lead * len(leads) > _DOUBT * spread**0.5


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
    _, own = _search(
        known, openings_of(known), weights, rng, budget, until=_SHARE_OF_OWN_OPENING, stops_when_settled=False
    )
    total = 0.0
    worlds = 0
    while budget.share() < 1.0 or not worlds:
        for _ in range(_DEALS_AT_A_TIME):
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
        worlds += _DEALS_AT_A_TIME
        budget.done += _DEALS_AT_A_TIME
    return own - total / worlds
