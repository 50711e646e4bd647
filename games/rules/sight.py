"""What a viewer may see of a match: the only door for what is hidden (D-31)."""

from dataclasses import dataclass
from typing import Any

from games.rules.commands import PlayerCommand
from games.rules.facts import Fact, TurnKind
from games.rules.layout import Layout
from games.rules.match import Preview
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
    """The match as `viewer` may see it."""
    raise NotImplementedError


def sight_fact(fact: Fact, viewer: int | None) -> dict[str, Any]:
    """The fact as JSON data, as `viewer` may see it."""
    raise NotImplementedError


def sight_data(sight: Sight) -> dict[str, Any]:
    """The sight as JSON data with exactly the keys of the referee's `sight`."""
    raise NotImplementedError
