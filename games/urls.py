"""Pages of matches and their HTTP door for commands."""

from django.urls import path

from games import pages, players, views

urlpatterns = [
    path("matches/<str:public_id>/", views.match, name="match"),
    path("matches/<str:public_id>/commands/", views.match_commands, name="match-commands"),
    path("matches/<str:public_id>/fragments/", views.match_fragments, name="match-fragments"),
    path("matches/<str:public_id>/leave/", pages.leave, name="match-leave"),
    path("rules/", pages.rules, name="rules"),
    path("players/<str:username>/", players.player, name="player"),
]
