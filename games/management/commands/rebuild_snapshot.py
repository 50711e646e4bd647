"""rebuild_snapshot: write the state that a match's log folds to."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games import service
from games.models import Match


class Command(BaseCommand):
    help = "Make the stored state of a match from its log again."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("public_id", metavar="MATCH")

    def handle(self, *args: Any, **options: Any) -> None:
        match_id = Match.objects.filter(public_id=options["public_id"]).values_list("pk", flat=True).first()
        if match_id is None:
            raise CommandError("no such match")
        differed = service.rebuild_snapshot(match_id)
        self.stdout.write(f"{options['public_id']}: {'rebuilt' if differed else 'was right already'}")
