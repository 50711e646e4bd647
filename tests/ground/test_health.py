"""What /livez and /readyz say."""

import pytest
from django.core.cache import cache
from django.test import Client

from config import celery, health
from games import tasks

NOW_MS = 1_800_000_000_000


def test_livez_needs_no_database(client: Client) -> None:
    assert client.get("/livez").content == b"ok"


@pytest.mark.django_db
def test_readyz_names_the_sweep_that_never_ran(client: Client) -> None:
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json() == {
        "ready": False,
        "database": "ok",
        "valkey": "ok",
        "migrations": "ok",
        "sweep": "never ran",
    }


@pytest.mark.django_db
def test_a_sweep_a_moment_ago_is_good_enough() -> None:
    cache.set(health.LAST_SWEEP_KEY, NOW_MS)
    assert health.check_sweep(NOW_MS + health.LAST_SWEEP_LIMIT_MS) == "ok"
    assert health.check_sweep(NOW_MS + health.LAST_SWEEP_LIMIT_MS + 1) == "5001 ms ago"


def test_a_sweep_goes_on_until_beat_asks_for_the_next() -> None:
    assert celery.SWEEP_PERIOD_S * 1_000 == tasks.PERIOD_MS
