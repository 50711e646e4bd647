"""The app's place in Django's registry."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "games.api"
    label = "games_api"
    default_auto_field = "django.db.models.BigAutoField"
