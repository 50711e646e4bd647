"""The ledger is appended to and never changed: the database itself refuses UPDATE and DELETE."""

from django.db import migrations

from ratings.guards import append_only


class Migration(migrations.Migration):
    dependencies = [("ratings", "0001_initial")]
    operations = [
        append_only("ratings_ledger_append_only", "ratings_ratingchange", "the rating ledger is append-only"),
    ]
