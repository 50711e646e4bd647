"""The app's place in Django's registry."""

from django.apps import AppConfig


class LobbyConfig(AppConfig):
    name = "games.lobby"
    label = "games_lobby"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from games.lobby import signals

        signals.connect()
