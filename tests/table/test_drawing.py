"""The cloth and the pieces as SVG: what is shown, that it is well formed, and that nothing slips in or out."""

import itertools
import random
import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple
from xml.etree import ElementTree

import pytest
from django.template import Context, Template

from games import pieces
from games.drawing import board_svg, describe
from games.rules import TILES, Site, Tile, format_site, format_tile, parse_site, parse_tile
from games.rules.geometry import EAST, NORTH, SCALE, SOUTH, TABLE_FORMATS, WEST, camera, layout
from games.rules.geometry import ghost as pose_of
from tests.table.positions import Table, hand, value, whole_set, written
from tests.table.test_geometry import FIGURES

CIRCLE_WIDTH = 44

PHONE_RADIUS = 17  # of a circle as it is drawn where tiles are small


class Play(NamedTuple):
    tile: Tile
    site: Site | None
    contributions: tuple[tuple[Tile, int], ...]
    total: int
    due: int


def plays(table: Table, held: list[Tile]) -> list[Play]:
    found = []
    for tile, site in itertools.chain.from_iterable(map(table.moves, held)):
        contributions = table.place(tile, site).contributions
        total = sum(value for _, value in contributions)
        found.append(Play(tile, site, contributions, total, 0 if total % 5 else total))
    return found


def some_held(table: Table, seed: int) -> list[Tile]:
    rest = [tile for tile in TILES if tile not in table.tiles]
    return random.Random(seed).sample(rest, min(7, len(rest)))


