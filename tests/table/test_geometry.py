"""Where tiles lie: nothing overlaps, every join holds, and nothing moves without a reason."""

import os
from collections.abc import Iterator
from itertools import combinations, pairwise, product

import pytest

from games.rules import Site, Tile
from games.rules.geometry import (
    TABLE_FORMATS,
    Drawing,
    Pose,
    camera,
    fit,
    ghost,
    layout,
    pick_format,
)
from tests.table.positions import CHOICES, Table, hand, value, whole_set, written

HANDS = 5000 if os.environ.get("BONEYARD_SOAK") else 500

# The figures of the rule text, as the placements that lead to them.
FIGURES = {
    "F01": "1|4",
    "F02": "1|4 1|1@1|4.low",
    "F03": "3|6 6|6@3|6.high",
    "F04": "0|0",
    "F05": "1|4 1|1@1|4.low 4|4@1|4.high",
    "F06": "1|4 1|1@1|4.low 4|4@1|4.high 3|4@4|4.line_b",
    "F07": "2|2",
    "F08": "1|4 1|1@1|4.low 4|4@1|4.high 3|4@4|4.line_b 1|2@1|1.line_b",
    "F09": "1|4 1|1@1|4.low 4|4@1|4.high 3|4@4|4.line_b 1|2@1|1.line_b 1|5@1|1.arm_a",
    "F10": "1|4 1|1@1|4.low 4|4@1|4.high 3|4@4|4.line_b 1|2@1|1.line_b 1|5@1|1.arm_a 5|5@1|5.high 0|5@5|5.line_b",
    "F11": "1|4 1|1@1|4.low 4|4@1|4.high 3|4@4|4.line_b 1|2@1|1.line_b 1|5@1|1.arm_a 5|5@1|5.high 0|5@5|5.line_b"
    " 1|3@1|1.arm_b",
}


def draw(table: Table, table_format: str) -> Drawing:
    return layout(table.tiles, table.joins, table.spinner, table_format)


def cells(pose: Pose) -> Iterator[tuple[int, int]]:
    """The 1q squares that a tile covers."""
    return ((x, y) for x in range(pose.x0, pose.x1) for y in range(pose.y0, pose.y1))


def half_at(pose: Pose, x: int, y: int) -> int:
    """The pips of the half that covers a 1q square."""
    first, second = pose.halves
    middle = pose.y0 + 2 if pose.is_upright else pose.x0 + 2
    return first if (y if pose.is_upright else x) < middle else second


def gap(a: Pose, b: Pose) -> int:
    """q between two boxes; negative where they overlap."""
    return max(max(a.x0, b.x0) - min(a.x1, b.x1), max(a.y0, b.y0) - min(a.y1, b.y1))


def contact(a: Pose, b: Pose) -> set[tuple[int, int]]:
    """The halves, as (value in a, value in b), that face each other where two tiles touch."""
    covered = set(cells(b))
    return {
        (half_at(a, x, y), half_at(b, x + dx, y + dy))
        for x, y in cells(a)
        for dx, dy in ((1, 0), (0, 1), (-1, 0), (0, -1))
        if (x + dx, y + dy) in covered
    }


def assert_sound(table: Table, drawing: Drawing, *, since: int = 0) -> None:
    """Nothing overlaps, joins hold, doubles lie crosswise; only what tiles from number `since` on have to do with."""
    poses = {pose.tile: pose for pose in drawing.poses}
    assert list(poses) == list(table.tiles)
    newer = set(table.tiles[since:])
    partners: dict[Tile, set[Tile]] = {tile: set() for tile in table.tiles}
    for earlier, later in table.joins:
        a, b = poses[earlier.tile], poses[later.tile]
        partners[earlier.tile].add(later.tile)
        partners[later.tile].add(earlier.tile)
        if later.tile not in newer:
            continue
        assert gap(a, b) == 0, f"{earlier} and {later} are apart"
        assert (value(earlier), value(later)) in contact(a, b), f"unequal halves at {earlier} and {later}"
    for a, b in combinations(drawing.poses, 2) if not since else product(drawing.poses[:since], drawing.poses[since:]):
        if b.tile not in partners[a.tile]:
            near = partners[a.tile] & partners[b.tile]
            assert gap(a, b) >= (1 if near else 2), f"{a} and {b} are too close"
    for pose in drawing.poses:
        runs_west_east = pose.direction % 2 == 0
        assert pose.is_upright == (runs_west_east == pose.tile.is_double), f"{pose} lies the wrong way"
        assert (pose.x1 - pose.x0, pose.y1 - pose.y0) in {(4, 2), (2, 4)}
    assert {place.site for place in drawing.places if place.is_site} == set(table.sites)


