"""Matches that end at the same moment."""

import itertools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connections

from accounts.models import User
from ratings.models import RatingChange
from ratings.service import freeze, rating_of, record_result, reverse_result

from .conftest import NOW, POOL

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*jobs: Callable[[], object]) -> list[object]:
    """Run all jobs in threads of their own that start together."""
    barrier = Barrier(len(jobs))

    def run(job: Callable[[], object]) -> object:
        try:
            barrier.wait(10)
            return job()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(jobs)) as pool:
        return [future.result(30) for future in [pool.submit(run, job) for job in jobs]]


def test_the_same_match_recorded_by_many_counts_once():
    alice, bob = User.objects.create_user("Alice"), User.objects.create_user("Bob")
    seats = freeze([alice, bob], POOL)

    def record() -> list[int]:
        rows = record_result(pool=POOL, match_label="m", seats=seats, scores=[1, 0], at=NOW)
        return [row.pk for row in rows]

    answers = at_once(*[record] * 6)
    assert all(answer == answers[0] for answer in answers)
    assert RatingChange.objects.count() == 2
    assert rating_of(alice, POOL).value_centi == 151_000


def test_matches_of_one_circle_that_end_together_lose_nothing():
    """Each pair in both orders of seats: rows are locked in one order, so nobody waits in a ring."""
    users = [User.objects.create_user(f"player-{letter}") for letter in "abc"]
    pairs = [(one, other) for one in users for other in users if one != other]

    def job(number: int, one: User, other: User) -> Callable[[], object]:
        seats = freeze([one, other], POOL)
        return lambda: record_result(pool=POOL, match_label=f"m{number}", seats=seats, scores=[1, 0], at=NOW)

    at_once(*(job(number, one, other) for number, (one, other) in enumerate(pairs)))
    for user in users:
        rows = list(RatingChange.objects.filter(user=user).order_by("id"))
        assert len(rows) == 4
        assert rating_of(user, POOL).games == 4
        assert rating_of(user, POOL).value_centi == 150_000 + sum(row.delta_centi for row in rows)
        for earlier, later in itertools.pairwise(rows):
            assert later.before_centi == earlier.after_centi


def test_a_result_taken_back_by_many_is_taken_back_once():
    alice, bob = User.objects.create_user("Alice"), User.objects.create_user("Bob")
    record_result(pool=POOL, match_label="m", seats=freeze([alice, bob], POOL), scores=[1, 0], at=NOW)
    at_once(*[lambda: [row.pk for row in reverse_result("m", at=NOW)]] * 4)
    assert rating_of(alice, POOL).value_centi == 150_000
    assert rating_of(alice, POOL).games == 0
