"""What every test may rely on."""

import os
import threading
from collections.abc import Iterator
from concurrent.futures import wait

import pytest
from django.core.cache import cache
from django.utils import translation

from games import limits, live, threads
from games.lobby import room

THREADS_LIMIT_S = 20.0  # of a crowded machine


@pytest.fixture(autouse=True)
def _empty_cache(request: pytest.FixtureRequest) -> None:
    """Limits and heartbeats of one test are not seen by the next."""
    if request.node.get_closest_marker("django_db") or "db" in request.fixturenames:
        cache.clear()
        limits._users.clear()  # numbers of accounts come again


@pytest.fixture(autouse=True)
def _nothing_left_running() -> Iterator[None]:
    """Every socket of a test is closed at its end; what it leaves would end with its loop, whenever that is noticed.

    What a database thread was given goes on when nobody waits for it any more; it would meet the emptying of tables.
    """
    yield
    for pool in (threads._readers, threads._writers):
        if pool is not None:
            all_idle = threading.Barrier(pool._max_workers)
            wait([pool.submit(all_idle.wait, THREADS_LIMIT_S) for _ in range(pool._max_workers)])
            assert not all_idle.broken
    running = [found for found in live._registries.values() if found._running]
    visited = [found for found in room._rooms.values() if found._tasks]
    live._registries.clear()
    room._rooms.clear()
    assert not running
    assert not visited


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    """A page of one test in another language does not decide the language of the next."""
    with translation.override("en"):
        yield


@pytest.fixture(scope="session")
def django_db_keepdb(request: pytest.FixtureRequest) -> bool:
    """A throw-away server goes with all its databases; dropping one would wait for each thread's connection."""
    return "://" not in os.environ.get("BONEYARD_TEST_DATABASE", "") or bool(request.config.getvalue("reuse_db"))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The long tests are asked for by `./run soak`."""
    if os.environ.get("BONEYARD_SOAK"):
        return
    long = [item for item in items if item.get_closest_marker("soak")]
    if long:
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if item not in long]
