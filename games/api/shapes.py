"""The JSON that programs get: plain values in, dictionaries out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from games.lobby.shown import ShownMatch, ShownOffer


def offer_shape(offer: ShownOffer) -> dict[str, Any]:
    """An open offer as the asking program sees it."""
    return {
        "id": offer.public_id,
        "owner": offer.owner_name,
        "owner_is_program": offer.owner_is_program,
        "owner_rating": offer.owner_rating,
        "variant": offer.variant,
        "rated": offer.rated,
        "own": offer.own,
    }


def match_shape(match: ShownMatch) -> dict[str, Any]:
    """A running match: where its socket is, who plays, what they hold."""
    return {
        "id": match.public_id,
        "players": list(match.names),
        "balances": list(match.points),
        "socket": f"/ws/matches/{match.public_id}/",
    }
