"""The moment at which a request has arrived."""

from collections.abc import Awaitable, Callable
from typing import Any

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest, HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

from games.clock_source import now_ms


@sync_and_async_middleware
def stamp_arrival(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Sets `request.arrived_ms`, when the request and its body are complete.

    Outermost and asynchronous: any other place would count the wait for a worker thread
    as the player's own time. A command's own stamp is older still: Django itself passes
    through a thread before this, so `games.arrival.StampBody` takes it outside of Django.
    """
    if iscoroutinefunction(get_response):

        async def stamp(request: HttpRequest) -> HttpResponseBase:
            request.arrived_ms = _arrived_ms(request)
            response: Awaitable[HttpResponseBase] = get_response(request)
            return await response

        return stamp

    def stamp_now(request: HttpRequest) -> HttpResponseBase:
        request.arrived_ms = _arrived_ms(request)
        return get_response(request)

    return stamp_now


def _arrived_ms(request: HttpRequest) -> int:
    arrival = getattr(request, "scope", {}).get("arrival")
    return now_ms() if arrival is None else arrival.arrived_ms
