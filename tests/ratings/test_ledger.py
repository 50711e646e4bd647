"""The ledger keeps itself: what the database refuses whoever asks."""

import pytest
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.urls import reverse

from accounts.models import User
from ratings.models import Rating, RatingChange

from .conftest import NOW, POOL


@pytest.fixture
def row(alice, bob, rate) -> RatingChange:
    return rate(alice, bob)[0]


def test_a_line_is_not_changed(row):
    row.delta_centi = 0
    row.after_centi = row.before_centi
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        row.save()
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        RatingChange.objects.update(note="better")
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE ratings_ratingchange SET note = 'better'")


def test_a_line_is_not_removed(row):
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        row.delete()
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        RatingChange.objects.all().delete()
    assert RatingChange.objects.count() == 2


@pytest.mark.parametrize(
    "change",
    [
        {"after_centi": 1},
        {"reason": "result", "match_label": "match1"},
        {"reason": "floor", "match_label": "match1"},
        {"reason": "result", "match_label": "new", "expected": None},
    ],
)
def test_a_line_that_cannot_be_is_refused(row, change):
    values = {field.attname: getattr(row, field.attname) for field in RatingChange._meta.concrete_fields}
    del values["id"]
    with pytest.raises(IntegrityError), transaction.atomic():
        RatingChange.objects.create(**{**values, **change})


def test_a_rating_under_the_floor_is_refused(alice, db):
    with pytest.raises(IntegrityError), transaction.atomic():
        Rating.objects.create(user=alice, pool=POOL, value_centi=39_999)


def test_an_account_with_lines_is_not_deleted(row, alice):
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.get(pk=alice.pk).delete()


@pytest.mark.django_db(transaction=True)
def test_emptying_the_whole_database_works_and_leaves_the_guard(rate):
    def one_match() -> None:
        rate(User.objects.create_user("Alice"), User.objects.create_user("Bob"), at=NOW)

    one_match()
    call_command("flush", interactive=False, verbosity=0)
    assert not RatingChange.objects.exists()
    one_match()
    with pytest.raises(IntegrityError, match="append-only"):
        RatingChange.objects.all().delete()


def test_the_admin_shows_and_changes_nothing(row, client):
    client.force_login(User.objects.create_superuser("Operator"))
    for name in ("ratingchange", "rating"):
        assert client.get(reverse(f"admin:ratings_{name}_changelist")).status_code == 200
        assert client.get(reverse(f"admin:ratings_{name}_add")).status_code == 403
    path = reverse("admin:ratings_ratingchange_change", args=[row.pk])
    assert client.get(path).status_code == 200
    assert client.post(path, {"note": "better"}).status_code == 403
    assert client.get(reverse("admin:ratings_ratingchange_delete", args=[row.pk])).status_code == 403
