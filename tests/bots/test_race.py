"""The search for the best choice, and when it stops."""

from random import Random

from games.bots.strategy.budget import Budget
from games.bots.strategy.known import Choice
from games.bots.strategy.positions import BIT, EMPTY
from games.bots.strategy.race import best_of
from games.bots.strategy.worlds import World

CHOICES = [Choice(bit, 0, EMPTY) for bit in list(BIT.values())[:4]]
BEST = CHOICES[2]


def race(budget: Budget, *, lead: float, until_settled: bool = True) -> tuple[Choice, float, list[Choice]]:
    """One of four choices is better by `lead` on the average; all are tried with luck."""
    rng = Random(1)
    tried: list[Choice] = []

    def gain(choice: Choice, world: World) -> float:
        tried.append(choice)
        return rng.gauss(10.0 + lead * (choice == BEST), 5.0)

    best, mean = best_of(CHOICES, gain, lambda: (0, []), budget, until_settled=until_settled)
    return best, mean, tried


def test_the_best_choice_is_found_with_its_gain() -> None:
    best, mean, _ = race(Budget(seconds=0, iterations=400), lead=3)
    assert best == BEST
    assert 12 < mean < 14


def test_it_stops_when_the_question_is_settled() -> None:
    budget = Budget(seconds=0, iterations=4000)
    assert race(budget, lead=20)[0] == BEST
    assert budget.done < 100


def test_it_goes_on_with_the_one_that_is_left_where_its_gain_is_asked_for() -> None:
    budget = Budget(seconds=0, iterations=400)
    best, _, tried = race(budget, lead=20, until_settled=False)
    assert budget.done == 400
    assert tried.count(best) == 400
    assert len(tried) < 500


def test_each_choice_is_tried_where_there_is_no_time_at_all() -> None:
    for budget in (Budget(seconds=0), Budget(seconds=0, iterations=0)):
        assert set(race(budget, lead=0)[2]) == set(CHOICES)


def test_time_is_used_up_in_the_end() -> None:
    budget = Budget(seconds=0.002)
    race(budget, lead=0, until_settled=False)
    assert budget.done > 1
