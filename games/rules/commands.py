"""What may be asked of a match.

Players' commands carry their seat first; the three at the end are the service's own. Whether
a command is allowed is decided in match.py.
"""

from dataclasses import dataclass
from typing import ClassVar

from games.rules.layout import Site
from games.rules.tiles import Tile


@dataclass(frozen=True, slots=True)
class Start:
    """Ends the clock stop before the first hand (SB-68, D-1)."""

    type: ClassVar[str] = "start"
    seat: int


@dataclass(frozen=True, slots=True)
class Continue:
    """Ends the clock stop between two hands (SB-68, D-2)."""

    type: ClassVar[str] = "continue"
    seat: int


@dataclass(frozen=True, slots=True)
class Reveal:
    """Shows the own tiles on a shared device and starts the clock (SB-68, D-4)."""

    type: ClassVar[str] = "reveal"
    seat: int


@dataclass(frozen=True, slots=True)
class Decline:
    """The rival makes no bid: the jockey opens free (SB-50)."""

    type: ClassVar[str] = "decline"
    seat: int


@dataclass(frozen=True, slots=True)
class Bid:
    """The rival's first bid, in points (SB-49)."""

    type: ClassVar[str] = "bid"
    seat: int
    amount: int


@dataclass(frozen=True, slots=True)
class Raise:
    """A higher bid; `amount` is the new bid, not the step (SB-51)."""

    type: ClassVar[str] = "raise"
    seat: int
    amount: int


@dataclass(frozen=True, slots=True)
class Accept:
    """Takes the standing bid: its author pays and opens (SB-53)."""

    type: ClassVar[str] = "accept"
    seat: int


@dataclass(frozen=True, slots=True)
class PlayTile:
    """Puts a tile on a site; the opening names no site (SB-26, D-14)."""

    type: ClassVar[str] = "play"
    seat: int
    tile: Tile
    site: Site | None


@dataclass(frozen=True, slots=True)
class DrawTile:
    """Takes the next tile of the boneyard (SB-34)."""

    type: ClassVar[str] = "draw"
    seat: int


@dataclass(frozen=True, slots=True)
class Resign:
    """Gives the match up, at any time (D-22)."""

    type: ClassVar[str] = "resign"
    seat: int


@dataclass(frozen=True, slots=True)
class ExpireTime:
    """Nobody acts: look at the clock (SB-71, D-27)."""

    type: ClassVar[str] = "expire_time"


@dataclass(frozen=True, slots=True)
class CancelUnstarted:
    """Not everybody started in time; `absent` are the seats that did not (D-1)."""

    type: ClassVar[str] = "cancel_unstarted"
    absent: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class CancelAbandoned:
    """Both have left the shared device alone, or want no result of their match at it (D-4)."""

    type: ClassVar[str] = "cancel_abandoned"


@dataclass(frozen=True, slots=True)
class VoidForFault:
    """A proven timing fault of the service aborts the match (SB-72, D-28)."""

    type: ClassVar[str] = "void_for_fault"


PlayerCommand = Start | Continue | Reveal | Decline | Bid | Raise | Accept | PlayTile | DrawTile | Resign
SystemCommand = ExpireTime | CancelUnstarted | CancelAbandoned | VoidForFault
Command = PlayerCommand | SystemCommand
