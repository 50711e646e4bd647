"""Tiles dragged to their places by mouse and by finger, dropped elsewhere, and held while the table changes."""

from collections.abc import Callable
from itertools import pairwise

import pytest
from playwright.sync_api import Locator, Page, expect

from games import rules
from tests.browser.matches import WHOLE, Pair, play, seat, until
from tests.browser.modules import served
from tests.browser.player import PHONE, Player
from tests.browser.script import Step

Point = tuple[float, float]
REDRAW = """async () => {
  const { useFormat } = await import("/static/js/socket.js");
  useFormat(document.getElementById("f-cloth").dataset.format === "long" ? "wide" : "long");
}"""

# Whether the page can be scrolled then.
LENGTHEN = """() => {
  const more = document.createElement("div");
  Object.assign(more.style, { position: "absolute", top: "0", left: "0", width: "1px", height: "3000px" });
  document.body.append(more);
  return document.scrollingElement.scrollHeight > innerHeight + 1000;
}"""


def is_placement(step: Step) -> bool:
    return isinstance(step.command, rules.PlayTile) and bool(step.before.layout.tiles)


def middle(element: Locator) -> Point:
    box = element.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def hand_tile(player: Player, step: Step) -> Locator:
    assert isinstance(step.command, rules.PlayTile)
    return player.find(f'.hand-tile[data-tile="{rules.format_tile(step.command.tile)}"]')


def goal(player: Player, step: Step) -> Point:
    """Where the place is; known once the tile is held."""
    command = step.command
    assert isinstance(command, rules.PlayTile)
    named = rules.format_site(command.site) if command.site else ""
    tile = rules.format_tile(command.tile)
    return middle(player.find(f'.ghost[data-shown][data-tile="{tile}"][data-site="{named}"] .ghost__outline'))


def hold(player: Player, step: Step) -> None:
    """Takes the tile out of the hand by the mouse."""
    x, y = middle(hand_tile(player, step).locator(".tile"))
    mouse = player.page.mouse
    mouse.move(x, y)
    player.page.evaluate(served("() => import('/static/js/drag.js')"))
    mouse.down()
    mouse.move(x, y - 40, steps=4)
    expect(player.find(".flyer")).to_have_count(1)


def expect_in_hand(player: Player, step: Step) -> None:
    expect(player.find(".flyer")).to_have_count(0)
    expect(hand_tile(player, step)).to_be_visible()
    expect(hand_tile(player, step)).to_have_attribute("aria-pressed", "false")
    expect(player.find("#f-sum[data-preview]")).to_have_count(0)


@pytest.fixture
def before_placement(new_player: Callable[..., Player], prepare: Callable[..., None]) -> tuple[Pair, list[Step]]:
    prepare(WHOLE)
    pair = (new_player(), new_player())
    seat(pair)
    before, after = until(WHOLE, is_placement)
    play(pair, before)
    return pair, after


def test_dragging_by_mouse(before_placement: tuple[Pair, list[Step]]) -> None:
    """Onto a place it plays, elsewhere it does not; Escape and the right button put the tile back."""
    pair, (step, *_) = before_placement
    player = pair[step.command.seat]
    mouse = player.page.mouse

    hold(player, step)
    mouse.move(5, 5, steps=4)
    mouse.up()
    expect_in_hand(player, step)
    for give_up in (
        lambda: player.page.keyboard.press("Escape"),
        lambda: player.page.evaluate(
            "() => document.body.dispatchEvent(new MouseEvent('contextmenu', {bubbles: true}))"
        ),
    ):
        hold(player, step)
        mouse.move(*goal(player, step), steps=4)
        expect(player.find("#f-sum[data-preview]")).to_be_visible()
        give_up()
        expect_in_hand(player, step)
        mouse.up()
        expect_in_hand(player, step)
    assert player.seq == step.seq - 1

    hold(player, step)
    x, y = goal(player, step)
    mouse.move(x + 20, y - 15, steps=6)
    expect(player.find(".ghost[data-aimed]")).to_have_count(1)
    expect(player.find("#f-sum[data-preview]")).to_be_visible()
    mouse.up()
    for one in pair:
        one.wait_for(step.seq)


def test_the_table_changes_under_a_tile_that_is_held(before_placement: tuple[Pair, list[Step]]) -> None:
    """B209: the meant move or none, and no error."""
    pair, (step, *_) = before_placement
    player = pair[step.command.seat]
    mouse = player.page.mouse

    # Drawn afresh: the tile is still held, its place is where it is now.
    hold(player, step)
    shape = player.find("#f-cloth").get_attribute("data-format")
    player.page.evaluate(served(REDRAW))
    expect(player.find("#f-cloth")).not_to_have_attribute("data-format", shape or "")
    expect(player.find(".flyer")).to_have_count(1)
    mouse.move(*goal(player, step), steps=4)
    expect(player.find(".ghost[data-aimed]")).to_have_count(1)

    # Played in another tab: there is nothing to play any more.
    first, second = player.page, player.context.new_page()
    second.goto(first.url)
    player.page = second
    player.do(step.command)
    player.page = first
    player.wait_for(step.seq)
    expect(player.find(".flyer")).to_have_count(0)
    mouse.up()
    second.close()
    expect(player.find("[data-dragging]")).to_have_count(0)
    assert player.seq == step.seq


