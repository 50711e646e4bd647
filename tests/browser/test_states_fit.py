"""States of the table, measured: what is read stays free, words fill what holds them, and a mirrored table agrees."""

import itertools
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.kit import STRUCTURE, open_state, resize
from tests.browser.people import make_people
from tests.browser.player import Player
from tests.stack import Stack

NARROW, PHONE, TABLET, DESKTOP, WIDE, LOW = (320, 640), (360, 780), (768, 1024), (1280, 800), (1920, 1080), (1280, 540)
LAPTOP, ON_ITS_SIDE, TURNED_TABLET = (1280, 720), (812, 375), (1024, 768)
# By how many pixels the drawn circle of the aimed place stays clear of its tile.
CLEAR = """() => {
  const ghost = document.querySelector(".ghost[data-shown]:is([data-aimed], :focus, :hover)");
  const circle = ghost.querySelector(".ghost__aimed circle").getBoundingClientRect();
  const tile = ghost.querySelector(".ghost__tile").getBoundingClientRect();
  const x = (circle.left + circle.right) / 2, y = (circle.top + circle.bottom) / 2;
  const near = [Math.min(Math.max(x, tile.left), tile.right), Math.min(Math.max(y, tile.top), tile.bottom)];
  return Math.hypot(near[0] - x, near[1] - y) - circle.width / 2;
}"""
# Of each place how many corners of its outline are seen beside the circle, clear of it.
CORNERS = """() => [...document.querySelectorAll(".ghost[data-shown]")].map((ghost) => {
  const circle = ghost.querySelector(".ghost__rest circle");
  const { r, stroke, strokeWidth } = getComputedStyle(circle);
  const hit = circle.getBoundingClientRect();
  const drawn = stroke.endsWith(", 0)") ? parseFloat(r) : parseFloat(r) + parseFloat(strokeWidth) / 2;
  const x = (hit.left + hit.right) / 2, y = (hit.top + hit.bottom) / 2;
  const { left, top, right, bottom } = ghost.querySelector(".ghost__outline").getBoundingClientRect();
  const corners = [[left, top], [right, top], [left, bottom], [right, bottom]];
  return corners.filter(([a, b]) => Math.hypot(a - x, b - y) > drawn + 8).length;
})"""
# Of each place how far the middle of its circle lies from the nearest tile.
APART = """() => [...document.querySelectorAll(".ghost[data-shown] .ghost__rest circle")].map((circle) => {
  const hit = circle.getBoundingClientRect(), x = (hit.left + hit.right) / 2, y = (hit.top + hit.bottom) / 2;
  return Math.min(...[...document.querySelectorAll("#f-cloth .board__tile use:first-child")].map((tile) => {
    const { left, top, right, bottom } = tile.getBoundingClientRect();
    return Math.hypot(Math.min(Math.max(x, left), right) - x, Math.min(Math.max(y, top), bottom) - y);
  }));
})"""
# Whether a finger at the rim of 44 pixels around the middle of its circle still hits a place.
HIT = """() => [...document.querySelectorAll(".ghost[data-shown]")].map((ghost) => {
  const { left, top, right, bottom } = ghost.querySelector(".ghost__rest circle").getBoundingClientRect();
  const x = (left + right) / 2, y = (top + bottom) / 2;
  const rim = [[x - 21, y], [x + 21, y], [x, y - 21], [x, y + 21]];
  return rim.every(([a, b]) => ghost.contains(document.elementFromPoint(a, b)));
})"""
# The room of the tab beside its longest line: of its letters, since the box of a line may be as wide as the tab.
EMPTY = """() => {
  const prompt = document.getElementById("f-prompt");
  const { paddingInlineStart, paddingInlineEnd } = getComputedStyle(prompt);
  const range = document.createRange();
  const walker = document.createTreeWalker(prompt, NodeFilter.SHOW_TEXT);
  const boxes = [];
  while (walker.nextNode()) {
    range.selectNodeContents(walker.currentNode);
    boxes.push(...[...range.getClientRects()].filter((box) => box.width));
  }
  const words = Math.max(...boxes.map((box) => box.right)) - Math.min(...boxes.map((box) => box.left));
  return prompt.clientWidth - parseFloat(paddingInlineStart) - parseFloat(paddingInlineEnd) - words;
}"""
# By how much the lowest of the own tiles is cut by the edge of the table.
BELOW = """() => {
  const ends = [...document.querySelectorAll(".hand-tile")].map((tile) => tile.getBoundingClientRect().bottom);
  return Math.max(...ends) - document.getElementById("table").getBoundingClientRect().bottom;
}"""
# What is cut of the own name, and how wide the stacks of chips are.
OWN = """() => {
  const name = document.querySelector("#f-me .seat__name .clip");
  return [name.scrollWidth - name.clientWidth, document.querySelector("#f-me .chips").getBoundingClientRect().width];
}"""
# The notice: its top, the lowest of what the far seat shows, and how far it is off the middle of the cloth.
TOAST = """() => {
  const box = (selector) => document.querySelector(selector).getBoundingClientRect();
  const { left, top, right } = box("#f-toast"), cloth = box("#felt");
  const seat = Math.max(box("#f-opponent").bottom, box("#f-opponent .seat__hand > :last-child").bottom);
  return [top, seat, (left + right - cloth.left - cloth.right) / 2];
}"""
# How many tiles and ends of the chain the opened explanation covers, and whether it lies on the cloth.
EXPLAINED = """() => {
  const box = (one) => one.getBoundingClientRect();
  const card = box(document.querySelector(".help[open] > .help__text")), felt = box(document.getElementById("felt"));
  const isBeside = (one) => one.left >= card.right || card.left >= one.right;
  const meets = (one) => !isBeside(one) && one.top < card.bottom && card.top < one.bottom;
  const chain = [...document.querySelectorAll("#f-cloth :is(.board__tile, .badge)")].map(box);
  return [chain.filter(meets).length, card.top >= felt.top && card.bottom <= felt.bottom];
}"""
# Where the words of the bar's title begin and end.
TITLE = """() => {
  const range = document.createRange();
  range.selectNodeContents(document.querySelector(".bar__title"));
  const { left, right } = range.getBoundingClientRect();
  return [left, right];
}"""
# By how much the card of the auction reaches under the prompt.
CARD = """() => {
  const card = document.querySelector(".auction__card").getBoundingClientRect();
  return card.bottom - document.getElementById("f-prompt").getBoundingClientRect().top;
}"""
# Where the backs of the near seat begin and how wide they are, on a page without scripts.
BACKS = """() => {
  document.documentElement.classList.remove("js");
  return [...document.querySelectorAll("#f-me .tile--back")].map((back) => {
    const { left, top, width } = back.getBoundingClientRect();
    return [left, top, width];
  });
}"""
# Of each move of the list where it begins and how high it is; the end of the list; where the last ends once scrolled.
MOVES = """() => {
  const list = document.querySelector(".moves"), moves = [...list.querySelectorAll(".moves__button")];
  const rows = moves.map((move) => { const { top, height } = move.getBoundingClientRect(); return [top, height]; });
  list.scrollTop = list.scrollHeight;
  return [rows, list.getBoundingClientRect().bottom, moves.at(-1).getBoundingClientRect().bottom];
}"""
# A sheet scrolled to its end: where its eye lies and where its head does, from top to bottom.
EYE = """() => {
  const scroll = document.querySelector(".sheet__scroll");
  scroll.scrollTop = scroll.scrollHeight;
  return [".sheet__peek", ".sheet__head"].map((one) => {
    const { top, bottom } = document.querySelector(one).getBoundingClientRect();
    return [top, bottom];
  });
}"""
# How far the log begins above what is seen of it, and ends below that, where nobody has scrolled it.
LOG = """() => {
  const log = document.querySelector(".log"), rows = [...log.querySelectorAll("[role=listitem]")];
  log.scrollTop = 0;
  const { top, bottom } = log.getBoundingClientRect();
  return [top - rows[0].getBoundingClientRect().top, rows.at(-1).getBoundingClientRect().bottom - bottom];
}"""
WITHOUT_SCRIPTS = """() => document.documentElement.classList.remove("js")"""
ADD_BANNER = """() => {
  document.querySelector(".top").insertAdjacentHTML("beforebegin", '<p class="test-banner">Chosen deals</p>');
}"""
SIDES = """() => {
  const middle = (selector) => {
    const { left, right } = document.querySelector(selector).getBoundingClientRect();
    return (left + right) / 2;
  };
  const order = (element) => {
    const at = [0, 1].map((start) => {
      const range = document.createRange();
      range.setStart(element.firstChild, start);
      range.setEnd(element.firstChild, start + 1);
      return range.getBoundingClientRect().left;
    });
    return at[0] < at[1];
  };
  return {
    own: middle(".tug__near") > middle(".tug__far") && middle(".tug__names > :first-child") > middle(".tug__other"),
    signs: [...document.querySelectorAll(".seat__change")].map(order),
    names: [...document.querySelectorAll(".seat__name .clip")].map((name) => getComputedStyle(name).direction),
  };
}"""


