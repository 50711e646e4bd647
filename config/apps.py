"""The app's place in Django's registry: `config` holds the commands and checks of the whole site."""

from importlib import import_module

from django.apps import AppConfig


class SiteConfig(AppConfig):
    name = "config"
    label = "config"

    def ready(self) -> None:
        import_module("config.checks")  # registers itself
