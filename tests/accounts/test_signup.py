"""Signing up, in and out through the pages."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.core import mail
from django.core.cache import cache
from django.urls import reverse

from accounts.models import User
from accounts.service import hand_over_address

from .conftest import PASSWORD

pytestmark = pytest.mark.django_db


def sign_up(client, username="Zeynep", email="zeynep@example.org", password=PASSWORD, **extra):
    return client.post(
        reverse("account_signup"), {"username": username, "email": email, "password1": password, **extra}
    )


def sign_in(client, login="alice", password=PASSWORD, **extra):
    return client.post(reverse("account_login"), {"login": login, "password": password, **extra})


def is_signed_in(client) -> bool:
    return "_auth_user_id" in client.session


def test_a_stranger_signs_up_and_is_in(client):
    assert client.get(reverse("account_signup")).status_code == 200
    answer = sign_up(client, username="Zeynep Karahanoğlu", email="Zeynep@Example.org")
    assert answer.status_code == 302
    user = User.objects.get()
    assert (user.username, user.email) == ("Zeynep Karahanoğlu", "zeynep@example.org")
    assert is_signed_in(client)
    assert [letter.to for letter in mail.outbox] == [["zeynep@example.org"]]


def test_signing_up_leads_back_to_where_it_was_asked_for(client):
    page = client.get(reverse("account_signup"), {"next": "/?offer=abc"})
    assert 'name="next" value="/?offer=abc"' in page.content.decode()
    assert sign_up(client, next="/?offer=abc").url == "/?offer=abc"


def test_the_way_back_is_kept_between_sign_in_and_sign_up(client):
    page = client.get(reverse("account_login"), {"next": "/?offer=abc"}).content.decode()
    assert re.search(r'href="/accounts/signup/\?next=(/|%2F)%3Foffer%3Dabc"', page)


def test_a_foreign_way_back_is_not_followed(client, alice):
    assert sign_in(client, next="https://example.com/").url == "/"


@pytest.mark.parametrize("username", ["al", "Аlice", "ali\u202ece", "admin", "ALICE", "AIice", "a" * 31])
def test_a_name_that_misleads_or_is_taken_is_refused_at_its_field(client, alice, username):
    answer = sign_up(client, username=username)
    page = answer.content.decode()
    assert answer.status_code == 200
    assert User.objects.count() == 1
    assert 'id="id_username_error"' in page
    assert 'href="#id_username"' in page
    assert re.search(r'<input[^>]*id="id_username"[^>]*>', page)[0].count('aria-invalid="true"') == 1


@pytest.mark.parametrize("password", ["short", "12345678901", "password", "zeynep123"])
def test_a_weak_password_is_refused(client, password):
    assert sign_up(client, username="zeynep123", password=password).status_code == 200
    assert not User.objects.exists()


def test_signing_up_does_not_tell_whether_an_address_is_known(client, alice):
    known = sign_up(client, username="Mallory", email="ALICE@example.org")
    known_messages = [str(message) for message in known.wsgi_request._messages]
    client.logout()
    unknown = sign_up(client, username="Mallory2", email="nobody@example.org")
    unknown_messages = [str(message) for message in unknown.wsgi_request._messages]
    assert known.status_code == unknown.status_code == 302
    assert known.url == unknown.url
    assert [text.replace("alice@", "nobody@") for text in known_messages] == unknown_messages
    assert [letter.to for letter in mail.outbox] == [["alice@example.org"], ["nobody@example.org"]]
    assert User.objects.get(email="alice@example.org") == alice


def confirm(client, letter):
    path = re.search(r"https?://[^/]+(/accounts/confirm-email/\S+)", letter.body)[1]
    page = client.get(path)
    assert page.status_code == 200
    return client.post(path), page


def test_a_confirmed_address_cannot_be_taken_over(client, alice):
    sign_up(client, username="Mallory", email="alice@example.org")
    _answer, page = confirm(client, mail.outbox[0])
    assert "belongs to another account" in page.content.decode()
    assert User.objects.get(email="alice@example.org") == alice
    assert not EmailAddress.objects.filter(user__username="Mallory", verified=True).exists()


def test_an_address_belongs_to_whoever_confirms_it(client):
    sign_up(client, username="Mallory", email="zeynep@example.org")
    client.logout()
    cache.clear()  # one such mail in three minutes
    sign_up(client, username="Zeynep", email="zeynep@example.org")
    letter = next(letter for letter in mail.outbox if "Zeynep" in letter.body)
    confirm(client, letter)
    assert User.objects.get(email="zeynep@example.org").username == "Zeynep"
    assert User.objects.get(username="Mallory").email == ""
    assert EmailAddress.objects.get(email="zeynep@example.org").verified


def test_a_confirmation_that_fails_takes_no_address_away(client, alice):
    sign_up(client, username="Zeynep", email="zeynep@example.org")
    address = EmailAddress.objects.get(user__username="Zeynep")
    User.objects.filter(username="Zeynep").update(email="")
    User.objects.filter(pk=alice.pk).update(email=address.email)
    assert not hand_over_address(address, lambda: False)
    assert User.objects.get(pk=alice.pk).email == "zeynep@example.org"


def test_with_a_mail_server_the_address_is_confirmed_first(client, settings):
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    answer = sign_up(client)
    assert answer.url == reverse("account_email_verification_sent")
    assert client.get(answer.url).status_code == 200
    assert not is_signed_in(client)
    confirm(client, mail.outbox[0])
    sign_in(client, "zeynep")
    assert is_signed_in(client)


def test_with_a_mail_server_a_known_address_gets_the_same_answer(client, settings, alice):
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    assert sign_up(client, email="alice@example.org").url == reverse("account_email_verification_sent")
    assert User.objects.count() == 1
    assert [letter.to for letter in mail.outbox] == [["alice@example.org"]]


@pytest.mark.parametrize("login", ["alice", "ALICE", "alice@example.org", "Alice@Example.org"])
def test_it_signs_in_by_name_or_address_in_any_case(client, alice, login):
    assert sign_in(client, login).status_code == 302
    assert is_signed_in(client)


def test_a_turkish_name_signs_in_in_any_case(client):
    User.objects.create_user("Şule Işık", password=PASSWORD)
    sign_in(client, "ŞULE IŞIK")
    assert is_signed_in(client)


def test_a_wrong_password_and_an_unknown_name_get_one_answer(client, alice):
    """It is all that is said above the fields, and is read with the password, which is the field to type in."""
    pages = [
        sign_in(client, login, "wrong").content.decode()
        for login in ("alice", "nobody", "alice@example.org", "nobody@example.org")
    ]
    told = [
        re.findall(r"<(?:p|li)\b[^>]*>(.*?)</", re.search(r'id="form-errors".*?</div>', page, re.S)[0])
        for page in pages
    ]
    assert told == [["The name or the password is not right."]] * 4
    for page in pages:
        password = re.search(r'<input[^>]*id="id_password"[^>]*>', page)[0]
        assert " autofocus" in password
        assert 'aria-describedby="form-errors"' in password
        assert "data-form-errors" not in page  # which would take the focus
    assert not is_signed_in(client)


def test_fields_left_empty_are_counted_and_listed(client):
    page = client.post(reverse("account_login"), {}).content.decode()
    assert "Please check 2 fields:" in page
    assert page.count('<li><a href="#id_') == 2
    assert "autofocus" not in page


def test_tries_are_limited(client, alice):
    for _ in range(5):
        sign_in(client, password="wrong")
    answer = sign_in(client)
    assert "Too many failed" in answer.content.decode()
    assert not is_signed_in(client)


def test_sign_ups_from_one_address_are_limited(client):
    codes = [client.post(reverse("account_signup"), {"username": ""}).status_code for _ in range(21)]
    assert codes == [200] * 20 + [429]


def test_a_closed_account_does_not_get_in(client, alice):
    User.objects.filter(pk=alice.pk).update(is_active=False)
    answer = sign_in(client)
    assert not is_signed_in(client)
    assert client.get(answer.url).status_code == 200


def test_signing_out_asks_and_then_ends_the_session(client, alice):
    client.force_login(alice)
    assert client.get(reverse("account_logout")).status_code == 200
    assert is_signed_in(client)
    assert client.post(reverse("account_logout")).url == "/"
    assert not is_signed_in(client)


def test_pages_of_accounts_need_no_inline_code(client, alice):
    for name in ("account_signup", "account_login", "account_reset_password"):
        page = client.get(reverse(name)).content.decode()
        assert "style=" not in page
        assert not re.search(r"\son\w+=", page)
        assert not re.search(r"<script(?![^>]*\ssrc=)", page)


def test_a_password_field_can_be_shown(client):
    assert 'data-show-password="id_password1"' in client.get(reverse("account_signup")).content.decode()


@pytest.mark.django_db(transaction=True)
def test_a_second_click_on_sign_up_is_no_fault(client, monkeypatch):
    """The name is free when the form looks, and taken when it saves."""
    User.objects.create_user("Zeynep")
    monkeypatch.setattr("accounts.adapter.AccountAdapter.clean_username", lambda self, name, shallow=False: name)
    answer = sign_up(client)
    assert (answer.status_code, answer.url) == (302, reverse("account_signup"))
    assert User.objects.count() == 1


@pytest.mark.parametrize("login", ["a" + "\u0301\u0323" * 2_000, "x" * 100_000])
def test_a_name_that_cannot_be_one_is_not_looked_for(client, login, django_assert_num_queries):
    with django_assert_num_queries(0):
        answer = sign_in(client, login=login)
    assert answer.status_code == 200
    assert not is_signed_in(client)


@pytest.mark.parametrize("cookie", ['"aaaaaaaaaaaa\\000"', "x" * 4_000, "\xff" * 32, "-" * 32])
def test_a_cookie_that_is_no_session_is_nobody(client, cookie):
    """A quoted cookie can hold a NUL, which PostgreSQL does not look up."""
    answer = client.get(reverse("account_login"), headers={"cookie": f"{settings.SESSION_COOKIE_NAME}={cookie}"})
    assert answer.status_code == 200
    assert answer.wsgi_request.user.is_anonymous
