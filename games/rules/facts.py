"""What has happened in a match.

A match is the fold of its facts (match.evolve). Each carries `at_ms`, the time it was applied;
a loss on time is dated at the deadline (D-27). Points, pips and milliseconds are plain ints.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

from games.rules.layout import Contribution, Port, Site
from games.rules.tiles import Tile

TurnKind = Literal["auction", "opening", "turn"]
Cause = Literal["placement", "bid", "block"]


@dataclass(frozen=True, slots=True)
class Readied:
    """A seat has pressed Start or Continue."""

    type: ClassVar[str] = "ready"
    at_ms: int
    seat: int


@dataclass(frozen=True, slots=True)
class Dealt:
    """A hand was dealt; `order` is all 28 tiles, secret while the hand runs (D-32)."""

    type: ClassVar[str] = "dealt"
    at_ms: int
    hand: int
    order: tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class Revealed:
    """On a shared device a seat has looked at its tiles (D-4)."""

    type: ClassVar[str] = "revealed"
    at_ms: int
    seat: int


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """A clock started with a fresh delay (SB-62)."""

    type: ClassVar[str] = "turn_started"
    at_ms: int
    seat: int
    kind: TurnKind
    deadline_ms: int


@dataclass(frozen=True, slots=True)
class ClockStopped:
    """A turn was charged; `bank_ms` is what the seat has left (SB-63)."""

    type: ClassVar[str] = "clock_stopped"
    at_ms: int
    seat: int
    elapsed_ms: int
    charged_ms: int
    bank_ms: int


@dataclass(frozen=True, slots=True)
class Declined:
    """The rival made no bid (SB-50)."""

    type: ClassVar[str] = "declined"
    at_ms: int
    seat: int


@dataclass(frozen=True, slots=True)
class BidMade:
    """The first bid; `net` is what it would cost (SB-54)."""

    type: ClassVar[str] = "bid"
    at_ms: int
    seat: int
    amount: int
    net: int


@dataclass(frozen=True, slots=True)
class Raised:
    """A higher bid; `net` is what it would cost (SB-54)."""

    type: ClassVar[str] = "raised"
    at_ms: int
    seat: int
    amount: int
    net: int


@dataclass(frozen=True, slots=True)
class Accepted:
    """`seat` took the bid of `bidder`, who pays `net` and opens (SB-53)."""

    type: ClassVar[str] = "accepted"
    at_ms: int
    seat: int
    bidder: int
    amount: int
    net: int


@dataclass(frozen=True, slots=True)
class TilePlayed:
    """A tile was placed; contributions, total and due are those of the new position (SB-29).

    `join` is the port of the placed tile that touches the site; both are None for the opening.
    """

    type: ClassVar[str] = "played"
    at_ms: int
    seat: int
    tile: Tile
    site: Site | None
    join: Port | None
    contributions: tuple[Contribution, ...]
    total: int
    due: int


@dataclass(frozen=True, slots=True)
class Transferred:
    """Points moved to the other seat; `paid` is `due` capped by the payer's balance (SB-5)."""

    type: ClassVar[str] = "transferred"
    at_ms: int
    payer: int
    due: int
    paid: int
    cause: Cause
    balances: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TileDrawn:
    """A tile was drawn, `left` remain; only the drawing seat may know which (SB-39)."""

    type: ClassVar[str] = "drew"
    at_ms: int
    seat: int
    tile: Tile
    left: int


@dataclass(frozen=True, slots=True)
class Passed:
    """A forced pass (SB-37, D-5)."""

    type: ClassVar[str] = "passed"
    at_ms: int
    seat: int


@dataclass(frozen=True, slots=True)
class HandOver:
    """A hand ended; `pips` is what each seat still holds, `winner` None on a tie (SB-40, SB-42)."""

    type: ClassVar[str] = "hand_over"
    at_ms: int
    how: Literal["domino", "block"]
    winner: int | None
    pips: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MatchOver:
    """The match ended; `ending` is a value of outcome.Ending, `absent` tells who never started."""

    type: ClassVar[str] = "match_over"
    at_ms: int
    winner: int | None
    ending: str
    absent: tuple[int, ...] = ()


Fact = (
    Readied
    | Dealt
    | Revealed
    | TurnStarted
    | ClockStopped
    | Declined
    | BidMade
    | Raised
    | Accepted
    | TilePlayed
    | Transferred
    | TileDrawn
    | Passed
    | HandOver
    | MatchOver
)
