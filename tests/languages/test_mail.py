"""Letters: in the language of whoever gets them, from Boneyard and not from a host, dated as is usual there."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import override

from accounts.models import Preferences, User
from tests.languages.test_crawl import alike

pytestmark = pytest.mark.django_db

PASSWORD = "a-quiet-room-7"
NEW = "another-quiet-room-8"
AT = datetime(2027, 3, 5, 14, 30, tzinfo=UTC)
LANGUAGES = ("en", "pl", "tr")


@pytest.fixture(autouse=True)
def _no_limits(settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = False


def account(name: str, language: str = "") -> User:
    user = User.objects.create_user(name, email=f"{name.lower()}@example.org", password=PASSWORD)
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
    if language:
        Preferences.objects.create(user=user, language=language)
    return user


def letters_of(language: str, monkeypatch: pytest.MonkeyPatch, asked_in: str = "") -> list[mail.EmailMessage]:
    """One letter of each kind, to somebody who reads this language, asked for from a page in `asked_in`."""
    mail.outbox.clear()
    monkeypatch.setattr(timezone, "now", lambda: AT)
    name = f"Alice {language}"
    address = f"alice{language}@example.org"
    user = User.objects.create_user(name, email=address, password=PASSWORD)
    EmailAddress.objects.create(user=user, email=address, primary=True, verified=True)
    Preferences.objects.create(user=user, language=language)
    stranger = Client(headers={"accept-language": asked_in or language})
    stranger.post(reverse("account_reset_password"), {"email": address})
    link = re.search(r"https?://[^/]+(/accounts/password/reset/key/\S+)", mail.outbox[-1].body)
    assert link
    form = stranger.get(link[1]).headers["location"]
    stranger.post(form, {"password1": NEW, "password2": NEW})
    client = Client(headers={"accept-language": asked_in or language})
    client.force_login(User.objects.get(pk=user.pk))
    change = {"oldpassword": NEW, "password1": PASSWORD, "password2": PASSWORD}
    client.post(reverse("account_change_password"), change)
    client.force_login(User.objects.get(pk=user.pk))
    other = f"other{language}@example.org"
    client.post(reverse("account_email"), {"action_add": "", "email": other})
    client.post(reverse("account_email"), {"action_remove": "", "email": other})
    client.post(reverse("account_email"), {"action_add": "", "email": other})
    confirmation = re.search(r"https?://[^/]+(/accounts/confirm-email/\S+)", mail.outbox[-1].body)
    assert confirmation
    client.post(confirmation[1])
    if not asked_in or asked_in == language:
        stranger.post(reverse("account_reset_password"), {"email": f"nobody{language}@example.org"})
    user = User.objects.get(pk=user.pk)
    user.set_unusable_password()
    user.save()
    client.force_login(user)
    client.post(reverse("account_set_password"), {"password1": PASSWORD, "password2": PASSWORD})
    return list(mail.outbox)


def lines(letter: mail.EmailMessage) -> list[str]:
    """What a letter says, addresses and figures aside."""
    text = re.sub(r"https?://\S+|\S+@\S+|^-- $|\d+", "", f"{letter.subject.removeprefix('[Boneyard] ')}\n{letter.body}")
    text = re.sub(r"Alice \w\w|Boneyard", "Alice", text)
    return [line.strip() for line in text.splitlines() if re.search(r"[^\W\d_]{3,}", line.replace("Alice", ""))]


def test_no_letter_says_anything_in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    said = {language: letters_of(language, monkeypatch) for language in LANGUAGES}
    assert {len(letters) for letters in said.values()} == {9}
    english = [line for letter in said["en"] for line in lines(letter)]
    assert len({letter.subject for letter in said["en"]}) == 8
    for language in ("pl", "tr"):
        assert alike(language, english, [line for letter in said[language] for line in lines(letter)]) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_letter_is_from_the_site_and_names_no_host_but_in_addresses(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for letter in letters_of(language, monkeypatch):
        assert letter.subject.startswith("[Boneyard] ")
        assert "\n" not in letter.subject
        assert not letter.subject.endswith(".")
        assert "Boneyard" in letter.body.splitlines()[0]
        assert "testserver" not in re.sub(r"https?://\S+", "", letter.body)
        assert letter.body.endswith("-- \nBoneyard\nhttp://testserver/")
        assert not re.search("None|Unspecified", letter.body)
        assert "&#" not in letter.body


@pytest.mark.parametrize(("language", "date"), [("en", "5 March 2027"), ("tr", "5 Mart 2027"), ("pl", "5 marca 2027")])
def test_dates_are_written_as_the_reader_does(language: str, date: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with override(language):
        shown = date_format(AT, "j E Y, H:i")
    assert date in shown
    told = [letter for letter in letters_of(language, monkeypatch) if f"{shown} (UTC)" in letter.body]
    assert len(told) == 5  # every letter about a change


@pytest.mark.parametrize(("reader", "asker"), [("tr", "pl"), ("pl", "en"), ("en", "tr")])
def test_the_reader_decides_and_not_whoever_asked(reader: str, asker: str, monkeypatch: pytest.MonkeyPatch) -> None:
    letters = letters_of(reader, monkeypatch, asked_in=asker)
    hello = {"en": "Hello from Boneyard!", "tr": "Merhaba, burası Boneyard!", "pl": "Cześć, tu Boneyard!"}
    assert {letter.body.splitlines()[0] for letter in letters} == {hello[reader]}


def test_without_a_choice_a_letter_speaks_as_the_page(client: Client) -> None:
    account("Alice")
    client.post(reverse("account_reset_password"), {"email": "alice@example.org"}, headers={"accept-language": "pl"})
    assert mail.outbox[-1].body.startswith("Cześć, tu Boneyard!")
