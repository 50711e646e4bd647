"""`manage.py prepare`: what a checkout needs before it can serve; `up` does the same by itself."""

from typing import Any

from django.core.management.base import BaseCommand

from config.prepare import prepare


class Command(BaseCommand):
    help = "Cuts the fonts, compiles the messages and collects the static files, as far as they are not up to date."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        prepare(self.stdout.write)
