"""The ledger is appended to and never changed: the database itself refuses UPDATE and DELETE.

A later migration that alters the table has to make the triggers again: SQLite rebuilds the table
and forgets them.
"""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

SQLITE = (
    """
    CREATE TRIGGER ratings_ledger_no_update BEFORE UPDATE ON ratings_ratingchange
    BEGIN SELECT RAISE(ABORT, 'the rating ledger is append-only'); END
    """,
    """
    CREATE TRIGGER ratings_ledger_no_delete BEFORE DELETE ON ratings_ratingchange
    BEGIN SELECT RAISE(ABORT, 'the rating ledger is append-only'); END
    """,
)
SQLITE_BACK = (
    "DROP TRIGGER IF EXISTS ratings_ledger_no_update",
    "DROP TRIGGER IF EXISTS ratings_ledger_no_delete",
)

# Per row, so that TRUNCATE, which empties a whole test database, is not refused.
POSTGRESQL = (
    """
    CREATE FUNCTION ratings_ledger_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION 'the rating ledger is append-only' USING ERRCODE = 'integrity_constraint_violation';
    END $$
    """,
    """
    CREATE TRIGGER ratings_ledger_append_only BEFORE UPDATE OR DELETE ON ratings_ratingchange
    FOR EACH ROW EXECUTE FUNCTION ratings_ledger_append_only()
    """,
)
POSTGRESQL_BACK = (
    "DROP TRIGGER IF EXISTS ratings_ledger_append_only ON ratings_ratingchange",
    "DROP FUNCTION IF EXISTS ratings_ledger_append_only()",
)


def add_guard(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Create the triggers."""
    for statement in SQLITE if schema_editor.connection.vendor == "sqlite" else POSTGRESQL:
        schema_editor.execute(statement)


def remove_guard(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Drop the triggers."""
    for statement in SQLITE_BACK if schema_editor.connection.vendor == "sqlite" else POSTGRESQL_BACK:
        schema_editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("ratings", "0001_initial")]
    operations = [migrations.RunPython(add_guard, remove_guard)]
