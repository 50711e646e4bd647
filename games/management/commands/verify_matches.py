"""verify_matches: is what is stored of the matches what the rules say? Writes nothing."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games import audit
from games.models import Match


class Command(BaseCommand):
    help = "Judge stored matches again and compare; nothing is changed. Ends with an error if one is wrong."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("public_ids", nargs="*", metavar="MATCH", help="public ids; none: all matches")

    def handle(self, *args: Any, **options: Any) -> None:
        matches = Match.objects.order_by("pk")
        if options["public_ids"]:
            matches = matches.filter(public_id__in=options["public_ids"])
            missing = set(options["public_ids"]) - set(matches.values_list("public_id", flat=True))
            if missing:
                raise CommandError(f"no such match: {', '.join(sorted(missing))}")
        looked_at, wrong = 0, 0
        for match in matches.iterator(chunk_size=50):
            looked_at += 1
            findings = audit.findings(match)
            wrong += bool(findings)
            for finding in findings:
                self.stdout.write(f"{match.public_id}: {finding}")
        self.stdout.write(f"{looked_at} looked at, {wrong} wrong")
        if wrong:
            raise CommandError(f"{wrong} of {looked_at} matches are not as the rules say")
