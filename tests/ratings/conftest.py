"""Players, and a short way to rate a match of theirs."""

import itertools
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from accounts.models import User
from ratings.models import Rating, RatingChange
from ratings.service import freeze, record_result

POOL = "spectacular-bid-duel"
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


@pytest.fixture
def alice(db) -> User:
    return User.objects.create_user("Alice")


@pytest.fixture
def bob(db) -> User:
    return User.objects.create_user("Bob")


@pytest.fixture
def rate() -> Callable[..., list[RatingChange]]:
    """rate(winner, loser): a match that starts and ends at `at`."""
    labels = (f"match{number}" for number in itertools.count(1))

    def rate_match(winner: User, loser: User, *, pool: str = POOL, at: datetime = NOW, **extra) -> list[RatingChange]:
        seats = freeze([winner, loser], pool, at=at)
        return record_result(pool=pool, match_label=next(labels), seats=seats, scores=[1, 0], at=at, **extra)

    return rate_match


def give_rating(user: User, points: int, *, games: int = 100, pool: str = POOL, peak: int = 0) -> None:
    """Start a test with a rating; the ledger does not know of it."""
    Rating.objects.create(
        user=user, pool=pool, value_centi=points * 100, games=games, peak_centi=max(points, peak, 1500) * 100
    )
