"""What moves, what is heard and what is taken back; without movement, and in a tab that nobody sees."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games import rules
from tests.browser.matches import BRIEF, WHOLE, Pair, play, seat, until
from tests.browser.modules import served
from tests.browser.player import Player
from tests.browser.script import Step, write_match
from tests.browser.test_accessibility import check

# The second hand has no auction: the rival of the jockey cannot afford the lowest bid (D-7).
FORCED = write_match([5, 6, 7], balances=(285, 15), length=18)
MOVING = {"reduced_motion": "no-preference"}
# After each swap, and when a tile is played, what runs then; the listener comes behind those of the page.
RECORD = """async () => {
  await import("/static/js/motion.js");
  const { live } = await import("/static/js/socket.js");
  window.ran = [];
  const scripted = () => document.getAnimations().filter((one) => !(one instanceof CSSTransition));
  const record = () => window.ran.push(...scripted().map(({ effect }) => ({
    ms: effect.getTiming().duration,
    properties: effect.getKeyframes().flatMap(Object.keys).filter((name) => ["opacity", "transform"].includes(name)),
    other: effect.getKeyframes().flatMap(Object.keys)
      .filter((name) => !["opacity", "transform", "offset", "computedOffset", "easing", "composite"].includes(name)),
    element: effect.target.getAttribute("class"),
  })));
  for (const name of ["sent", "update"]) live.addEventListener(name, record);
}"""
# Twenty pictures within a fifth of a second: a tile comes and goes, a hand grows, points move to and fro.
STORM = """async () => {
  const { live } = await import("/static/js/socket.js");
  const tile = document.querySelector("#f-cloth .board__tile");
  const goal = tile.parentNode;
  const back = document.querySelector("#f-opponent .tile--back");
  const texts = [...document.querySelectorAll(".seat__points")];
  for (let number = 0; number < 20; number += 1) {
    live.dispatchEvent(new CustomEvent("swapping"));
    if (number % 2) goal.prepend(tile); else tile.remove();
    if (number % 2) back.parentNode.lastElementChild.remove(); else back.parentNode.append(back.cloneNode(true));
    for (const [index, text] of texts.entries()) {
      const fresh = text.cloneNode();
      fresh.removeAttribute("data-final");
      fresh.textContent = number % 2 ? "150" : String(index ? 250 : 50);
      text.replaceWith(fresh);
      texts[index] = fresh;
    }
    live.dispatchEvent(new CustomEvent("update"));
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}"""
# Points move a second time while the chips of the first are in the air.
OVERTAKE = """async () => {
  const { pay, finish } = await import("/static/js/chips.js");
  const chips = () => [...document.querySelectorAll(".flying-chip")];
  pay(new Map([["0", 100], ["1", 200]]));
  const flown = chips().length;
  pay(new Map([["0", 200], ["1", 100]]));
  const strays = chips().filter((chip) => !chip.getAnimations().length).length;
  finish();
  return [flown > 0, strays, chips().length];
}"""
END_ALL = "() => document.getAnimations().forEach((animation) => animation.finish())"
LEFT = "() => document.querySelectorAll('.flyer, .flying-chip, [data-final], .chips[data-shown]').length"
STILL = "() => !document.querySelector('.flyer, .flying-chip, [data-final], .chips[data-shown]')"
PASS = """async () => {
  const { live } = await import("/static/js/socket.js");
  const news = document.getElementById("f-announce");
  news.innerHTML = '<p data-seq="999" data-facts="passed:1"></p>';
  live.dispatchEvent(new CustomEvent("update"));
  return document.querySelector("#passed:not([hidden])")?.dataset.side;
}"""
DRAW_ALONE = """async () => {
  document.getElementById("table").setAttribute("data-auto-draw", "");
  const { live } = await import("/static/js/socket.js");
  live.dispatchEvent(new CustomEvent("update"));
}"""
HIDE = """isHidden => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => isHidden });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
# What is shown for a moment stays there.
HOLD_LONG = """
const wait = window.setTimeout;
window.setTimeout = (end, ms, ...rest) => (ms === 1_500 ? 0 : wait(end, ms, ...rest));
"""
SOUNDS = re.compile(r"/js/(sound|hearing)\.")
COUNT_CONTEXTS = """
window.contexts = 0;
window.AudioContext = class extends AudioContext { constructor(...words) { super(...words); window.contexts += 1; } };
"""


