"""A state of the kit is a moment of the table: what a script shows for a while stands there."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from games.kit.states import CASES
from tests.browser.kit import SETTLED, open_state, resize, translate
from tests.browser.people import make_people
from tests.browser.player import Player
from tests.stack import Stack

# What comes and goes at a table.
NOTICES = """() => ["f-toast", "connection"].map((id) => {
  const notice = document.getElementById(id);
  return notice.hidden ? "" : notice.innerText.trim();
})"""
# Which way the arrow points as it is drawn.
ARROW = """() => {
  const arrow = document.querySelector("#f-sheet .sheet__arrow");
  const isTurned = getComputedStyle(arrow).scale.startsWith("-1");
  return (arrow.textContent === "←") === isTurned ? "right" : "left";
}"""
# Where the words under both hands stand.
WORDS = """() => Array.from(document.querySelectorAll("#f-sheet .sheet__pips"), (line) => {
  const range = document.createRange();
  range.selectNode(Array.from(line.childNodes).find((node) => node.nodeType === Node.TEXT_NODE && node.data.trim()));
  return range.getBoundingClientRect().y;
})"""
# What is cut of both names.
CUT = """() =>
  Array.from(document.querySelectorAll("#f-sheet .person__name"), (name) => name.scrollWidth - name.clientWidth)"""
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


@pytest.mark.parametrize("name", ["your-turn", "sent", "refused", "back"])
def test_a_state_stays_as_it_is(designer: Player, name: str) -> None:
    """However long a page is looked at, or a crowded machine takes for it: no notice comes, and none goes."""
    designer.page.clock.install()
    open_state(designer.page, name)
    shown = designer.page.evaluate(NOTICES)
    designer.page.clock.run_for("02:00")
    designer.page.evaluate(SETTLED)
    assert designer.page.evaluate(NOTICES) == shown


def test_what_was_paid_points_to_who_gets_it_from_right_to_left_too(designer: Player) -> None:
    """The sides of the sheet change places, and the arrow between them turns."""
    towards = {}
    for name in ("settlement-blocked", "rtl-settlement"):
        open_state(designer.page, name)
        towards[name] = designer.page.evaluate(ARROW)
    assert towards == {"settlement-blocked": "left", "rtl-settlement": "right"}


@pytest.mark.parametrize("width", [360, 1280])
def test_both_halves_of_the_sheet_stand_at_one_height(designer: Player, width: int) -> None:
    """Who is ready is told with the name, over the tiles, and the name keeps its place."""
    resize(designer.page, width, 800)
    cut = []
    for name in ("settlement-waiting", "settlement-out"):
        open_state(designer.page, name)
        for part in (".open-hand", ".sheet__pips"):
            tops = [box["y"] for one in designer.find(f"#f-sheet {part}").all() if (box := one.bounding_box())]
            assert len(tops) == 2
            assert abs(tops[0] - tops[1]) < 1, (name, part)
        cut.append(sorted(designer.page.evaluate(CUT)))
        words = designer.page.evaluate(WORDS)
        assert max(words) - min(words) < 1, name
    assert cut[0] == pytest.approx(cut[1], abs=2)
    open_state(designer.page, "settlement-waiting")
    pill, hand = designer.find(".sheet__ready").bounding_box(), designer.find(".open-hand").first.bounding_box()
    assert pill
    assert hand
    assert pill["y"] + pill["height"] <= hand["y"]


def test_the_panel_has_no_edge_where_it_is_the_whole_screen(designer: Player) -> None:
    resize(designer.page, 360, 780)
    open_state(designer.page, "resign")
    assert designer.find("#panel").evaluate("(panel) => [panel.clientWidth, panel.clientHeight]") == [360, 780]
