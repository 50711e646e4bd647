"""Pages of somebody who is signed in are kept by no browser."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import add_never_cache_headers


class PrivatePagesMiddleware:
    """Has no browser keep a page that was made for a session, unless the view says what may be kept.

    Every such page names its reader, some show the mail address. A browser that kept it, or the whole page with its
    scripts for the way back, would show it to whoever comes next, after signing out (B261).
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if settings.SESSION_COOKIE_NAME in request.COOKIES and not response.has_header("Cache-Control"):
            add_never_cache_headers(response)
        return response
