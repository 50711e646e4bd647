"""The page of a player: who it is, the rating with its last changes, the last matches."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.models import User
from accounts.names import name_key
from games.models import Match, Seat
from ratings import service as ratings

RATED_VARIANT = "spectacular-bid"
RATED_SEATS = 2
MATCHES_SHOWN = 15


@dataclass(frozen=True)
class PastMatch:
    """A finished match as one line of its player's page."""

    public_id: str
    opponent: str
    ended_at: datetime | None
    result: str  # won, lost, none
    rated: bool
    points: tuple[int, int]  # own, opponent's


@require_safe
def player(request: HttpRequest, username: str) -> HttpResponse:
    """What everybody may see of a player."""
    shown = get_object_or_404(User, username_key=name_key(username), is_active=True)
    pool = ratings.pool_for(RATED_VARIANT, RATED_SEATS, programs=shown.is_program)
    return render(
        request,
        "games/player.html",
        {
            "shown": shown,
            "is_own": request.user.pk == shown.pk,
            "card": ratings.rating_card(shown, pool),
            "matches": past_matches(shown),
        },
    )


def past_matches(shown: User) -> list[PastMatch]:
    """The last matches of the player that are over, newest first."""
    over = (Match.Status.FINISHED, Match.Status.CANCELLED, Match.Status.ABORTED)
    matches = list(Match.objects.filter(seats__user=shown, status__in=over).order_by("-ended_at")[:MATCHES_SHOWN])
    seats: dict[int, list[Seat]] = {match.pk: [] for match in matches}
    for seat in Seat.objects.filter(match__in=matches).select_related("user").order_by("index"):
        seats[seat.match_id].append(seat)
    return [_past_match(match, seats[match.pk], shown) for match in matches]


def _past_match(match: Match, seats: list[Seat], shown: User) -> PastMatch:
    own = next(seat for seat in seats if seat.user_id == shown.pk)
    other = next(seat for seat in seats if seat is not own)
    result = "none" if match.winner is None else "won" if match.winner == own.side else "lost"
    return PastMatch(
        public_id=match.public_id,
        opponent=other.user.username if other.user else _("Guest"),
        ended_at=match.ended_at,
        result=result,
        rated=match.counts,
        points=(own.points, other.points),
    )
