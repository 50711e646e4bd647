"""Django's `flush`, which empties the whole database, made to work where rows guard themselves."""

from typing import Any

from django.core.management.commands.flush import Command as DjangoFlush
from django.db import connections

from ratings.guards import without_triggers


class Command(DjangoFlush):
    """As Django's. On SQLite, where emptying a table is a DELETE, triggers step aside meanwhile.

    PostgreSQL uses TRUNCATE, which no trigger of ours looks at.
    """

    def handle(self, **options: Any) -> None:
        """Empty the database and leave its triggers as they were."""
        connection = connections[options["database"]]
        if connection.vendor != "sqlite":
            return super().handle(**options)
        with without_triggers(connection):
            return super().handle(**options)
