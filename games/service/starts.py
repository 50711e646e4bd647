"""New matches, their seats and what is frozen for these; who plays now."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Count

from accounts.service import lock_accounts
from games import clock_source, deals, rules, snapshots
from games.errors import AlreadyInMatch, CannotStart, DeviceBusy
from games.models import Match, Seat
from games.service.applying import DEVICE_CAP_MS
from ratings import service as ratings

if TYPE_CHECKING:
    from accounts.models import User


def start_match(
    *,
    users: Sequence[User],
    variant: str = "spectacular-bid",
    options: dict[str, Any] | None = None,
    rated: bool,
    now_ms: int | None = None,
) -> Match:
    """A new match of these users, seated in this order, waiting for Start.

    Ratings are frozen here, the first deal is committed to, and the 60 s for Start begin. Raises
    `AlreadyInMatch(user)` for a person who still plays, `CannotStart(reason)`.
    """
    options = dict(options or {})
    now_ms = clock_source.now_ms() if now_ms is None else now_ms
    if len({user.pk for user in users}) != len(users):
        raise CannotStart(reason="same_user")
    state = rules.new_match(variant, at_ms=now_ms, options=options)
    if rated and state.options != rules.get_variant(variant).read_options({}):
        raise CannotStart(reason="options")  # CL-30
    if state.options.shared_device:
        raise CannotStart(reason="options")  # D-4: see start_at_device
    if len(users) != len(state.banks_ms):
        raise CannotStart(reason="seats")
    state = as_fixed(state)
    with transaction.atomic():
        users = _seated_accounts(users)
        programs = {user.is_program for user in users}
        if rated and len(programs) > 1:
            raise CannotStart(reason="mixed_rated")
        pool = ratings.pool_for(variant, len(users), programs=programs == {True})
        frozen = ratings.freeze(users, pool, at=clock_source.as_datetime(now_ms))
        match = _new_match(
            state,
            now_ms,
            options=options,
            rated=rated,
            pool=pool,
            player_ids=[user.pk for user in users],
            cap_ms=now_ms + settings.START_CAP_MS,
        )
        for index, (user, facts) in enumerate(zip(users, frozen, strict=True)):
            _seat(match, index, user, facts, points=state.balances[index])
    return match


def start_at_device(
    *, names: Sequence[str], device: str, variant: str = "spectacular-bid", now_ms: int | None = None
) -> Match:
    """A new match of two people at one browser, waiting for Start; never rated and nobody's but theirs (D-4).

    `names` are shown in seat order, `device` is the digest of the key that the browser holds. Raises
    `DeviceBusy(match)` while another match runs there, `CannotStart(reason)`.
    """
    assert device
    now_ms = clock_source.now_ms() if now_ms is None else now_ms
    options = {"shared_device": True}
    state = as_fixed(rules.new_match(variant, at_ms=now_ms, options=options))
    if len(names) != len(state.banks_ms):
        raise CannotStart(reason="seats")
    try:
        with transaction.atomic():
            cap_ms = now_ms + DEVICE_CAP_MS
            match = _new_match(
                state, now_ms, options=options, player_ids=[None] * len(names), device=device, cap_ms=cap_ms
            )
            for index, name in enumerate(names):
                Seat.objects.create(match=match, index=index, side=index, name=name, points=state.balances[index])
    except IntegrityError as error:
        running = running_at_device(device)
        if running is None:
            raise
        raise DeviceBusy(match=running.public_id) from error
    return match


def running_at_device(device: str) -> Match | None:
    """The match that is being played at this device; None without a query where there is no key."""
    return Match.objects.filter(device=device, status__in=Match.RUNNING).first() if device else None


def running_rated(user: User, opponents: Iterable[User]) -> dict[int, int]:
    """How many rated matches `user` plays with each of `opponents` now, by their ids; nobody else is named.

    A person plays one match at a time, so this is about programs.
    """
    seats = Seat.objects.filter(
        user__in=[other.pk for other in opponents],
        match__status__in=Match.RUNNING,
        match__rated=True,
        match__seats__user=user,
    )
    return dict(seats.exclude(user=user).values_list("user").annotate(Count("pk")).order_by())


def active_match_of(user: User) -> Match | None:
    """The match that `user` plays now, the latest for a program; None when there is none."""
    running = Match.objects.filter(seats__user=user, status__in=Match.RUNNING)
    if not user.is_program:
        running = Match.objects.filter(seats__active_person=user)
    return running.order_by("-created_at", "-pk").first()


def as_fixed(state: rules.MatchState) -> rules.MatchState:
    """The beginning as the test setting wants it; on every real site as it is."""
    fixed = deals.test_deals()
    if fixed is None:
        return state
    return state.but(balances=fixed.balances or state.balances, banks_ms=fixed.banks_ms or state.banks_ms)


def _new_match(state: rules.MatchState, now_ms: int, **columns: Any) -> Match:
    """The match that begins like this, its first deal committed to; its seats are still to come."""
    text = snapshots.encode(state)
    match = Match.objects.create(
        variant=state.variant,
        rules_version=rules.RULES_VERSION,
        phase=state.phase,
        origin=text,
        snapshot=text,
        hand_no=state.hand,
        created_at=clock_source.as_datetime(now_ms),
        **columns,
    )
    deals.new_hand(match.pk, state.hand + 1, len(state.banks_ms)).save(force_insert=True)
    return match


def _seated_accounts(users: Sequence[User]) -> list[User]:
    """The accounts as they are under their lock: whoever asked read them some time ago."""
    accounts = lock_accounts(user.pk for user in users)
    if any(user.pk not in accounts or not accounts[user.pk].is_active for user in users):
        raise CannotStart(reason="closed")
    return [accounts[user.pk] for user in users]


def _seat(match: Match, index: int, user: User, frozen: ratings.Frozen, *, points: int) -> Seat:
    try:
        with transaction.atomic():
            return Seat.objects.create(
                match=match,
                index=index,
                side=index,
                user=user,
                active_person=None if user.is_program else user,
                points=points,
                rating_at_start=frozen.rating,
                k_at_start=frozen.k,
                games_at_start=frozen.games,
                farming_factor=frozen.farming_factor,
                provisional_at_start=frozen.provisional,
            )
    except IntegrityError as error:
        raise AlreadyInMatch(user=user.pk) from error
