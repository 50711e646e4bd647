"""Making, taking and ending offers: the only place that writes them.

Every change is a compare-and-set on the offer's status, and the match of a taken
offer begins in the same transaction: an offer leads to one match or to none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.db import IntegrityError, connection, transaction
from django.db.models import Q, QuerySet

from accounts.service import lock_accounts
from games import announce
from games import service as matches
from games.clock_source import now_ms
from games.errors import AlreadyInMatch
from games.models import Match
from ratings import service as ratings

from .errors import AlreadyPlaying, NotYourOffer, OfferGone, OpponentPlaying, OwnOffer, TooManyOffers, UnknownGame
from .models import Offer

if TYPE_CHECKING:
    from accounts.models import User

LOBBY_GROUP = "lobby"
LOBBY_NOTICE = "lobby.changed"
OFFER_LIFE_MS = 10 * 60_000
OWNER_GONE_MS = 30_000
# A socket that closes leaves its owner this long to come back (a reload, another tab) before the offer goes.
OWNER_LEFT_GRACE_MS = 6_000
PROGRAM_OFFERS = 20
OFFERED_VARIANTS = ("spectacular-bid",)
SEATS = 2
OFFERS_COMPARED = 500
_NAME = re.compile(r"[A-Za-z0-9_-]{1,10}", re.ASCII)


def create_offer(
    owner: User, *, variant: str = "spectacular-bid", rated: bool = True, at_ms: int | None = None
) -> Offer:
    """An open offer of `owner`'s.

    Raises `UnknownGame`, `AlreadyPlaying`, `TooManyOffers`.
    """
    if variant not in OFFERED_VARIANTS:
        raise UnknownGame
    at_ms = now_ms() if at_ms is None else at_ms
    with transaction.atomic():
        # Held, so that no match of the owner's begins before the offer can be seen and ended with it.
        owner = lock_accounts([owner.pk])[owner.pk]
        if not owner.is_program and _is_playing(owner):
            raise AlreadyPlaying
        # The sweep may not have come by; an offer nobody can take must not stand in the way of a new one.
        Offer.objects.filter(_is_over(at_ms), owner=owner, status=Offer.Status.OPEN).update(status=Offer.Status.EXPIRED)
        if owner.is_program and Offer.objects.filter(owner=owner, status=Offer.Status.OPEN).count() >= PROGRAM_OFFERS:
            raise TooManyOffers
        try:
            with transaction.atomic():
                offer = Offer.objects.create(
                    owner=owner,
                    by_program=owner.is_program,
                    variant=variant,
                    rated=rated,
                    pool=ratings.pool_for(variant, SEATS, programs=owner.is_program),
                    created_at_ms=at_ms,
                    expires_at_ms=at_ms + OFFER_LIFE_MS,
                    seen_at_ms=at_ms,
                )
        except IntegrityError as error:
            raise TooManyOffers from error
        _tell_lobby()
    return offer


def take_offer(taker: User, public_id: str, *, at_ms: int | None = None) -> Match:
    """The match that begins when `taker` accepts the offer.

    The offer, the match and the end of both players' other offers are one transaction. Accepting twice
    (two devices, a double click) leads to the same match.

    Raises `OfferGone`, `OwnOffer`, `AlreadyPlaying`, `OpponentPlaying`.
    """
    at_ms = now_ms() if at_ms is None else at_ms
    with transaction.atomic():
        owner_id = _named(public_id).values_list("owner", flat=True).first()
        if owner_id is None:
            raise OfferGone
        # First the people, then every offer that may change, each in one order: two who accept each other's
        # offers at once must not wait for each other.
        accounts = lock_accounts([owner_id, taker.pk])
        owner, taker = accounts[owner_id], accounts[taker.pk]
        people = [user.pk for user in accounts.values() if not user.is_program]
        others = Q(owner__in=people, status=Offer.Status.OPEN)
        held = Offer.objects.select_for_update().filter(Q(public_id=public_id) | others).order_by("pk")
        offer = next((held_offer for held_offer in held if held_offer.public_id == public_id), None)
        if offer is None:
            raise OfferGone
        if offer.status == Offer.Status.TAKEN and offer.taken_by_id == taker.pk and offer.match is not None:
            return offer.match
        if not _is_open(offer, at_ms) or not owner.is_active:
            raise OfferGone
        if owner.pk == taker.pk:
            raise OwnOffer
        if not taker.is_program and _is_playing(taker):
            raise AlreadyPlaying
        if not owner.is_program and _is_playing(owner):
            raise OpponentPlaying
        running = matches.running_rated(owner, [taker]).get(taker.pk, 0)
        rated = offer.rated and not ratings.casual_reason(owner, taker, offer.pool, running=running)
        try:
            match = matches.start_match(users=(owner, taker), variant=offer.variant, options=offer.options, rated=rated)
        except AlreadyInMatch as error:
            raise (AlreadyPlaying if error.detail["user"] == taker.pk else OpponentPlaying) from error
        Offer.objects.filter(pk=offer.pk, status=Offer.Status.OPEN).update(
            status=Offer.Status.TAKEN, taken_by=taker, match=match
        )
        Offer.objects.filter(others).update(status=Offer.Status.CANCELLED)
        _tell_lobby()
    return match


def cancel_offer(user: User, public_id: str) -> None:
    """End an own open offer.

    Raises `OfferGone` (also when it has just been taken), `NotYourOffer`.
    """
    with transaction.atomic():
        offer = _named(public_id).first()
        if offer is None:
            raise OfferGone
        if offer.owner_id != user.pk:
            raise NotYourOffer
        if not Offer.objects.filter(pk=offer.pk, status=Offer.Status.OPEN).update(status=Offer.Status.CANCELLED):
            raise OfferGone
        _tell_lobby()


def withdraw_offers(user_id: int) -> None:
    """End every open offer of somebody who has signed out."""
    with transaction.atomic():
        if Offer.objects.filter(owner_id=user_id, status=Offer.Status.OPEN).update(status=Offer.Status.CANCELLED):
            _tell_lobby()


def owner_seen(user_id: int, *, at_ms: int | None = None) -> None:
    """Keep the open offers of somebody who is there."""
    owners_seen([user_id], at_ms=at_ms)


def owners_seen(user_ids: Sequence[int], *, at_ms: int | None = None) -> None:
    """The same for many at once."""
    at_ms = now_ms() if at_ms is None else at_ms
    seen = Q(owner_id__in=user_ids, status=Offer.Status.OPEN, seen_at_ms__lt=at_ms)
    # Looked at first: most pages are of people without an offer, and on SQLite each write keeps all others waiting.
    if Offer.objects.filter(seen).exists():
        with transaction.atomic():
            Offer.objects.filter(pk__in=_free(seen)).update(seen_at_ms=at_ms)


def fingerprint() -> tuple[object, ...]:
    """Differs when the lobby shows something else: open offers and running matches."""
    offers = Offer.objects.filter(status=Offer.Status.OPEN).order_by("pk").values_list("pk", flat=True)
    running = Match.objects.filter(status__in=Match.RUNNING, device="").order_by("pk").values_list("pk", "status")
    return (*offers[:OFFERS_COMPARED], *running[:OFFERS_COMPARED])


def leave_lobby(user_id: int, *, at_ms: int | None = None) -> None:
    """A socket of the owner's has closed: the offers go soon unless another tab keeps them."""
    at_ms = now_ms() if at_ms is None else at_ms
    Offer.objects.filter(owner_id=user_id, status=Offer.Status.OPEN).update(
        seen_at_ms=at_ms - OWNER_GONE_MS + OWNER_LEFT_GRACE_MS
    )


