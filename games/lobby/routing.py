"""Websocket route of the lobby."""

from django.urls import path

from games.arrival import StampArrival

from .consumers import LobbyConsumer

websocket_urlpatterns = [path("ws/lobby/", StampArrival(LobbyConsumer.as_asgi()))]
