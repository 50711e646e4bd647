"""What is chosen in the settings while a match runs."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.matches import WHOLE, play, seat
from tests.browser.player import PHONE, TABLET, Player
from tests.browser.test_plain import by_forms

PLACE = 6  # steps: in the middle of the first hand
# The page was asked for after the last setting was saved, and is not loaded anew for it.
HAS_ALL = "() => Number(localStorage['boneyard-settings']) <= Date.now() - performance.now()"


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
    player.page.wait_for_function(HAS_ALL)
    player.wait_for(PLACE)
    player.do(step.command)
    for one in pair:
        one.wait_for(step.seq)


def test_an_open_table_takes_on_what_the_header_of_another_page_is_told(
    new_player: Callable[..., Player], prepare: Callable[..., None]
) -> None:
    """Theme and language; a table that is told so itself is not loaded anew for that."""
    prepare(WHOLE)
    pair = (new_player(color_scheme="light"), new_player())
    seat(pair)
    play(pair, WHOLE.steps[:PLACE])
    player = pair[0]
    beside = player.context.new_page()
    beside.goto("/rules/spectacular-bid/")
    beside.locator('.top [data-action="theme"]').click()
    expect(player.find("html[data-theme=dark]")).to_be_attached()
    beside.locator(".top summary[aria-label=Language]").click()
    beside.locator('.top [name="language"][value="pl"]').click()
    expect(beside.locator('html[lang="pl"]')).to_be_attached()
    player.page.bring_to_front()
    expect(player.find('html[lang="pl"][data-theme=dark]')).to_be_attached()
    player.page.wait_for_function(HAS_ALL)
    player.wait_for(PLACE)
    player.page.evaluate("window.isKept = localStorage['boneyard-settings']")
    with player.page.expect_response("**/settings/theme/"):
        player.find('.top [data-action="theme"]').click()
    player.page.wait_for_function("localStorage['boneyard-settings'] !== window.isKept")
    expect(player.find("html[data-theme=light]")).to_be_attached()
    beside.bring_to_front()
    player.page.bring_to_front()
    player.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    play(pair, WHOLE.steps[PLACE : PLACE + 2], do=lambda player, step: player.do(step.command))
    assert player.page.evaluate("window.isKept")


def test_the_theme_of_the_header_is_that_of_the_account(new_player: Callable[..., Player]) -> None:
    """Switched twice in a row on one device, it is the last one on the other, and in the settings beside it."""
    here = new_player(color_scheme="light")
    there = new_player(again=here, color_scheme="light")
    there.page.goto("/")
    expect(there.find("html[data-theme=light]")).to_be_attached()
    here.page.goto("/accounts/settings/")
    button = here.find('.top [data-action="theme"]')
    with here.page.expect_response("**/settings/theme/") as answer:
        button.click()
    assert answer.value.status == 200
    expect(here.find('[name="theme"][value="dark"]')).to_be_checked()
    there.page.goto("/rules/spectacular-bid/")
    expect(there.find("html[data-theme=dark]")).to_be_attached()
    with here.page.expect_response(lambda answer: answer.request.post_data == "theme=dark"):
        button.dblclick()
    there.page.reload()
    expect(there.find("html[data-theme=dark]")).to_be_attached()


def test_a_visitors_theme_stays_in_the_browser(new_player: Callable[..., Player]) -> None:
    visitor = new_player("A visitor", color_scheme="light")
    visitor.page.goto("/")
    posted: list[str] = []
    visitor.page.on("request", lambda request: request.method == "POST" and posted.append(request.url))
    visitor.find('.top [data-action="theme"]').click()
    visitor.page.reload()
    expect(visitor.find("html[data-theme=dark]")).to_be_attached()
    assert not posted


@pytest.mark.parametrize("scripts", [True, False])
def test_the_language_is_changed_at_the_table_of_a_phone(
    new_player: Callable[..., Player], prepare: Callable[..., None], scripts: bool
) -> None:
    """From the panel, since a phone has no header there; the match goes on in the new language."""
    prepare(WHOLE)
    pair = (new_player(viewport=PHONE, java_script_enabled=scripts), new_player(viewport=TABLET))
    seat(pair)
    play(pair, WHOLE.steps[:2], do=by_forms)
    phone, tablet = pair
    address = phone.page.url
    phone.find('.bar [data-action="panel"]').click()
    phone.find("#panel").get_by_role("button", name="Polski").click()
    expect(phone.find('html[lang="pl"] #table')).to_be_attached()
    assert phone.page.url.partition("#")[0] == address
    expect(phone.find('.panel__languages button[lang="en"]')).to_have_text("English")
    tablet.find('.bar [data-action="panel"]').click()
    expect(tablet.find("#panel").get_by_role("link", name="Settings")).to_be_visible()
    expect(tablet.find(".panel__languages")).to_be_hidden()