def is_paid_placement(step: Step) -> bool:
    return isinstance(step.command, rules.PlayTile) and any(fact.type == "transferred" for fact in step.facts)


def wait_until_still(page: Page) -> None:
    page.evaluate(END_ALL)
    page.wait_for_function(STILL)


@pytest.fixture
def moving_pair(new_player: Callable[..., Player], prepare: Callable[..., None]) -> Pair:
    prepare(WHOLE)
    pair = (new_player(**MOVING), new_player(**MOVING))
    seat(pair)
    return pair


def test_tiles_and_chips_move_and_leave_nothing_behind(moving_pair: Pair) -> None:
    before, after = until(WHOLE, is_paid_placement)
    play(moving_pair, before)
    for player in moving_pair:
        player.page.evaluate(served(RECORD))
    step = after[0]
    play(moving_pair, [step])
    for player in moving_pair:
        ran: list[dict[str, Any]] = player.page.evaluate("() => ran")
        classes = {str(one["element"]) for one in ran}
        assert {"flyer", "flying-chip"} <= classes
        assert not [one for one in ran if one["other"]], "only transform and opacity move"
        wait_until_still(player.page)
        for number, points in enumerate(step.after.balances):
            expect(player.find(f'.seat[data-seat="{number}"] .seat__points')).to_have_text(str(points))
        change = player.find(f'.seat[data-seat="{step.command.seat}"] .seat__change')
        assert (change.text_content() or "").startswith("+")

    watcher = moving_pair[0].page
    watcher.evaluate(served(STORM))
    wait_until_still(watcher)
    assert watcher.locator(".seat__points").all_inner_texts() == ["150", "150"]
    play(moving_pair, after[1:3])


def test_chips_that_are_overtaken_lie_nowhere(moving_pair: Pair) -> None:
    """A chip whose flight ends early is gone in the same instant, not left in a corner for a frame."""
    play(moving_pair, WHOLE.steps[:2])
    assert moving_pair[0].page.evaluate(served(OVERTAKE)) == [True, 0, 0]


def test_with_few_movements_things_only_fade(new_player: Callable[..., Player], prepare: Callable[..., None]) -> None:
    prepare(WHOLE)
    pair = (new_player(), new_player())
    seat(pair)
    before, after = until(WHOLE, is_paid_placement)
    play(pair, before)
    for player in pair:
        player.page.evaluate(served(RECORD))
    play(pair, after[:1])
    for player in pair:
        ran = player.page.evaluate("() => ran")
        assert ran
        for one in ran:
            assert set(one["properties"]) == {"opacity"}, one
            assert one["ms"] <= 120
        assert player.page.evaluate(LEFT) == 0


def test_a_refused_tile_comes_back_and_the_page_says_why(moving_pair: Pair) -> None:
    """B209's kin: the page is out of date. The position stays, the tile can be played again."""
    before, after = until(WHOLE, lambda step: isinstance(step.command, rules.PlayTile))
    play(moving_pair, before)
    command = after[0].command
    assert isinstance(command, rules.PlayTile)
    player = moving_pair[command.seat]
    held, seq = player.held(), player.seq
    player.page.evaluate(served(RECORD))
    player.page.evaluate(
        "() => document.querySelectorAll('[data-play] [name=seq]').forEach((input) => (input.value = 0))"
    )
    player.do(command)
    expect(player.find("#f-toast[data-code]")).not_to_be_empty()
    expect(player.find("[data-sent]")).to_have_count(0)
    expect(player.find(f'.hand-tile[data-tile="{rules.format_tile(command.tile)}"]')).to_be_visible()
    assert (player.held(), player.seq) == (held, seq)
    wait_until_still(player.page)
    play(moving_pair, after[:2])