@pytest.fixture(scope="module")
def page(browser: Browser, stack: Stack) -> Iterator[Page]:
    """The page of somebody who may see the kit."""
    ((name, session),) = make_people(stack, ["Surveyor"], staff=True).items()
    player = Player.at(browser, stack.base_url, name, session=session)
    yield player.page
    player.close()


def show(page: Page, name: str, size: tuple[int, int], language: str = "en") -> None:
    resize(page, *size)
    open_state(page, name, language)


@pytest.mark.parametrize("size", [PHONE, TABLET, DESKTOP, WIDE])
def test_the_aimed_tile_can_be_read(page: Page, size: tuple[int, int]) -> None:
    show(page, "aimed", size)
    assert page.evaluate(CLEAR) >= 0


def test_the_outlines_of_small_places_are_seen(page: Page) -> None:
    show(page, "drew", PHONE)
    corners = page.evaluate(CORNERS)
    assert len(corners) == 4
    assert min(corners) >= 2
    assert page.evaluate(HIT) == [True] * 4


@pytest.mark.parametrize("size", [NARROW, PHONE, TABLET, DESKTOP])
def test_backs_lie_beside_each_other_without_scripts_too(page: Page, size: tuple[int, int]) -> None:
    show(page, "spectator", size)
    backs = page.evaluate(BACKS)
    assert len(backs) > 2
    assert len({top for _left, top, _width in backs}) == 1
    lefts = [left for left, _top, _width in backs]
    assert all(later - left >= backs[0][2] - 1 for left, later in itertools.pairwise(lefts))


