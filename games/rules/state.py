"""The state of a match, as a value.

Every attribute but the last few has the name it has in the referee's `state`. States are made
by match.new_match and match.evolve only.
"""

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from games.rules.facts import TurnKind
from games.rules.layout import Layout
from games.rules.tiles import Tile
from games.rules.variants import Options

Phase = Literal["ready", "curtain", "auction", "play", "over"]


class StandingBid(NamedTuple):
    """The bid that can be accepted or raised."""

    seat: int
    amount: int


@dataclass(frozen=True)
class MatchState:
    """A match between two commands, secrets included.

    Clocks stand while `deadline_ms` is None. `held` is sorted, `boneyard` in drawing order. In
    the phase `ready` the tables still show the hand just ended (D-3). `turn` is None while the
    clocks stand, but for the curtain, where it names who has to reveal.
    """

    hand: int
    phase: Phase
    balances: tuple[int, ...]
    banks_ms: tuple[int, ...]
    turn: int | None
    turn_started_ms: int | None
    deadline_ms: int | None
    held: tuple[tuple[Tile, ...], ...]
    boneyard: tuple[Tile, ...]
    layout: Layout
    must_open: Tile | None
    must_play: Tile | None
    jockey: int | None
    bid: StandingBid | None
    ready: tuple[int, ...]
    winner: int | None
    ending: str | None
    # Beside the referee's keys: which variant, what kind of turn runs (or waits behind the
    # curtain), and who was the last to reveal on a shared device.
    variant: str
    options: Options
    turn_kind: TurnKind | None
    revealed: int | None

    def but(self, **changes: Any) -> "MatchState":
        """The same state with some attributes changed."""
        # dataclasses.replace goes through __init__ field by field and is some eight times
        # slower; a match takes thousands of these steps.
        state = object.__new__(MatchState)
        fields = state.__dict__
        fields.update(self.__dict__)
        fields.update(changes)
        return state
