"""Websocket routes of all apps."""

import sys
from collections.abc import Awaitable, Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from django.urls import re_path


async def no_such_socket(
    scope: dict[str, Any], receive: Callable[[], Awaitable[Any]], send: Callable[[Any], Awaitable[None]]
) -> None:
    """Refuses a socket at an address where there is none; without it each would be an error in the log."""
    await send({"type": "websocket.close"})


websocket_urlpatterns: list = []
for name in ("games.routing", "games.lobby.routing"):
    if find_spec(name) is not None:
        try:
            websocket_urlpatterns += import_module(name).websocket_urlpatterns
        except ImportError as error:
            sys.stderr.write(f"config.routing: {name} is left out: {error}\n")
websocket_urlpatterns.append(re_path(r"", no_such_socket))
