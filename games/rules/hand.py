"""One hand: how tiles are dealt, which can be played, how points move, how a block settles."""

from bisect import insort
from collections.abc import Sequence
from typing import Final

from games.rules.facts import Cause, Fact, HandOver, MatchOver, Transferred
from games.rules.layout import Layout, Site
from games.rules.outcome import Ending
from games.rules.scoring import block_due, pips_held, transfer_points
from games.rules.state import MatchState
from games.rules.tiles import TILES, Tile, rank

Held = tuple[tuple[Tile, ...], ...]
_SET: Final = frozenset(TILES)


def split_order(order: Sequence[Tile], *, seats: int, tiles_per_hand: int) -> tuple[Held, tuple[Tile, ...]]:
    """The hands, seat by seat and sorted, and the boneyard in drawing order.

    Raises ValueError if the order is not the 28 tiles, each once (SB-9).

    Rule: SB-11.
    """
    if len(order) != len(TILES) or frozenset(order) != _SET:
        raise ValueError("an order holds each of the 28 tiles once")
    held = tuple(tuple(sorted(order[seat * tiles_per_hand : (seat + 1) * tiles_per_hand])) for seat in range(seats))
    return held, tuple(order[seats * tiles_per_hand :])


def opening_by_rank(held: Held) -> tuple[int, Tile]:
    """The seat that opens by rank, and the tile it must open with (SB-14, SB-15)."""
    tile = max((tile for tiles in held for tile in tiles), key=rank)
    return next(seat for seat, tiles in enumerate(held) if tile in tiles), tile


def fits(tile: Tile, layout: Layout) -> bool:
    """Whether the tile can be placed somewhere (SB-26); on an empty table every tile can."""
    return tile[0] in layout.values or tile[1] in layout.values or not layout.tiles


def can_play(tiles: Sequence[Tile], layout: Layout) -> bool:
    """Whether any of the tiles can be placed."""
    values = layout.values
    for low, high in tiles:
        if low in values or high in values:
            return True
    return not layout.tiles


def legal_plays(state: MatchState) -> list[tuple[Tile, Site | None]]:
    """Every placement of the seat on turn, by tile and then by site; empty outside the play."""
    if state.phase != "play" or state.turn is None:
        return []
    tiles: tuple[Tile, ...] = state.held[state.turn]
    if state.must_open is not None:
        tiles = (state.must_open,)
    elif state.must_play is not None:
        tiles = (state.must_play,)
    layout = state.layout
    if not layout.tiles:
        return [(tile, None) for tile in tiles]
    values = layout.values
    plays: list[tuple[Tile, Site | None]] = []
    for tile in tiles:
        low, high = tile
        if low in values or high in values:
            for site, value in zip(layout.sites, values, strict=True):
                if value in tile:
                    plays.append((tile, site))
    return plays


def without(tiles: tuple[Tile, ...], tile: Tile) -> tuple[Tile, ...]:
    """The hand after this tile was played."""
    at = tiles.index(tile)
    return tiles[:at] + tiles[at + 1 :]


def with_tile(tiles: tuple[Tile, ...], tile: Tile) -> tuple[Tile, ...]:
    """The hand after this tile was drawn, sorted as ever."""
    held = list(tiles)
    insort(held, tile)
    return tuple(held)


def with_hand(held: Held, seat: int, tiles: tuple[Tile, ...]) -> Held:
    """Both hands, that of `seat` replaced."""
    return (tiles, held[1]) if seat == 0 else (held[0], tiles)


def settle_block(held: Held, balances: tuple[int, ...], *, now_ms: int) -> tuple[Fact, ...]:
    """The end of a blocked hand: the lower hand is paid, nobody on a tie.

    Rule: SB-43, SB-44, SB-47.
    """
    pips = (pips_held(held[0]), pips_held(held[1]))
    if pips[0] == pips[1]:
        return (HandOver(now_ms, "block", None, pips),)
    winner = 0 if pips[0] < pips[1] else 1
    facts: tuple[Fact, ...] = (HandOver(now_ms, "block", winner, pips),)
    due = block_due(pips[1 - winner])
    if due:
        facts += transfer(balances, 1 - winner, due, "block", now_ms=now_ms)
    return facts


def transfer(
    balances: tuple[int, ...], payer: int, due: int, cause: Cause, *, now_ms: int
) -> tuple[Transferred] | tuple[Transferred, MatchOver]:
    """The payment of what is due, and the end of the match if it takes all the payer has.

    Rule: SB-5, SB-6.
    """
    paid = transfer_points(due, balances[payer])
    left = balances[payer] - paid
    got = balances[1 - payer] + paid
    transferred = Transferred(now_ms, payer, due, paid, cause, (left, got) if payer == 0 else (got, left))
    if left == 0:
        return transferred, MatchOver(now_ms, 1 - payer, Ending.BALANCE)
    return (transferred,)
