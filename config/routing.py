"""Websocket routes of all apps."""

from importlib import import_module
from importlib.util import find_spec

websocket_urlpatterns: list = []
for name in ("games.routing", "games.lobby.routing"):
    if find_spec(name) is not None:
        websocket_urlpatterns += import_module(name).websocket_urlpatterns
