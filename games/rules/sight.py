"""What a viewer may see of a match: the only door for what is hidden (D-31).

Hidden are: the boneyard and the order of a deal, always; a hand but for its holder, while the
hand runs; the tile that must open or must be played, but for the seat on turn; behind the
curtain of a shared device every hand.
"""

from dataclasses import dataclass
from typing import Any

from games.rules.codec import bid_data, dump_fact, layout_data, tile_or_none, tiles_data
from games.rules.commands import PlayerCommand
from games.rules.facts import Dealt, Fact, TileDrawn, TurnKind
from games.rules.layout import Layout
from games.rules.match import Preview, legal_commands, previews
from games.rules.state import MatchState, Phase, StandingBid
from games.rules.tiles import Tile
from games.rules.variants import Options


@dataclass(frozen=True, slots=True)
class Sight:
    """A match as one viewer may see it; the names are those of MatchState.

    A hidden hand is the number of its tiles, the boneyard always is. `legal` are the viewer's
    own legal commands, `previews` what the viewer's plays would give, empty when not on turn.
    `viewer` None is a spectator.
    """

    viewer: int | None
    hand: int
    phase: Phase
    balances: tuple[int, ...]
    banks_ms: tuple[int, ...]
    turn: int | None
    turn_started_ms: int | None
    deadline_ms: int | None
    held: tuple[tuple[Tile, ...] | int, ...]
    boneyard: int
    layout: Layout
    must_open: Tile | None
    must_play: Tile | None
    jockey: int | None
    bid: StandingBid | None
    ready: tuple[int, ...]
    winner: int | None
    ending: str | None
    variant: str
    options: Options
    turn_kind: TurnKind | None
    revealed: int | None
    legal: tuple[PlayerCommand, ...]
    previews: tuple[Preview, ...]


def sight(state: MatchState, viewer: int | None) -> Sight:
    """The match as `viewer` may see it; None is a spectator.

    Rule: D-31, D-3, D-4.
    """
    is_open = state.phase in ("ready", "over")
    is_on_turn = viewer is not None and viewer == state.turn and state.phase in ("auction", "play")

    def shown(seat: int) -> tuple[Tile, ...] | int:
        tiles = state.held[seat]
        may_see = is_open or (seat == viewer and state.phase != "curtain")
        return tiles if may_see else len(tiles)

    return Sight(
        viewer=viewer,
        hand=state.hand,
        phase=state.phase,
        balances=state.balances,
        banks_ms=state.banks_ms,
        turn=state.turn,
        turn_started_ms=state.turn_started_ms,
        deadline_ms=state.deadline_ms,
        held=tuple(shown(seat) for seat in range(len(state.held))),
        boneyard=len(state.boneyard),
        layout=state.layout,
        must_open=state.must_open if is_on_turn else None,
        must_play=state.must_play if is_on_turn else None,
        jockey=state.jockey,
        bid=state.bid,
        ready=state.ready,
        winner=state.winner,
        ending=state.ending,
        variant=state.variant,
        options=state.options,
        turn_kind=state.turn_kind,
        revealed=state.revealed,
        legal=() if viewer is None else tuple(c for c in legal_commands(state) if c.seat == viewer),
        previews=previews(state) if is_on_turn else (),
    )


def sight_fact(fact: Fact, viewer: int | None) -> dict[str, Any]:
    """The fact as JSON data as `viewer` may see it: the keys of dump_fact.

    The order of a deal is null for everybody, a drawn tile for all but the seat that drew.
    """
    data = dump_fact(fact)
    if isinstance(fact, Dealt):
        data["order"] = None
    elif isinstance(fact, TileDrawn) and fact.seat != viewer:
        data["tile"] = None
    return data


def sight_data(sight: Sight) -> dict[str, Any]:
    """The sight as JSON data with exactly the keys of the referee's `sight`."""
    return {
        "hand": sight.hand,
        "phase": sight.phase,
        "balances": list(sight.balances),
        "banks_ms": list(sight.banks_ms),
        "turn": sight.turn,
        "turn_started_ms": sight.turn_started_ms,
        "deadline_ms": sight.deadline_ms,
        "held": [tiles if isinstance(tiles, int) else tiles_data(tiles) for tiles in sight.held],
        "boneyard": sight.boneyard,
        "layout": layout_data(sight.layout),
        "must_open": tile_or_none(sight.must_open),
        "must_play": tile_or_none(sight.must_play),
        "jockey": sight.jockey,
        "bid": bid_data(sight.bid),
        "ready": list(sight.ready),
        "winner": sight.winner,
        "ending": sight.ending,
    }
