"""The log of a match is appended to and never changed, and what a hand was committed to stays (D-32)."""

from django.db import migrations

from ratings.guards import append_only, guard


class Migration(migrations.Migration):
    dependencies = [("games", "0001_initial")]
    operations = [
        append_only("games_log_append_only", "games_matchevent", "the log of a match is append-only"),
        guard(
            "games_hand_kept",
            "games_hand",
            ["UPDATE OF match_id, number, seed, commitment", "DELETE"],
            "what a hand was committed to stays",
        ),
    ]
