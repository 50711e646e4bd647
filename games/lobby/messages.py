"""Sentences for what the lobby refuses, in the reader's language."""

from django.utils.translation import gettext as _

from .errors import LobbyError


def error_text(error: LobbyError) -> str:
    """The refusal as a sentence for a person."""
    sentences = {
        "OfferGone": _("That offer is gone: it was taken or cancelled, or it has expired. Nothing has changed."),
        "OwnOffer": _("That is your own offer; somebody else has to accept it."),
        "NotYourOffer": _("Only the player who made an offer can cancel it."),
        "AlreadyPlaying": _("You are in a match already. Finish it first."),
        "OpponentPlaying": _("That player has just begun another match."),
        "TooManyOffers": _("You have an open offer already. Cancel it to make another one."),
        "UnknownGame": _("That game is not offered here."),
    }
    return sentences[error.code]