@pytest.mark.parametrize("language", ["en", "tr", "pl"])
@pytest.mark.parametrize("name", ["auction-spectator", "away-on-turn", "must-draw", "passed", "passed-yourself"])
def test_a_tab_is_as_wide_as_its_words(page: Page, name: str, language: str) -> None:
    show(page, name, DESKTOP, language)
    assert page.evaluate(EMPTY) <= 48  # the dot is in it, and the gaps between columns


@pytest.mark.parametrize("name", ["passed", "hand-of-12", "hand-of-20"])
@pytest.mark.parametrize("size", [DESKTOP, WIDE])
def test_who_one_is_stays_beside_many_tiles(page: Page, name: str, size: tuple[int, int]) -> None:
    show(page, name, size)
    cut, chips = page.evaluate(OWN)
    assert cut <= 0
    assert chips > 40


def test_many_tiles_lie_on_a_low_wide_screen(page: Page) -> None:
    show(page, "hand-of-20", LOW)
    assert page.evaluate(STRUCTURE, True) == []
    assert page.evaluate(BELOW) <= 0


@pytest.mark.parametrize("name", ["auction-first", "auction-raise", "auction-long", "auction-everything-asked"])
def test_an_auction_is_seen_whole_on_a_small_laptop(page: Page, name: str) -> None:
    show(page, name, LAPTOP, "tr")
    assert page.evaluate(STRUCTURE, True) == []
    assert page.evaluate(CARD) <= 0


@pytest.mark.parametrize("size", [DESKTOP, TABLET])
def test_both_answers_stand_on_one_line(page: Page, size: tuple[int, int]) -> None:
    show(page, "auction-raise", size, "pl")
    first, second, *_ = page.locator(".offer .command .button--two:visible").evaluate_all(
        "buttons => buttons.map((button) => button.getBoundingClientRect().bottom)"
    )
    assert abs(first - second) <= 0.5


@pytest.mark.parametrize("language", ["en", "tr", "pl"])
@pytest.mark.parametrize("size", [DESKTOP, WIDE])
def test_a_list_of_moves_is_as_wide_as_there_is_room(page: Page, size: tuple[int, int], language: str) -> None:
    show(page, "move-list", size, language)
    rows, bottom, _ = page.evaluate(MOVES)
    assert len(rows) == 7
    assert all(top + height <= bottom - 19 for top, height in rows)