def expire_offers(*, at_ms: int | None = None) -> int:
    """End the offers whose time is over or whose owner is gone; how many."""
    at_ms = now_ms() if at_ms is None else at_ms
    over = _is_over(at_ms) & Q(status=Offer.Status.OPEN)
    if not Offer.objects.filter(over).exists():
        return 0
    with transaction.atomic():
        ended = Offer.objects.filter(pk__in=_free(over)).update(status=Offer.Status.EXPIRED)
        if ended:
            _tell_lobby()
    return ended


def open_offers(*, at_ms: int | None = None) -> list[Offer]:
    """The open offers, oldest first, owners included."""
    at_ms = now_ms() if at_ms is None else at_ms
    return list(
        Offer.objects.filter(
            status=Offer.Status.OPEN, expires_at_ms__gt=at_ms, seen_at_ms__gt=at_ms - OWNER_GONE_MS
        ).select_related("owner")
    )


def own_offer(user: User, public_id: str) -> Offer:
    """An offer of the user's, whatever became of it.

    Raises `OfferGone` for an unknown one and `NotYourOffer` for somebody else's.
    """
    offer = _named(public_id).select_related("match").first()
    if offer is None:
        raise OfferGone
    if offer.owner_id != user.pk:
        raise NotYourOffer
    return offer


def taken_offer(user: User, public_id: str) -> Offer | None:
    """An own offer that led to a match; None for any other, or what is no name of an offer."""
    taken = _named(public_id).filter(owner=user, status=Offer.Status.TAKEN)
    return taken.select_related("match").first()


def _named(public_id: str) -> QuerySet[Offer]:
    """The offer of that name; none, without a query, for what cannot be one (PostgreSQL looks up no NUL)."""
    return Offer.objects.filter(public_id=public_id) if _NAME.fullmatch(public_id) else Offer.objects.none()


def _free(wanted: Q) -> list[int]:
    """The offers that nobody else changes now, locked. Others are left alone, not waited for."""
    offers = Offer.objects.select_for_update(skip_locked=connection.features.has_select_for_update_skip_locked)
    return list(offers.filter(wanted).order_by("pk").values_list("pk", flat=True))


def _is_over(at_ms: int) -> Q:
    return Q(expires_at_ms__lte=at_ms) | Q(seen_at_ms__lte=at_ms - OWNER_GONE_MS)


def _is_open(offer: Offer, at_ms: int) -> bool:
    return (
        offer.status == Offer.Status.OPEN and at_ms < offer.expires_at_ms and at_ms < offer.seen_at_ms + OWNER_GONE_MS
    )


def _is_playing(user: User) -> bool:
    return matches.active_match_of(user) is not None


def _tell_lobby() -> None:
    """After the commit, have every lobby look again; the notice says nothing itself."""

    # Not a partial: what Django logs of a failing robust callback asks for its name.
    def tell() -> None:
        announce.send_to_group(LOBBY_GROUP, {"type": LOBBY_NOTICE})

    transaction.on_commit(tell, robust=True)
