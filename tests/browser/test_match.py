"""A whole match between two people, from the sign-up to the new ratings."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from games import rules
from tests.browser.matches import BRIEF, WHOLE, play, seat
from tests.browser.player import PHONE, TABLET, Player, version_of
from tests.browser.secrets import check_received, check_storage

BANNER = "Test site: the deals of this site are chosen beforehand."


def test_two_people_sign_up_and_play_a_match_to_its_end(
    new_player: Callable[..., Player], prepare: Callable[..., None]
) -> None:
    assert {"drew", "passed", "hand_over", "bid", "raised", "accepted"} <= WHOLE.kinds()
    assert (WHOLE.end.ending, WHOLE.end.winner) == ("balance", 0)
    prepare(WHOLE)
    pair = (new_player("Ada-Lovelace"), new_player("Blaise"))
    for player in pair:
        player.sign_up("seventeen green bottles")
    seat(pair)
    play(pair, WHOLE.steps)
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


def test_a_match_by_touch(new_player: Callable[..., Player], prepare: Callable[..., None]) -> None:
    """Each decision of a match by taps alone, on a phone and on a tablet."""
    prepare(WHOLE)
    touch = {"has_touch": True, "is_mobile": True}
    pair = (new_player(viewport=PHONE, **touch), new_player(viewport=TABLET, **touch))
    seat(pair)
    play(pair, WHOLE.steps)
    for player, title in zip(pair, ("You won all the chips", "You lost all your chips"), strict=True):
        expect(player.page.get_by_role("heading", name=title)).to_be_visible()
        player.press(player.page.get_by_role("link", name="To the lobby", exact=True))
        expect(player.page.get_by_role("button", name="Offer a rated match")).to_be_visible()


# Whether what is seen in the middle of the title is the title.
IN_SIGHT = """() => {
  const title = document.querySelector(".sheet__title"), { left, top, width, height } = title.getBoundingClientRect();
  return title.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}"""


@pytest.mark.parametrize("scripts", [True, False])
def test_the_result_is_not_behind_the_panel_of_a_phone(new_player: Callable[..., Player], scripts: bool) -> None:
    """Who resigns does it in the panel; the other one reads the log there."""
    touch = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
    loser, winner = pair = (new_player(java_script_enabled=scripts, **touch), new_player(**touch))
    seat(pair)
    for player in pair:
        player.press(player.find("#start"))
    winner.wait_for(2)
    for player in pair:
        player.press(player.find('.bar [data-action="panel"]'))
    loser.press(loser.find("#resign > summary"))
    loser.press(loser.find('#resign [data-command="resign"] button'))
    for player, title in zip(pair, ("You lost", "You won"), strict=True):
        expect(player.page.get_by_role("heading", name=title, exact=True)).to_be_visible()
    assert winner.page.evaluate(IN_SIGHT)
    expect(winner.find(".sheet__title")).to_be_focused()
    if scripts:
        assert loser.page.evaluate(IN_SIGHT)
        expect(loser.find(".sheet__title")).to_be_focused()
    else:
        expect(loser.find("#panel")).to_be_hidden()


def test_who_leaves_before_the_first_deal_is_in_the_lobby(new_player: Callable[..., Player]) -> None:
    """Also from a sheet that came by socket, which holds no token of its own."""
    leaver, other = new_player(), new_player()
    table = seat((leaver, other))
    for player in (leaver, other):
        player.page.goto(table)
        expect(player.find("#table[data-live]")).to_be_visible()
    other.find("#start").click()
    expect(leaver.find(".sheet__side").nth(1)).to_contain_text("ready")
    expect(leaver.find("form[data-leave] input")).to_have_count(0)
    leaver.page.get_by_role("button", name="Leave").click()
    expect(leaver.page.get_by_role("button", name="Offer a rated match")).to_be_visible()
    expect(other.page.get_by_role("heading", name="The match was cancelled")).to_be_visible()


def test_nothing_hidden_reaches_a_browser(new_player: Callable[..., Player], prepare: Callable[..., None]) -> None:
    """B056: pages, answers, frames and storage of both players and of a spectator, over a whole match."""
    prepare(WHOLE)
    pair = (new_player(), new_player())
    spectator = new_player("A spectator")
    for player in (*pair, spectator):
        player.keep_all()
    table = seat(pair)
    spectator.page.goto(table)
    play(
        pair,
        WHOLE.steps,
        do=lambda player, step: player.do(step.command),
        after=lambda step: spectator.wait_for(step.seq),
    )
    for viewer, player in ((0, pair[0]), (1, pair[1]), (None, spectator)):
        versions = {version_of(text) for text in player.received()} - {None}
        assert len(versions) > len(WHOLE.steps) / 2, "some are skipped: a picture may stand for several versions"
        check_received(player, WHOLE, viewer)
        check_storage(player)


def test_a_tile_that_does_not_fit_says_why(new_player: Callable[..., Player], prepare: Callable[..., None]) -> None:
    prepare(BRIEF)
    pair = (new_player(), new_player())
    seat(pair)
    play(pair, BRIEF.steps[:2])
    step = BRIEF.steps[2]
    opener = pair[step.command.seat]
    wrong = next(tile for tile in step.before.held[step.command.seat] if tile != step.before.must_open)
    opener.find(f'.hand-tile[data-tile="{rules.format_tile(wrong)}"]').click(force=True)
    expect(opener.find("#f-toast")).to_contain_text("it has to open")
    play(pair, [step])


def test_every_page_says_that_deals_are_chosen(new_player: Callable[..., Player], prepare: Callable[..., None]) -> None:
    prepare()
    pair = (new_player(), new_player())
    table = seat(pair)
    visitor = new_player("A stranger")
    for address in ("/", "/accounts/signup/", "/accounts/login/", f"/players/{pair[0].name}/", "/rules/", table):
        visitor.page.goto(address)
        expect(visitor.page.get_by_text(BANNER)).to_be_visible()
