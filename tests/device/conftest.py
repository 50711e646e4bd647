"""What the tests of two at one device share."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from games import clock_source, rules, snapshots, tasks
from tests.drivers import ManualClock


@pytest.fixture(scope="session")
def deals_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Deals that are the same in every run, as the test setting wants them."""
    rng = random.Random(4)
    tiles = [rules.format_tile(tile) for tile in rules.TILES]
    path = tmp_path_factory.mktemp("deals") / "deals.json"
    path.write_text(json.dumps([rng.sample(tiles, len(tiles)) for _deal in range(97)]))
    return path


@pytest.fixture(autouse=True)
def _same_deals(settings: Any, deals_file: Path) -> None:
    settings.TEST_DEALS = deals_file


@pytest.fixture
def clock() -> Iterator[ManualClock]:
    """The time source of the whole site, in the test's hand."""
    manual = ManualClock()
    with clock_source.use_source(manual):
        yield manual


@pytest.fixture(autouse=True)
def _nothing_held() -> None:
    """A test begins without decoded states and set-aside matches of another: numbers may come again."""
    snapshots.forget()
    tasks.forget()
