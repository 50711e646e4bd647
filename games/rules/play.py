"""The two acts of a turn in play: placing a tile and drawing one."""

from games.rules.commands import DrawTile, PlayTile
from games.rules.errors import (
    MustOpenWith,
    MustPlay,
    MustPlayDrawnTile,
    NothingToDraw,
    SiteNotOpen,
    TileDoesNotFit,
    TileNotHeld,
)
from games.rules.facts import Fact, HandOver, Passed, TileDrawn, TilePlayed
from games.rules.hand import can_play, fits, transfer, with_hand, with_tile, without
from games.rules.layout import format_site, site_value
from games.rules.scoring import pips_held, points_due
from games.rules.state import MatchState
from games.rules.tiles import format_tile
from games.rules.turns import banks_after, check_turn, pass_turn, stop_clock


def decide_play(state: MatchState, command: PlayTile, arrived_ms: int, now_ms: int) -> tuple[Fact, ...]:
    """A placement and all its effects, in the order of SB-47."""
    seat, tile, site = command.seat, command.tile, command.site
    _check_play(state, command)
    layout = state.layout.place(tile, site)
    total = layout.total
    due = points_due(total)
    stopped = stop_clock(state, arrived_ms=arrived_ms, now_ms=now_ms)
    join = layout.joins[-1][1].port if site is not None else None
    facts: tuple[Fact, ...] = (
        stopped,
        TilePlayed(now_ms, seat, tile, site, join, layout.contributions, total, due),
    )
    other = 1 - seat
    balances = state.balances
    if due:
        paid = transfer(balances, other, due, "placement", now_ms=now_ms)
        facts += paid
        balances = paid[0].balances
        if balances[other] == 0:
            return facts  # SB-6: nothing that would have come later takes place.
    tiles = without(state.held[seat], tile)
    held = with_hand(state.held, seat, tiles)
    if not tiles:
        return (*facts, HandOver(now_ms, "domino", seat, (pips_held(held[0]), pips_held(held[1]))))
    return facts + pass_turn(
        state,
        other,
        now_ms=now_ms,
        banks_ms=banks_after(state, stopped),
        balances=balances,
        held=held,
        layout=layout,
        boneyard_is_empty=not state.boneyard,
    )


def decide_draw(state: MatchState, command: DrawTile, arrived_ms: int, now_ms: int) -> tuple[Fact, ...]:
    """One tile drawn; the forced pass follows when it was the last and cannot be played (D-6)."""
    seat = command.seat
    _check_draw(state, seat)
    tile = state.boneyard[0]
    left = len(state.boneyard) - 1
    drawn = TileDrawn(now_ms, seat, tile, left)
    if left or fits(tile, state.layout):
        return (drawn,)  # SB-38, SB-65: the turn and its clock go on.
    stopped = stop_clock(state, arrived_ms=arrived_ms, now_ms=now_ms)
    facts: tuple[Fact, ...] = (drawn, stopped, Passed(now_ms, seat))
    return facts + pass_turn(
        state,
        1 - seat,
        now_ms=now_ms,
        banks_ms=banks_after(state, stopped),
        balances=state.balances,
        held=with_hand(state.held, seat, with_tile(state.held[seat], tile)),
        layout=state.layout,
        boneyard_is_empty=True,
        passes=1,
    )


def _check_play(state: MatchState, command: PlayTile) -> None:
    tile, site = command.tile, command.site
    check_turn(state, command.seat, "play")
    if tile not in state.held[command.seat]:
        raise TileNotHeld(tile=format_tile(tile))
    if state.must_open is not None and tile != state.must_open:
        raise MustOpenWith(tile=format_tile(state.must_open))
    if state.must_play is not None and tile != state.must_play:
        raise MustPlayDrawnTile(tile=format_tile(state.must_play))
    if site is None:
        if state.layout.tiles:
            raise SiteNotOpen(site=None)
    elif site not in state.layout.sites:
        raise SiteNotOpen(site=format_site(site))
    elif site_value(site) not in tile:
        raise TileDoesNotFit(tile=format_tile(tile), site=format_site(site))


def _check_draw(state: MatchState, seat: int) -> None:
    check_turn(state, seat, "play")
    if state.must_play is not None:
        raise MustPlayDrawnTile(tile=format_tile(state.must_play))
    if can_play(state.held[seat], state.layout):
        raise MustPlay
    # The forced pass of D-5 comes before anybody could ask for a tile that is not there.
    if not state.boneyard:
        raise NothingToDraw
