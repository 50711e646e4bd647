"""Websocket routes of matches."""

from django.urls import path

from games import converters
from games.arrival import StampArrival
from games.consumers import MatchConsumer

converters.register()

websocket_urlpatterns = [
    path("ws/matches/<match:public_id>/", StampArrival(MatchConsumer.as_asgi())),
]
