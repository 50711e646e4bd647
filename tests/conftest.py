"""What every test may rely on."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.utils import translation


@pytest.fixture(autouse=True)
def _empty_cache(request: pytest.FixtureRequest) -> None:
    """Limits and heartbeats of one test are not seen by the next."""
    if request.node.get_closest_marker("django_db") or "db" in request.fixturenames:
        cache.clear()


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    """A page of one test in another language does not decide the language of the next."""
    with translation.override("en"):
        yield
