"""The tiles on the table: joins, spinner, sites, contributions.

The truth of a layout is its opening tile and its joins. The sites are kept beside them and
carried along by `Layout.place`; `sites_of` finds them afresh from the joins, and a property
test holds the two together. Where the tiles lie on the screen is geometry.py.
"""

from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

from games.rules.tiles import TILES, Tile, format_tile

Port = Literal["arm_a", "arm_b", "high", "line_a", "line_b", "low"]
Contribution = tuple[Tile, int]


class Site(NamedTuple):
    """A port of a tile on the table. Sites compare in the canonical order of SB-27."""

    tile: Tile
    port: Port


Join = tuple[Site, Site]

_PORTS_OF_A_LINE: Final[tuple[Port, ...]] = ("high", "low")
_PORTS_OF_A_DOUBLE: Final[tuple[Port, ...]] = ("arm_a", "arm_b", "line_a", "line_b")
# One shared Site for each port of each tile, found by tile and port or by text.
_SITES: Final[dict[tuple[Tile, Port], Site]] = {
    (tile, port): Site(tile, port)
    for tile in TILES
    for port in (_PORTS_OF_A_DOUBLE if tile.is_double else _PORTS_OF_A_LINE)
}
_SITE_BY_TEXT: Final = {f"{format_tile(site.tile)}.{site.port}": site for site in _SITES.values()}


def parse_site(text: str) -> Site:
    """The site written as `text`; ValueError for anything else.

    >>> parse_site("1|4.low")
    Site(tile=Tile(low=1, high=4), port='low')
    """
    try:
        return _SITE_BY_TEXT[text]
    except (KeyError, TypeError):
        raise ValueError(f"not a site: {text!r}") from None


def format_site(site: Site) -> str:
    """The site as text.

    >>> format_site(Site(parse_tile("1|1"), "arm_b"))
    '1|1.arm_b'
    """
    tile, port = site
    return f"{tile[0]}|{tile[1]}.{port}"


def site_value(site: Site) -> int:
    """The pips that a tile must show to be joined here (SB-19)."""
    tile, port = site
    return tile[1] if port == "high" else tile[0]


@dataclass(frozen=True, slots=True)
class Layout:
    """A position on the table.

    `tiles` and `joins` are in order of play, `sites` and `contributions` in canonical order
    (SB-27). `ends` repeats the sites with their values. A join is (site, port of the new tile).
    """

    tiles: tuple[Tile, ...] = ()
    joins: tuple[Join, ...] = ()
    spinner: Tile | None = None
    sites: tuple[Site, ...] = ()
    contributions: tuple[Contribution, ...] = ()
    total: int = 0
    ends: tuple[tuple[Site, int], ...] = ()
    # Positions one tile further on that were asked for already: decide and evolve ask for the
    # same one. It never holds a position back, since a later one does not know the earlier.
    _next: dict[tuple[Tile, Site | None], "Layout"] = field(default_factory=dict, compare=False, repr=False)

    def place(self, tile: Tile, site: Site | None) -> "Layout":
        """The layout with `tile` joined at `site`, None for the opening.

        The caller has made sure that the site is open and that the tile fits.

        Rule: SB-20 to SB-25.
        """
        raise NotImplementedError


EMPTY_LAYOUT: Final = Layout()
