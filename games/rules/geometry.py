"""Where the tiles of a layout lie on the table: poses, open places, table formats and the camera.

The unit is q, a quarter of a tile's length: a half is 2q × 2q, a tile 4q × 2q, a double lies across its arm. Integers
only, so that every device and every replay draws the same picture. Directions are 0 east, 1 south, 2 west, 3 north, and
y grows downwards.

The spinner is the origin and the line through it runs from west to east; a turned format turns the finished picture a
quarter clockwise. Each arm owns its own ray and the quarter on its clockwise side, without end outwards, so no two arms
can ever touch and each is laid alone. An arm never gets stuck: its lanes are stacked away from the spinner, where
nothing bounds them, and a lane that runs towards the spinner ends early enough to leave room for a double, the tile
after it and a corner.

Drawings of the same position are shared, so treat them as values.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from games.rules.layout import Join, Port, Site, site_value
from games.rules.tiles import Tile

HALF = 2
TILE = 4
LANE_PITCH = (
    6  # Lanes of one arm lie three halves apart: two doubles that face each other keep half a tile between them.
)
ROOM_FOR_CORNER = 2  # Cells of one half that must stay free in front of a tile that does not turn.
ROOM_INWARDS = 7  # The same towards the spinner: a double, the tile after it and a corner must still fit.
ROOM_INWARDS_BEHIND_DOUBLE = 4
LEAST_HALF_WIDTH = 17  # A shorter lane could not take a double right after a corner.
RESERVE = 3  # q beyond an open end that the camera shows, for its badge.
SCALE = 50  # Camera boxes are counted in fiftieths of a q, hundredths of a half.

STEP_X = (1, 0, -1, 0)
STEP_Y = (0, 1, 0, -1)
EAST, SOUTH, WEST, NORTH = range(4)

ENDS_OF_LINE: Final[tuple[tuple[Port, int], ...]] = (("high", EAST), ("low", WEST))
WAYS_FROM_SPINNER: Final[tuple[Port, ...]] = ("line_a", "arm_a", "line_b", "arm_b")  # clockwise
OPPOSITE_PORT: Final[dict[Port, Port]] = {"low": "high", "high": "low", "line_a": "line_b", "line_b": "line_a"}


class TableFormat(NamedTuple):
    """A shape of table, and how a layout is folded on it.

    `half_width` and `half_height` are q from the spinner to the walls, `line` the longest chain in q that is kept
    straight while no double lies. `box` is the smallest cloth of this shape in CSS pixels, for which sizes are chosen,
    and `largest_half` the widest a half may get on it.
    """

    name: str
    half_width: int
    half_height: int
    line: int
    is_turned: bool
    box: tuple[int, int]
    largest_half: int


class Pose(NamedTuple):
    """How a tile lies: its box in q, the way its arm runs through it, and the value of the half it is entered by.

    `turn` is "straight", or "right" or "left" where the arm turns in this tile, as seen walking outwards.
    """

    tile: Tile
    x0: int
    y0: int
    x1: int
    y1: int
    direction: int
    entered: int
    turn: str

    @property
    def is_upright(self) -> bool:
        """Whether the tile stands, higher than wide."""
        return self.y1 - self.y0 > self.x1 - self.x0

    @property
    def halves(self) -> tuple[int, int]:
        """The values as they are seen: top and bottom, or left and right."""
        other = self.tile.low + self.tile.high - self.entered
        return (self.entered, other) if self.direction in (EAST, SOUTH) else (other, self.entered)


class Walk(NamedTuple):
    """How far an arm has come, in its own frame: +x the way it leaves the spinner, +y clockwise of it.

    (x, y) is the middle of the open edge and `direction` the way it faces. `lane_start` and `lane_direction` tell where
    the last lane ended, `kept` how many tiles to come are laid straight whatever the walls say.
    """

    x: int
    y: int
    direction: int
    is_behind_double: bool
    mode: str
    lane_start: int
    lane_direction: int
    kept: int


class Arm(NamedTuple):
    """One of the ways out of the middle: `heading` on a table that is not turned, and the walls in the arm's own frame.

    The outer wall is soft, overrunning it only widens the picture; the inner wall is never crossed. A branch arm first
    climbs to `climb`, then its lanes run along y; the lanes of a line arm run along x from the start.
    """

    port: Port
    heading: int
    is_branch: bool
    outer: int
    inner: int
    climb: int
    quarters: int  # clockwise quarters from the arm's frame to the table's


class Place(NamedTuple):
    """An unused port: the middle of its open edge, and the way it faces.

    The arms of the spinner are places before they are sites; only an `is_site` place may be played on (SB-23, SB-25).
    """

    site: Site
    x: int
    y: int
    direction: int
    is_site: bool
    arm: Arm
    walk: Walk


class Drawing(NamedTuple):
    """A laid-out position: poses in order of play, places clockwise from the west, and the box of the tiles in q."""

    poses: tuple[Pose, ...]
    places: tuple[Place, ...]
    box: tuple[int, int, int, int]
    is_turned: bool

    def place_of(self, site: Site) -> Place:
        """Where this unused port lies; LookupError if there is none."""
        for place in self.places:
            if place.site == site:
                return place
        raise LookupError(site)


class Camera(NamedTuple):
    """What the cloth shows: `scale` in half pixels per half tile, and the visible box in fiftieths of a q."""

    scale: int
    x: int
    y: int
    width: int
    height: int


def _formats() -> dict[str, TableFormat]:
    shapes = (
        ("square", 17, 13, 44, (344, 344), 30),
        ("wide", 19, 11, 44, (360, 248), 26),
        ("long", 24, 11, 52, (420, 210), 22),
        ("strip", 32, 11, 68, (580, 200), 20),
    )
    formats = {}
    for name, half_width, half_height, line, (long_side, short_side), largest_half in shapes:
        lying, standing = (long_side, short_side), (short_side, long_side)
        formats[name] = TableFormat(name, half_width, half_height, line, False, lying, largest_half)
        turned = f"{name}-turned"
        formats[turned] = TableFormat(turned, half_width, half_height, line, True, standing, largest_half)
    return formats


TABLE_FORMATS = _formats()

# From the narrowest to the widest, and the squared ratios of width to height at which one gives way to the next: half
# way between the ratios 1, 1.45, 2 and 2.9 on a logarithmic scale.
_FORMATS_BY_RATIO = (
    "strip-turned",
    "long-turned",
    "wide-turned",
    "square-turned",
    "square",
    "wide",
    "long",
    "strip",
)
_BOUNDARIES = ((100, 580), (100, 290), (100, 145), (100, 100), (145, 100), (290, 100), (580, 100))
_HYSTERESIS = (13225, 10000)  # 1.15 squared


def pick_format(width: int, height: int, current: str | None = None) -> str:
    """The format whose ratio is nearest to a cloth's; `current` is kept until the ratio has left it by 15 %.

    >>> pick_format(896, 400), pick_format(360, 378), pick_format(360, 350, current="square-turned")
    ('long', 'square-turned', 'square-turned')
    """
    wide, high = width * width, height * height
    if current in TABLE_FORMATS:
        more, less = _HYSTERESIS
        place = _FORMATS_BY_RATIO.index(current)
        below = _BOUNDARIES[place - 1] if place else (0, 1)
        above = _BOUNDARIES[place] if place < len(_BOUNDARIES) else (1, 0)
        if wide * below[1] * more >= high * below[0] * less and wide * above[1] * less <= high * above[0] * more:
            return current
    return _FORMATS_BY_RATIO[sum(wide * lower >= high * upper for upper, lower in _BOUNDARIES)]


def layout(tiles: Sequence[Tile], joins: Sequence[Join], spinner: Tile | None, table_format: str) -> Drawing:
    """The drawing of a position: `tiles` in order of play, `joins` as (earlier site, later site).

    One more tile leaves every earlier pose as it was, up to one common shift when a spinner becomes the origin. Only
    where the first double is played after a line without doubles had to fold, everything is laid anew.
    """
    return _layout(tuple(tiles), tuple(joins), spinner, table_format)


def ghost(drawing: Drawing, tile: Tile, site: Site | None) -> Pose:
    """Where `tile` would lie beside the tiles of `drawing` if it were played on `site` now; None opens the hand.

    Raises LookupError where the drawing has no such place.
    """
    if site is None:
        return _first_pose(tile, EAST, int(drawing.is_turned))
    place = drawing.place_of(site)
    pose, _ = _step(place.arm, place.walk, tile, site_value(site))
    return pose


def camera(tiles: Sequence[Tile], joins: Sequence[Join], table_format: str) -> Camera:
    """The view of the cloth after these placements: everything and a little room beyond each site.

    It shrinks as the layout grows and never grows within a hand, so that the tiles do not "breathe".
    """
    return _camera(tuple(tiles), tuple(joins), table_format)


def close_up(drawing: Drawing, pixels: tuple[int, int], *, padding: int, largest_half: int) -> Camera:
    """The view of one position in a picture by itself: as large as it may be, whatever came before it."""
    box = _with_reserve(drawing)
    return _around(box, pixels, fit(box, pixels, padding=padding, largest_half=largest_half))


def fit(box: tuple[int, int, int, int], pixels: tuple[int, int], *, padding: int, largest_half: int) -> int:
    """The largest scale, in half pixels per half tile, at which a box in q fits into so many pixels."""
    x0, y0, x1, y1 = box
    width, height = pixels
    return min((width - 2 * padding) * 4 // (x1 - x0), (height - 2 * padding) * 4 // (y1 - y0), 2 * largest_half)


def first_double(tiles: Sequence[Tile]) -> Tile | None:
    """The spinner of a position, if it has one (SB-21)."""
    return next((tile for tile in tiles if tile.is_double), None)


@lru_cache(maxsize=1024)
def _layout(tiles: tuple[Tile, ...], joins: tuple[Join, ...], spinner: Tile | None, name: str) -> Drawing:
    table = TABLE_FORMATS[name]
    if not tiles:
        return Drawing((), (), (-TILE // 2, -TILE // 2, TILE // 2, TILE // 2), table.is_turned)
    partner: dict[Site, Site] = {}
    for earlier, later in joins:
        partner[earlier] = later
        partner[later] = earlier
    order = {tile: number for number, tile in enumerate(tiles)}
    quarters = int(table.is_turned)
    if spinner is None:
        middle, middle_pose = tiles[0], _first_pose(tiles[0], EAST, quarters)
        ways = _ways_without_spinner(tiles, partner, order, table)
    else:
        middle = spinner
        ways = _ways_from_spinner(spinner, partner, order, table)
        middle_pose = _first_pose(spinner, ways[0][0].heading, quarters)
    poses = {middle: middle_pose}
    places = []
    for arm, walk in ways:
        site = Site(middle, arm.port)
        while (entry := partner.get(site)) is not None:
            poses[entry.tile], walk = _step(arm, walk, entry.tile, site_value(entry))
            site = Site(entry.tile, OPPOSITE_PORT[entry.port])
        places.append(_place(site, arm, walk))
    if spinner is not None:
        places = _close_arms(places, spinner)
    places.sort(key=lambda place: (place.arm.quarters + 2) % 4)
    laid = tuple(poses[tile] for tile in tiles)
    return Drawing(laid, tuple(places), _bounds(laid), table.is_turned)


def _first_pose(tile: Tile, direction: int, quarters: int) -> Pose:
    """The tile in the middle of the table, its line running in `direction` before the table is turned."""
    direction = (direction + quarters) % 4
    across = (direction % 2 == 1) != (tile.is_double)
    half_width, half_height = (1, 2) if across else (2, 1)
    return Pose(tile, -half_width, -half_height, half_width, half_height, direction, tile.low, "straight")


def _ways_without_spinner(
    tiles: tuple[Tile, ...], partner: dict[Site, Site], order: dict[Tile, int], table: TableFormat
) -> list[tuple[Arm, Walk]]:
    """The two ends of a chain without a double: straight up to the length of the table, then folded.

    East is the side of the larger half, whoever becomes the spinner later.
    """
    most = table.line // TILE
    ways = []
    for port, heading in ENDS_OF_LINE:
        if len(tiles) < most:
            kept, outer = most, table.half_width
        else:
            kept = sum(order[entry.tile] < most for entry in _follow(tiles[0], port, partner))
            outer = HALF + kept * TILE
        arm = Arm(port, heading, False, outer, 4, 0, (heading + table.is_turned) % 4)
        ways.append((arm, Walk(HALF, 0, 0, False, "lane", 0, 0, kept)))
    return ways


def _ways_from_spinner(
    spinner: Tile, partner: dict[Site, Site], order: dict[Tile, int], table: TableFormat
) -> list[tuple[Arm, Walk]]:
    """The four ways out of the spinner: line A, arm A, line B, arm B, clockwise.

    What lay straight before the spinner came stays straight: the wall on that side moves out to the length of the line,
    and the other side gives way as far as it can.
    """
    walls = [table.half_width, table.half_height, table.half_width, table.half_height]
    number, heading, kept = order[spinner], WEST, 0
    if number > 0:
        to_opening = list(_follow(spinner, "line_a", partner))
        # The end of the opening tile that faces the spinner tells on which side of it the spinner lies.
        entry = next(entry for entry in to_opening if order[entry.tile] == 0)
        heading = WEST if entry.port == "high" else EAST
        if number <= table.line // TILE:
            kept = sum(order[entry.tile] < number for entry in to_opening)
            walls[heading] = max(table.half_width, 1 + number * TILE)
            opposite = min(table.half_width, 2 * table.half_width - number * TILE)
            walls[(heading + 2) % 4] = max(LEAST_HALF_WIDTH, opposite)
    ways = []
    for turn, port in enumerate(WAYS_FROM_SPINNER):
        way = (heading + turn) % 4
        quarters = (way + table.is_turned) % 4
        if turn % 2:
            arm = Arm(port, way, True, walls[(way + 1) % 4], -2, table.half_height, quarters)
            ways.append((arm, Walk(2, 0, 0, False, "climb", 0, 0, 0)))
        else:
            arm = Arm(port, way, False, walls[way], 4, 0, quarters)
            ways.append((arm, Walk(1, 0, 0, False, "lane", 0, 0, kept if turn == 0 else 0)))
    return ways


def _follow(tile: Tile, port: Port, partner: dict[Site, Site]) -> list[Site]:
    """The sites by which the tiles of an arm are entered, outwards."""
    entries = []
    site = Site(tile, port)
    while (entry := partner.get(site)) is not None:
        entries.append(entry)
        site = Site(entry.tile, OPPOSITE_PORT[entry.port])
    return entries


def _close_arms(places: list[Place], spinner: Tile) -> list[Place]:
    """The arms of the spinner become sites only when both its line sides are used (SB-23)."""
    if not any(place.site.tile == spinner and not place.arm.is_branch for place in places):
        return places
    return [place._replace(is_site=False) if place.arm.is_branch else place for place in places]


def _step(arm: Arm, walk: Walk, tile: Tile, entered: int) -> tuple[Pose, Walk]:
    """Lay one more tile at the open end of an arm."""
    x, y, direction, is_behind_double, mode, lane_start, lane_direction, kept = walk
    is_double = tile.is_double
    lanes_along = SOUTH if arm.is_branch else EAST
    stacked_along = EAST if arm.is_branch else SOUTH
    turn_to, is_beside = None, False
    if kept or is_double:  # A double never turns the arm.
        pass
    elif mode == "lane":
        along = y if arm.is_branch else x
        is_outwards = direction == lanes_along
        room = ((arm.outer - along if is_outwards else along - arm.inner) - 1) // HALF
        if is_outwards:
            goes_on = is_behind_double or room >= ROOM_FOR_CORNER
        else:
            goes_on = room >= (ROOM_INWARDS_BEHIND_DOUBLE if is_behind_double else ROOM_INWARDS)
        if not goes_on:
            turn_to, is_beside = stacked_along, room < 1 and not is_behind_double
            mode, lane_start, lane_direction = "link", x if arm.is_branch else y, direction
    elif mode == "climb":
        room = (arm.climb - x - 1) // HALF
        if room < ROOM_FOR_CORNER and not is_behind_double and x >= 5:
            turn_to, is_beside, mode = lanes_along, room < 1, "lane"
    elif not is_behind_double:
        gone = (x if arm.is_branch else y) - lane_start
        if gone + 1 >= LANE_PITCH:
            turn_to, is_beside, mode = (lane_direction + 2) % 4, gone - 1 >= LANE_PITCH, "lane"
    if turn_to is None:
        length, across = (HALF, HALF) if is_double else (TILE, HALF // 2)
        start_x, start_y, turn = x, y, "straight"
    else:
        length, across = TILE, HALF // 2
        # The first half lies in the cell beyond the open edge, or beside the open half.
        cell = -1 if is_beside else 1
        overlap = 1 if is_beside else -1
        start_x = x + cell * STEP_X[direction] + overlap * STEP_X[turn_to]
        start_y = y + cell * STEP_Y[direction] + overlap * STEP_Y[turn_to]
        turn = "right" if turn_to == (direction + 1) % 4 else "left"
        direction = turn_to
    end_x, end_y = start_x + length * STEP_X[direction], start_y + length * STEP_Y[direction]
    wide_x, wide_y = across * STEP_X[(direction + 1) % 4], across * STEP_Y[(direction + 1) % 4]
    ax, ay = _turned(arm.quarters, start_x - wide_x, start_y - wide_y)
    bx, by = _turned(arm.quarters, end_x + wide_x, end_y + wide_y)
    if ax > bx:
        ax, bx = bx, ax
    if ay > by:
        ay, by = by, ay
    pose = Pose(tile, ax, ay, bx, by, (direction + arm.quarters) % 4, entered, turn)
    return pose, Walk(end_x, end_y, direction, is_double, mode, lane_start, lane_direction, max(0, kept - 1))


def _place(site: Site, arm: Arm, walk: Walk) -> Place:
    x, y = _turned(arm.quarters, walk.x, walk.y)
    return Place(site, x, y, (walk.direction + arm.quarters) % 4, True, arm, walk)


def _turned(quarters: int, x: int, y: int) -> tuple[int, int]:
    """A point turned clockwise by so many quarters."""
    if quarters == 0:
        return x, y
    if quarters == 1:
        return -y, x
    if quarters == 2:
        return -x, -y
    return y, -x


def _bounds(poses: tuple[Pose, ...]) -> tuple[int, int, int, int]:
    return (
        min(pose.x0 for pose in poses),
        min(pose.y0 for pose in poses),
        max(pose.x1 for pose in poses),
        max(pose.y1 for pose in poses),
    )


@lru_cache(maxsize=2048)
def _camera(tiles: tuple[Tile, ...], joins: tuple[Join, ...], name: str) -> Camera:
    table = TABLE_FORMATS[name]
    drawing = _layout(tiles, joins, first_double(tiles), name)
    box = _with_reserve(drawing)
    scale = fit(box, table.box, padding=8, largest_half=table.largest_half)
    if len(tiles) > 1:
        scale = min(scale, _camera(tiles[:-1], joins[:-1], name).scale)
    return _around(box, table.box, scale)


def _around(box: tuple[int, int, int, int], pixels: tuple[int, int], scale: int) -> Camera:
    """The camera whose middle is the middle of a box in q."""
    x0, y0, x1, y1 = box
    # A half is 100 fiftieths of a q wide and `scale` half pixels.
    wide, high = pixels[0] * 4 * SCALE // scale, pixels[1] * 4 * SCALE // scale
    return Camera(scale, ((x0 + x1) * SCALE - wide) // 2, ((y0 + y1) * SCALE - high) // 2, wide, high)


def _with_reserve(drawing: Drawing) -> tuple[int, int, int, int]:
    """The box of the tiles and of the badges at the sites."""
    x0, y0, x1, y1 = drawing.box
    for place in drawing.places:
        if place.is_site:
            x, y = place.x + RESERVE * STEP_X[place.direction], place.y + RESERVE * STEP_Y[place.direction]
            x0, y0, x1, y1 = min(x0, x - 1), min(y0, y - 1), max(x1, x + 1), max(y1, y + 1)
    return x0, y0, x1, y1
