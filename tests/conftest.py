"""What every test may rely on."""

import os
from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.utils import translation

from games import limits


@pytest.fixture(autouse=True)
def _empty_cache(request: pytest.FixtureRequest) -> None:
    """Limits and heartbeats of one test are not seen by the next."""
    if request.node.get_closest_marker("django_db") or "db" in request.fixturenames:
        cache.clear()
        limits._users.clear()  # numbers of accounts come again


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
