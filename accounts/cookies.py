"""Theme, language and look of a browser: cookies, so that no page needs a query for them."""

from collections.abc import Mapping

from django.conf import settings
from django.http import HttpResponse

from accounts.models import Preferences

# Each with the values that are worth a cookie: those that are not the default. They are attributes of the page's root
# element, called as the cookie: `data-theme`, `data-tiles`, `data-pips`, `data-motion`. Read by scripts too, so not
# http-only.
LOOKS: Mapping[str, tuple[str, ...]] = {
    "theme": (Preferences.Theme.LIGHT.value, Preferences.Theme.DARK.value),
    "tiles": (Preferences.Tiles.EBONY.value,),
    "pips": ("coloured",),
    "motion": (Preferences.Motion.FULL.value, Preferences.Motion.REDUCED.value),
}
YEAR_S = 365 * 24 * 3600


def look_of_cookies(cookies: Mapping[str, str]) -> dict[str, str]:
    """What a browser was told to look like, by the name of the attribute; what nobody offers is left out."""
    return {name: cookies[name] for name, values in LOOKS.items() if cookies.get(name) in values}


def keep_language(response: HttpResponse, language: str) -> None:
    """Remember the language in this browser; "" forgets it, and the browser's own wish counts."""
    if language in dict(settings.LANGUAGES):
        _set(response, settings.LANGUAGE_COOKIE_NAME, language)
    else:
        response.delete_cookie(settings.LANGUAGE_COOKIE_NAME, samesite="Lax")


def keep_look(response: HttpResponse, look: Mapping[str, str]) -> None:
    """Remember a look in this browser; what is as it is by default is forgotten."""
    for name in LOOKS:
        if name in look:
            _set(response, name, look[name])
        else:
            response.delete_cookie(name, samesite="Lax")


def _set(response: HttpResponse, name: str, value: str) -> None:
    response.set_cookie(name, value, max_age=YEAR_S, samesite="Lax", secure=settings.SESSION_COOKIE_SECURE)