def moved(before: Drawing, after: Drawing) -> bool:
    """Whether earlier tiles changed their places otherwise than by one common shift."""
    dx, dy = after.poses[0].x0 - before.poses[0].x0, after.poses[0].y0 - before.poses[0].y0
    return any(
        (old.x0 + dx, old.y0 + dy, old.x1 + dx, old.y1 + dy, old.direction % 2, old.halves)
        != (new.x0, new.y0, new.x1, new.y1, new.direction % 2, new.halves)
        for old, new in zip(before.poses, after.poses, strict=False)
    )


@pytest.mark.parametrize("table_format", TABLE_FORMATS)
def test_hands_lie_soundly_and_earlier_tiles_stay(table_format: str) -> None:
    straight = TABLE_FORMATS[table_format].line // 4
    for seed in range(HANDS):
        before: tuple[Table, Drawing] | None = None
        for table in hand(seed, CHOICES[seed % 3 if seed % 2 else 0]):
            drawing = draw(table, table_format)
            has_moved = before is not None and moved(before[1], drawing)
            if before is not None and has_moved:
                # The one reason: the first double came after the line had folded.
                assert before[0].spinner is None
                assert table.spinner is not None
                assert len(before[0].tiles) > straight
            assert_sound(table, drawing, since=0 if before is None or has_moved else len(table.tiles) - 1)
            before = table, drawing


