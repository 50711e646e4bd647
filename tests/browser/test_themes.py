"""Light, dark, as the system says; both sets of tiles; more contrast, colours of one's own, and paper."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.kit import SETTLED
from tests.browser.people import make_people
from tests.browser.player import Player
from tests.contrast import tokens
from tests.stack import Stack

# Colours as the browser has them, of the first element there is: (selector, property) for each name.
SEEN = """wanted => Object.fromEntries(Object.entries(wanted).map(([name, [selector, property]]) => {
  const element = document.querySelector(selector);
  return [name, element && getComputedStyle(element)[property]];
}))"""
# What the words for the reader's own colours stand for here.
SYSTEM = """() => Object.fromEntries(["Canvas", "CanvasText", "Highlight"].map((name) => {
  const probe = document.createElement("span");
  probe.style.color = name;
  probe.style.forcedColorAdjust = "none";
  document.body.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return [name, colour];
}))"""
FORCED = {
    "edge of a tile": ((".defs .slab", "stroke"), "CanvasText"),
    "ground of a number": ((".badge__ground", "fill"), "Canvas"),
    "edge of a number": ((".badge__ground", "stroke"), "CanvasText"),
    "a number": ((".badge text", "fill"), "CanvasText"),
    "a ring": ((".badge__open", "stroke"), "CanvasText"),
    "the spinner": ((".board__spinner", "stroke"), "Highlight"),
    "a place": ((".ghost[data-shown] circle", "stroke"), "CanvasText"),
    "its ground": ((".ghost[data-shown] circle", "fill"), "Canvas"),
    "its points": ((".ghost[data-shown] text", "fill"), "CanvasText"),
    "the lit seat": ((".seat[data-turn]", "borderInlineStartColor"), "Highlight"),
    "the clock": ((".seat[data-turn] .clock", "borderTopColor"), "CanvasText"),
    "the sum": ((".sum", "borderTopColor"), "CanvasText"),
    "a score in the hand": ((".tag:not(.tag--zero)", "borderTopColor"), "Highlight"),
}


@pytest.fixture(scope="module")
def staff(stack: Stack) -> tuple[str, str]:
    """Somebody who may see the kit: name and session."""
    ((name, session),) = make_people(stack, ["Theo"], staff=True).items()
    return name, session


@pytest.fixture
def look(new_player: Callable[..., Player], staff: tuple[str, str]) -> Callable[..., Player]:
    """A state of the kit in a browser of these options."""

    def look(state: str, **options: Any) -> Player:
        player = new_player(staff[0], **options)
        set_cookies(player, sessionid=staff[1])
        player.page.goto(f"/kit/{state}/")
        player.page.evaluate(SETTLED)
        return player

    return look


def set_cookies(player: Player, **cookies: str) -> None:
    player.context.add_cookies([{"name": n, "value": v, "url": player.base_url} for n, v in cookies.items()])


def hex_of(colour: str) -> str:
    """`rgb(1, 2, 3)` as `#010203`."""
    return "#" + "".join(f"{int(part):02x}" for part in colour[colour.index("(") + 1 : -1].split(",")[:3])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_of_the_readers_own(look: Callable[..., Player], scheme: str) -> None:
    page = look("picked", forced_colors="active", color_scheme=scheme).page
    system = page.evaluate(SYSTEM)
    seen = page.evaluate(SEEN, {name: where for name, (where, _colour) in FORCED.items()})
    assert seen == {name: system[colour] for name, (_where, colour) in FORCED.items()}
    assert page.evaluate(SEEN, {"edge": (".seat[data-turn]", "borderInlineStartWidth")}) == {"edge": "4px"}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_more_contrast(look: Callable[..., Player], scheme: str) -> None:
    page = look("picked", contrast="more", color_scheme=scheme).page
    seen = page.evaluate(
        SEEN, {"rating": (".seat__rating", "color"), "edge": (".slab", "strokeWidth"), "tag": (".tag", "outlineStyle")}
    )
    assert hex_of(seen["rating"]) == tokens(scheme, "more")["on-felt-2"]
    assert (seen["edge"], seen["tag"]) == ("3px", "solid")


@pytest.mark.parametrize("tiles", ["ivory", "ebony"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_both_sets_of_tiles_in_both_themes(new_player: Callable[..., Player], theme: str, tiles: str) -> None:
    """Chosen in this browser, whatever the system would have."""
    player = new_player("A visitor", color_scheme="dark" if theme == "light" else "light")
    set_cookies(player, theme=theme, tiles=tiles, pips="coloured")
    player.page.goto("/rules/")
    expected = tokens(theme, tiles, "coloured")
    seen = player.page.evaluate(
        SEEN,
        {
            "bg": ("body", "backgroundColor"),
            "tile-a": ("[id=d-ivory] stop", "stopColor"),
            "back-a": ("[id=d-back] stop", "stopColor"),
            "pips-5": ("[id=d-u5]", "fill"),
        },
    )
    assert {name: hex_of(colour) for name, colour in seen.items()} == {name: expected[name] for name in seen}


@pytest.mark.parametrize("scripts", [True, False])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_without_a_choice_the_system_chooses(new_player: Callable[..., Player], scheme: str, scripts: bool) -> None:
    visitor = new_player("A visitor", color_scheme=scheme, java_script_enabled=scripts)
    visitor.page.goto("/rules/")
    seen = visitor.page.evaluate(SEEN, {"bg": ("body", "backgroundColor"), "cloth": (".figure__board", "stopColor")})
    assert hex_of(seen["bg"]) == tokens(scheme)["bg"]


def test_rules_on_paper(new_player: Callable[..., Player]) -> None:
    """Light, the whole text, and nothing to press."""
    reader = new_player("A reader", color_scheme="dark")
    reader.page.goto("/rules/")
    reader.page.emulate_media(media="print")
    seen = reader.page.evaluate(
        SEEN,
        {
            "bg": ("body", "backgroundColor"),
            "header": (".top", "display"),
            "tabs": (".tabs", "display"),
            "banner": (".test-banner", "display"),
        },
    )
    assert hex_of(seen.pop("bg")) == "#ffffff"
    assert set(seen.values()) == {"none"}
    assert reader.find("h1").is_visible()
    assert reader.find("button:visible").count() == 0