@pytest.mark.parametrize("size", [DESKTOP, WIDE])
def test_all_moves_are_seen_without_scripts(page: Page, size: tuple[int, int]) -> None:
    show(page, "your-turn", size)
    page.evaluate(WITHOUT_SCRIPTS)
    rows, bottom, _ = page.evaluate(MOVES)
    assert len(rows) == 7
    assert all(top + height <= bottom - 19 for top, height in rows)


def test_the_log_is_at_its_end_without_scripts(page: Page) -> None:
    show(page, "settlement-out", LAPTOP)
    page.evaluate(WITHOUT_SCRIPTS)
    above, below = page.evaluate(LOG)
    assert above > 0
    assert below <= 0
    show(page, "auction-first", DESKTOP)
    page.evaluate(WITHOUT_SCRIPTS)
    above, _below = page.evaluate(LOG)
    assert -20 < above <= 0  # a short one stands at the top


@pytest.mark.parametrize(("name", "size"), [("start", TABLET), ("start", DESKTOP), ("start-spectator", DESKTOP)])
def test_the_note_under_a_sheet_stands_in_the_middle(page: Page, name: str, size: tuple[int, int]) -> None:
    show(page, name, size)
    middles = page.locator(".sheet__foot, .sheet__foot .sheet__note").evaluate_all(
        "all => all.map((one) => { const { top, bottom } = one.getBoundingClientRect(); return (top + bottom) / 2; })"
    )
    assert middles[0] == pytest.approx(middles[1], abs=1)


@pytest.mark.parametrize("size", [PHONE, DESKTOP, WIDE])
def test_the_menu_of_sounds_cuts_nothing_at_its_side(page: Page, size: tuple[int, int]) -> None:
    show(page, "sound", size)
    under = page.locator("#f-opponent .avatar" if size == PHONE else "#panel").bounding_box()
    menu = page.locator(".sound").bounding_box()
    assert under
    assert menu
    assert menu["x"] <= under["x"] + 1


@pytest.mark.parametrize("name", ["settlement-waiting", "settlement-other-waits"])
def test_the_names_of_both_hands_are_level(page: Page, name: str) -> None:
    show(page, name, PHONE)
    tops = page.locator(".sheet__side .avatar").evaluate_all("all => all.map((one) => one.getBoundingClientRect().top)")
    assert tops[0] == pytest.approx(tops[1], abs=0.5)


@pytest.mark.parametrize("language", ["en", "tr", "pl"])
@pytest.mark.parametrize("name", ["auction-first", "auction-raise"])
def test_a_card_ends_above_the_prompt_without_scripts(page: Page, name: str, language: str) -> None:
    show(page, name, DESKTOP, language)
    page.evaluate(WITHOUT_SCRIPTS)
    assert page.evaluate(CARD) <= 0
    assert not re.search(r"\d", page.locator("#bid").inner_text())  # which holds for any bid
    field, label = page.locator("#bid-amount").bounding_box(), page.locator(".stepper__label").bounding_box()
    assert field
    assert label
    assert label["x"] + label["width"] <= field["x"]


def test_a_list_of_moves_says_that_it_goes_on(page: Page) -> None:
    show(page, "move-list", PHONE)
    rows, bottom, ends = page.evaluate(MOVES)
    for top, height in rows:
        assert all(abs(height - other) <= 0.5 for at, other in rows if at == top)
    assert any(top + 8 < bottom < top + height for top, height in rows)  # the next is seen to begin
    assert ends <= bottom - 19  # the last is seen above what fades
    fade = page.locator(".moves").evaluate("list => getComputedStyle(list).maskImage")
    assert "gradient" in fade


@pytest.mark.parametrize("language", ["en", "pl"])
@pytest.mark.parametrize("name", ["low-time", "passed", "opening-free"])
def test_the_prompt_covers_no_score_on_a_phone_on_its_side(page: Page, name: str, language: str) -> None:
    show(page, name, ON_ITS_SIDE, language)
    tags = page.locator(".hand-tile .tag").evaluate_all("tags => tags.map((tag) => tag.getBoundingClientRect().top)")
    assert min(tags) >= page.evaluate("() => document.getElementById('f-prompt').getBoundingClientRect().bottom") - 1


