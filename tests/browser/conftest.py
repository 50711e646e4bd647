"""A site for the browser tests of a session, its browser, and people who are signed in."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Playwright, expect, sync_playwright

from tests.browser.people import endless_people
from tests.browser.player import Player
from tests.browser.script import START_BALANCES, Script, deal, write_deals
from tests.chromium import FLAGS, find_chromium
from tests.stack import Stack, running_stack

ACTION_LIMIT_MS = 10_000


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def chromium() -> Path:
    """The browser's executable; without one the test is skipped, with CI set it fails."""
    found = find_chromium()
    if found is None:
        reason = "there is no Chromium on PATH"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return found


@pytest.fixture(scope="session")
def playwright_driver() -> Iterator[Playwright]:
    with sync_playwright() as driver:
        expect.set_options(timeout=ACTION_LIMIT_MS)
        yield driver


@pytest.fixture(scope="session")
def browser(chromium: Path, playwright_driver: Playwright) -> Iterator[Browser]:
    browser = playwright_driver.chromium.launch(executable_path=chromium, args=list(FLAGS))
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def deals_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the site deals; every test that needs certain deals writes its own."""
    path = tmp_path_factory.mktemp("deals") / "deals.json"
    write_deals(path, [deal(0)])
    return path


@pytest.fixture(scope="session")
def stack(chromium: Path, tmp_path_factory: pytest.TempPathFactory, deals_file: Path) -> Iterator[Stack]:
    """The site that the tests of a session share."""
    environment = {"BONEYARD_TEST_DEALS": str(deals_file)}
    with running_stack(tmp_path_factory.mktemp("site"), extra_env=environment) as running:
        yield running


@pytest.fixture
def prepare(deals_file: Path, stack: Stack) -> Callable[..., None]:
    """Has the next match dealt as a script says, with banks of the test's own."""

    def prepare(script: Script | None = None, *, banks_ms: tuple[int, int] | None = None) -> None:
        deals = script.deals if script is not None else [deal(0)]
        balances = script.balances if script is not None else START_BALANCES
        write_deals(deals_file, deals, balances=balances, banks_ms=banks_ms)

    return prepare


@pytest.fixture(scope="session")
def people(stack: Stack) -> Iterator[tuple[str, str]]:
    """Names and session keys of accounts nobody has used yet."""
    return endless_people(stack)


@pytest.fixture
def new_player(browser: Browser, stack: Stack, people: Iterator[tuple[str, str]]) -> Iterator[Callable[..., Player]]:
    """Opens a browser for somebody who is signed in, or has the name. At the end none may have seen a fault."""
    opened: list[Player] = []

    def new_player(name: str = "", *, again: Player | None = None, **options: Any) -> Player:
        if again is not None:
            name, session = again.name, again.session
        else:
            name, session = (name, "") if name else next(people)
        player = Player.at(browser, stack.base_url, name, session=session, **options)
        player.page.set_default_timeout(ACTION_LIMIT_MS)
        opened.append(player)
        return player

    yield new_player
    faults = {player.name: player.faults for player in opened if player.faults}
    for player in opened:
        player.close()
    assert not faults