def parse(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def of_class(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [element for element in root.iter() if name in element.get("class", "").split()]


def texts(elements: list[ElementTree.Element]) -> list[str]:
    return ["".join(element.itertext()) for element in elements]


def every_table(hands: int) -> Iterator[tuple[int, int, Table]]:
    """Each stage of so many hands that has a tile on the table, with the numbers of hand and move."""
    for seed in range(hands):
        for number, table in enumerate(hand(seed)):
            if table.tiles:
                yield seed, number, table


def outline(place: ElementTree.Element, width: int, height: int) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of a place on the smallest cloth, in pixels."""
    (box,) = of_class(place, "ghost__outline")
    left, top = share(box.get("x")) * width, share(box.get("y")) * height
    return left, top, left + share(box.get("width")) * width, top + share(box.get("height")) * height


def circle_of(place: ElementTree.Element, kind: str, width: int, height: int) -> tuple[float, float]:
    """The middle of its circle there."""
    (pin,) = of_class(place, kind)
    x, y = float(pin[0].get("cx", "")), float(pin[0].get("cy", ""))
    return share(pin.get("x")) * width + x, share(pin.get("y")) * height + y


def tile_boxes(table: Table, table_format: str) -> list[tuple[float, float, float, float]]:
    """Where the placed tiles lie there."""
    width, height = TABLE_FORMATS[table_format].box
    view = camera(table.tiles, table.joins, table_format)
    poses = layout(table.tiles, table.joins, table.spinner, table_format).poses
    across, down = width / view.width, height / view.height
    return [
        (
            (pose.x0 * SCALE - view.x) * across,
            (pose.y0 * SCALE - view.y) * down,
            (pose.x1 * SCALE - view.x) * across,
            (pose.y1 * SCALE - view.y) * down,
        )
        for pose in poses
    ]


def covered(spot: tuple[float, float], boxes: list[tuple[float, float, float, float]], radius: float) -> int:
    x, y = spot
    return sum(
        (min(max(x, left), right) - x) ** 2 + (min(max(y, top), bottom) - y) ** 2 < radius**2
        for left, top, right, bottom in boxes
    )


def share(text: str | None) -> float:
    assert text is not None
    return float(text.removesuffix("%")) / 100


@pytest.mark.parametrize("figure", FIGURES)
def test_every_contribution_is_a_number_and_every_other_site_a_ring(figure: str) -> None:
    table = written(FIGURES[figure])
    board = parse(board_svg(table, "wide", last=table.tiles[-1]))
    rings = of_class(board, "badge--ring")
    numbers = [badge for badge in of_class(board, "badge") if badge not in rings]
    assert sorted(texts(numbers)) == sorted(str(value) for _, value in table.contributions)
    alone = len(table.tiles) == 1 and table.tiles[0].is_double
    counted = set() if alone else {badge.get("data-site") for badge in numbers}
    assert {ring.get("data-site") for ring in rings} == {format_site(site) for site in table.sites} - counted


@pytest.mark.parametrize("table_format", TABLE_FORMATS)
def test_an_end_shows_its_own_value(table_format: str) -> None:
    for seed in range(20):
        *_, table = hand(seed)
        board = parse(board_svg(table, table_format))
        for badge in of_class(board, "badge"):
            site = next(site for site in table.sites if format_site(site) == badge.get("data-site"))
            if "badge--ring" not in badge.get("class", ""):
                factor = 2 if site.tile.is_double else 1
                assert texts([badge]) == [str(factor * value(site))]


def test_a_badge_is_as_far_from_its_tile_with_two_digits_as_with_one() -> None:
    grounds = {
        rect.get("id"): float(rect.get("width", "")) / 2 for rect in of_class(parse(pieces.defs()), "badge__ground")
    }
    gaps: dict[str, set[float]] = {}
    for _seed, _number, table in every_table(12):
        for badge in of_class(parse(board_svg(table, "wide")), "badge"):
            for use in (use for use in badge.iter() if use.get("href", "").startswith("#d-num")):
                name, across = use.get("href", "")[1:], abs(float(use.get("x", "0")))
                if across:
                    gaps.setdefault(name, set()).add(across - grounds[name])
    assert gaps == {"d-num1": {5}, "d-num2": {5}}


def test_a_lone_double_counts_once_clear_of_its_two_rings() -> None:
    board = parse(board_svg(written("2|2"), "wide"))
    assert texts(of_class(board, "badge")) == ["", "4", ""]
    west, above, east = of_class(board, "badge")
    assert share(west.get("x")) < share(above.get("x")) < share(east.get("x"))
    assert share(above.get("y")) < share(west.get("y"))


def test_the_spinner_and_the_last_tile_are_outlined_above_all_tiles() -> None:
    table = written(FIGURES["F09"])
    tiles = of_class(parse(board_svg(table, "long", last=Tile(1, 5))), "board__tiles")[0]
    classes = [element.get("class") for element in tiles]
    assert classes == ["board__tile"] * 6 + ["board__last", "board__spinner"]
    assert tiles[-1].get("stroke") == "var(--spinner)"


def test_a_spinner_just_played_has_one_outline() -> None:
    tiles = of_class(parse(board_svg(written("2|2"), "long", last=Tile(2, 2))), "board__tiles")[0]
    assert [element.get("class") for element in tiles] == ["board__tile", "board__spinner"]


def test_placed_tiles_have_stable_ids_unless_two_boards_share_a_page() -> None:
    table = written(FIGURES["F08"])
    ids = [element.get("id") for element in of_class(parse(board_svg(table, "wide")), "board__tile")]
    assert sorted(ids) == ["t-1-1", "t-1-2", "t-1-4", "t-3-4", "t-4-4"]
    assert " id=" not in board_svg(table, "wide", with_ids=False)


def test_every_preview_is_a_hidden_place_with_its_score() -> None:
    table = written(FIGURES["F08"])
    previews = plays(table, [Tile(1, 5), Tile(2, 3), Tile(3, 3)])
    labels = {(play.tile, play.site): f"{format_tile(play.tile)} here" for play in previews}
    ghosts = of_class(parse(board_svg(table, "wide", previews=previews, ghost_labels=labels)), "ghost")
    shown = {
        (ghost.get("data-tile"), ghost.get("data-site"), ghost.get("data-due"), ghost.get("data-total"))
        for ghost in ghosts
    }
    assert shown == {
        (format_tile(play.tile), format_site(play.site) if play.site else "", str(play.due), str(play.total))
        for play in previews
    }
    for ghost in ghosts:
        assert ghost.get("display") == "none"
        assert (ghost.get("role"), ghost.get("tabindex")) == ("button", "0")
        assert ghost.get("aria-label") == f"{ghost.get('data-tile')} here"
        points = "0" if ghost.get("data-due") == "0" else f"+{ghost.get('data-due')}"
        assert texts(of_class(ghost, "ghost__rest")) == texts(of_class(ghost, "ghost__aimed")) == [points]
        assert sum(map(int, ghost.get("data-ends", "").split("+"))) == int(ghost.get("data-total", ""))


def test_the_places_of_a_tile_come_clockwise_from_the_west() -> None:
    table = written(FIGURES["F11"])
    ghosts = of_class(parse(board_svg(table, "wide", previews=plays(table, [Tile(2, 3)]))), "ghost")
    assert [ghost.get("data-site") for ghost in ghosts] == ["1|2.high", "1|3.high", "3|4.low"]


def test_the_opening_tile_has_one_place_in_the_middle() -> None:
    (ghost,) = of_class(parse(board_svg(Table(), "wide", previews=plays(Table(), [Tile(2, 3)]))), "ghost")
    assert (ghost.get("data-site"), ghost.get("data-due")) == ("", "5")
    (rest,) = of_class(ghost, "ghost__rest")
    assert (share(rest.get("x")), share(rest.get("y"))) == pytest.approx((0.5, 0.5), abs=0.001)


@pytest.mark.parametrize("table_format", TABLE_FORMATS)
def test_circles_can_be_hit_one_by_one_on_small_and_large_screens(table_format: str) -> None:
    width, height = TABLE_FORMATS[table_format].box
    for seed in range(6):
        for number, table in enumerate(hand(seed)):
            previews = plays(table, some_held(table, number))
            places: dict[str, list[tuple[float, float, float, float]]] = {}
            for ghost in of_class(parse(board_svg(table, table_format, previews=previews)), "ghost"):
                rest, aimed = of_class(ghost, "ghost__rest")[0], of_class(ghost, "ghost__aimed")[0]
                for pin in (rest, aimed):
                    x = share(pin.get("x")) * width + float(pin[0].get("cx", ""))
                    y = share(pin.get("y")) * height + float(pin[0].get("cy", ""))
                    # Whole on the cloth, whose edge lies 8 px beyond the board.
                    assert 22 - 8 <= x <= width - 22 + 8
                    assert 22 - 8 <= y <= height - 22 + 8
                spot = (share(rest.get("x")), share(rest.get("y")))
                places.setdefault(ghost.get("data-tile", ""), []).append(
                    (*spot, float(rest[0].get("cx", "")), float(rest[0].get("cy", "")))
                )
            for a, b in (pair for circles in places.values() for pair in itertools.combinations(circles, 2)):
                for zoom in (1, 1.5, 3):
                    dx = (a[0] - b[0]) * width * zoom + a[2] - b[2]
                    dy = (a[1] - b[1]) * height * zoom + a[3] - b[3]
                    assert dx * dx + dy * dy >= (CIRCLE_WIDTH - 1) ** 2


@pytest.mark.parametrize("table_format", TABLE_FORMATS)
def test_the_circle_of_an_aimed_place_covers_no_pip_of_its_tile_on_any_cloth(table_format: str) -> None:
    width, height = TABLE_FORMATS[table_format].box
    for seed in range(6):
        for number, table in enumerate(hand(seed)):
            previews = plays(table, some_held(table, number))
            for ghost in of_class(parse(board_svg(table, table_format, previews=previews)), "ghost"):
                tile, pin = of_class(ghost, "ghost__tile")[0], of_class(ghost, "ghost__aimed")[0]
                cx, cy = float(pin[0].get("cx", "")), float(pin[0].get("cy", ""))
                for zoom in (1, 1.5, 3):
                    left, top = share(tile.get("x")) * width * zoom, share(tile.get("y")) * height * zoom
                    right = left + share(tile.get("width")) * width * zoom
                    bottom = top + share(tile.get("height")) * height * zoom
                    x, y = share(pin.get("x")) * width * zoom + cx, share(pin.get("y")) * height * zoom + cy
                    apart = (x - min(max(x, left), right), y - min(max(y, top), bottom))
                    assert apart[0] ** 2 + apart[1] ** 2 > CIRCLE_WIDTH**2 / 4
                    assert 22 - 8 - 1 <= x <= width * zoom - 22 + 8 + 1
                    assert 22 - 8 - 1 <= y <= height * zoom - 22 + 8 + 1


@pytest.mark.parametrize("table_format", TABLE_FORMATS)
def test_an_aimed_circle_at_a_side_of_its_tile_covers_no_more_than_at_the_other(table_format: str) -> None:
    """On the smallest cloth, where the board ends before a circle beyond the tile has room."""
    width, height = TABLE_FORMATS[table_format].box
    sides = 0
    for seed, number, table in every_table(12):
        boxes = tile_boxes(table, table_format)
        previews = plays(table, some_held(table, number))
        for place in of_class(parse(board_svg(table, table_format, previews=previews)), "ghost"):
            left, top, right, bottom = outline(place, width, height)
            x, y = circle_of(place, "ghost__aimed", width, height)
            other = None
            if right - left < bottom - top and top < y < bottom:
                other = (left + right - x, y)
            elif right - left > bottom - top and left < x < right:
                other = (x, top + bottom - y)
            if other is None or not (18 <= other[0] <= width - 18 and 18 <= other[1] <= height - 18):
                continue
            sides += 1
            assert covered((x, y), boxes, 21) <= covered(other, boxes, 23), f"hand {seed}, move {number}"
    assert sides


@pytest.mark.parametrize("table_format", TABLE_FORMATS)
def test_the_outline_of_a_place_is_seen_between_its_neighbour_and_its_circle(table_format: str) -> None:
    width, height = TABLE_FORMATS[table_format].box
    for seed, number, table in every_table(6):
        drawing = layout(table.tiles, table.joins, table.spinner, table_format)
        previews = plays(table, some_held(table, number))
        places = of_class(parse(board_svg(table, table_format, previews=previews)), "ghost")
        counts = Counter(place.get("data-tile") for place in places)
        for place in places:
            x, y = circle_of(place, "ghost__rest", width, height)
            # Another circle, or the end of the cloth, may be nearer.
            if counts[place.get("data-tile")] > 1 or not (18 < x < width - 18 and 18 < y < height - 18):
                continue
            pose = pose_of(drawing, parse_tile(place.get("data-tile", "")), parse_site(place.get("data-site", "")))
            left, top, right, bottom = outline(place, width, height)
            seen = {EAST: x - left, WEST: right - x, SOUTH: y - top, NORTH: bottom - y}[pose.direction] - PHONE_RADIUS
            assert seen >= 9, f"hand {seed}, move {number}"


def test_texts_of_the_caller_are_escaped() -> None:
    table = written("1|4")
    (play,) = plays(table, [Tile(4, 5)])
    svg = board_svg(table, "wide", previews=[play], label='<b>"', ghost_labels={(play.tile, play.site): "<i>'&"})
    root = parse(svg)
    assert "<b>" not in svg
    assert of_class(root, "ghost")[0].get("aria-label") == "<i>'&"
    assert root[0].get("aria-label") == '<b>"'


def test_a_full_table_is_small_and_free_of_inline_styles() -> None:
    for seed in range(60):
        *_, table = whole_set(seed)
        svg = board_svg(table, "square", last=table.tiles[-1], label="…")
        assert len(svg.encode()) < 25_000
        assert "style=" not in svg
        assert parse(svg).get("data-format") == "square"


def test_an_empty_table_is_drawn() -> None:
    board = parse(board_svg(Table(), "strip-turned"))
    assert of_class(board, "board__tile") == of_class(board, "badge") == []


def test_a_description_holds_what_the_rule_texts_say() -> None:
    table = written(FIGURES["F11"])
    shown = describe(table)
    assert [value for _, value in shown.contributions] == [0, 2, 3, 3]
    assert shown.total == 8
    assert shown.spinner == Tile(1, 1)
    assert shown.tiles == table.tiles
    assert shown.connections == table.joins
    assert [(format_site(site), value) for site, value in shown.sites] == [
        ("0|5.low", 0),
        ("1|2.high", 2),
        ("1|3.high", 3),
        ("3|4.low", 3),
    ]


def all_pieces() -> list[str]:
    faces = [pieces.tile_face(tile, 46, upright=upright) for tile in TILES for upright in (True, False)]
    backs = [pieces.tile_back(26), pieces.tile_back(26, upright=False)]
    stacks = [pieces.chips(points, width) for points in (0, 5, 25, 150, 300) for width in (11, 24)]
    rings = [pieces.clock_ring(left, state) for left, state in ((10, "delay"), (0, "bank"), (0, "paused"))]
    icons = [pieces.icon(name) for name in pieces.ICONS]
    others = [pieces.flying_chip(36), pieces.logo(), pieces.avatar("Zeynep Karahanoğlu")]
    return [*faces, *backs, *stacks, *rings, *icons, *others]


def test_pieces_are_well_formed_and_use_only_what_is_defined() -> None:
    defined = {element.get("id") for element in parse(pieces.defs()).iter() if element.get("id")}
    used = set()
    for piece in (*all_pieces(), pieces.defs(), board_svg(written(FIGURES["F11"]), "wide")):
        assert "style=" not in piece
        for element in parse(piece).iter():
            used.update(re.findall(r"^#(.+)$", element.get("href", "")))
            used.update(re.findall(r"url\(#(.+?)\)", element.get("fill", "")))
    assert used <= defined


def test_pips_are_as_many_as_the_tile_says() -> None:
    halves = {
        element.get("id"): len(element)
        for element in parse(pieces.defs()).iter()
        if re.fullmatch(r"d-[ul][1-6]", element.get("id", ""))
    }
    assert halves == {f"d-{way}{value}": value for way in "ul" for value in range(1, 7)}
    face = pieces.tile_face(Tile(3, 5), 46)
    assert re.findall(r"#d-u(\d)", face) == ["5", "3"]
    assert re.findall(r"#d-u(\d)", pieces.tile_face(Tile(3, 5), 46, larger_first=False)) == ["3", "5"]


def test_a_tile_face_has_a_name_only_when_it_is_given_one() -> None:
    assert parse(pieces.tile_face(Tile(0, 1), 20)).get("aria-hidden") == "true"
    assert parse(pieces.tile_face(Tile(0, 1), 20, label="1 & 0")).get("aria-label") == "1 & 0"


def test_a_back_has_nothing_of_the_tile_behind_it() -> None:
    assert "id=" not in pieces.tile_back(26)
    assert "data-" not in pieces.tile_back(26)


@pytest.mark.parametrize(("points", "stacks"), [(0, []), (5, ["1"]), (25, ["5"]), (165, ["5"] * 6 + ["3"])])
def test_chips_stand_in_stacks_of_five(points: int, stacks: list[str]) -> None:
    assert re.findall(r"#d-c(\d)", pieces.chips(points, 19)) == stacks


def test_three_hundred_points_fit_beside_the_number() -> None:
    assert float(parse(pieces.chips(300, 11)).get("width", "")) <= 170


def test_a_clock_ring_lights_what_is_left_of_the_delay() -> None:
    ring = parse(pieces.clock_ring(7, "delay"))
    assert [segment.get("data-lit") for segment in of_class(ring, "clock__segment")] == [""] * 7 + [None] * 3
    assert ring.get("data-state") == "delay"
    assert texts(of_class(ring, "clock__count")) == ["7"]


@pytest.mark.parametrize(
    ("name", "language", "expected"),
    [
        ("Przemysław Wiśniewski-Kowalczyk", "pl", "PW"),
        ("inci ışık", "tr", "İI"),
        ("ivy", "en", "I"),
        ("élodie dupont martin", "fr", "ÉD"),
        ("e\u0301lodie", "fr", "É"),
        ("", "en", ""),
    ],
)
def test_initials_follow_the_language(name: str, language: str, expected: str) -> None:
    assert pieces.initials(name, language) == expected


def test_an_avatar_escapes_and_keeps_its_hue() -> None:
    assert "<script" not in pieces.avatar("<script> <b>")
    assert pieces.avatar("Alice") == pieces.avatar("Alice")
    assert 'class="avatar avatar--l"' in pieces.avatar("Alice", size="l")


def test_an_unknown_icon_is_an_error() -> None:
    with pytest.raises(KeyError):
        pieces.icon("unicorn")


def test_the_tags_draw_the_same_pieces() -> None:
    template = Template(
        "{% load domino %}{% domino_defs %}|{% tile_face tile 46 upright=False label=name %}|{% tile_back 26 %}|"
        '{% chips 150 19 %}|{% flying_chip 36 %}|{% clock_ring 7 "delay" %}|{% icon "back" %}|{% logo %}|'
        "{% avatar name %}"
    )
    drawn = template.render(Context({"tile": Tile(1, 4), "name": "Ann <Lee"})).split("|")
    assert drawn == [
        pieces.defs(),
        pieces.tile_face(Tile(1, 4), 46, upright=False, label="Ann <Lee"),
        pieces.tile_back(26),
        pieces.chips(150, 19),
        pieces.flying_chip(36),
        pieces.clock_ring(7, "delay"),
        pieces.icon("back"),
        pieces.logo(),
        pieces.avatar("Ann <Lee"),
    ]
