"""What every test may rely on."""

import pytest
from django.core.cache import cache


@pytest.fixture(autouse=True)
def _empty_cache(request: pytest.FixtureRequest) -> None:
    """Limits and heartbeats of one test are not seen by the next."""
    if request.node.get_closest_marker("django_db") or "db" in request.fixturenames:
        cache.clear()
