"""The app's place in Django's registry."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"
    label = "games"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from games import signals

        signals.connect()
