"""What a house player does, worked out from what its seat may see and nothing else.

>>> from random import Random
>>> from games.rules import new_match, sight
>>> choose("medium", sight(new_match(at_ms=0), 1), rng=Random(1))
Start(seat=1)
"""

from random import Random
from typing import Final, Literal

from games.bots.strategy.budget import Budget
from games.bots.strategy.medium import choose_medium
from games.bots.strategy.positions import find_positions
from games.bots.strategy.simple import choose_simple
from games.bots.strategy.strong import choose_strong
from games.rules import PlayerCommand, PlayTile, Resign, Sight

__all__ = ["BUDGET_S", "STRENGTHS", "Strength", "choose", "prepare"]

Strength = Literal["simple", "medium", "strong"]
STRENGTHS: Final[tuple[Strength, ...]] = ("simple", "medium", "strong")
BUDGET_S: Final = 0.010  # what the strengths are measured with (tests/bench/bots.py)


def choose(
    strength: Strength, sight: Sight, *, rng: Random, budget_s: float = BUDGET_S, iterations: int | None = None
) -> PlayerCommand:
    """The command that the sight's viewer should give; always one of `sight.legal`, never Resign.

    `budget_s` is processor time for a search; with `iterations`, so many deals are looked at
    instead, and the same sight and the same state of `rng` give the same command. Raises
    ValueError if the viewer can do nothing now.
    """
    open_to_choice = [command for command in sight.legal if not isinstance(command, Resign)]
    if not open_to_choice:
        raise ValueError("nothing to choose: the seat is not on turn")
    if len(open_to_choice) == 1:
        return open_to_choice[0]
    if strength == "simple":
        return choose_simple(sight, rng)
    winning = _winning(sight)
    if winning is not None:
        return winning
    if strength == "medium":
        return choose_medium(sight)
    return choose_strong(sight, rng, Budget(seconds=budget_s, iterations=iterations))


def prepare() -> None:
    """Find beforehand what searches share, so that the first decisions of a process keep to their budget too.

    Takes a third of a second, once; without it a first decision may take some 50 ms too long.
    """
    find_positions()


def _winning(sight: Sight) -> PlayerCommand | None:
    # A placement that takes all the other has (SB-6).
    seat = sight.viewer
    assert seat is not None
    for preview in sight.previews:
        if preview.due >= sight.balances[1 - seat]:
            return PlayTile(seat, preview.tile, preview.site)
    return None
