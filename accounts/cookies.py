"""Theme and language of a browser: cookies, so that no page needs a query for them."""

from django.conf import settings
from django.http import HttpResponse

from accounts.models import Preferences

# Read by the page's script too, so not http-only.
THEME_COOKIE = "theme"
YEAR_S = 365 * 24 * 3600


def keep_theme(response: HttpResponse, theme: str) -> None:
    """Remember the theme in this browser; "auto" forgets it."""
    if theme == Preferences.Theme.AUTO:
        response.delete_cookie(THEME_COOKIE, samesite="Lax")
    else:
        _set(response, THEME_COOKIE, theme)


def keep_language(response: HttpResponse, language: str) -> None:
    """Remember the language in this browser; "" forgets it, and the browser's own wish counts."""
    if language in dict(settings.LANGUAGES):
        _set(response, settings.LANGUAGE_COOKIE_NAME, language)
    else:
        response.delete_cookie(settings.LANGUAGE_COOKIE_NAME, samesite="Lax")


def keep_preferences(response: HttpResponse, preferences: Preferences) -> None:
    """Remember at sign-in what an account has chosen; what it never chose stays as this browser has it."""
    if preferences.theme != Preferences.Theme.AUTO:
        keep_theme(response, preferences.theme)
    if preferences.language:
        keep_language(response, preferences.language)


def _set(response: HttpResponse, name: str, value: str) -> None:
    response.set_cookie(name, value, max_age=YEAR_S, samesite="Lax", secure=settings.SESSION_COOKIE_SECURE)
