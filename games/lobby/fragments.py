"""The parts of the lobby page that change, as context for the page and as frames for its socket."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.template.loader import render_to_string
from django.urls import reverse

from games.rules.clock import BANK_MS, DELAY_MS
from ratings import elo
from ratings.messages import points_text

from . import service
from .shown import live_matches, own_matches, own_rating, shown_offers

if TYPE_CHECKING:
    from accounts.models import User

FRAGMENTS = ("_make", "_offers", "_running", "_live", "_go")


def lobby_context(viewer: User | None, *, csrf: str) -> dict[str, Any]:
    """Everything the lobby shows `viewer`, read now."""
    offers = shown_offers(viewer, service.open_offers())
    own_offer = next((offer for offer in offers if offer.own), None)
    return {
        "viewer": viewer,
        "csrf": csrf,
        "offers": offers,
        "own_offer": own_offer,
        "waiting": own_offer is not None,
        "running": own_matches(viewer),
        "live": live_matches(viewer),
        "rating": own_rating(viewer),
        "bank_s": BANK_MS // 1000,
        "delay_s": DELAY_MS // 1000,
        "k_new": elo.K_NEW,
        "k_settled": elo.K_SETTLED,
        "k_master": elo.K_MASTER,
        "provisional_games": elo.PROVISIONAL_GAMES,
        "unsettled_games": elo.UNSETTLED_GAMES,
        "master": points_text(elo.MASTER_CENTI),
    }


def lobby_fragments(viewer: User, *, csrf: str) -> dict[str, str]:
    """The parts of the page by name, to be swapped in by their ids; `_go` leads to the table of a new match."""
    context = lobby_context(viewer, csrf=csrf) | {"oob": True}
    waiting = [match for match in context["running"] if match.is_new]
    if waiting:
        context["go"] = reverse("match", args=[waiting[0].public_id])
    return {name: render_to_string(f"games/lobby/{name}.html", context) for name in FRAGMENTS}
