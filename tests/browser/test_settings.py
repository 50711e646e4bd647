"""What is chosen in the settings while a match runs."""

from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.matches import WHOLE, play, seat
from tests.browser.player import Player

PLACE = 6  # steps: in the middle of the first hand


def test_an_open_table_takes_on_what_is_chosen(new_player: Callable[..., Player], prepare: Callable[..., None]) -> None:
    """From the link at the table, which opens the settings beside it; the match goes on as it stood."""
    prepare(WHOLE)
    pair = (new_player(), new_player())
    seat(pair)
    play(pair, WHOLE.steps[:PLACE])
    step = WHOLE.steps[PLACE]
    player = pair[step.command.seat]
    expect(player.find("#table[data-letter-keys]")).to_be_attached()
    with player.context.expect_page() as opened:
        player.find("#panel").get_by_role("link", name="Settings").click()
    settings = opened.value
    settings.get_by_label("Letters and digits as keys").uncheck()
    expect(settings.locator("#saved-letter_keys")).to_have_text("Saved")
    settings.locator('[name="tiles"][value="ebony"]').check(force=True)
    expect(settings.locator("#saved-tiles")).to_have_text("Saved")
    expect(player.find('html[lang="en"][data-tiles="ebony"]')).to_be_attached()
    settings.locator('.settings [name="language"]').select_option("tr")
    expect(settings.locator('html[lang="tr"]')).to_be_attached()
    player.page.bring_to_front()
    expect(player.find('html[lang="tr"][data-tiles="ebony"]')).to_be_attached()
    expect(player.find("#table:not([data-letter-keys])")).to_be_attached()
    player.wait_for(PLACE)
    player.do(step.command)
    for one in pair:
        one.wait_for(step.seq)
