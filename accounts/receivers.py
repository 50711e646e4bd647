"""What follows when a session ends: its sockets are told."""

from typing import Any

from allauth.account.signals import password_changed, password_reset, password_set
from django.contrib.auth.signals import user_logged_out
from django.dispatch import receiver
from django.http import HttpRequest

from accounts.models import User
from accounts.service import announce_session_ended


@receiver(user_logged_out, dispatch_uid="accounts.signed_out")
def end_session(sender: Any, request: HttpRequest, user: User | None, **kwargs: Any) -> None:
    """Signed out: this browser's sockets."""
    if user is not None and request.session.session_key:
        announce_session_ended(user.pk, request.session.session_key)


@receiver([password_changed, password_reset, password_set], dispatch_uid="accounts.new_password")
def end_all_sessions(sender: Any, user: User, **kwargs: Any) -> None:
    """A new password: every socket has to show again that it may stay."""
    announce_session_ended(user.pk, None)
