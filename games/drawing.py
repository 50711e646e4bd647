"""The cloth as SVG: the layout, its ends, and where a picked tile would lie.

Strings in, strings out; no models, no settings. How the parts are sized without knowing the screen:

- The outer `<svg class="board" data-format="…">` has no viewBox: one unit is one CSS pixel. CSS gives it the ratio of
  its table format. Badges, rings and circles are nested `<svg x="…%" y="…%">`, so they keep their pixel size.
- The tiles are one nested `<svg viewBox>` in fiftieths of a q, drawn with `<use>` of the pieces in `pieces.defs()`.

Pieces (tiles, backs, chips, icons) are drawn in `games.pieces` and may be imported from here too.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from django.utils.safestring import SafeString

from games.pieces import avatar, chips, clock_ring, defs, flying_chip, icon, logo, tile_back, tile_face

__all__ = [
    "Description",
    "avatar",
    "board_svg",
    "chips",
    "clock_ring",
    "defs",
    "describe",
    "flying_chip",
    "icon",
    "logo",
    "tile_back",
    "tile_face",
]


class Position(Protocol):
    """What the drawing reads of `MatchState.layout` or `Sight.layout`."""

    tiles: Sequence[Any]
    joins: Sequence[tuple[Any, Any]]
    spinner: Any | None
    sites: Sequence[Any]
    contributions: Sequence[tuple[Any, int]]


@dataclass(frozen=True, slots=True)
class Description:
    """What the cloth shows, for sentences: everything in the order of the rule texts (SB-27)."""

    contributions: tuple[tuple[Any, int], ...]
    total: int
    tiles: tuple[Any, ...]
    spinner: Any | None
    connections: tuple[tuple[Any, Any], ...]
    sites: tuple[tuple[Any, int], ...]


def board_svg(
    position: Position,
    table_format: str,
    *,
    previews: Sequence[Any] = (),
    last: Any | None = None,
    label: str = "",
    ghost_labels: Mapping[tuple[Any, Any], str] | None = None,
    with_ids: bool = True,
) -> SafeString:
    """The cloth's `<svg class="board">` with tiles, end badges, outlines and the hidden ghosts of every preview.

    `previews` have `tile`, `site` (None: the opening tile), `contributions`, `total` and `due`; `last` is the tile
    played last; `label` is the text of the picture; `ghost_labels[tile, site]` the name of each place. Texts are
    escaped here. Without `with_ids` two boards may stand on one page.
    """
    raise NotImplementedError


def describe(position: Position) -> Description:
    """The same picture as plain values, from which the page makes its sentences."""
    raise NotImplementedError
