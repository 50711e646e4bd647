"""How the rules refuse.

    Refusal
    ├── IllegalCommand          a command that the rules do not allow now; the state is unchanged
    │   ├── MatchIsOver
    │   ├── WrongPhase          the phase knows no such command
    │   ├── NotYourTurn
    │   ├── AlreadyReady
    │   ├── NoDeal              the command deals, and there is no order of tiles to deal
    │   ├── NoBidStands         accept or raise without a bid
    │   ├── BidStands           bid or decline although a bid stands
    │   ├── BidTooLow
    │   ├── BidNotMultipleOfFive
    │   ├── BidUnaffordable
    │   ├── TileNotHeld
    │   ├── MustOpenWith
    │   ├── MustPlayDrawnTile
    │   ├── SiteNotOpen
    │   ├── TileDoesNotFit
    │   ├── MustPlay            a draw although a tile can be played
    │   ├── NothingToDraw
    │   └── TimeRunsBackwards
    ├── BadOption               an option outside what the variant offers
    ├── VariantNotAvailable     a known variant that this engine does not play yet
    ├── NoMatch                 the referee was asked before a match began
    ├── MalformedRequest        a request to the referee of the wrong shape
    └── BadRecord               a record that cannot be read, or that the rules contradict

Each carries a code, the name of its class, and the values concerned as JSON data. Sentences
are made elsewhere.
"""

from typing import Any


class Refusal(Exception):
    """A refusal with a code and the values concerned; no prose."""

    def __init__(self, **detail: Any) -> None:
        super().__init__(type(self).__name__, detail)
        self.detail: dict[str, Any] = detail

    @property
    def code(self) -> str:
        return type(self).__name__


class IllegalCommand(Refusal):
    """The rules do not allow this command now; nothing has changed (SB-77)."""


class MatchIsOver(IllegalCommand):
    """Nothing can be done in a match that has ended."""


class WrongPhase(IllegalCommand):
    """The phase of the match knows no such command."""


class NotYourTurn(IllegalCommand):
    """The other seat is on turn."""


class AlreadyReady(IllegalCommand):
    """The seat has pressed Start or Continue already."""


class NoDeal(IllegalCommand):
    """The hand must be dealt and no order of the tiles was given."""


class NoBidStands(IllegalCommand):
    """There is no bid to accept or to raise (SB-52)."""


class BidStands(IllegalCommand):
    """A bid stands: it can be accepted or raised only (SB-52)."""


class BidTooLow(IllegalCommand):
    """Below 15, or not at least five above the standing bid (SB-49, SB-51)."""


class BidNotMultipleOfFive(IllegalCommand):
    """Every bid is a multiple of five (SB-51)."""


class BidUnaffordable(IllegalCommand):
    """The net price exceeds the bidder's balance (SB-55)."""


class TileNotHeld(IllegalCommand):
    """The seat does not hold this tile."""


class MustOpenWith(IllegalCommand):
    """The opening by rank demands another tile (SB-14, SB-15)."""


class MustPlayDrawnTile(IllegalCommand):
    """The tile just drawn is playable and must be played (SB-35)."""


class SiteNotOpen(IllegalCommand):
    """No such site on the table; the opening names none (D-14)."""


class TileDoesNotFit(IllegalCommand):
    """No half of the tile equals the value of the site (SB-26)."""


class MustPlay(IllegalCommand):
    """A tile can be played, so no tile may be drawn (SB-33)."""


class NothingToDraw(IllegalCommand):
    """The boneyard is empty."""


class TimeRunsBackwards(IllegalCommand):
    """A time before one that was already seen."""


class BadOption(Refusal):
    """An option outside what the variant offers."""


class VariantNotAvailable(Refusal):
    """A variant that is known but not playable yet."""


class NoMatch(Refusal):
    """No match has begun."""


class MalformedRequest(Refusal):
    """A line that is no request of the referee's protocol."""


class BadRecord(Refusal):
    """A record that cannot be read, or that the rules contradict."""
