"""Pages of matches and their HTTP door for commands."""

from django.urls import path

from games import converters, device_pages, pages, players, views

converters.register()

urlpatterns = [
    path("matches/<match:public_id>/", views.match, name="match"),
    path("matches/<match:public_id>/commands/", views.match_commands, name="match-commands"),
    path("matches/<match:public_id>/fragments/", views.match_fragments, name="match-fragments"),
    path("matches/<match:public_id>/here/", views.match_here, name="match-here"),
    path("matches/<match:public_id>/leave/", pages.leave, name="match-leave"),
    path("matches/<match:public_id>/end/", device_pages.end, name="match-end"),
    path("device/", device_pages.begin, name="device"),
    path("rules/", pages.rules_index, name="rules-index"),
    path("rules/spectacular-bid/", pages.rules, name="rules"),
    path("rules/spectacular-bid/sheet/", pages.rules_sheet, name="rules-sheet"),
    path("players/<player:username>/", players.player, name="player"),
]
