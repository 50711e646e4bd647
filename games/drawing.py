"""The cloth as SVG: the layout, its ends, and where a picked tile would lie.

Strings in, strings out; no models, no settings. How the parts are sized without knowing the screen:

- The outer `<svg class="board" data-format="…">` has no viewBox: one unit is one CSS pixel. CSS gives it the ratio of
  its table format. Badges, rings and circles are nested `<svg x="…%" y="…%">`, so they keep their pixel size.
- The tiles are one nested `<svg viewBox>` in fiftieths of a q, drawn with `<use>` of the pieces in `pieces.defs()`.

Distances in pixels are chosen for the smallest cloth of the format, `TableFormat.box`; on a larger one the percentages
only spread further. Pieces (tiles, backs, chips, icons) are drawn in `games.pieces` and may be imported from here too.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Protocol

from django.utils.html import escape
from django.utils.safestring import SafeString

from games.pieces import (
    BADGE_RADIUS,
    BADGE_WIDER,
    RING_RADIUS,
    at,
    avatar,
    chips,
    clock_ring,
    defs,
    face,
    flying_chip,
    icon,
    logo,
    tile_back,
    tile_face,
)
from games.rules import Site, Tile, format_site, format_tile
from games.rules.geometry import (
    EAST,
    HALF,
    NORTH,
    SCALE,
    SOUTH,
    STEP_X,
    STEP_Y,
    TABLE_FORMATS,
    WEST,
    Camera,
    Drawing,
    Place,
    Pose,
    camera,
    close_up,
    ghost,
    layout,
)
from games.rules.layout import Join, site_value

__all__ = [
    "Description",
    "avatar",
    "board_svg",
    "chips",
    "clock_ring",
    "defs",
    "describe",
    "figure_svg",
    "flying_chip",
    "icon",
    "logo",
    "tile_back",
    "tile_face",
]

BADGE_GAP = 5  # between the open edge of a tile and its badge
CIRCLE_RADIUS = 22
CIRCLE_DISTANCE = 2 * CIRCLE_RADIUS
EDGE = CIRCLE_RADIUS - 5  # how near a circle's middle may come to the edge of the board: the cloth is larger
BEYOND = CIRCLE_RADIUS + 3  # from the edge of an aimed tile to the middle of its circle
DRAWN_RADIUS = 17  # of a circle on a phone, where tiles are small (cloth.css); it is hit within CIRCLE_RADIUS
FREE = 10  # how much of the outline of a place is seen between the tile it is joined to and its circle
FIGURE_PADDING = 8
LAST_STROKE, SPINNER_STROKE = 2, 2.6
PUSH, PUSHES, PUSHES_OFF = 3, 40, 5  # pixels a step, and steps at most, by which circles are moved apart, and off tiles

Point = tuple[int, int]
Pinned = tuple[Point, Point]  # a point of the table in fiftieths of a q, and the way from there in pixels


class Position(Protocol):
    """What the drawing reads of `MatchState.layout` or `Sight.layout`."""

    @property
    def tiles(self) -> tuple[Tile, ...]: ...
    @property
    def joins(self) -> tuple[Join, ...]: ...
    @property
    def spinner(self) -> Tile | None: ...
    @property
    def sites(self) -> Sequence[Site]: ...
    @property
    def contributions(self) -> Sequence[tuple[Tile, int]]: ...


class Play(Protocol):
    """What the drawing reads of a `Preview`: a legal play and what the ends would become."""

    @property
    def tile(self) -> Tile: ...
    @property
    def site(self) -> Site | None: ...
    @property
    def contributions(self) -> Sequence[tuple[Tile, int]]: ...
    @property
    def total(self) -> int: ...
    @property
    def due(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Description:
    """What the cloth shows, for sentences: sites and contributions in canonical order (SB-27), else in play order."""

    contributions: tuple[tuple[Tile, int], ...]
    total: int
    tiles: tuple[Tile, ...]
    spinner: Tile | None
    connections: tuple[Join, ...]
    sites: tuple[tuple[Site, int], ...]


def board_svg(
    position: Position,
    table_format: str,
    *,
    previews: Sequence[Play] = (),
    last: Tile | None = None,
    label: str = "",
    label_id: str = "",
    ghost_labels: Mapping[tuple[Tile, Site | None], str] | None = None,
    with_ids: bool = True,
) -> SafeString:
    """The cloth's `<svg class="board">` with tiles, end badges, outlines and the hidden ghosts of every preview.

    `last` is the tile played last; `label` is the text of the picture, or `label_id` the element that holds it;
    `ghost_labels[tile, site]` is the name of each place. Texts are escaped here. A ghost is shown by the attribute
    `data-shown` and aimed at by focus, hover or `data-aimed`; ghosts of a tile come clockwise from the west. Without
    `with_ids` two boards may stand on one page.
    """
    key = (tuple(position.tiles), tuple(position.joins), position.spinner, table_format)
    picture = _picture(*key, tuple(position.sites), tuple(position.contributions), last, with_ids)
    ghosts = _ghosts(*key, previews, ghost_labels or {}) if previews else ""
    name = f'role="img" aria-label="{escape(label)}"' if label else 'aria-hidden="true"'
    if label_id:
        name = f'role="img" aria-labelledby="{label_id}"'
    width, height = TABLE_FORMATS[table_format].box
    return SafeString(
        f'<svg class="board" data-format="{table_format}" width="{width}" height="{height}" overflow="visible" '
        f'direction="ltr"><g {name}>{picture}</g>{ghosts}</svg>'
    )


def figure_svg(
    position: Position, size: tuple[int, int], *, largest_half: int, last: Tile | None = None, label: str = ""
) -> SafeString:
    """A position as a picture by itself, `size` pixels wide and high; it grows and shrinks as a whole, badges too.

    Any number of them may stand on one page. `label` as for `board_svg`.
    """
    tiles, joins = tuple(position.tiles), tuple(position.joins)
    drawing = layout(tiles, joins, position.spinner, "wide")
    view = close_up(drawing, size, padding=FIGURE_PADDING, largest_half=largest_half)
    name = f'role="img" aria-label="{escape(label)}"' if label else 'aria-hidden="true"'
    ends = _ends(drawing, view, tuple(position.sites), tuple(position.contributions))
    return SafeString(
        f'<svg class="figure__board" viewBox="0 0 {size[0]} {size[1]}" direction="ltr" {name}>'
        f"{_tiles(drawing, view, position.spinner, last, False)}{ends}</svg>"
    )


def describe(position: Position) -> Description:
    """The same picture as plain values, from which the page makes its sentences."""
    contributions = tuple(position.contributions)
    return Description(
        contributions=contributions,
        total=sum(value for _, value in contributions),
        tiles=tuple(position.tiles),
        spinner=position.spinner,
        connections=tuple(position.joins),
        sites=tuple((site, site_value(site)) for site in position.sites),
    )


@lru_cache(maxsize=512)
def _picture(
    tiles: tuple[Tile, ...],
    joins: tuple[Join, ...],
    spinner: Tile | None,
    table_format: str,
    sites: tuple[Site, ...],
    contributions: tuple[tuple[Tile, int], ...],
    last: Tile | None,
    with_ids: bool,
) -> str:
    """The part of the cloth that all viewers share: the tiles, the outlines above them, and the ends."""
    view, drawing = camera(tiles, joins, table_format), layout(tiles, joins, spinner, table_format)
    return _tiles(drawing, view, spinner, last, with_ids) + _ends(drawing, view, sites, contributions)


def _tiles(drawing: Drawing, view: Camera, spinner: Tile | None, last: Tile | None, with_ids: bool) -> str:
    parts = [
        '<svg class="board__tiles" width="100%" height="100%" overflow="visible" preserveAspectRatio="none" '
        f'viewBox="{view.x} {view.y} {view.width} {view.height}">'
    ]
    # From the top down, so that the side and the shadow of a tile fall on what lies behind it.
    for pose in sorted(drawing.poses, key=lambda pose: pose.y1):
        tile_id = f' id="t-{pose.tile.low}-{pose.tile.high}"' if with_ids else ""
        elements = face(pose.halves, upright=pose.is_upright, x=pose.x0 * SCALE, y=pose.y0 * SCALE)
        parts.append(f'<g class="board__tile"{tile_id}>{elements}</g>')
    for pose in drawing.poses:
        if pose.tile == last and last != spinner:
            parts.append(_outline("last", pose, LAST_STROKE))
    for pose in drawing.poses:
        if pose.tile == spinner:
            parts.append(_outline("spinner", pose, SPINNER_STROKE))
    return "".join(parts) + "</svg>"


def _outline(name: str, pose: Pose, stroke: float) -> str:
    """A line around a tile, as thick on a small cloth as on a large one."""
    x, y = pose.x0 * SCALE - 4, pose.y0 * SCALE - 4
    width, height = (pose.x1 - pose.x0) * SCALE + 8, (pose.y1 - pose.y0) * SCALE + 8
    return (
        f'<rect class="board__{name}" x="{x}" y="{y}" width="{width}" height="{height}" rx="24" fill="none" '
        f'stroke="var(--{name})" stroke-width="{stroke}" vector-effect="non-scaling-stroke"/>'
    )


def _ends(drawing: Drawing, view: Camera, sites: tuple[Site, ...], contributions: tuple[tuple[Tile, int], ...]) -> str:
    """A filled number at each counted end, a hollow ring at each site that does not count."""
    counted = _counted_places(drawing, contributions)
    badges = []
    for place in drawing.places:
        value = counted.get(place.site)
        if value is not None:
            badges.append(_badge(place, view, value))
        elif place.site in sites:
            badges.append(_ring(place, view))
    return (
        '<g class="board__ends" font-size="15" font-weight="700" text-anchor="middle" fill="var(--on-lit)">'
        f"{''.join(badges)}</g>"
    )


def _counted_places(drawing: Drawing, contributions: Iterable[tuple[Tile, int]]) -> dict[Site, int]:
    """At which place each contribution is written.

    An end of a tile at its own place. A double with one free line side there, too; a lone double counts once for both
    sides, so it is written across the line, where arm A would leave (clear of the two rings).
    """
    counted = {}
    for tile, value in contributions:
        places = [place for place in drawing.places if place.site.tile == tile and place.site not in counted]
        if tile.is_double:
            lines = [place for place in places if place.site.port in ("line_a", "line_b")]
            places = [place for place in places if place.site.port == "arm_a"] if len(lines) > 1 else lines
        elif len(places) > 1:
            # Two ends of a lone tile, the larger first in canonical order (SB-27).
            places.sort(key=lambda place: place.site.port)
        counted[places[0].site] = value
    return counted


def _badge(place: Place, view: Camera, value: int) -> str:
    reach = BADGE_RADIUS + BADGE_GAP
    wider = BADGE_WIDER if value > 9 else 0
    x, y = STEP_X[place.direction] * (reach + wider), STEP_Y[place.direction] * reach
    return (
        f'{_pinned("badge", place.x * SCALE, place.y * SCALE, view)} data-site="{format_site(place.site)}"><g>'
        f'<use href="#d-num{2 if value > 9 else 1}"{at(x, y)}/><text{at(x, y + 5)}>{value}</text></g></svg>'
    )


def _ring(place: Place, view: Camera) -> str:
    reach = RING_RADIUS + BADGE_GAP
    x, y = STEP_X[place.direction] * reach, STEP_Y[place.direction] * reach
    return (
        f"{_pinned('badge badge--ring', place.x * SCALE, place.y * SCALE, view)} "
        f'data-site="{format_site(place.site)}"><g><use href="#d-open"{at(x, y)}/></g></svg>'
    )


def _ghosts(
    tiles: tuple[Tile, ...],
    joins: tuple[Join, ...],
    spinner: Tile | None,
    table_format: str,
    previews: Sequence[Play],
    labels: Mapping[tuple[Tile, Site | None], str],
) -> str:
    """Every legal play, hidden until its tile is picked."""
    view, drawing = camera(tiles, joins, table_format), layout(tiles, joins, spinner, table_format)
    order = {place.site: number for number, place in enumerate(drawing.places)}
    by_tile: dict[Tile, list[Play]] = {}
    for play in previews:
        by_tile.setdefault(play.tile, []).append(play)
    parts = []
    for tile, plays in by_tile.items():
        plays.sort(key=lambda play: order.get(play.site, 0) if play.site else 0)
        poses = [ghost(drawing, tile, play.site) for play in plays]
        for play, pose, circle in zip(plays, poses, _circles(poses, drawing.poses, view, table_format), strict=True):
            aimed = _beside(pose, drawing.poses, view, table_format)
            parts.append(_ghost(play, pose, circle, aimed, view, labels.get((tile, play.site), "")))
    return (
        '<g class="board__ghosts" font-size="16" font-weight="700" text-anchor="middle" fill="var(--on-score)">'
        f"{''.join(parts)}</g>"
    )


def _ghost(play: Play, pose: Pose, circle: Point, aimed: Pinned, view: Camera, label: str) -> str:
    """One legal play: a dashed outline, the tile itself for when it is aimed at, and the circle with its points."""
    x0, y0, wide, high = pose.x0 * SCALE, pose.y0 * SCALE, (pose.x1 - pose.x0) * SCALE, (pose.y1 - pose.y0) * SCALE
    box = (
        f'x="{_percent(x0 - view.x, view.width)}" y="{_percent(y0 - view.y, view.height)}" '
        f'width="{_percent(wide, view.width)}" height="{_percent(high, view.height)}"'
    )
    points = f"+{play.due}" if play.due else "0"
    ends = "+".join(str(value) for _, value in play.contributions)
    name = f' aria-label="{escape(label)}"' if label else ""
    return (
        f'<g class="ghost" display="none" data-tile="{format_tile(play.tile)}" '
        f'data-site="{format_site(play.site) if play.site else ""}" data-due="{play.due}" data-total="{play.total}" '
        f'data-ends="{ends}" tabindex="0" role="button"{name}>'
        f'<rect class="ghost__outline" {box} rx="5"/>'
        f'<svg class="ghost__tile" {box} viewBox="0 0 {wide} {high}" preserveAspectRatio="none">'
        f"{face(pose.halves, upright=pose.is_upright)}</svg>"
        f"{_pinned('ghost__rest', *_middle(pose), view)}>{_circle(*circle, points)}</svg>"
        f"{_pinned('ghost__aimed', *aimed[0], view)}>{_circle(*aimed[1], points)}</svg></g>"
    )


def _circle(x: int, y: int, points: str) -> str:
    return f'<circle cx="{x}" cy="{y}" r="{CIRCLE_RADIUS}"/><text x="{x}" y="{y + 6}">{points}</text>'


def _circles(poses: list[Pose], others: Sequence[Pose], view: Camera, table_format: str) -> list[Point]:
    """How far the circle of each ghost is pushed from its middle, in pixels, so that each can be hit by itself.

    Circles that would overlap on the smallest cloth move outwards along their arms, or straight apart where the arms
    lead towards each other.
    """
    pins = [_pixels(_middle(pose), view, table_format) for pose in poses]
    points = []
    for pose, (x, y) in zip(poses, pins, strict=True):
        # A small ghost's circle lies outwards of its middle, so that the outline is seen and the end it is joined to.
        long = (pose.x1 - pose.x0) if pose.direction in (EAST, WEST) else (pose.y1 - pose.y0)
        reach = max(0, DRAWN_RADIUS + FREE - long * view.scale // 8)
        away = (x + STEP_X[pose.direction] * reach, y + STEP_Y[pose.direction] * reach)
        for _ in range(PUSHES_OFF if reach else 0):  # round a corner, off the tile that it is joined to
            if not _covered(away, others, view, table_format, DRAWN_RADIUS):
                break
            away = (away[0] + STEP_X[pose.direction] * PUSH, away[1] + STEP_Y[pose.direction] * PUSH)
        points.append(_inside(away, table_format))
    for _ in range(PUSHES):
        pairs = [
            (i, j)
            for i, j in combinations(range(len(points)), 2)
            if (points[i][0] - points[j][0]) ** 2 + (points[i][1] - points[j][1]) ** 2 < CIRCLE_DISTANCE**2
        ]
        if not pairs:
            break
        for i, j in pairs:
            here, there = points[i], points[j]
            points[i] = _inside(_pushed(here, there, poses[i].direction), table_format)
            points[j] = _inside(_pushed(there, here, poses[j].direction), table_format)
    return [(x - pin_x, y - pin_y) for (x, y), (pin_x, pin_y) in zip(points, pins, strict=True)]


def _pushed(point: Point, other: Point, direction: int) -> Point:
    """A point moved a little along its arm, or away from the other where the arm leads towards it."""
    x, y = point[0] - other[0], point[1] - other[1]
    if STEP_X[direction] * x + STEP_Y[direction] * y < 0:
        if abs(x) >= abs(y):
            direction = EAST if x > 0 else WEST
        else:
            direction = SOUTH if y > 0 else NORTH
    return point[0] + STEP_X[direction] * PUSH, point[1] + STEP_Y[direction] * PUSH


def _beside(pose: Pose, others: Sequence[Pose], view: Camera, table_format: str) -> Pinned:
    """Where the circle of an aimed ghost is drawn: it covers no pip of the tile, and on no cloth it leaves it.

    Beyond the far edge; where the smallest cloth ends before that, at a side of the far half, where it covers the least
    of what lies there. The distance from the edge stays the same on every cloth.
    """
    x, y = _middle(pose)
    wide, high = (pose.x1 - pose.x0) * SCALE // 2, (pose.y1 - pose.y0) * SCALE // 2
    back = HALF * SCALE // 2
    ahead = pose.direction
    x, y = x + STEP_X[ahead] * (wide - back), y + STEP_Y[ahead] * (high - back)
    found: list[tuple[int, int, int, Point, Point]] = []
    for way in (ahead, (ahead + 1) % 4, (ahead + 3) % 4):
        reach_x, reach_y = (back, back) if way == ahead else (wide, high)
        pin = (x + STEP_X[way] * reach_x, y + STEP_Y[way] * reach_y)
        edge_x, edge_y = _pixels(pin, view, table_format)
        wished = (edge_x + STEP_X[way] * BEYOND, edge_y + STEP_Y[way] * BEYOND)
        circle = _inside(wished, table_format)
        along = abs(circle[0] - wished[0]) if way in (EAST, WEST) else abs(circle[1] - wished[1])
        offset = (circle[0] - edge_x, circle[1] - edge_y)
        if way == ahead and not along:
            return pin, offset
        if way != ahead:
            found.append((along, _covered(circle, others, view, table_format), len(found), pin, offset))
    *_, pin, offset = min(found)
    return pin, offset


def _covered(circle: Point, poses: Sequence[Pose], view: Camera, table_format: str, radius: int = CIRCLE_RADIUS) -> int:
    """How many of these tiles a circle touches on the smallest cloth."""
    count = 0
    for pose in poses:
        left, top = _pixels((pose.x0 * SCALE, pose.y0 * SCALE), view, table_format)
        right, bottom = _pixels((pose.x1 * SCALE, pose.y1 * SCALE), view, table_format)
        x, y = min(max(circle[0], left), right) - circle[0], min(max(circle[1], top), bottom) - circle[1]
        count += x * x + y * y < radius**2
    return count


def _middle(pose: Pose) -> Point:
    """The middle of a tile in fiftieths of a q."""
    return (pose.x0 + pose.x1) * SCALE // 2, (pose.y0 + pose.y1) * SCALE // 2


def _pixels(point: Point, view: Camera, table_format: str) -> Point:
    """A point of the table on the smallest cloth."""
    width, height = TABLE_FORMATS[table_format].box
    return (point[0] - view.x) * width // view.width, (point[1] - view.y) * height // view.height


def _inside(point: Point, table_format: str) -> Point:
    """The nearest point at which a circle is whole on the smallest cloth, which reaches 8 px beyond its board."""
    width, height = TABLE_FORMATS[table_format].box
    return min(max(point[0], EDGE), width - EDGE), min(max(point[1], EDGE), height - EDGE)


def _pinned(classes: str, x: int, y: int, view: Camera) -> str:
    """The start of an svg whose origin is a point of the table and whose units are CSS pixels."""
    return f'<svg class="{classes}" x="{_percent(x - view.x, view.width)}" y="{_percent(y - view.y, view.height)}"'


def _percent(part: int, whole: int) -> str:
    """A share as SVG writes it, in hundredths of a percent.

    >>> _percent(1, 3), _percent(-1, 40), _percent(1, 2)
    ('33.33%', '-2.5%', '50%')
    """
    return f"{round(part * 100 / whole, 2):g}%"
