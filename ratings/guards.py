"""Rows that the database itself keeps as they are: triggers for migrations, on SQLite and PostgreSQL alike.

Any app may guard its tables with these. A later migration that alters such a table has to make the triggers again:
SQLite rebuilds the table and forgets them.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from django.db import migrations
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def guard(name: str, table: str, events: Sequence[str], message: str, *, when: str = "") -> migrations.RunPython:
    """The operation that makes the database refuse `events` on rows of `table`, with `message`.

    `events`: "DELETE", "UPDATE", or "UPDATE OF a, b", which costs statements that set neither column nothing.
    `when`: a condition over OLD and NEW that both databases understand. Refused rows raise IntegrityError.

    Per row, so that TRUNCATE, which empties a whole test database, is not refused.
    """
    condition = f"WHEN ({when}) " if when else ""

    def add(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
        if schema_editor.connection.vendor == "sqlite":
            for number, event in enumerate(events):
                schema_editor.execute(
                    f"CREATE TRIGGER {name}_{number} BEFORE {event} ON {table} "
                    f"{condition}BEGIN SELECT RAISE(ABORT, '{message}'); END"
                )
            return
        schema_editor.execute(
            f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
            f"RAISE EXCEPTION '{message}' USING ERRCODE = 'integrity_constraint_violation'; END $$"
        )
        schema_editor.execute(
            f"CREATE TRIGGER {name} BEFORE {' OR '.join(events)} ON {table} "
            f"FOR EACH ROW {condition}EXECUTE FUNCTION {name}()"
        )

    def remove(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
        if schema_editor.connection.vendor == "sqlite":
            for number in range(len(events)):
                schema_editor.execute(f"DROP TRIGGER IF EXISTS {name}_{number}")
            return
        schema_editor.execute(f"DROP TRIGGER IF EXISTS {name} ON {table}")
        schema_editor.execute(f"DROP FUNCTION IF EXISTS {name}()")

    return migrations.RunPython(add, remove)


def append_only(name: str, table: str, message: str) -> migrations.RunPython:
    """The operation that lets rows of `table` be written once and never changed or removed."""
    return guard(name, table, ("UPDATE", "DELETE"), message)


@contextmanager
def without_triggers(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """No trigger of a SQLite database looks, and all are back afterwards: emptying a table is a DELETE there."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY name")
        triggers = cursor.fetchall()
        for name, _sql in triggers:
            cursor.execute(f"DROP TRIGGER {connection.ops.quote_name(name)}")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            for _name, sql in triggers:
                cursor.execute(sql)
