"""void_match: abort a match for a fault of the service (SB-72, D-28)."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games import rules, service
from games.models import Match


class Command(BaseCommand):
    help = "Abort a running match, or one lost on time, for a fault of the service; its ratings are reversed."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("public_id", metavar="MATCH")
        parser.add_argument("--reason", required=True, help="what was wrong with the service; kept with the match")

    def handle(self, *args: Any, **options: Any) -> None:
        match_id = Match.objects.filter(public_id=options["public_id"]).values_list("pk", flat=True).first()
        if match_id is None:
            raise CommandError("no such match")
        try:
            applied = service.void_for_fault(match_id, reason=options["reason"])
        except rules.MatchIsOver as refusal:
            raise CommandError("the match is over and was not lost on time; nothing to abort") from refusal
        except rules.IllegalCommand as refusal:
            raise CommandError(f"refused: {refusal.code}") from refusal
        self.stdout.write(f"{applied.public_id}: aborted, event {applied.seq}")
