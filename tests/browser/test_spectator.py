"""Somebody who came by to watch: from the lobby to the result, with no more than everybody may know."""

from collections.abc import Callable

from playwright.sync_api import expect

from games import rules
from tests.browser.matches import WHOLE, play, seat
from tests.browser.player import PHONE, Player
from tests.browser.secrets import check_received, check_storage, known_to, tiles_in

BOTH_HANDS = ("#f-sheet", "#f-opponent", "#f-me")
# How much of the number of spectators lies left of the head of the panel, where nothing is shown.
CUT = """() => {
  const range = document.createRange();
  range.selectNodeContents(document.getElementById("f-watching"));
  return document.querySelector(".panel__head h1").getBoundingClientRect().left - range.getBoundingClientRect().left;
}"""


def shown_tiles(player: Player, *selectors: str) -> set[rules.Tile]:
    return {tile for selector in selectors for tile in tiles_in(player.find(selector).inner_html())}


def test_a_spectator_follows_a_hand_and_sees_the_tiles_when_it_is_over(
    new_player: Callable[..., Player], prepare: Callable[..., None]
) -> None:
    """In another language than the players', signed out; a second one on a phone."""
    prepare(WHOLE)
    hand = [step for step in WHOLE.steps if step.before.hand <= 1 and step.before.phase != "auction"]
    hand = hand[: next(number for number, step in enumerate(hand) if step.after.phase == "ready" and number > 2) + 1]
    pair = (new_player(), new_player())
    seat(pair, rated=False)
    play(pair, hand[:2])

    guest = new_player("A spectator", locale="pl-PL")
    guest.keep_all()
    guest.page.goto("/")
    guest.find("#lobby-live a", has_text=pair[0].name).click()
    guest.wait_for_table()
    expect(guest.find("html")).to_have_attribute("lang", "pl")
    expect(guest.find("#table[data-live]")).to_be_visible()
    for player in pair:
        expect(player.find("#f-watching")).to_have_text("1 watching")
        assert player.page.evaluate(CUT) <= 0.5
    expect(guest.find("#f-watching")).to_have_text("1 widz")

    on_phone = new_player("Another one", viewport=PHONE)
    on_phone.page.goto(guest.page.url)
    expect(pair[0].find("#f-watching")).to_have_text("2 watching")
    expect(on_phone.page.get_by_role("img", name="2 watching")).to_be_visible()

    for step in hand[2:-1]:
        play(pair, [step])
        for spectator in (guest, on_phone):
            spectator.wait_for(step.seq)
            assert not shown_tiles(spectator, *BOTH_HANDS)
            assert spectator.find("form.command").count() == 0
    play(pair, hand[-1:])
    over = hand[-1].after
    for spectator in (guest, on_phone):
        spectator.wait_for(hand[-1].seq)
        assert {*over.held[0], *over.held[1]} <= shown_tiles(spectator, *BOTH_HANDS)
        assert spectator.find("form.command").count() == 0
    assert shown_tiles(guest, *BOTH_HANDS) <= known_to(None, over)

    check_received(guest, WHOLE, None)
    check_storage(guest)

    on_phone.page.close()
    expect(pair[0].find("#f-watching")).to_have_text("1 watching")
    pair[1].find("#resign > summary").click()
    pair[1].find('#resign [data-command="resign"] button').click()
    expect(guest.find('#f-sheet [data-kind="result"], #f-sheet[data-kind="result"]')).to_be_visible()
