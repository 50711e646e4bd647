"""The moment at which a request has arrived."""

import time
from collections.abc import Awaitable, Callable
from typing import Any

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest, HttpResponseBase
from django.utils.decorators import sync_and_async_middleware


@sync_and_async_middleware
def stamp_arrival(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Sets `request.arrived_ms`, when the request and its body are complete.

    Outermost and asynchronous: any other place would count the wait for a worker thread
    as the player's own time. Django has read the whole body by now, so that a slow
    upload buys no time.
    """
    if iscoroutinefunction(get_response):

        async def stamp(request: HttpRequest) -> HttpResponseBase:
            request.arrived_ms = time.time_ns() // 1_000_000
            response: Awaitable[HttpResponseBase] = get_response(request)
            return await response

        return stamp

    def stamp_now(request: HttpRequest) -> HttpResponseBase:
        request.arrived_ms = time.time_ns() // 1_000_000
        return get_response(request)

    return stamp_now
