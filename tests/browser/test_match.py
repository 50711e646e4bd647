"""A whole match between two people, from the sign-up to the new ratings."""

import re
from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.matches import play, seat
from tests.browser.player import Player
from tests.browser.script import write_match

BANNER = "Test site: the deals of this site are chosen beforehand."
# Out in the first hand, with draws and a pass; an auction; all chips gone in the second hand.
SHORT = write_match([216, 336], balances=(260, 40), auctions=["15 20 accept"])


def test_two_people_sign_up_and_play_a_match_to_its_end(
    new_player: Callable[..., Player], prepare: Callable[..., None]
) -> None:
    assert {"drew", "passed", "hand_over", "bid", "raised", "accepted"} <= SHORT.kinds()
    assert (SHORT.end.ending, SHORT.end.winner) == ("balance", 0)
    prepare(SHORT)
    pair = (new_player("Ada-Lovelace"), new_player("Blaise"))
    for player in pair:
        player.sign_up("seventeen green bottles")
    seat(pair)
    play(pair, SHORT.steps)
    for player, title in zip(pair, ("You won all the chips", "You lost all your chips"), strict=True):
        expect(player.page.get_by_role("heading", name=title)).to_be_visible()
        expect(player.find(".sheet__rating")).to_have_count(2)
    shown = pair[0].find(".sheet__rating").all_inner_texts()
    assert shown == pair[1].find(".sheet__rating").all_inner_texts()[::-1]
    for player, rating in zip(pair, shown, strict=True):
        player.page.get_by_role("link", name="To the lobby").click()
        figure = re.compile(rating.split()[0].rstrip("?") + r"\?")
        expect(player.find(".you__r .big")).to_have_text(figure)
        player.page.get_by_role("link", name="History").click()
        expect(player.find(".rating-card__value")).to_have_text(figure)
        expect(player.page.get_by_role("heading", level=1)).to_have_text(player.name)


def test_every_page_says_that_deals_are_chosen(new_player: Callable[..., Player], prepare: Callable[..., None]) -> None:
    prepare(SHORT)
    pair = (new_player(), new_player())
    table = seat(pair)
    visitor = new_player("A stranger")
    for address in ("/", "/accounts/signup/", "/accounts/login/", f"/players/{pair[0].name}/", "/rules/", table):
        visitor.page.goto(address)
        expect(visitor.page.get_by_text(BANNER)).to_be_visible()