def test_the_table_changes_under_a_place_that_is_pressed(
    new_player: Callable[..., Player], prepare: Callable[..., None]
) -> None:
    """B209: a finger lies on it while the cloth is drawn afresh, and lifts. The meant move or none, and no error."""
    prepare(WHOLE)
    pair = (new_player(viewport=PHONE, has_touch=True), new_player(viewport=PHONE, has_touch=True))
    seat(pair)
    before, (step, after, *_) = until(WHOLE, is_placement)
    play(pair, before)
    player = pair[step.command.seat]
    hand_tile(player, step).tap()
    shape = player.find("#f-cloth").get_attribute("data-format")
    with Finger(player.page) as finger:
        finger.down(goal(player, step))
        player.page.evaluate(served(REDRAW))
        expect(player.find("#f-cloth")).not_to_have_attribute("data-format", shape or "")
        finger.up()
    player.page.mouse.move(1, 1)  # input is handled in its order: by then the tap was a click, or is none
    expect(player.find("#main [data-sent]")).to_have_count(0)
    if player.seq != step.seq:
        player.do(step.command)
    for one in pair:
        one.wait_for(step.seq)
    play(pair, [after])


def test_dragging_by_finger(new_player: Callable[..., Player], prepare: Callable[..., None]) -> None:
    """A long page stands while a tile is dragged (B205); a tap picks as ever, and a finger that leaves is none."""
    prepare(WHOLE)
    pair = (new_player(viewport=PHONE, has_touch=True), new_player(viewport=PHONE, has_touch=True))
    seat(pair)
    before, (step, *_) = until(WHOLE, is_placement)
    play(pair, before)
    player = pair[step.command.seat]
    page = player.page
    assert page.evaluate(LENGTHEN)

    hand_tile(player, step).tap()
    expect(hand_tile(player, step)).to_have_attribute("aria-pressed", "true")
    end = goal(player, step)
    hand_tile(player, step).tap()
    expect(hand_tile(player, step)).to_have_attribute("aria-pressed", "false")

    start = middle(hand_tile(player, step).locator(".tile"))
    with Finger(page) as finger:
        finger.draw(start, end, cancel=True)
        expect_in_hand(player, step)
        finger.draw(start, (start[0], start[1] + 60), (start[0], start[1] - 200), end)
    for one in pair:
        one.wait_for(step.seq)
    assert page.evaluate("() => [scrollX, scrollY]") == [0, 0]


def test_playing_with_a_pen(before_placement: tuple[Pair, list[Step]]) -> None:
    """A tap picks though the hand trembles, hovering aims, what is dragged lies under the tip; its button is no tip."""
    pair, (step, *_) = before_placement
    player = pair[step.command.seat]
    tile = hand_tile(player, step)
    x, y = middle(tile.locator(".tile"))
    with Pen(player.page) as pen:
        pen.move((x, y))
        player.page.evaluate(served("() => import('/static/js/drag.js')"))
        pen.draw((x, y), (x + 3, y + 3))
        expect(tile).to_have_attribute("aria-pressed", "true")
        end = goal(player, step)
        pen.move(end)
        expect(player.find(".ghost[data-aimed]")).to_have_count(1)
        expect(player.find("#f-sum[data-preview]")).to_be_visible()
        pen.draw((x, y))
        expect(tile).to_have_attribute("aria-pressed", "false")

        pen.draw((x, y), (x, y - 60), end, button="right")
        expect_in_hand(player, step)
        assert player.seq == step.seq - 1

        pen.draw((x, y), (x, y - 60), end, is_up=False)
        expect(player.find(".flyer[data-snapped]")).to_have_count(1)
        held = middle(player.find(".flyer"))
        assert abs(held[0] - end[0]) < 8
        assert abs(held[1] - end[1]) < 8
        pen.up(end)
    for one in pair:
        one.wait_for(step.seq)


class Finger:
    """A finger on the page."""

    def __init__(self, page: Page) -> None:
        self.session = page.context.new_cdp_session(page)

    def __enter__(self) -> "Finger":
        return self

    def __exit__(self, *_error: object) -> None:
        self.session.detach()

    def down(self, point: Point) -> None:
        self._send("touchStart", point)

    def up(self) -> None:
        self._send("touchEnd")

    def draw(self, *way: Point, cancel: bool = False) -> None:
        """Down at the first point, along the others, and up."""
        self.down(way[0])
        for (x0, y0), (x1, y1) in pairwise(way):
            for part in range(1, 9):
                self._send("touchMove", (x0 + (x1 - x0) * part / 8, y0 + (y1 - y0) * part / 8))
        self._send("touchCancel" if cancel else "touchEnd")

    def _send(self, kind: str, *points: Point) -> None:
        touches = [{"x": x, "y": y} for x, y in points]
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})


class Pen:
    """A pen over the page."""

    def __init__(self, page: Page) -> None:
        self.session = page.context.new_cdp_session(page)

    def __enter__(self) -> "Pen":
        return self

    def __exit__(self, *_error: object) -> None:
        self.session.detach()

    def move(self, point: Point, button: str = "none") -> None:
        self._send("mouseMoved", point, button)

    def up(self, point: Point, button: str = "left") -> None:
        self._send("mouseReleased", point, button)

    def draw(self, *way: Point, button: str = "left", is_up: bool = True) -> None:
        """Down at the first point, along the others, and up."""
        self._send("mousePressed", way[0], button)
        for (x0, y0), (x1, y1) in pairwise(way):
            for part in range(1, 9):
                self.move((x0 + (x1 - x0) * part / 8, y0 + (y1 - y0) * part / 8), button)
        if is_up:
            self.up(way[-1], button)

    def _send(self, kind: str, point: Point, button: str) -> None:
        pressed = {"none": 0, "left": 1, "right": 2}[button] if kind != "mouseReleased" else 0
        told = {"type": kind, "x": point[0], "y": point[1], "button": button, "buttons": pressed, "clickCount": 1}
        self.session.send("Input.dispatchMouseEvent", {**told, "pointerType": "pen", "force": 0.5})