def test_nothing_sounds_before_the_first_input(new_player: Callable[..., Player], prepare: Callable[..., None]) -> None:
    """Not even its script is there, whatever the other one does; what is chosen is kept in the browser."""
    prepare(BRIEF)
    pair = (new_player(**MOVING), new_player())
    table = seat(pair)
    play(pair, BRIEF.steps[:3])
    listener = pair[0]
    listener.context.add_init_script(COUNT_CONTEXTS)
    loaded: list[str] = []
    listener.page.on("request", lambda request: loaded.append(request.url))
    listener.page.goto(table)
    expect(listener.find("#table[data-live]")).to_be_visible()
    assert BRIEF.steps[3].command.seat == 1
    play(pair, BRIEF.steps[3:4])
    assert not [url for url in loaded if SOUNDS.search(url)]

    with listener.page.expect_request(SOUNDS):
        listener.page.get_by_role("button", name="Sound").locator("visible=true").click()
    menu = listener.page.get_by_role("dialog", name="Sound")
    expect(menu).to_be_visible()
    check(listener, "the menu of sounds")
    listener.page.evaluate(served("() => import('/static/js/hearing.js')"))  # it listens to the menu by then
    assert listener.page.evaluate("() => contexts") == 0
    menu.get_by_text("Only when time is short").click()
    listener.page.wait_for_function("() => contexts === 1")
    assert listener.page.evaluate("() => JSON.parse(localStorage['boneyard-sound']).mode") == "low"
    listener.page.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    listener.page.reload()
    listener.page.keyboard.press("Tab")
    expect(listener.find('#sound input[value="low"]')).to_be_checked()


def test_a_hidden_tab_calls_and_holds_nothing_half_way(moving_pair: Pair) -> None:
    """B235's kin: the title says whose turn it is; coming back shows the final state at once."""
    before, after = until(WHOLE, is_paid_placement)
    play(moving_pair, before)
    step = after[0]
    hidden, other = moving_pair[1 - step.command.seat], moving_pair[step.command.seat]
    title = hidden.page.title()
    hidden.page.evaluate(served(RECORD))
    hidden.page.evaluate(HIDE, True)
    play((hidden, other) if hidden is moving_pair[0] else (other, hidden), [step])
    assert hidden.page.title() == f"Your turn — {title}"
    assert hidden.page.evaluate("() => ran") == []
    assert hidden.page.evaluate(LEFT) == 0
    hidden.page.evaluate(HIDE, False)
    assert hidden.page.title() == title
    for number, points in enumerate(step.after.balances):
        expect(hidden.find(f'.seat[data-seat="{number}"] .seat__points')).to_have_text(str(points))


def test_tiles_are_drawn_by_themselves_where_that_is_wanted(moving_pair: Pair) -> None:
    """One after the other, until one fits or nothing is left; a pass is shown (D-5, D-6)."""
    before, after = until(WHOLE, lambda step: isinstance(step.command, rules.DrawTile))
    play(moving_pair, before)
    drawer = moving_pair[after[0].command.seat]
    number = next(number for number, step in enumerate(after) if not isinstance(step.command, rules.DrawTile))
    drawer.page.evaluate(served(DRAW_ALONE))
    for player in moving_pair:
        player.wait_for(after[number - 1].seq)
    for player, side in zip(moving_pair, ("far", "near"), strict=True):
        # A tile that is picked covers it, as the one just drawn is.
        assert player.page.evaluate(served(PASS)) == side
        expect(player.find("#passed[hidden]")).to_have_count(1)
    play(moving_pair, after[number : number + 1])


def test_an_answer_with_one_choice_is_shown_for_a_moment(
    new_player: Callable[..., Player], prepare: Callable[..., None]
) -> None:
    """D-7. Nobody has to wait for it: who picks a tile sees the table."""
    prepare(FORCED)
    pair = (new_player(), new_player(**MOVING))
    before, (step, following) = FORCED.steps[:-2], FORCED.steps[-2:]
    opener, other = pair[following.command.seat], pair[1 - following.command.seat]
    opener.context.add_init_script(HOLD_LONG)
    seat(pair)
    play(pair, before)
    play(pair, [step], do=lambda player, step: player.do(step.command))
    expect(other.find("#f-auction[data-held]")).to_contain_text("cannot afford the lowest bid")
    expect(other.find("#f-auction button")).to_have_count(0)
    expect(opener.find("#f-auction")).to_be_visible()
    opener.find('.hand-tile[data-legal="yes"]').first.click()
    expect(opener.find("#f-auction")).to_be_hidden()
    opener.page.keyboard.press("Escape")
    expect(other.find("#f-auction")).to_be_hidden()
    play(pair, [following])
