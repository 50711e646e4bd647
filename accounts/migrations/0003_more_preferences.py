"""Sound gets a third setting and a volume; keys, the list of moves and drawing get settings."""

import django.core.validators
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def keep_silence(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Whoever had switched the sound off keeps it off."""
    apps.get_model("accounts", "Preferences").objects.filter(was_on=False).update(sound="off")


def keep_switch(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """The way back: every sound but none is on."""
    apps.get_model("accounts", "Preferences").objects.filter(sound="off").update(was_on=False)


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_program_for_good")]

    operations = [
        migrations.AddField(
            "preferences", "auto_draw", models.BooleanField(default=False, verbose_name="draw tiles by itself")
        ),
        migrations.AddField(
            "preferences", "move_list", models.BooleanField(default=False, verbose_name="list of moves")
        ),
        migrations.AddField(
            "preferences",
            "letter_keys",
            models.BooleanField(default=True, verbose_name="letters and digits as keys"),
        ),
        migrations.RenameField("preferences", "sound", "was_on"),
        migrations.AddField(
            "preferences",
            "sound",
            models.CharField(
                choices=[("on", "On"), ("low", "Only when time is short"), ("off", "Off")],
                default="on",
                max_length=4,
                verbose_name="sound",
            ),
        ),
        migrations.RunPython(keep_silence, keep_switch),
        migrations.RemoveField("preferences", "was_on"),
        migrations.AddField(
            "preferences",
            "volume",
            models.PositiveSmallIntegerField(
                default=60, validators=[django.core.validators.MaxValueValidator(100)], verbose_name="volume"
            ),
        ),
    ]
