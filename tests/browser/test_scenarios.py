"""Faults that other tables had: a first tile out of sight, a turned phone, a lost choice, an opening that counts 0."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, expect

from games import rules
from tests.browser.kit import SET_THEME, STRUCTURE, open_state, resize, translate
from tests.browser.matches import WHOLE, Pair, play, seat
from tests.browser.people import make_people
from tests.browser.player import Player
from tests.browser.script import write_match
from tests.browser.test_connection import PLACE, SOCKETS, newest
from tests.browser.test_keyboard import pick_and_place
from tests.browser.test_movelist import IS_REACHED
from tests.stack import Stack

# The only double of both hands is 0-0; seat 0 holds it, in the first place, and opens with it.
BLANK_OPENS = write_match([227], length=4)
NARROW, PHONE, TURNED = (320, 568), (390, 844), (844, 390)
WITH_BARS, TURNED_WITH_BARS = (390, 664), (844, 330)
TABLET, WIDE = (768, 1024), (1920, 1080)
SMALLEST = (360, 640)
LOW = ((667, 375), (780, 360), (800, 580), (1023, 521), (1024, 600), (1180, 690), (1366, 640))

# Of the tile on the cloth: does it lie whole on the screen, and how far from the middle of the cloth, as a share of it?
FIRST_TILE = """() => {
  const tile = document.querySelector("#f-cloth .board__tile").getBoundingClientRect();
  const cloth = document.querySelector("#f-cloth").getBoundingClientRect();
  const isWhole = tile.left >= 0 && tile.top >= 0 && tile.right <= innerWidth && tile.bottom <= innerHeight;
  const off = (from, to, start, end) => Math.abs((from + to) / 2 - (start + end) / 2) / (end - start);
  const across = off(tile.left, tile.right, cloth.left, cloth.right);
  return {
    isWhole: isWhole && tile.width > 8,
    off: Math.max(across, off(tile.top, tile.bottom, cloth.top, cloth.bottom)),
    scrolled: scrollX + scrollY,
    sideways: document.scrollingElement.scrollWidth - innerWidth,
  };
}"""
# What a note lies over, of all that is read or pressed.
NOTE = """() => {
  const note = document.getElementById("f-toast");
  note.textContent = "[2|5] does not fit: open are 0, 3 and 5, and one more sentence makes it long.";
  const box = note.getBoundingClientRect();
  const isUnder = (one) => {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    return left < box.right && right > box.left && top < box.bottom && bottom > box.top;
  };
  const others = document.querySelectorAll(".clock, .seat__points, .tray, #main button, .top a, .top summary, .bar a");
  const covered = [...others].filter((one) => one.checkVisibility() && isUnder(one));
  return {
    isSeen: box.width > 0 && box.left >= 0 && box.right <= innerWidth && box.top >= 0,
    covers: covered.map((one) => one.id || one.className),
  };
}"""
# The foot of the panel with the longest time of a message: Keys and Settings, and where the panel's words end.
FOOT = """() => {
  const trip = document.getElementById("trip");
  trip.hidden = false;
  trip.textContent = trip.dataset.fair.replace("{ms}", "1167");
  const foot = document.querySelector(".panel__more");
  const [keys, settings] = [...foot.querySelectorAll(".button")].map((one) => one.getBoundingClientRect());
  return {
    isInARow: keys.top === settings.top,
    gap: settings.left - keys.right,
    end: foot.getBoundingClientRect().right - settings.right,
  };
}"""
LARGE_TEXT = "() => { document.documentElement.style.fontSize = '200%'; }"
# What one looks for at the table, wherever one has to scroll for it.
NEEDED = (
    *(
        "#f-opponent .seat__points",
        "#f-opponent .clock",
        "#f-me .seat__points",
        "#f-me .clock",
        ".sum__total",
        "#f-yard",
    ),
    *("#f-prompt", '[data-action="panel"]'),
)


@pytest.fixture(scope="module")
def designer(browser: Browser, stack: Stack) -> Iterator[Player]:
    ((name, session),) = make_people(stack, ["Drawer"], staff=True).items()
    player = Player.at(browser, stack.base_url, name, session=session)
    yield player
    faults = list(player.faults)
    player.close()
    assert not faults


def test_the_first_tile_lies_in_the_middle_of_what_is_seen(designer: Player) -> None:
    """B022: on a small phone, a tablet and a large screen, light and dark, nothing scrolled."""
    page = designer.page
    for size in (NARROW, TABLET, WIDE):
        resize(page, *size)
        for state in ("lone-spinner", "one-tile"):
            open_state(page, state)
            for theme in ("light", "dark"):
                page.evaluate(SET_THEME, theme)
                found = page.evaluate(FIRST_TILE)
                assert found["isWhole"], (state, size, theme, found)
                assert found["off"] < 0.12, (state, size, theme, found)
                assert found["scrolled"] == 0
                assert found["sideways"] <= 0


def test_everything_is_reached_on_small_and_odd_screens(designer: Player) -> None:
    """B207, B026: with the bars of a browser shown and hidden, on the side, with large text; also with 26 tiles."""
    page = designer.page
    for size in (NARROW, PHONE, WITH_BARS, TURNED, TURNED_WITH_BARS):
        resize(page, *size)
        for state in ("your-turn", "long-chain"):
            open_state(page, state)
            assert page.evaluate("() => document.scrollingElement.scrollWidth - innerWidth") <= 0, (state, size)
            for selector in NEEDED:
                assert page.locator(selector).first.evaluate(IS_REACHED), (selector, state, size)
            last = page.locator("#f-cloth .board__last").first
            assert last.evaluate(
                IS_REACHED.replace("hit !== null && (element.contains(hit) || hit.contains(element))", "true")
            )
    resize(page, *PHONE)
    open_state(page, "auction-raise")
    page.evaluate(LARGE_TEXT)
    for selector in ("#accept", "#bid", "#bid-amount", "#f-me .seat__points"):
        assert page.locator(selector).evaluate(IS_REACHED), selector


@pytest.mark.parametrize("state", ["your-turn", "auction-raise", "hand-of-12", "hand-of-20"])
def test_a_low_screen_shows_all_of_the_own_seat(designer: Player, state: str) -> None:
    """Phones on their side, low tablets and low windows: nothing is cut, covered, out of sight or too small."""
    page = designer.page
    for number, size in enumerate(LOW):
        resize(page, *size)
        if not number:
            open_state(page, state)
        assert page.evaluate(STRUCTURE, True) == [], size
        for selector in ("#f-me .clock", "#f-me .seat__points", "#f-prompt"):
            expect(page.locator(selector)).to_be_in_viewport(ratio=0.99)
        for tile in page.locator(".hand-tile").all():
            assert tile.evaluate(IS_REACHED), size


@pytest.mark.parametrize("size", [SMALLEST, PHONE, TURNED, (800, 580), TABLET, (1024, 768), (1280, 720)])
def test_a_note_covers_no_clock_no_tile_and_no_button(designer: Player, size: tuple[int, int]) -> None:
    page = designer.page
    resize(page, *size)
    open_state(page, "your-turn")
    assert page.evaluate(NOTE) == {"isSeen": True, "covers": []}


def test_keys_and_settings_stay_side_by_side(designer: Player) -> None:
    """However long the time of a message is written beside them."""
    page = designer.page
    resize(page, 1280, 800)
    open_state(page, "your-turn")
    for language in ("en", "tr", "pl"):
        translate(page, language)
        found = page.evaluate(FOOT)
        assert found["isInARow"], (language, found)
        assert 0 < found["gap"] < 24, (language, found)
        assert 0 < found["end"] < 24, (language, found)


def test_the_empty_table_says_how_to_open(designer: Player) -> None:
    """B024: nothing lies there, and the page says with which tile it begins."""
    page = designer.page
    for size in (PHONE, TURNED, WIDE):
        resize(page, *size)
        open_state(page, "opening")
        expect(page.locator("#f-cloth .board__tile")).to_have_count(0)
        expect(page.locator("#f-prompt")).to_contain_text("open with")
        expect(page.locator("#f-prompt")).to_be_in_viewport()


def test_a_turned_phone_keeps_what_is_chosen(new_player: Callable[..., Player], prepare: Callable[..., None]) -> None:
    """B024: in the middle of a turn the cloth takes its new shape, the tile stays picked, and it can be played."""
    prepare(WHOLE)
    pair = (new_player(viewport=_size(PHONE)), new_player(viewport=_size(PHONE)))
    seat(pair)
    place = next(
        number
        for number, step in enumerate(WHOLE.steps)
        if number > 5 and isinstance(step.command, rules.PlayTile) and step.before.must_play is None
    )
    play(pair, WHOLE.steps[:place])
    step = WHOLE.steps[place]
    command = step.command
    assert isinstance(command, rules.PlayTile)
    player = pair[command.seat]
    player.pick(command.tile)
    shown = player.shown_places()
    assert shown
    chosen = player.find(f'.hand-tile[data-tile="{rules.format_tile(command.tile)}"]')
    for size in (TURNED, PHONE, TURNED):
        before = player.find("#f-cloth").get_attribute("data-format")
        player.page.set_viewport_size(_size(size))
        expect(player.find("#f-cloth")).not_to_have_attribute("data-format", before or "")
        expect(chosen).to_have_attribute("aria-pressed", "true")
        assert player.shown_places() == shown
        for tile in player.find("#f-cloth .board__tile").all():
            box = tile.bounding_box()
            assert box is not None
            assert 0 <= box["x"] <= box["x"] + box["width"] <= size[0]
            assert 0 <= box["y"] <= box["y"] + box["height"] <= size[1]
    player.place(command.tile, command.site).click()
    for one in pair:
        one.wait_for(step.seq)


def test_another_language_in_the_middle_of_a_match(
    new_player: Callable[..., Player], prepare: Callable[..., None]
) -> None:
    """The table stays, its socket speaks the new language, and the other player's goes on in theirs."""
    prepare(WHOLE)
    pair = (new_player(), new_player())
    table = seat(pair)
    play(pair, WHOLE.steps[:PLACE])
    step = WHOLE.steps[PLACE]
    mover, reader = pair[step.command.seat], pair[1 - step.command.seat]
    reader.find(".menu summary[aria-label=Language]").click()
    reader.page.get_by_role("button", name="Türkçe").click()
    expect(reader.find("html")).to_have_attribute("lang", "tr")
    assert reader.page.url == table
    reader.wait_for(PLACE)
    mover.do(step.command)
    reader.wait_for(step.seq)
    told = {"play": "taşını", "draw": "taş çekti", "bid": "teklif etti"}[step.command.type]
    expect(reader.find("#polite")).to_contain_text(told)
    expect(mover.find("html")).to_have_attribute("lang", "en")
    expect(reader.find("#f-opponent .seat__points")).to_be_visible()


