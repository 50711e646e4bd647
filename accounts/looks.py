"""What pages look like: as the account has chosen, and where it never did, as this browser was told.

An account that has chosen anything decides all of it; its browsers' cookies follow with the next page, for the page
without a connection and for whoever signs out. What a browser was told before goes into the first choice that is saved.
"""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse

from accounts.cookies import keep_look, look_of_cookies
from accounts.models import Preferences


class AccountLookMiddleware:
    """Has this browser remember the account's look, whichever device it was chosen on. Asks no database."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        # What is posted may choose a look, and then says so itself. What all readers share is no place for one's own.
        if request.method != "GET" or response.status_code != 200 or "public" in response.get("Cache-Control", ""):
            return response
        look = look_of_account(request)
        if look is not None and look != look_of_cookies(request.COOKIES):
            keep_look(response, look)
        return response


def look_of(request: HttpRequest) -> dict[str, str]:
    """Theme, tiles, pips and motion of this reader's pages, by the name of the attribute; not what is as by default."""
    look = look_of_account(request)
    return look_of_cookies(request.COOKIES) if look is None else look


def look_of_account(request: HttpRequest) -> dict[str, str] | None:
    """The same, of the account; None where nobody is signed in, never chose anything, or the database is away."""
    if settings.SESSION_COOKIE_NAME not in request.COOKIES:
        return None
    try:
        preferences = chosen_preferences(getattr(request, "user", None))
    except (InterfaceError, OperationalError):
        return None  # The view will say so itself if it needs the database.
    return look_of_preferences(preferences) if preferences is not None else None


def look_of_preferences(preferences: Preferences) -> dict[str, str]:
    """The look that was chosen."""
    look = {
        "theme": preferences.theme,
        "tiles": preferences.tiles,
        "pips": "coloured" if preferences.coloured_pips else "",
        "motion": preferences.motion,
    }
    return look_of_cookies(look)


def preferences_of_look(look: dict[str, str]) -> dict[str, Any]:
    """The other way round, by name of the field: what a first choice begins with."""
    told: dict[str, Any] = {name: look[name] for name in ("theme", "tiles", "motion") if name in look}
    return told | ({"coloured_pips": True} if "pips" in look else {})


def chosen_preferences(user: Any) -> Preferences | None:
    """What the account has chosen; None where it never did, or where nobody is signed in."""
    if not isinstance(getattr(user, "pk", None), int):
        return None
    # Read together with the account by `AccountBackend`, so this costs no query.
    try:
        preferences: Preferences = user.preferences
    except Preferences.DoesNotExist:
        return None
    return preferences
