"""Random positions for the drawing tests: hands by the drawing and opening rules, and chains of the whole set.

A few lines that know how a layout grows, so that the drawing is not tested with the engine's own mistakes.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from games.rules import TILES, Site, Tile

OTHER = {"low": "high", "high": "low", "line_a": "line_b", "line_b": "line_a"}
Move = tuple[Tile, Site | None]
Choice = Callable[["Table", list[Move], random.Random], Move]


@dataclass
class Table:
    """A layout that grows; the attributes are those that the drawing reads of a `Layout`."""

    tiles: tuple[Tile, ...] = ()
    joins: tuple[tuple[Site, Site], ...] = ()
    spinner: Tile | None = None
    sites: tuple[Site, ...] = ()
    contributions: tuple[tuple[Tile, int], ...] = ()
    used: frozenset[Site] = field(default=frozenset(), repr=False)

    def place(self, tile: Tile, site: Site | None) -> "Table":
        joins, used = self.joins, self.used
        if site is not None:
            port = "line_a" if tile.is_double else "low" if tile.low == value(site) else "high"
            joins = (*joins, (site, Site(tile, port)))
            used = used | {site, Site(tile, port)}
        spinner = self.spinner or (tile if tile.is_double else None)
        table = Table((*self.tiles, tile), joins, spinner, used=used)
        table.sites = tuple(sorted(table.open_sites()))
        table.contributions = tuple(table.counted())
        return table

    def open_sites(self) -> Iterator[Site]:
        for tile in self.tiles:
            ports = ("line_a", "line_b") if tile.is_double else ("high", "low")
            free = [Site(tile, port) for port in ports if Site(tile, port) not in self.used]
            yield from free
            if tile == self.spinner and not free:
                yield from (Site(tile, port) for port in ("arm_a", "arm_b") if Site(tile, port) not in self.used)

    def counted(self) -> Iterator[tuple[Tile, int]]:
        doubles = set()
        for site in self.sites:
            if not site.tile.is_double:
                yield site.tile, value(site)
            elif site.port.startswith("line") and site.tile not in doubles:
                doubles.add(site.tile)
                yield site.tile, 2 * site.tile.low

    def moves(self, tile: Tile) -> list[Move]:
        if not self.tiles:
            return [(tile, None)]
        return [(tile, site) for site in self.sites if value(site) in tile]


def value(site: Site) -> int:
    return site.tile.high if site.port == "high" else site.tile.low


def any_move(table: Table, moves: list[Move], chance: random.Random) -> Move:
    return chance.choice(moves)


def on_newest_tile(table: Table, moves: list[Move], chance: random.Random) -> Move:
    return max(moves, key=lambda move: table.tiles.index(move[1].tile) if move[1] else 0)


def doubles_early(table: Table, moves: list[Move], chance: random.Random) -> Move:
    return next((move for move in moves if move[0].is_double), moves[-1])


def doubles_late(table: Table, moves: list[Move], chance: random.Random) -> Move:
    return chance.choice([move for move in moves if not move[0].is_double] or moves)


CHOICES: tuple[Choice, ...] = (any_move, on_newest_tile, doubles_early, doubles_late)


def hand(seed: int, choose: Choice = any_move) -> Iterator[Table]:
    """Every position of a random hand of two players; half of the hands are opened with any tile."""
    chance = random.Random(seed)
    order = chance.sample(TILES, 28)
    held, boneyard = [order[:7], order[7:14]], order[14:]
    seat = 0
    if chance.random() < 0.5:
        opening = chance.choice(held[0])
    else:
        opening = max(order[:14], key=lambda tile: (tile.is_double, tile.pips, tile.high))
        seat = 0 if opening in held[0] else 1
    held[seat].remove(opening)
    table = Table().place(opening, None)
    yield table
    passes = 0
    while passes < 2 and held[seat]:
        seat = 1 - seat
        moves = [move for tile in held[seat] for move in table.moves(tile)]
        while not moves and boneyard:
            held[seat].append(boneyard.pop())
            moves = table.moves(held[seat][-1])
        if not moves:
            passes += 1
            continue
        passes = 0
        tile, site = choose(table, moves, chance)
        held[seat].remove(tile)
        table = table.place(tile, site)
        yield table


def whole_set(seed: int) -> Iterator[Table]:
    """Any tile of the set on any site that takes it, until none fits: longer chains than a hand could reach."""
    chance = random.Random(seed)
    choose = (any_move, on_newest_tile, doubles_late)[seed % 3]
    pool = chance.sample(TILES, 28)
    table = Table().place(pool.pop(), None)
    yield table
    while moves := [move for tile in pool for move in table.moves(tile)]:
        tile, site = choose(table, moves, chance)
        pool.remove(tile)
        table = table.place(tile, site)
        yield table


def written(text: str) -> Table:
    """The position after placements written as `1|4 1|1@1|4.low …`."""
    table = Table()
    for word in text.split():
        tile, _, site = word.partition("@")
        low, high = tile.split("|")
        table = table.place(Tile(int(low), int(high)), read_site(site) if site else None)
    return table


def read_site(text: str) -> Site:
    tile, port = text.split(".")
    low, high = tile.split("|")
    return Site(Tile(int(low), int(high)), port)
