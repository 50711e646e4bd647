"""What the tests of the service share."""

from collections.abc import Iterator

import pytest

from games import announce, clock_source, snapshots
from games.service import Applied
from tests.drivers import ManualClock


@pytest.fixture
def clock() -> Iterator[ManualClock]:
    """The time source of the whole site, in the test's hand."""
    manual = ManualClock()
    with clock_source.use_source(manual):
        yield manual


@pytest.fixture(autouse=True)
def announced() -> Iterator[list[Applied]]:
    """What was announced; nothing goes to a channel layer."""
    told: list[Applied] = []

    def listener(applied: Applied) -> bool:
        told.append(applied)
        return True

    announce.listen(listener)
    yield told
    announce.unlisten(listener)


@pytest.fixture(autouse=True)
def _nothing_held() -> None:
    """A test begins without decoded states of another."""
    snapshots.forget()
