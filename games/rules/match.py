"""The state machine of a match: what a command leads to, and what a fact changes.

ready -> (curtain) -> auction -> play -> ready -> ... -> over
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from games.rules.commands import Command, PlayerCommand
from games.rules.facts import Fact
from games.rules.layout import Contribution, Port, Site
from games.rules.state import MatchState
from games.rules.tiles import Tile


class Preview(NamedTuple):
    """What one legal play would give: the sum on the table and the points due."""

    tile: Tile
    site: Site | None
    join: Port | None
    contributions: tuple[Contribution, ...]
    total: int
    due: int


def new_match(variant: str = "spectacular-bid", *, at_ms: int, options: Mapping[str, Any] | None = None) -> MatchState:
    """A match before its first deal."""
    raise NotImplementedError


def decide(
    state: MatchState,
    command: Command,
    *,
    arrived_ms: int,
    now_ms: int,
    order: Sequence[Tile] | None = None,
) -> tuple[Fact, ...]:
    """The facts that a command leads to."""
    raise NotImplementedError


def evolve(state: MatchState, fact: Fact) -> MatchState:
    """The state after a fact."""
    raise NotImplementedError


def fold(state: MatchState, facts: Iterable[Fact]) -> MatchState:
    """The state after facts, in their order."""
    for fact in facts:
        state = evolve(state, fact)
    return state


def legal_commands(state: MatchState) -> tuple[PlayerCommand, ...]:
    """Every command that some seat may give now."""
    raise NotImplementedError


def needs_order(state: MatchState, command: Command) -> bool:
    """Whether this Start or Continue is the one that deals."""
    raise NotImplementedError


def previews(state: MatchState) -> tuple[Preview, ...]:
    """What each legal play of the seat on turn would give."""
    raise NotImplementedError
