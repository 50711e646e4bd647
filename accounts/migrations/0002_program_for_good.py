"""Once a program, always a program: the database refuses to take the mark back."""

from django.db import migrations

from ratings.guards import guard


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_initial")]
    operations = [
        guard(
            "accounts_user_program_for_good",
            "accounts_user",
            ["UPDATE OF is_program"],
            "a program stays a program",
            when="OLD.is_program AND NOT NEW.is_program",
        ),
    ]