@pytest.mark.parametrize("table_format", TABLE_FORMATS)
def test_chains_of_the_whole_set_lie_soundly(table_format: str) -> None:
    for seed in range(HANDS // 5):
        *_, table = whole_set(seed)
        assert_sound(table, draw(table, table_format))


@pytest.mark.parametrize("table_format", ["square", "long-turned"])
def test_a_hand_with_its_doubles_held_back_lies_soundly(table_format: str) -> None:
    for seed in range(HANDS // 10):
        for table in hand(seed, CHOICES[3]):
            assert_sound(table, draw(table, table_format))


@pytest.mark.parametrize("table_format", TABLE_FORMATS)
@pytest.mark.parametrize("figure", FIGURES)
def test_the_figures_of_the_rules_are_drawn(figure: str, table_format: str) -> None:
    table = written(FIGURES[figure])
    assert_sound(table, draw(table, table_format))


@pytest.mark.parametrize("table_format", TABLE_FORMATS)
def test_a_ghost_shows_where_the_tile_will_lie(table_format: str) -> None:
    for seed in range(HANDS // 25):
        for table, later in pairwise(hand(seed)):
            drawing, played = draw(table, table_format), draw(later, table_format)
            if moved(drawing, played):
                continue
            site = later.joins[-1][0]
            pose = ghost(drawing, later.tiles[-1], site)
            shift_x = drawing.poses[0].x0 - played.poses[0].x0
            shift_y = drawing.poses[0].y0 - played.poses[0].y0
            landed = played.poses[-1]
            assert (pose.x0, pose.y0, pose.is_upright) == (
                landed.x0 + shift_x,
                landed.y0 + shift_y,
                landed.is_upright,
            )
            assert pose.halves == landed.halves


def test_a_ghost_of_the_opening_tile_lies_in_the_middle() -> None:
    for table_format in TABLE_FORMATS:
        for tile in (Tile(1, 4), Tile(2, 2)):
            (landed,) = draw(Table().place(tile, None), table_format).poses
            pose = ghost(layout((), (), None, table_format), tile, None)
            assert (pose.x0, pose.y0, pose.x1, pose.y1) == (landed.x0, landed.y0, landed.x1, landed.y1)
            assert pose.x0 + pose.x1 == pose.y0 + pose.y1 == 0


def test_a_ghost_needs_a_place_that_exists() -> None:
    with pytest.raises(LookupError):
        ghost(draw(written("1|4"), "wide"), Tile(2, 4), Site(Tile(3, 3), "line_a"))


def test_an_opening_spinner_has_line_a_in_the_west_and_arm_a_clockwise_of_it() -> None:
    drawing = draw(written("2|2"), "wide")
    assert [(place.site.port, place.is_site) for place in drawing.places] == [
        ("line_a", True),
        ("arm_a", False),
        ("line_b", True),
        ("arm_b", False),
    ]
    west, north, east, south = drawing.places
    assert (west.x, north.y, east.x, south.y) == (-1, -2, 1, 2)


def test_east_is_the_side_of_the_larger_half() -> None:
    west, east = draw(written("1|4"), "wide").places
    assert (west.site.port, west.x, east.site.port, east.x) == ("low", -2, "high", 2)


def test_a_turned_format_turns_the_picture_a_quarter_clockwise() -> None:
    table = written(FIGURES["F11"])
    lying, standing = draw(table, "long"), draw(table, "long-turned")
    for a, b in zip(lying.poses, standing.poses, strict=True):
        assert (b.x0, b.y0, b.x1, b.y1) == (-a.y1, a.x0, -a.y0, a.x1)


@pytest.mark.parametrize(
    ("width", "height", "expected"),
    [
        (360, 270, "wide"),
        (360, 378, "square-turned"),
        (720, 530, "wide"),
        (896, 400, "long"),
        (1268, 650, "long"),
        (500, 500, "square"),
        (900, 300, "strip"),
        (300, 620, "long-turned"),
        (200, 900, "strip-turned"),
        (360, 522, "wide-turned"),
    ],
)
def test_the_nearest_format_is_picked(width: int, height: int, expected: str) -> None:
    assert pick_format(width, height) == expected


def test_a_format_is_kept_until_the_ratio_leaves_it_by_fifteen_percent() -> None:
    assert pick_format(1300, 1000) == "wide"
    assert pick_format(1300, 1000, current="square") == "square"
    assert pick_format(1400, 1000, current="square") == "wide"
    assert pick_format(1000, 1140, current="square") == "square"
    assert pick_format(1000, 1160, current="square") == "square-turned"
    assert pick_format(9000, 1000, current="strip") == "strip"
    assert pick_format(1000, 9000, current="strip-turned") == "strip-turned"
    assert pick_format(1000, 1000, current="round") == "square"


@pytest.mark.parametrize("table_format", TABLE_FORMATS)
def test_the_camera_shows_everything_and_never_grows_within_a_hand(table_format: str) -> None:
    for seed in range(HANDS // 50):
        least = None
        for table in hand(seed):
            view = camera(table.tiles, table.joins, table_format)
            x0, y0, x1, y1 = (50 * edge for edge in draw(table, table_format).box)
            assert view.x <= x0
            assert view.y <= y0
            assert x1 <= view.x + view.width
            assert y1 <= view.y + view.height
            assert least is None or view.scale <= least
            least = view.scale


def test_fit_steps_down_to_half_pixels() -> None:
    assert fit((0, 0, 20, 10), (216, 400), padding=8, largest_half=34) == 40  # 20 px a half
    assert fit((0, 0, 21, 10), (216, 400), padding=8, largest_half=34) == 38
    assert fit((0, 0, 4, 2), (1000, 1000), padding=8, largest_half=34) == 68


def test_an_empty_table_has_no_place() -> None:
    drawing = layout((), (), None, "square")
    assert drawing.poses == drawing.places == ()
    assert camera((), (), "square").scale == 60
