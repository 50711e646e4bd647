"""The eleven figures: what the rules say of each is what its picture, its caption and its words show."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from django.utils.translation import override

from games.pieces import BADGE_RADIUS, BADGE_WIDER, RING_RADIUS
from games.rulebook.figures import FIGURES, DrawnFigure, Figure, drawn_figures
from games.rules import Tile, format_site, site_value
from games.rules.scoring import points_due
from tests.table.markup import Element, read

TOLD: list[dict[str, Any]] = json.loads((Path(__file__).parents[1] / "rules" / "figures.json").read_text())
LANGUAGES = ("en", "tr", "pl")
MINUS = "\u2212"
PORTS = {
    "en": ("smaller end", "larger end", "line A", "line B", "arm A", "arm B"),
    "tr": ("küçük uç", "büyük uç", "A doğrusu", "B doğrusu", "A dalı", "B dalı"),
    "pl": (
        "koniec o mniejszej wartości",
        "koniec o większej wartości",
        "strona łańcucha A",
        "strona łańcucha B",
        "ramię A",
        "ramię B",
    ),
}
# Half the width of what lies at an end: a number of one digit and of two, a ring.
REACHES = {"#d-num1": BADGE_RADIUS, "#d-num2": BADGE_RADIUS + BADGE_WIDER, "#d-open": RING_RADIUS}
PORT_NAMES = ("low", "high", "line_a", "line_b", "arm_a", "arm_b")

each_figure = pytest.mark.parametrize(
    ("figure", "told"), list(zip(FIGURES, TOLD, strict=True)), ids=[figure.id for figure in FIGURES]
)


def drawn(figure: Figure, language: str = "en") -> DrawnFigure:
    with override(language):
        shown = [one for section in drawn_figures(language).values() for one in section]
    return next(one for one in shown if one.id == figure.id)


def picture(figure: Figure) -> Element:
    return read(drawn(figure).picture).all("svg")[0]


def bracketed(tile: list[int]) -> str:
    return f"[{tile[0]}|{tile[1]}]"


def named(site: dict[str, Any]) -> str:
    low, high = site["tile"]
    return f"{low}|{high}.{site['port']}"


@each_figure
def test_the_engine_finds_what_the_rules_say(figure: Figure, told: dict[str, Any]) -> None:
    layout = figure.layout
    assert told["id"].startswith(figure.id)
    assert [list(tile) for tile in layout.tiles] == told["tiles"]
    assert layout.spinner == (Tile(*told["spinner"]) if told["spinner"] else None)
    assert [{"tile": list(tile), "value": value} for tile, value in layout.contributions] == told["counted"]
    assert (layout.total, points_due(layout.total)) == (told["sum"], told["score"])
    assert [(format_site(site), site_value(site)) for site in layout.sites] == [
        (named(site), site["value"]) for site in told["legal_sites"]
    ]


@each_figure
def test_a_picture_has_the_counted_numbers_and_a_ring_at_every_other_place(
    figure: Figure, told: dict[str, Any]
) -> None:
    """SB-80."""
    badges = picture(figure).by_class("badge")
    numbers = [badge for badge in badges if badge.all("text")]
    rings = {badge.attributes["data-site"] for badge in badges if not badge.all("text")}
    written = Counter(
        (badge.attributes["data-site"].partition(".")[0], int(badge.all("text")[0].text)) for badge in numbers
    )
    assert written == Counter((f"{one['tile'][0]}|{one['tile'][1]}", one["value"]) for one in told["counted"])
    at_numbers = {badge.attributes["data-site"] for badge in numbers}
    assert rings == {named(site) for site in told["legal_sites"]} - at_numbers
    # Nothing but an unopened arm, or a side of a lone double, is a place without a number.
    alone = len(told["tiles"]) == 1
    assert {ring.partition(".")[2] for ring in rings} <= ({"line_a", "line_b"} if alone else {"arm_a", "arm_b"})


@each_figure
def test_a_picture_has_its_tiles_and_marks_the_spinner(figure: Figure, told: dict[str, Any]) -> None:
    root = picture(figure)
    assert len(root.by_class("board__tile")) == len(told["tiles"])
    assert len(root.by_class("board__spinner")) == (told["spinner"] is not None)


@each_figure
def test_a_picture_holds_all_of_it(figure: Figure, told: dict[str, Any]) -> None:
    """No tile and no badge is cut off."""
    root = picture(figure)
    _x, _y, width, height = map(int, root.attributes["viewbox"].split())
    x0, y0, wide, high = map(int, root.by_class("board__tiles")[0].attributes["viewbox"].split())
    for use in root.by_class("board__tile"):
        left_of, top_of = (int(use.all("use")[0].attributes.get(name, 0)) for name in "xy")
        body = use.all("use")[0].attributes["href"]
        long, across = (200, 100) if body == "#d-ls" else (100, 200)
        assert x0 <= left_of <= x0 + wide - long, "a tile sticks out sideways"
        assert y0 <= top_of <= y0 + high - across, "a tile sticks out above or below"
    for badge in root.by_class("badge"):
        left, top = (float(badge.attributes[name].rstrip("%")) / 100 for name in "xy")
        shape = badge.all("use")[0].attributes
        reach = REACHES[shape["href"]]
        x, y = (float(shape.get(name, 0)) for name in "xy")
        assert reach <= left * width + x <= width - reach
        assert reach <= top * height + y <= height - reach
    assert told["tiles"]


@pytest.mark.parametrize("language", LANGUAGES)
@each_figure
def test_the_words_say_all_of_it(figure: Figure, told: dict[str, Any], language: str) -> None:
    """SB-81, as the picture's name and open to all."""
    shown = drawn(figure, language)
    names = dict(zip(PORT_NAMES, PORTS[language], strict=True))
    contributions, score, tiles, spinner, joins, sites, each = shown.facts
    terms = " + ".join(str(one["value"]) for one in told["counted"])
    assert f" {terms} = {told['sum']}." in contributions
    assert re.findall(r"\d+", score) == [str(told["score"])]
    assert ", ".join(map(bracketed, told["tiles"])) in tiles
    assert re.findall(r"\[.\|.\]", spinner) == ([bracketed(told["spinner"])] if told["spinner"] else [])
    for join in told["connections"]:
        one, other = join["a"], join["b"]
        pair = f"{bracketed(one['tile'])} {names[one['port']]} – {bracketed(other['tile'])} {names[other['port']]}"
        assert pair in joins
    assert joins.count(" – ") == len(told["connections"])
    listed = [f"{bracketed(site['tile'])} ({names[site['port']]}, {site['value']})" for site in told["legal_sites"]]
    assert "; ".join(listed) in sites
    assert ", ".join(f"{bracketed(one['tile'])} {one['value']}" for one in told["counted"]) in each
    svg = read(shown.picture).all("svg")[0].attributes
    assert svg["role"] == "img"
    assert svg["aria-label"] == " ".join(shown.facts)


@each_figure
def test_a_caption_gives_the_tile_the_sum_and_the_score(figure: Figure, told: dict[str, Any]) -> None:
    shown = drawn(figure)
    verb = "Opened with" if told["placed_at"] is None else "Placed"
    assert shown.title == f"{verb} {bracketed(told['placed'])}"
    assert shown.ends == f"{' + '.join(str(one['value']) for one in told['counted'])} = {told['sum']}"
    assert shown.gain == (f"+{told['score']}" if told["score"] else "0")
    assert shown.scores == (told["score"] > 0)
    if told["score"]:
        chips = told["score"] // 5
        assert shown.chips == f"{chips} chip{'s' if chips > 1 else ''}"
    assert MINUS not in shown.gain
