"""Forgotten and changed passwords, and addresses."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.urls import reverse

from .conftest import PASSWORD
from .test_signup import confirm, is_signed_in, sign_in

pytestmark = pytest.mark.django_db

NEW_PASSWORD = "another-room-8"


def ask_for_reset(client, email):
    return client.post(reverse("account_reset_password"), {"email": email})


def reset_path() -> str:
    return re.search(r"https?://[^/]+(/accounts/password/reset/key/\S+)", mail.outbox[-1].body)[1]


def test_a_forgotten_password_is_replaced_by_the_link(client, alice):
    assert client.get(reverse("account_reset_password")).status_code == 200
    answer = ask_for_reset(client, "Alice@Example.org")
    assert client.get(answer.url).status_code == 200
    form = client.get(reset_path(), follow=True)
    assert reset_path() not in form.content.decode()
    path = form.request["PATH_INFO"]
    done = client.post(path, {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD}, follow=True)
    assert done.status_code == 200
    sign_in(client, password=PASSWORD)
    assert not is_signed_in(client)
    sign_in(client, password=NEW_PASSWORD)
    assert is_signed_in(client)


def test_a_link_works_once(client, alice):
    ask_for_reset(client, alice.email)
    path = reset_path()
    form = client.get(path, follow=True).request["PATH_INFO"]
    client.post(form, {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD})
    assert "no longer valid" in Client().get(path, follow=True).content.decode()


def test_a_reset_does_not_tell_whether_an_address_is_known(client, alice):
    known = ask_for_reset(client, alice.email)
    unknown = ask_for_reset(client, "nobody@example.org")
    assert (known.status_code, known.url) == (unknown.status_code, unknown.url)
    page = client.get(known.url).content.decode()
    assert "alice@example.org" not in page


def test_resets_for_one_address_are_limited(client, alice):
    codes = [ask_for_reset(client, alice.email).status_code for _ in range(6)]
    assert codes == [302] * 5 + [429]


def test_a_changed_password_signs_other_browsers_out(client, alice):
    client.force_login(alice)
    other = Client()
    other.force_login(alice)
    answer = client.post(
        reverse("account_change_password"),
        {"oldpassword": PASSWORD, "password1": NEW_PASSWORD, "password2": NEW_PASSWORD},
    )
    assert answer.status_code == 302
    assert client.get(reverse("settings")).status_code == 200
    assert other.get(reverse("settings")).status_code == 302


def test_a_wrong_old_password_changes_nothing(client, alice):
    client.force_login(alice)
    answer = client.post(
        reverse("account_change_password"),
        {"oldpassword": "wrong", "password1": NEW_PASSWORD, "password2": NEW_PASSWORD},
    )
    assert 'id="id_oldpassword_error"' in answer.content.decode()
    alice.refresh_from_db()
    assert alice.check_password(PASSWORD)


def test_a_new_address_counts_when_it_is_confirmed(client, alice):
    sign_in(client)
    assert client.get(reverse("account_email")).status_code == 200
    client.post(reverse("account_email"), {"email": "new@example.org", "action_add": ""})
    alice.refresh_from_db()
    assert alice.email == "alice@example.org"
    assert "new@example.org" in client.get(reverse("account_email")).content.decode()
    confirm(client, next(letter for letter in mail.outbox if letter.to == ["new@example.org"]))
    alice.refresh_from_db()
    assert alice.email == "new@example.org"


def test_an_address_of_another_account_cannot_be_made_ones_own(client, alice, django_user_model):
    mallory = django_user_model.objects.create_user("Mallory", password=PASSWORD)
    sign_in(client, "mallory")
    client.post(reverse("account_email"), {"email": "alice@example.org", "action_add": ""})
    client.post(reverse("account_email"), {"email": "alice@example.org", "action_primary": ""})
    mallory.refresh_from_db()
    alice.refresh_from_db()
    assert (mallory.email, alice.email) == ("", "alice@example.org")
    assert not EmailAddress.objects.filter(user=mallory, verified=True).exists()
