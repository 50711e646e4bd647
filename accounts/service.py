"""Accounts: tokens of programs, preferences, closing, and telling sockets that a session is over."""

import hashlib
import secrets
from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from types import MappingProxyType
from typing import Any

from allauth.account.models import EmailAddress
from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts.errors import TokenRefused, UnknownToken
from accounts.models import ApiToken, Preferences, User
from accounts.signals import token_wanted
from ratings.service import has_rated_matches

SCOPE_PLAY = "play"
# Every token begins so: no secret.
TOKEN_PREFIX = "boneyard_"  # noqa: S105
TOKEN_BYTES = 32
# Longer than any token: what comes in a header is not hashed at any length.
TOKEN_MAX_LENGTH = 200
# `last_used` is kept to the minute, or each request would cost a write.
LAST_USED_PERIOD = timedelta(minutes=1)


def issue_token(user: User) -> str:
    """A new token of the account, to be shown once; only its hash is kept.

    Marks the account as a program's for good.

    Raises `TokenRefused`: "rated-matches" (a person's rating may not be handed to a program),
    "closed", or the code of whoever answers `token_wanted`.
    """
    raw = TOKEN_PREFIX + secrets.token_urlsafe(TOKEN_BYTES)
    with transaction.atomic():
        account = User.objects.select_for_update().get(pk=user.pk)
        if not account.is_active:
            raise TokenRefused("closed")
        if not account.is_program:
            _make_program(account)
        ApiToken.objects.create(user=account, hash=_token_hash(raw), scopes=[SCOPE_PLAY])
    user.is_program = True
    return raw


def user_for_token(raw: str, *, scope: str = SCOPE_PLAY) -> User | None:
    """The active account a token stands for, or None when it is unknown, revoked or lacks the scope."""
    if not raw or len(raw) > TOKEN_MAX_LENGTH:
        return None
    token = (
        ApiToken.objects.select_related("user")
        .filter(hash=_token_hash(raw), revoked__isnull=True, user__is_active=True)
        .first()
    )
    if token is None or scope not in token.scopes:
        return None
    now = timezone.now()
    if token.last_used is None or token.last_used < now - LAST_USED_PERIOD:
        ApiToken.objects.filter(pk=token.pk).update(last_used=now)
    return token.user


def revoke_token(user: User, token_id: int) -> None:
    """End a token; its open sockets close. Ending it twice is no error.

    Raises `UnknownToken`.
    """
    with transaction.atomic():
        tokens = ApiToken.objects.filter(pk=token_id, user=user)
        if not tokens.exists():
            raise UnknownToken("unknown-token")
        if tokens.filter(revoked__isnull=True).update(revoked=timezone.now()):
            announce_session_ended(user.pk, None)


def lock_accounts(ids: Iterable[int]) -> dict[int, User]:
    """The accounts as they are now, by id, held until the transaction ends: none becomes a program or is closed.

    Always locked in the order of their ids; lock accounts before anything that names them.
    """
    # Not "for update": rows of others may go on naming these accounts.
    accounts = User.objects.select_for_update(no_key=True).filter(pk__in=set(ids)).order_by("pk")
    return {account.pk: account for account in accounts}


def preferences_of(user: User, *, so_far: Mapping[str, Any] = MappingProxyType({})) -> Preferences:
    """What the account prefers; where it never chose, what holds `so_far` and the defaults, not saved."""
    return Preferences.objects.filter(user=user).first() or Preferences(user=user, **so_far)


def save_preferences(
    user: User, chosen: Mapping[str, Any], *, so_far: Mapping[str, Any] = MappingProxyType({})
) -> Preferences:
    """Keep what was chosen, by name of the field. Two pages that save for the first time at once are no fault.

    What holds `so_far`, as long as the account chose nothing, is kept with its first choice.
    """
    preferences, _is_new = Preferences.objects.update_or_create(
        user=user, defaults=chosen, create_defaults={**so_far, **chosen}
    )
    return preferences


def choose_language(user: User, language: str, *, so_far: Mapping[str, Any] = MappingProxyType({})) -> None:
    """Keep a language for the account; one the site does not speak is ignored. `so_far` as for `save_preferences`."""
    if language in dict(settings.LANGUAGES):
        save_preferences(user, {"language": language}, so_far=so_far)


def hand_over_address(address: EmailAddress, confirm: Callable[[], bool]) -> bool:
    """What `confirm` says, which marks the address as confirmed; accounts that only named it lose it then.

    All or nothing: an address belongs to one account at most.
    """
    with transaction.atomic():
        if not address.can_set_verified():
            return confirm()
        User.objects.filter(email=address.email).exclude(pk=address.user_id).update(email="")
        if not confirm():
            transaction.set_rollback(True)
            return False
        EmailAddress.objects.filter(email=address.email).exclude(user_id=address.user_id).delete()
        if address.primary:
            User.objects.filter(pk=address.user_id).update(email=address.email)
    return True


def close_account(user: User) -> None:
    """Deactivate an account: its sessions and tokens no longer count and its sockets close.

    Rows that others' results rest on stay; so does the name, so that nobody else can take it.
    """
    with transaction.atomic():
        user.is_active = False
        user.save(update_fields=["is_active"])
        ApiToken.objects.filter(user=user, revoked__isnull=True).update(revoked=timezone.now())


def announce_session_ended(user_id: int, session_key: str | None) -> None:
    """After the commit, tell the sockets of an account that a session is over.

    Group `user.<id>`, message {"type": "session.ended", "user": id, "session": digest or None}. None
    means every session of the account: each socket then looks again whether it may stay. The key itself is a secret and
    does not go into the layer; see `session_digest`.
    """
    digest = session_digest(session_key) if session_key else None
    message = {"type": "session.ended", "user": user_id, "session": digest}

    # Not a partial: Django logs the name of a robust callback that fails, and a partial has none.
    def tell_sockets() -> None:
        layer = get_channel_layer()
        if layer is not None:
            async_to_sync(layer.group_send)(f"user.{user_id}", message)

    transaction.on_commit(tell_sockets, robust=True)


def session_digest(session_key: str) -> str:
    """What names a session in messages: a hash that cannot be used to sign in."""
    return hashlib.sha256(session_key.encode()).hexdigest()


def _make_program(account: User) -> None:
    # In this order: a match that ends in between has then left its result in the ledger.
    for _receiver, code in token_wanted.send(sender=User, user=account):
        if code:
            raise TokenRefused(code)
    if has_rated_matches(account):
        raise TokenRefused("rated-matches")
    account.is_program = True
    account.save(update_fields=["is_program"])


def _token_hash(raw: str) -> str:
    return hashlib.sha256(raw.encode()).hexdigest()
