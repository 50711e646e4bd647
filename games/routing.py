"""Websocket routes of matches."""

from django.urls import path

from games.arrival import StampArrival
from games.consumers import MatchConsumer

websocket_urlpatterns = [
    path("ws/matches/<str:public_id>/", StampArrival(MatchConsumer.as_asgi())),
]