def test_a_choice_that_was_lost_is_not_played_later(
    new_player: Callable[..., Player], prepare: Callable[..., None]
) -> None:
    """B104: tile A was played without a connection, then B picked. Back again neither is played, and B is not A."""
    prepare(WHOLE)
    pair = (new_player(), new_player())
    for player in pair:
        player.context.add_init_script(SOCKETS)
    seat(pair)
    place = next(
        number
        for number, step in enumerate(WHOLE.steps)
        if number > 5
        and isinstance(step.command, rules.PlayTile)
        and len({p.tile for p in rules.previews(step.before)}) > 1
    )
    play(pair, WHOLE.steps[:place])
    step = WHOLE.steps[place]
    assert isinstance(step.command, rules.PlayTile)
    player, other = pair[step.command.seat], pair[1 - step.command.seat]
    first, second = list({p.tile: p for p in rules.previews(step.before)}.values())[:2]
    held = player.held()
    newest(player, "isMuted = true")
    player.do(rules.PlayTile(step.command.seat, first.tile, first.site))
    expect(player.find("#main [data-sent]").first).to_be_attached()
    player.find(f'.hand-tile[data-tile="{rules.format_tile(second.tile)}"]').click()
    newest(player, "cut()")
    player.page.wait_for_function("() => window.sockets.length > 1 && window.sockets.at(-1).readyState === 1")
    expect(player.find("#main [data-sent]")).to_have_count(0)
    assert player.held() == held
    assert player.seq == other.seq == place
    player.do(rules.PlayTile(step.command.seat, second.tile, second.site))
    for one in pair:
        one.wait_for(place + 1)
    assert player.held() == held - {rules.format_tile(second.tile)}


