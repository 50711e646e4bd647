"""What the lobby refuses.

    LobbyError
    ├── OfferGone          the offer was taken, cancelled or has expired
    ├── OwnOffer           nobody plays against themselves
    ├── NotYourOffer       only its owner cancels an offer
    ├── AlreadyPlaying     a person plays one match at a time
    ├── OpponentPlaying    the owner of the offer has begun another match
    ├── TooManyOffers      a person has one open offer, a program at most `PROGRAM_OFFERS`
    └── UnknownGame        no such game is offered here

Each carries a `code` (its class name); `games.lobby.messages` makes the sentence.
"""


class LobbyError(Exception):
    """A request that the lobby refuses; nothing has changed."""

    @property
    def code(self) -> str:
        return type(self).__name__


class OfferGone(LobbyError):
    """Taken, cancelled or expired in the meantime."""


class OwnOffer(LobbyError):
    """The taker is the owner."""


class NotYourOffer(LobbyError):
    """Somebody else's offer."""


class AlreadyPlaying(LobbyError):
    """The person has a running match."""


class OpponentPlaying(LobbyError):
    """The owner has a running match by now."""


class TooManyOffers(LobbyError):
    """The owner has as many open offers as allowed."""


class UnknownGame(LobbyError):
    """A game that is not offered."""
