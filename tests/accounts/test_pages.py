"""Pages that the ordinary flows do not come across."""

import pytest
from django.template.loader import render_to_string
from django.urls import reverse

from .conftest import PASSWORD

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("account/signup_closed.html", "No new accounts"),
        ("account/verified_email_required.html", "Check your mail"),
    ],
)
def test_it_says_what_happened_and_one_way_on(template, text, rf, alice):
    request = rf.get("/")
    request.user = alice
    page = render_to_string(template, {"login_url": reverse("account_login")}, request)
    assert f'<h1 class="narrow__title">{text}</h1>' in page
    assert page.count('class="button button--wide"') == 1


def test_an_old_confirmation_link_says_so(client, alice):
    page = client.get(reverse("account_confirm_email", args=["MQ:1abc:nothing"])).content.decode()
    assert "no longer valid" in page


def test_who_has_no_password_chooses_one(client, alice):
    alice.set_unusable_password()
    alice.save()
    client.force_login(alice)
    assert "Choose a password" in client.get(reverse("account_set_password")).content.decode()
    client.post(reverse("account_set_password"), {"password1": PASSWORD, "password2": PASSWORD})
    alice.refresh_from_db()
    assert alice.check_password(PASSWORD)


def test_the_password_is_asked_for_once_more(client, alice):
    client.force_login(alice)
    assert "Is it you?" in client.get(reverse("account_reauthenticate")).content.decode()
    answer = client.post(reverse("account_reauthenticate"), {"password": PASSWORD, "next": reverse("settings")})
    assert answer.url == reverse("settings")


def test_an_account_that_is_closed_has_a_page(client):
    assert "closed" in client.get(reverse("account_inactive")).content.decode()


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("lobby", ()),
        ("rules", ()),
        ("player", ("Alice",)),
        ("player", ("Nobody",)),
        ("device", ()),
        ("settings", ()),
        ("account_email", ()),
        ("account_change_password", ()),
        ("account_logout", ()),
    ],
)
def test_no_browser_keeps_a_page_of_who_is_signed_in(client, alice, name, arguments):
    """B261: the way back after signing out shows nothing of whoever was here before."""
    client.force_login(alice)
    answer = client.get(reverse(name, args=arguments))
    assert alice.username in answer.content.decode()
    assert {"no-store", "private"} <= set(answer["Cache-Control"].split(", "))


def test_what_belongs_to_nobody_may_be_kept(client, alice):
    client.force_login(alice)
    assert "no-store" not in client.get(reverse("manifest", args=["en"]))["Cache-Control"]
    client.logout()
    assert not client.get(reverse("rules")).has_header("Cache-Control")