@pytest.mark.parametrize("size", [PHONE, TABLET, TURNED_TABLET])
@pytest.mark.parametrize("name", ["auction-accepted", "auction-declined"])
def test_the_scores_of_an_opening_leave_the_prompt_free(page: Page, name: str, size: tuple[int, int]) -> None:
    show(page, name, size, "pl")
    tags = page.locator(".hand-tile .tag").evaluate_all("tags => tags.map((tag) => tag.getBoundingClientRect().top)")
    words = page.locator("#f-prompt > span:visible").evaluate_all(
        "words => words.map((word) => word.getBoundingClientRect().bottom)"
    )
    assert min(tags) >= max(words) - 1


def test_a_card_ends_above_a_prompt_of_two_lines(page: Page) -> None:
    show(page, "auction-first", DESKTOP, "tr")
    assert page.evaluate(CARD) <= 0


@pytest.mark.parametrize("name", ["resign", "describe"])
def test_the_panel_scrolls_to_its_buttons_on_a_phone_on_its_side(page: Page, name: str) -> None:
    show(page, name, ON_ITS_SIDE)
    assert page.evaluate(STRUCTURE, True) == []
    assert page.locator(".log").evaluate("log => log.scrollHeight - log.clientHeight") <= 0  # it has no height for that


def test_nothing_is_to_be_chosen_while_a_move_is_on_its_way(page: Page) -> None:
    show(page, "sent", PHONE)
    assert page.locator("#f-prompt > span:visible").all_inner_texts() == ["move sent"]
    assert page.locator(".hand-tile .tag:visible").count() == 0


def test_nothing_is_to_be_chosen_once_the_time_is_up(page: Page) -> None:
    show(page, "time-up", PHONE)
    assert page.locator("#f-prompt > :visible").all_inner_texts() == ["Your time is up"]
    assert page.locator(".hand-tile .tag:visible").count() == 0


@pytest.mark.parametrize("language", ["en", "tr", "pl"])
@pytest.mark.parametrize("size", [PHONE, TABLET])
def test_the_title_of_the_bar_stands_in_the_middle(page: Page, size: tuple[int, int], language: str) -> None:
    show(page, "your-turn", size, language)
    left, right = page.evaluate(TITLE)
    assert left == pytest.approx(size[0] - right, abs=12)  # Turkish words have no more room


@pytest.mark.parametrize("size", [PHONE, DESKTOP])
def test_the_way_back_from_a_bid_lies_below_its_confirmation(page: Page, size: tuple[int, int]) -> None:
    """And where the first press was, so that two quick ones do not bid everything."""
    show(page, "auction-everything", size)
    asks = page.locator(".all-in > summary").bounding_box()
    show(page, "auction-everything-asked", size)
    back, confirm = page.locator(".all-in > summary").bounding_box(), page.locator(".all-in .command").bounding_box()
    assert asks
    assert back
    assert confirm
    assert back["y"] >= confirm["y"] + confirm["height"]
    assert not confirm["y"] < asks["y"] + asks["height"] / 2 < confirm["y"] + confirm["height"]


@pytest.mark.parametrize("size", [NARROW, PHONE])
def test_the_list_of_keys_is_closed_without_scrolling(page: Page, size: tuple[int, int]) -> None:
    show(page, "keys", size, "pl")
    close = page.locator("#keys form button").bounding_box()
    assert close
    assert close["y"] + close["height"] <= size[1]


@pytest.mark.parametrize("size", [TABLET, DESKTOP, WIDE])
def test_the_scores_of_a_second_row_lie_below_the_first(page: Page, size: tuple[int, int]) -> None:
    show(page, "hand-of-20", size)
    ends = page.locator(".hand-tile").evaluate_all("tiles => tiles.map((tile) => tile.getBoundingClientRect().bottom)")
    tags = page.locator(".hand-tile .tag").evaluate_all("tags => tags.map((tag) => tag.getBoundingClientRect().top)")
    low = [top for top in tags if top > min(tags) + 30]
    assert low
    assert min(low) >= max(end for end in ends if end < max(ends) - 30)


def test_the_header_ends_where_the_page_does(page: Page) -> None:
    show(page, "your-turn", DESKTOP)
    ends = page.locator(".top .avatar, #panel").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().right)"
    )
    assert ends[0] == pytest.approx(ends[1], abs=0.5)


