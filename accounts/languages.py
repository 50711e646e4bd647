"""Which language somebody is spoken to: the account's, then what this browser was told, then what it asks for."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.utils import translation

from accounts.looks import chosen_preferences
from accounts.models import User


class AccountLanguageMiddleware:
    """The language that an account has chosen, on each of its pages.

    Below `LocaleMiddleware`, which knows cookie and browser, and below that which knows who asks. A browser's cookie
    may be older than what its owner has chosen on another device.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_view: Any) -> None:
        """Speak the account's language from here on. Asks for no account where no session is named."""
        if settings.SESSION_COOKIE_NAME not in request.COOKIES:
            return
        try:
            language = chosen_language(request.user)
        except (InterfaceError, OperationalError):
            return  # The view will say so itself if it needs the database.
        if language:
            translation.activate(language)
            request.LANGUAGE_CODE = language


def chosen_language(user: Any) -> str:
    """What the account has chosen, "" where it never did, or where nobody is signed in."""
    preferences = chosen_preferences(user)
    language = preferences.language if preferences is not None else ""
    return language if language in dict(settings.LANGUAGES) else ""


def language_of_address(email: str) -> str:
    """The language in which to write to this address: that of its account, else the one now spoken."""
    user = User.objects.select_related("preferences").filter(email=email.lower()).first()
    return (chosen_language(user) if user is not None else "") or translation.get_language() or settings.LANGUAGE_CODE
