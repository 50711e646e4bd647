"""A state of the kit is a moment of the table: what a script shows for a while stands there."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from games.kit.states import CASES
from tests.browser.kit import open_state, translate
from tests.browser.people import make_people
from tests.browser.player import Player
from tests.stack import Stack

FORCED = [name for name, case in CASES.items() if case.act == "forced"]


@pytest.fixture(scope="module")
def designer(browser: Browser, stack: Stack) -> Iterator[Player]:
    ((name, session),) = make_people(stack, ["Curator"], staff=True).items()
    player = Player.at(browser, stack.base_url, name, session=session)
    yield player
    player.close()


@pytest.mark.parametrize("name", FORCED)
def test_the_card_of_a_forced_answer_is_seen_in_every_language(designer: Player, name: str) -> None:
    open_state(designer.page, name)
    card = designer.find("#f-auction .auction__card")
    expect(card).to_be_visible()
    english = card.inner_text()
    translate(designer.page, "pl")
    expect(card).to_be_visible()
    assert card.inner_text() != english
