"""The app's place in Django's registry."""

from django.apps import AppConfig


class RatingsConfig(AppConfig):
    name = "ratings"
    label = "ratings"
    default_auto_field = "django.db.models.BigAutoField"
