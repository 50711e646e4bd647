"""Websocket routes of all apps."""

from collections.abc import Awaitable, Callable
from typing import Any

from django.urls import re_path

from games.lobby.routing import websocket_urlpatterns as lobby_urlpatterns
from games.routing import websocket_urlpatterns as match_urlpatterns


async def no_such_socket(
    scope: dict[str, Any], receive: Callable[[], Awaitable[Any]], send: Callable[[Any], Awaitable[None]]
) -> None:
    """Refuses a socket at an address where there is none; without it each would be an error in the log."""
    await send({"type": "websocket.close"})


websocket_urlpatterns = [*match_urlpatterns, *lobby_urlpatterns, re_path(r"", no_such_socket)]
