"""The best of some choices by trial, where every trial is much a matter of luck."""

from collections.abc import Callable, Sequence
from statistics import fmean

from games.bots.strategy.budget import Budget
from games.bots.strategy.known import Choice
from games.bots.strategy.worlds import World

_TRIALS_BETWEEN_DOUBTS = 16
_DOUBT = 2.5  # standard errors


def best_of(
    choices: Sequence[Choice],
    gain: Callable[[Choice, World], float],
    deal: Callable[[], World],
    budget: Budget,
    *,
    until_settled: bool,
) -> tuple[Choice, float]:
    """The choice with the most mean gain, and that gain.

    All choices meet the same deals, so that luck is alike for all. Those that trail beyond doubt
    are dropped, and the rest of the budget goes where the question is open; with `until_settled`
    it is not used up when one is left. Each choice is tried once at least.
    """
    gains: dict[Choice, list[float]] = {choice: [] for choice in choices}
    while True:
        world = deal()
        for choice, found in gains.items():
            found.append(gain(choice, world))
        budget.done += 1
        if budget.share() >= 1.0:
            break
        if budget.done % _TRIALS_BETWEEN_DOUBTS == 0:
            leading = gains[_leader(gains)]
            gains = {choice: found for choice, found in gains.items() if not _trails(found, leading)}
        if len(gains) == 1 and until_settled:
            break
    leader = _leader(gains)
    return leader, fmean(gains[leader])


def _leader(gains: dict[Choice, list[float]]) -> Choice:
    return max(gains, key=lambda choice: sum(gains[choice]))


def _trails(found: Sequence[float], leading: Sequence[float]) -> bool:
    # By more than so many standard errors of the difference, deal by deal.
    leads = [more - less for more, less in zip(leading, found, strict=True)]
    lead = fmean(leads)
    spread = sum((one - lead) ** 2 for one in leads)
    return lead > 0 and lead * len(leads) > _DOUBT * spread**0.5
