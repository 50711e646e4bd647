"""What follows when a session ends, or may have ended: its sockets are told.

Accounts and tokens are watched as they are saved, by whatever door. What writes rows without making objects of them
(`update`, `bulk_update`, SQL) calls `announce_session_ended` itself, or is noticed when a socket looks again by itself.
"""

from collections.abc import Collection
from typing import Any

from django.contrib.auth.signals import user_logged_out
from django.db.models.signals import post_delete, post_init, post_save
from django.dispatch import receiver
from django.http import HttpRequest

from accounts.models import ApiToken, User
from accounts.service import announce_session_ended

STANDING = ("password", "is_active")  # what a session is checked against


@receiver(user_logged_out, dispatch_uid="accounts.signed_out")
def end_session(sender: Any, request: HttpRequest, user: User | None, **kwargs: Any) -> None:
    """Signed out: this browser's sockets."""
    if user is not None and request.session.session_key:
        announce_session_ended(user.pk, request.session.session_key)


@receiver(post_init, sender=User, dispatch_uid="accounts.standing")
def note_standing(sender: Any, instance: Any, **kwargs: Any) -> None:
    """Keep with an account what it came with, so that saving it needs no query to know what has changed."""
    instance.came_with = _standing(instance)


@receiver(post_save, sender=User, dispatch_uid="accounts.standing_saved")
def end_all_sessions(
    sender: Any, instance: Any, created: bool, update_fields: Collection[str] | None, **kwargs: Any
) -> None:
    """A new password, or closed: every socket of the account has to show again that it may stay."""
    saved = STANDING if update_fields is None else tuple(set(STANDING) & set(update_fields))
    now = _standing(instance)
    changed = {name: now[name] for name in saved if instance.came_with[name] != now[name]}
    instance.came_with |= changed
    if changed and not created:
        announce_session_ended(instance.pk, None)


@receiver(post_delete, sender=User, dispatch_uid="accounts.deleted")
def end_sessions_of_nobody(sender: Any, instance: User, **kwargs: Any) -> None:
    """There is no such account any more."""
    announce_session_ended(instance.pk, None)


@receiver(post_save, sender=ApiToken, dispatch_uid="accounts.token_saved")
def end_sockets_of_token(sender: Any, instance: ApiToken, created: bool, **kwargs: Any) -> None:
    """Revoked by hand, or given other scopes."""
    if not created:
        announce_session_ended(instance.user_id, None)


@receiver(post_delete, sender=ApiToken, dispatch_uid="accounts.token_deleted")
def end_sockets_of_no_token(sender: Any, instance: ApiToken, **kwargs: Any) -> None:
    """There is no such token any more."""
    announce_session_ended(instance.user_id, None)


def _standing(user: Any) -> dict[str, Any]:
    # What was not read is not read now: None, until somebody sets it.
    return {name: user.__dict__.get(name) for name in STANDING}