@pytest.mark.parametrize("way", ["mouse", "touch", "keys"])
def test_the_double_blank_opens(new_player: Callable[..., Player], prepare: Callable[..., None], way: str) -> None:
    """B013: tile 0-0, the first of the hand of seat 0, which counts 0 and moves nothing."""
    prepare(BLANK_OPENS)
    options = {"viewport": _size(PHONE), "has_touch": True} if way == "touch" else {}
    pair: Pair = (new_player(**options), new_player())
    seat(pair)
    play(pair, BLANK_OPENS.steps[:2])
    step = BLANK_OPENS.steps[2]
    assert step.command == rules.PlayTile(0, rules.Tile(0, 0), None)
    player = pair[0]
    assert player.find(".hand-tile").first.get_attribute("data-tile") == "0|0"
    if way == "mouse":
        player.do(step.command)
    elif way == "touch":
        player.find(".hand-tile").first.tap()
        player.place(rules.Tile(0, 0), None).tap()
    else:
        player.find("#table").focus()
        pick_and_place(player, step.before, step.command)
    for one in pair:
        one.wait_for(step.seq)
    expect(player.find(".sum__total")).to_have_text("0")
    expect(player.find("#f-me .seat__points")).to_contain_text("150")
    play(pair, BLANK_OPENS.steps[3:4])


def _size(size: tuple[int, int]) -> dict[str, int]:
    return {"width": size[0], "height": size[1]}
