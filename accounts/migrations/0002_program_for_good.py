"""Once a program, always a program: the database refuses to take the mark back."""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

SQLITE = (
    """
    CREATE TRIGGER accounts_user_program_for_good BEFORE UPDATE OF is_program ON accounts_user
    WHEN OLD.is_program AND NOT NEW.is_program
    BEGIN SELECT RAISE(ABORT, 'a program stays a program'); END
    """,
)
SQLITE_BACK = ("DROP TRIGGER IF EXISTS accounts_user_program_for_good",)

POSTGRESQL = (
    """
    CREATE FUNCTION accounts_program_for_good() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION 'a program stays a program' USING ERRCODE = 'integrity_constraint_violation';
    END $$
    """,
    """
    CREATE TRIGGER accounts_user_program_for_good BEFORE UPDATE OF is_program ON accounts_user
    FOR EACH ROW WHEN (OLD.is_program AND NOT NEW.is_program) EXECUTE FUNCTION accounts_program_for_good()
    """,
)
POSTGRESQL_BACK = (
    "DROP TRIGGER IF EXISTS accounts_user_program_for_good ON accounts_user",
    "DROP FUNCTION IF EXISTS accounts_program_for_good()",
)


def add_guard(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Create the trigger."""
    for statement in SQLITE if schema_editor.connection.vendor == "sqlite" else POSTGRESQL:
        schema_editor.execute(statement)


def remove_guard(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Drop the trigger."""
    for statement in SQLITE_BACK if schema_editor.connection.vendor == "sqlite" else POSTGRESQL_BACK:
        schema_editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_initial")]
    operations = [migrations.RunPython(add_guard, remove_guard)]
