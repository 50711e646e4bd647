"""The tiles on the table: joins, spinner, sites, contributions.

The truth of a layout is its opening tile and its joins. The sites are kept beside them and
carried along by `Layout.place`; `sites_of` finds them afresh from the joins, and a property
test holds the two together. Where the tiles lie on the screen is geometry.py.
"""

from bisect import insort
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

    >>> format_site(Site(Tile(1, 1), "arm_b"))
    '1|1.arm_b'
    """
    tile, port = site
    return f"{tile[0]}|{tile[1]}.{port}"


def site_value(site: Site) -> int:
    """The pips that a tile must show to be joined here (SB-19)."""
    tile, port = site
    return tile[1] if port == "high" else tile[0]


def joining_port(tile: Tile, site: Site) -> Port:
    """The port with which `tile` touches `site`, of equal value (SB-22)."""
    if tile[0] == tile[1]:
        return "line_a"
    return "low" if tile[0] == site_value(site) else "high"


@dataclass(frozen=True, slots=True)
class Layout:
    """A position on the table.

    `tiles` and `joins` are in order of play, `sites` and `contributions` in canonical order
    (SB-27); `values` are those of the sites. A join is (site, port of the tile put there).
    """

    tiles: tuple[Tile, ...] = ()
    joins: tuple[Join, ...] = ()
    spinner: Tile | None = None
    sites: tuple[Site, ...] = ()
    values: tuple[int, ...] = ()
    contributions: tuple[Contribution, ...] = ()
    total: int = 0
    # Positions one tile further on that were asked for already, since decide, evolve and the
    # previews ask for the same ones. A position never knows the one before it, so nothing old
    # is kept alive.
    _next: dict[tuple[Tile, Site], "Layout"] = field(default_factory=dict, compare=False, repr=False)

    def place(self, tile: Tile, site: Site | None) -> "Layout":
        """The layout with `tile` joined at `site`, None for the opening.

        The caller has made sure that the site is open and that the tile fits.

        Rule: SB-20 to SB-25.
        """
        if site is None:
            # Not remembered: the empty layout lives as long as the process.
            return _opened(tile)
        after = self._next.get((tile, site))
        if after is None:
            after = self._next[tile, site] = _joined(self, tile, site)
        return after


EMPTY_LAYOUT: Final = Layout()


def layout_of(opening: Tile | None, joins: tuple[Join, ...]) -> Layout:
    """The layout that these joins make, found from scratch.

    Raises ValueError where they are not a layout: a site that is not open, halves that differ.
    """
    if opening is None:
        if joins:
            raise ValueError("joins without an opening tile")
        return EMPTY_LAYOUT
    layout = _opened(opening)
    for site, (tile, port) in joins:
        if site not in layout.sites or tile in layout.tiles:
            raise ValueError(f"not open: {format_site(site)}")
        if site_value(site) not in tile or joining_port(tile, site) != port:
            raise ValueError(f"{format_tile(tile)} does not fit {format_site(site)}")
        layout = _joined(layout, tile, site)
    return layout


def sites_of(tiles: tuple[Tile, ...], joins: tuple[Join, ...]) -> tuple[Site, ...]:
    """The sites of a position, found from its tiles and joins alone.

    Rule: SB-21, SB-23, SB-25.
    """
    used = {end for join in joins for end in join}
    spinner = next((tile for tile in tiles if tile.is_double), None)
    sites: list[Site] = []
    for tile in tiles:
        ports: tuple[Port, ...] = ("line_a", "line_b") if tile.is_double else _PORTS_OF_A_LINE
        if tile == spinner and all(Site(tile, port) in used for port in ports):
            ports = ("arm_a", "arm_b")
        sites += [Site(tile, port) for port in ports if Site(tile, port) not in used]
    return tuple(sorted(sites))


def _opened(tile: Tile) -> Layout:
    if tile.is_double:
        return _layout((tile,), (), tile, [_SITES[tile, "line_a"], _SITES[tile, "line_b"]])
    return _layout((tile,), (), None, [_SITES[tile, "high"], _SITES[tile, "low"]])


def _joined(layout: Layout, tile: Tile, site: Site) -> Layout:
    port = joining_port(tile, site)
    spinner = layout.spinner
    sites = [open_site for open_site in layout.sites if open_site != site]
    if port == "line_a":
        insort(sites, _SITES[tile, "line_b"])
        if spinner is None:
            spinner = tile  # SB-21
    else:
        insort(sites, _SITES[tile, "high" if port == "low" else "low"])
    # SB-23: the arms open in the very position that uses the second line side.
    if site.tile == spinner and site.port in ("line_a", "line_b"):
        other = _SITES[spinner, "line_b" if site.port == "line_a" else "line_a"]
        if other not in sites:
            insort(sites, _SITES[spinner, "arm_a"])
            insort(sites, _SITES[spinner, "arm_b"])
    return _layout((*layout.tiles, tile), (*layout.joins, (site, _SITES[tile, port])), spinner, sites)


def _layout(tiles: tuple[Tile, ...], joins: tuple[Join, ...], spinner: Tile | None, sites: list[Site]) -> Layout:
    # SB-28. A double with both line sides open has two sites side by side, but counts once.
    values: list[int] = []
    contributions: list[Contribution] = []
    total = 0
    counted = None
    for tile, port in sites:
        value = tile[1] if port == "high" else tile[0]
        values.append(value)
        if port == "high" or port == "low":
            contributions.append((tile, value))
            total += value
        elif (port == "line_a" or port == "line_b") and tile != counted:
            counted = tile
            contributions.append((tile, 2 * value))
            total += 2 * value
    return Layout(tiles, joins, spinner, tuple(sites), tuple(values), tuple(contributions), total)
