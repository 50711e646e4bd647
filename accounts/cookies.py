"""Theme, language and look of a browser: cookies, so that no page needs a query for them."""

from collections.abc import Mapping

from django.conf import settings
from django.http import HttpResponse

from accounts.models import Preferences

# Read by the page's script too, so not http-only.
THEME_COOKIE = "theme"
# Each with the values that are worth a cookie: those that are not the default. They are attributes of the page's root
# element, called as the cookie: `data-tiles`, `data-pips`, `data-motion`.
LOOKS: Mapping[str, tuple[str, ...]] = {
    "tiles": (Preferences.Tiles.EBONY.value,),
    "pips": ("coloured",),
    "motion": (Preferences.Motion.FULL.value, Preferences.Motion.REDUCED.value),
}
YEAR_S = 365 * 24 * 3600


def look_of_cookies(cookies: Mapping[str, str]) -> dict[str, str]:
    """What a browser was told to look like, by the name of the attribute; what nobody offers is left out."""
    return {name: cookies[name] for name, values in LOOKS.items() if cookies.get(name) in values}


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


def keep_look(response: HttpResponse, preferences: Preferences) -> None:
    """Remember tiles, pips and motion in this browser; what is as it is by default is forgotten."""
    chosen = {
        "tiles": preferences.tiles,
        "pips": "coloured" if preferences.coloured_pips else "",
        "motion": preferences.motion,
    }
    for name, value in chosen.items():
        if value in LOOKS[name]:
            _set(response, name, value)
        else:
            response.delete_cookie(name, samesite="Lax")


def keep_preferences(response: HttpResponse, preferences: Preferences) -> None:
    """Remember at sign-in what an account has chosen; a theme or language it never chose stays as it is here."""
    if preferences.theme != Preferences.Theme.AUTO:
        keep_theme(response, preferences.theme)
    if preferences.language:
        keep_language(response, preferences.language)
    keep_look(response, preferences)


def _set(response: HttpResponse, name: str, value: str) -> None:
    response.set_cookie(name, value, max_age=YEAR_S, samesite="Lax", secure=settings.SESSION_COOKIE_SECURE)
