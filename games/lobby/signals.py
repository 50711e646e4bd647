"""Who signs out leaves the lobby."""

from typing import Any

from django.contrib.auth.signals import user_logged_out


def connect() -> None:
    """Listen for sign-outs; called once when the apps are ready."""
    user_logged_out.connect(_withdraw, dispatch_uid="games_lobby.withdraw")


def _withdraw(sender: Any, user: Any, **kwargs: Any) -> None:
    from games.lobby import service

    if user is not None and user.pk is not None:
        service.withdraw_offers(user.pk)
