"""A page that says so when the database or Valkey does not answer, in place of one that speaks of a fault."""

import logging
from collections.abc import Callable

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

RETRY_AFTER_S = 5
API = "/api/"


class OutageMiddleware:
    """503 for what a view could not do since a server behind the site was away: locked, restarting, gone."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """The answer, or None for any other fault."""
        if not isinstance(error, OperationalError | InterfaceError | RedisError):
            return None
        logger.error("%s could not be answered", request.path, exc_info=error)
        response: HttpResponse
        if request.path.startswith(API):
            response = JsonResponse({"error": "Unavailable", "detail": {}}, status=503)
        else:
            # Without the request: nothing on the page may ask the database once more.
            response = render(None, "503.html", status=503)
        response["Retry-After"] = str(RETRY_AFTER_S)
        return response
