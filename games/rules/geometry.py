"""Where the tiles of a layout lie on the table: poses, open places, table formats and the camera.

The unit is q, a quarter of a tile's length: a half is 2q × 2q, a tile 4q × 2q. Integers only, so that every device and
every replay draws the same picture. Directions are 0 east, 1 south, 2 west, 3 north; y grows downwards.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple


class TableFormat(NamedTuple):
    """A shape of table. `turned` stands for a table higher than wide."""

    name: str
    ratio: int  # width to height, in hundredths, before turning
    half_width: int
    half_height: int
    line: int
    turned: bool


class Pose(NamedTuple):
    """How a tile lies: its box in q, the way its arm runs through it, and the value of the half it is entered by."""

    tile: Any
    x0: int
    y0: int
    x1: int
    y1: int
    direction: int
    entered: int
    is_double: bool
    turn: str

    @property
    def is_upright(self) -> bool:
        """Whether the tile stands, higher than wide."""
        return self.y1 - self.y0 > self.x1 - self.x0

    @property
    def halves(self) -> tuple[int, int]:
        """The values as they are seen: top and bottom, or left and right."""
        raise NotImplementedError


class Place(NamedTuple):
    """An unused port: the middle of its open edge, and the way it faces. Only an `is_site` place may be played on (SB-25)."""

    site: Any
    x: int
    y: int
    direction: int
    is_site: bool


class Drawing(NamedTuple):
    """A laid-out position: poses in order of play, places clockwise from the west, and the box of the tiles."""

    poses: tuple[Pose, ...]
    places: tuple[Place, ...]
    box: tuple[int, int, int, int]


class Camera(NamedTuple):
    """The part of the cloth that is shown: half pixels per half tile, and the visible box in hundredths of q."""

    scale: int
    x: int
    y: int
    width: int
    height: int


TABLE_FORMATS: dict[str, TableFormat] = {}


def pick_format(width: int, height: int, current: str | None = None) -> str:
    """The format for a cloth of this size; `current` is kept until the ratio has left it by 15 %."""
    raise NotImplementedError


def layout(tiles: Sequence[Any], joins: Sequence[tuple[Any, Any]], spinner: Any | None, table_format: str) -> Drawing:
    """The drawing of a position: `tiles` in play order, `joins` as (earlier site, later site)."""
    raise NotImplementedError


def ghost(drawing: Drawing, tile: Any, site: Any) -> Pose:
    """Where `tile` would lie if it were played on `site` now."""
    raise NotImplementedError
