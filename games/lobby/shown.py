"""What the lobby shows one viewer: plain values, ready for a template or JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from games import access
from games import service as matches
from games.models import Match, Seat
from ratings import service as ratings
from ratings.messages import casual_text

from . import service

if TYPE_CHECKING:
    from collections.abc import Iterable

    from accounts.models import User

    from .models import Offer

LIVE_SHOWN = 8
OFFERS_SHOWN = 100


@dataclass(frozen=True)
class ShownOffer:
    """An open offer as one viewer sees it."""

    public_id: str
    owner_name: str
    owner_rating: str  # "1512?" while provisional
    owner_is_program: bool
    variant: str
    rated: bool  # as it would be played by this viewer
    casual_reason: str  # a sentence: why an offer made as rated would be casual for this viewer; "" otherwise
    own: bool
    gain: str  # what a win of the viewer brings, "+20.0"; "" where nothing is rated
    loss: str
    k: str


@dataclass(frozen=True)
class ShownMatch:
    """A running match in a list: names and balances, which everybody may know."""

    public_id: str
    names: tuple[str, ...]
    points: tuple[int, ...]
    opponent: str  # of the viewer; "" for a stranger
    is_new: bool  # waits for Start


def shown_offers(viewer: User | None, offers: Iterable[Offer]) -> list[ShownOffer]:
    """The offers with what each would mean for `viewer`; the number of queries does not grow with them."""
    offers = list(offers)
    own = [offer for offer in offers[OFFERS_SHOWN:] if viewer is not None and offer.owner_id == viewer.pk]
    offers = [*offers[:OFFERS_SHOWN], *own]
    figures: dict[tuple[str, int], ratings.RatingFigure] = {}
    terms: dict[tuple[str, int], ratings.Terms] = {}
    owners = {offer.owner_id: offer.owner for offer in offers}
    running = matches.running_rated(viewer, owners.values()) if viewer is not None and viewer.is_program else {}
    for pool in {offer.pool for offer in offers}:
        of_pool = [offer.owner for offer in offers if offer.pool == pool]
        figures |= {(pool, key): value for key, value in ratings.ratings_of(of_pool, pool).items()}
        if viewer is not None:
            found = ratings.terms_against(viewer, of_pool, pool, running=running)
            terms |= {(pool, key): value for key, value in found.items()}
    return [
        _shown_offer(viewer, offer, figures[offer.pool, offer.owner_id], terms.get((offer.pool, offer.owner_id)))
        for offer in offers
    ]


def own_matches(viewer: User | None) -> list[ShownMatch]:
    """The running matches of the viewer."""
    if viewer is None:
        return []
    running = Match.objects.filter(seats__user=viewer, status__in=Match.RUNNING)
    if not viewer.is_program:
        running = Match.objects.filter(seats__active_person=viewer)
    return _shown_matches(running.order_by("-created_at")[:LIVE_SHOWN], viewer)


def live_matches(viewer: User | None = None) -> list[ShownMatch]:
    """The newest matches that are being played, without those of the viewer, who has them to return to."""
    playing = Match.objects.filter(status=Match.Status.PLAYING, device="")
    if viewer is not None:
        playing = playing.exclude(seats__user=viewer)
    return _shown_matches(playing.order_by("-created_at")[:LIVE_SHOWN], None)


def _shown_offer(
    viewer: User | None, offer: Offer, rating: ratings.RatingFigure, terms: ratings.Terms | None
) -> ShownOffer:
    own = viewer is not None and viewer.pk == offer.owner_id
    reason, gain, loss, k = "", "", "", ""
    if terms is not None and not own and offer.rated:
        if terms.stake is None:
            reason = casual_text(terms.casual_reason)
        else:
            gain, loss, k = terms.stake.gain_text, terms.stake.loss_text, str(terms.stake.k)
    return ShownOffer(
        public_id=offer.public_id,
        owner_name=offer.owner.username,
        owner_rating=rating.text,
        owner_is_program=offer.owner.is_program,
        variant=offer.variant,
        rated=offer.rated and not reason,
        casual_reason=reason,
        own=own,
        gain=gain,
        loss=loss,
        k=k,
    )


def _shown_matches(found: Iterable[Match], viewer: User | None) -> list[ShownMatch]:
    found = list(found)
    seats: dict[int, list[Seat]] = {match.pk: [] for match in found}
    for seat in Seat.objects.filter(match__in=found).select_related("user").order_by("index"):
        seats[seat.match_id].append(seat)
    return [_shown_match(match, seats[match.pk], viewer) for match in found]


def _shown_match(match: Match, seats: list[Seat], viewer: User | None) -> ShownMatch:
    seen = access.sight_of(match, None)
    names = tuple(seat.user.username if seat.user else _("Guest") for seat in seats)
    others = [name for seat, name in zip(seats, names, strict=True) if viewer and seat.user_id != viewer.pk]
    return ShownMatch(
        public_id=match.public_id,
        names=names,
        points=tuple(seen.balances),
        opponent=", ".join(others),
        is_new=match.status == Match.Status.WAITING,
    )


def own_rating(viewer: User | None) -> ratings.RatingFigure | None:
    """The viewer's rating in the pool of the game that leads the lobby."""
    if viewer is None:
        return None
    pool = ratings.pool_for(service.OFFERED_VARIANTS[0], service.SEATS, programs=viewer.is_program)
    return ratings.ratings_of([viewer], pool)[viewer.pk]
