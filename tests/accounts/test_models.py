"""What the database itself keeps of accounts."""

import pytest
from django.db import IntegrityError, transaction

from accounts.models import Preferences, User
from accounts.service import preferences_of

pytestmark = pytest.mark.django_db


def test_a_name_is_found_in_any_case():
    user = User.objects.create_user("Şule Işık")
    assert User.objects.get_by_natural_key("ŞULE IŞIK") == user


@pytest.mark.parametrize(("one", "other"), [("Alice", "aLICE"), ("Şule", "şULE"), ("Łukasz", "łUKASZ")])
def test_a_name_is_held_once_in_any_case(one, other):
    User.objects.create_user(one)
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create_user(other)
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.bulk_create([User(username=other)])


def test_a_new_name_brings_its_key():
    user = User.objects.create_user("Alice")
    user.username = "Bob"
    user.save(update_fields=["username"])
    assert User.objects.get_by_natural_key("bob") == user
    assert not User.objects.filter(username_key="aiice").exists()


@pytest.mark.parametrize(("one", "other"), [("a@example.org", "A@Example.ORG"), ("ą@example.org", "Ą@example.org")])
def test_an_address_is_held_once_in_any_case(one, other):
    User.objects.create_user("alice", email=one)
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create_user("bob", email=other)
    assert User.objects.get(email=other).username == "alice"


def test_accounts_without_an_address_do_not_collide():
    User.objects.create_user("alice")
    User.objects.create_user("bob")
    assert User.objects.filter(email="").count() == 2


def test_a_program_stays_a_program():
    user = User.objects.create_user("robot", is_program=True)
    user.is_program = False
    with pytest.raises(IntegrityError), transaction.atomic():
        user.save()
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.filter(pk=user.pk).update(is_program=False)
    assert User.objects.get(pk=user.pk).is_program


def test_preferences_have_defaults_without_a_row():
    user = User.objects.create_user("alice")
    assert preferences_of(user).hints
    assert not Preferences.objects.exists()
