"""What the table explains opens by pointer, finger and keyboard, and stays open while the match goes on."""

import re
from collections.abc import Callable

from playwright.sync_api import expect

from games import rules
from tests.browser.matches import WHOLE, play, seat
from tests.browser.player import PHONE, Player


def test_a_newcomer_is_told_why(new_player: Callable[..., Player], prepare: Callable[..., None]) -> None:
    """A row of the log by keyboard at a desk, by touch on a phone; the sum; how good the connection is."""
    prepare(WHOLE)
    pair = (new_player(), new_player(viewport=PHONE, has_touch=True, is_mobile=True))
    desk, phone = pair
    seat(pair)
    plays = [number for number, step in enumerate(WHOLE.steps) if isinstance(step.command, rules.PlayTile)]
    middle = plays[3] + 1
    play(pair, WHOLE.steps[:middle])

    expect(desk.find("#trip")).to_contain_text(re.compile(r"^\d+ ms, \w+ connection$"))
    desk.page.keyboard.press("l")
    expect(desk.find(".log")).to_be_focused()
    desk.page.keyboard.press("ArrowUp")
    desk.page.keyboard.press("Enter")
    row = desk.find(".log details[open]")
    expect(row).to_have_count(1)
    expect(row.locator(".log__why")).to_contain_text(re.compile(r"\d \(\d–\d\).* = \d+"))
    named = str(row.get_attribute("id"))

    phone.find('[data-action="panel"]').tap()
    phone.find(".log summary").last.tap()
    expect(phone.find(".log__why:visible")).to_have_count(1)
    phone.find(".panel__close").tap()
    phone.find("#f-sum summary").tap()
    expect(phone.find("#f-sum .help__text")).to_be_visible()
    phone.find("#f-yard summary").tap()
    expect(phone.find("#f-sum .help__text")).to_be_hidden()
    expect(phone.find("#f-yard .help__text")).to_be_visible()
    phone.find(".seat--far .seat__name").tap()
    expect(phone.find(".help[open]")).to_have_count(0)

    play(pair, WHOLE.steps[middle : middle + 1])
    expect(desk.find(f'[id="{named}"]')).to_have_attribute("open", "")

    # What is read stays open while the other one plays, and says what is so then.
    later = next(number for number in plays if number > middle)
    play(pair, WHOLE.steps[middle + 1 : later])
    placed = WHOLE.steps[later]
    reader = pair[1 - placed.command.seat]
    reader.find("#f-sum summary").click()
    play(pair, [placed])
    total = next(fact.total for fact in placed.facts if isinstance(fact, rules.TilePlayed))
    expect(reader.find("#f-sum .help[open] > .help__text")).to_contain_text(f" = {total}")