@pytest.mark.parametrize("language", ["en", "tr", "pl"])
def test_tiles_keep_their_width_beside_somebody_away(page: Page, language: str) -> None:
    show(page, "opponents-turn", TABLET, language)
    widths = "backs => backs.map((back) => back.getBoundingClientRect().width)"
    usual = page.locator("#f-opponent .tile--back").evaluate_all(widths)
    show(page, "away-on-turn", TABLET, language)
    assert page.locator("#f-opponent .tile--back").evaluate_all(widths) == pytest.approx(usual, abs=0.1)


@pytest.mark.parametrize(("language", "written"), [("en", "8.4"), ("tr", "8,4"), ("pl", "8,4")])
def test_a_running_clock_writes_tenths_as_the_language_does(page: Page, language: str, written: str) -> None:
    show(page, "low-time", PHONE, language)
    assert page.evaluate('async () => (await import("/static/js/clock.js")).format(8_450)') == written


def test_the_circles_of_small_places_cover_no_tile(page: Page) -> None:
    show(page, "drew", PHONE)
    apart = page.evaluate(APART)
    assert len(apart) == 4
    assert min(apart) >= 16


@pytest.mark.parametrize("size", [PHONE, DESKTOP])
def test_both_hands_are_seen_from_behind_at_the_curtain(page: Page, size: tuple[int, int]) -> None:
    show(page, "curtain", size)
    for seat in ("#f-opponent", "#f-me"):
        back = page.locator(f"{seat} .tile--back").last
        assert back.is_visible()
    box = page.locator("#f-opponent .tile--back").last.bounding_box()
    curtain = page.locator(".curtain").bounding_box()
    assert box
    assert curtain
    z = "seat => [seat, document.querySelector('.curtain')].map((one) => Number(getComputedStyle(one).zIndex))"
    far, over = page.locator("#f-opponent").evaluate(z)
    assert far > over or box["y"] + box["height"] <= curtain["y"]


def test_scores_over_many_tiles_do_not_touch(page: Page) -> None:
    show(page, "hand-of-12", PHONE)
    tags = page.locator(".hand-tile .tag").evaluate_all(
        "tags => tags.map((tag) => { const { left, right } = tag.getBoundingClientRect(); return [left, right]; })"
    )
    assert all(later[0] - one[1] >= 1 for one, later in itertools.pairwise(tags))


@pytest.mark.parametrize("size", [PHONE, DESKTOP])
def test_nothing_is_scrolled_under_the_eye_of_a_sheet(page: Page, size: tuple[int, int]) -> None:
    show(page, "proof-settlement", size, "pl")
    eye, head = page.evaluate(EYE)
    assert head[0] <= eye[0] < eye[1] <= head[1]


@pytest.mark.parametrize("size", [PHONE, TABLET, DESKTOP, WIDE])
def test_a_refusal_lies_under_the_far_seat_on_a_test_site_too(page: Page, size: tuple[int, int]) -> None:
    show(page, "refused", size)
    for script in (TOAST, ADD_BANNER, TOAST):
        seen = page.evaluate(script)
        assert seen is None or seen[0] >= seen[1]
        assert seen is None or abs(seen[2]) <= 1


def test_a_magnified_table_has_no_gap_between_the_prompt_and_the_seat(page: Page) -> None:
    show(page, "spectator", (320, 640))
    prompt, seat = (page.locator(one).bounding_box() for one in ("#f-prompt", "#f-me"))
    assert prompt
    assert seat
    assert seat["y"] == pytest.approx(prompt["y"] + prompt["height"], abs=1)


def test_the_sum_is_explained_in_flat_lines_where_the_table_is_low(page: Page) -> None:
    show(page, "sum", (1024, 600))
    covered, is_on_cloth = page.evaluate(EXPLAINED)
    assert covered <= 2
    assert is_on_cloth


@pytest.mark.parametrize("language", ["en", "tr", "pl"])
@pytest.mark.parametrize("size", [PHONE, DESKTOP])
def test_the_sum_is_explained_beside_the_chain(page: Page, size: tuple[int, int], language: str) -> None:
    show(page, "sum", size, language)
    assert page.evaluate(EXPLAINED) == [0, True]
    for other in (TABLET, size):  # the cloth is drawn anew
        resize(page, *other)
    assert page.evaluate(EXPLAINED) == [0, True]


def test_a_mirrored_table_says_the_same(page: Page) -> None:
    show(page, "rtl", DESKTOP)
    seen = page.evaluate(SIDES)
    assert seen["own"]
    assert seen["signs"]
    assert all(seen["signs"])
    assert seen["names"] == ["ltr", "ltr"]
