"""What the drawn picture shows, read from its own coordinates: equal halves touch, and no arm bends at a double."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

import pytest

from games import pieces
from games.drawing import board_svg
from games.rules import Tile, format_tile
from games.rules.geometry import TABLE_FORMATS, Drawing, layout
from tests.table.positions import CHOICES, Table, hand, whole_set

HANDS = 12
HALF = 100  # units of the drawing
NEAR = 12  # a tile keeps a hair's breadth around itself
_TILE = re.compile(r'<g class="board__tile" id="t-(\d)-(\d)">(.*?)</g>')
_USE = re.compile(r'<use href="#d-([ul])(s|\d)"(?: x="(-?\d+)")?(?: y="(-?\d+)")?/>')


class Half(NamedTuple):
    """The square of a half in the picture, and how many pips are seen in it."""

    tile: str
    x: int
    y: int
    pips: int
    is_upright: bool


def pips_of(name: str) -> int:
    """How many dots the piece of that name has in the definitions of the page."""
    found = re.search(rf'<(g|path)[^>]*\bid="d-{name}"[^>]*?(?:/>|>.*?</\1>)', pieces.defs())
    assert found, name
    return found[0].count("<circle") or found[0].count("<use")


PIPS = {f"{way}{value}": pips_of(f"{way}{value}") for way in "ul" for value in range(1, 7)}


def halves_of(svg: str) -> list[Half]:
    """Both halves of every tile as they are drawn."""
    found = []
    for low, high, inner in _TILE.findall(svg):
        body, *faces = [(way, what, int(x or 0), int(y or 0)) for way, what, x, y in _USE.findall(inner)]
        way, what, left, top = body
        assert what == "s"
        step_x, step_y = (HALF, 0) if way == "l" else (0, HALF)
        seen = {}
        for face_way, value, x, y in faces:
            assert face_way == way
            second = x - left > HALF // 2 or y - top > HALF // 2
            assert second not in seen
            seen[second] = PIPS[way + value]
        for second in (False, True):
            place = (left + step_x * second, top + step_y * second)
            found.append(Half(f"{low}|{high}", *place, seen.get(second, 0), way == "u"))
    return found


def touch(one: Half, other: Half) -> bool:
    """Whether two squares share more than a corner of an edge."""
    apart_x, apart_y = abs(one.x - other.x), abs(one.y - other.y)
    along, across = max(apart_x, apart_y), min(apart_x, apart_y)
    return abs(along - HALF) <= NEAR and across <= HALF // 2 + NEAR


def inner_neighbours(table: Table) -> dict[Tile, Tile]:
    """Of each tile the one before it on its arm, from the spinner or else the opening tile outwards."""
    neighbours: dict[Tile, list[Tile]] = {tile: [] for tile in table.tiles}
    for earlier, later in table.joins:
        neighbours[earlier.tile].append(later.tile)
        neighbours[later.tile].append(earlier.tile)
    reached = [table.spinner or table.tiles[0]]
    before: dict[Tile, Tile] = {}
    for tile in reached:
        for other in neighbours[tile]:
            if other != before.get(tile):
                before[other] = tile
                reached.append(other)
    return before


def corners_behind_doubles(table: Table, drawing: Drawing) -> set[frozenset[str]]:
    """Where a tile turns directly behind a double: unavoidable where double, single, double come at the inner wall."""
    before = inner_neighbours(table)
    return {
        frozenset({format_tile(pose.tile), format_tile(before[pose.tile])})
        for pose in drawing.poses
        if pose.turn != "straight" and before[pose.tile].is_double
    }


def check_picture(table: Table, table_format: str, drawing: Drawing) -> None:
    halves = halves_of(board_svg(table, table_format))
    assert len(halves) == 2 * len(table.tiles)
    corners = corners_behind_doubles(table, drawing)
    equal: set[frozenset[str]] = set()
    for one, other in combinations(halves, 2):
        pair = frozenset({one.tile, other.tile})
        if len(pair) == 1:
            continue
        assert abs(one.x - other.x) >= HALF - NEAR or abs(one.y - other.y) >= HALF - NEAR, f"{one} lies on {other}"
        if touch(one, other):
            # The far half of a tile that turns behind a double comes to lie along the double, too.
            assert one.pips == other.pips or pair in corners, f"{one} touches {other}"
            equal |= {pair} if one.pips == other.pips else set()
    assert equal == {frozenset({format_tile(one.tile), format_tile(other.tile)}) for one, other in table.joins}


def drawn(table_format: str, hands: int) -> Iterator[tuple[Table, Drawing]]:
    """The last position of hands that are played, and of chains of the whole set."""
    for seed in range(hands):
        for *_, table in (hand(seed, CHOICES[seed % len(CHOICES)]), whole_set(seed)):
            yield table, layout(table.tiles, table.joins, table.spinner, table_format)


def test_the_pieces_have_as_many_dots_as_they_are_called() -> None:
    assert {f"{way}{value}": value for way in "ul" for value in range(1, 7)} == PIPS


@pytest.mark.parametrize("table_format", TABLE_FORMATS)
def test_touching_halves_show_the_same_number_in_the_picture(table_format: str) -> None:
    """B020: in each of the four directions and behind every bend, in every shape of table."""
    seen = set()
    for table, drawing in drawn(table_format, HANDS):
        check_picture(table, table_format, drawing)
        seen |= {pose.direction for pose in drawing.poses} | {pose.turn for pose in drawing.poses}
    assert seen == {0, 1, 2, 3, "straight", "left", "right"}


@pytest.mark.parametrize("table_format", TABLE_FORMATS)
def test_no_arm_bends_in_a_double(table_format: str) -> None:
    """B018: and directly behind one only where there is no other way, which is rare."""
    bends = behind = 0
    for table, drawing in drawn(table_format, 4 * HANDS):
        turned = [pose for pose in drawing.poses if pose.turn != "straight"]
        assert not any(pose.tile.is_double for pose in turned)
        bends += len(turned)
        behind += len(corners_behind_doubles(table, drawing))
    assert bends > 20
    assert behind * 10 < bends
