"""Every page and state of the table, read in English and beside it in Turkish and Polish: nothing is said alike."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from django.conf import settings
from django.contrib.messages.storage.fallback import FallbackStorage
from django.core import mail
from django.http import HttpResponse
from django.template.loader import render_to_string
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils.translation import override

from accounts.models import User
from games import clock_source, device, rules
from games.kit import states, views
from games.kit.pieces import TROUBLE
from games.lobby.service import create_offer
from tests.device.desk import Desk
from tests.drivers import ManualClock, Table
from tests.factories import make_user
from tests.languages.texts import texts

LANGUAGES = ("pl", "tr")
PASSWORD = "a-quiet-room-7"
# Names, the words on keys, and words that two languages share.
ALIKE = {
    "pl": {"Jockey", "Program"},
    "tr": {"Site", "Program", "program"},
}
NAMES = re.compile(
    r"Boneyard|Spectacular Bid|Alice|Bob|Charlie|SHA-256|English|Türkçe|Polski|Enter|Esc|Home, End|Home|End|AL|BO|CH|SB"
    r"|[0-9a-f]{64}|\S+@\S+"
)
KIT_NAMES = {name for case in states.CASES.values() for name, _rating in case.names}


def alike(language: str, english: Iterable[str], other: Iterable[str]) -> list[str]:
    """What is said in both languages in the same words, and is neither a name nor allowed to be."""
    shared = set(english) & set(other) - ALIKE[language]
    return sorted(text for text in shared if re.search(r"[^\W\d_]{2,}", NAMES.sub("", text)))


def kit_page(name: str, language: str) -> list[str]:
    request = RequestFactory().get(f"/kit/{name}/", {"lang": language})
    request.user = User(username="Alice", is_staff=True)
    request.session = {}  # enough to hold no messages
    request._messages = FallbackStorage(request)
    with override("en"):
        page = views.state(request, name).content.decode()
    for told in sorted(KIT_NAMES | {first for name in KIT_NAMES for first in name.split()}, key=len, reverse=True):
        page = page.replace(told, "Alice")
    return [text for text in texts(page) if not re.fullmatch(r"[A-ZŁİ]{2}", text)]


@pytest.mark.parametrize("name", [*states.CASES, *TROUBLE])
def test_no_state_of_the_table_says_anything_in_english(settings: Any, name: str) -> None:
    settings.DEBUG = True
    english = kit_page(name, "en")
    assert len(english) > 2
    for language in LANGUAGES:
        assert alike(language, english, kit_page(name, language)) == []


class Walk:
    """Three browsers that do the same, each in its language, through people who are told apart by nothing else."""

    def __init__(self) -> None:
        self.said: dict[str, list[str]] = {language: [] for language in ("en", *LANGUAGES)}

    def see(self, language: str, answer: HttpResponse | str) -> None:
        page = answer if isinstance(answer, str) else answer.content.decode()
        if not isinstance(answer, str):
            assert answer.status_code < 500
            assert "<html" not in page or f'<html lang="{language}"' in page
        self.said[language] += texts(page)

    def verdict(self, least: int) -> None:
        english = self.said["en"]
        assert len(set(english)) > least
        for language in LANGUAGES:
            assert alike(language, english, self.said[language]) == []


def browser(language: str) -> Client:
    return Client(headers={"accept-language": language})


def account(name: str = "Alice") -> User:
    """The account of that name, with a password; made when there is none."""
    user = User.objects.filter(username=name).first() or make_user(name)
    user.set_password(PASSWORD)
    user.save()
    return user


def everybody() -> Iterator[tuple[str, Client]]:
    for language in ("en", *LANGUAGES):
        yield language, browser(language)


@pytest.mark.django_db
def test_pages_of_everybody() -> None:
    walk = Walk()
    create_offer(make_user("Bob"))
    for language, client in everybody():
        for name in (
            *("lobby", "rules", "rules-sheet", "device", "account_login", "account_signup", "account_reset_password"),
            *("account_reset_password_done", "account_inactive", "account_email_verification_sent"),
        ):
            walk.see(language, client.get(reverse(name)))
        for path in ("/nowhere/", "/matches/AAAAAAAAAA/", reverse("account_confirm_email", args=["MQ:1abc:nothing"])):
            walk.see(language, client.get(path))
        walk.see(language, client.get(reverse("account_reset_password_from_key", args=["1", "set-password"])))
        walk.see(language, client.post("/device/", {"first": "Bob", "second": "bob"}))
    walk.verdict(120)


@pytest.mark.django_db
def test_pages_of_an_account() -> None:
    walk = Walk()
    user = account()
    for language, client in everybody():
        client.force_login(user)
        for name in ("lobby", "settings", "account_email", "account_change_password", "account_reauthenticate"):
            walk.see(language, client.get(reverse(name)))
        walk.see(language, client.get(reverse("account_logout")))
        walk.see(language, client.get(reverse("player", args=[user.username])))
        user.set_unusable_password()
        user.save()
        client.force_login(user)
        walk.see(language, client.get(reverse("account_set_password")))
        account()
    walk.verdict(60)


@pytest.mark.django_db
def test_a_match_from_its_offer_to_the_result() -> None:
    walk = Walk()
    users = [make_user("Alice"), make_user("Bob")]
    clock = ManualClock()
    with clock_source.use_source(clock):
        for language, client in everybody():
            chance = random.Random(5)
            client.force_login(users[0])
            walk.see(language, client.get("/"))
            for _time in range(2):
                walk.see(language, client.post(reverse("offer-create"), {"variant": "spectacular-bid"}, follow=True))
            walk.see(language, client.post(reverse("offer-take", args=["AAAAAAAAAA"]), follow=True))
            table = Table.new(clock, users=users)
            for phase in ("ready", "play", "ready", "auction", "play"):
                table.play_until(lambda state, phase=phase: state.phase == phase, chance)
                for path in (f"/matches/{table.public_id}/", "/"):
                    walk.see(language, client.get(path))
                    walk.see(language, browser(language).get(path))
                if phase == "ready":
                    table.both_press()
            refused = {
                "type": "play",
                "tile": "0|0",
                "site": "",
                "seq": table.seq,
                "hand": table.state.hand,
                "id": "x1",
            }
            for wrong in (refused, {**refused, "seq": 1, "id": "x2"}, {"type": "bid", "amount": "1e2", "id": "x3"}):
                walk.see(language, client.post(f"/matches/{table.public_id}/commands/", wrong, follow=True))
            walk.see(language, client.post(f"/matches/{table.public_id}/leave/", follow=True))
            table.send(rules.Resign(1))
            for path in (f"/matches/{table.public_id}/", "/players/Alice/"):
                walk.see(language, client.get(path))
    walk.verdict(150)


@pytest.mark.django_db
def test_a_match_at_one_device() -> None:
    walk = Walk()
    clock = ManualClock()
    with clock_source.use_source(clock):
        for language, client in everybody():
            cookie, digest = device.key_for({})
            client.cookies[device.COOKIE] = cookie
            desk = Desk.new(clock, device=digest)
            address = f"/matches/{desk.public_id}/"
            walk.see(language, client.get(address))
            for command in ("start", "reveal"):
                desk.send(command)
                walk.see(language, client.get(address))
            walk.see(language, client.get("/device/"))
            walk.see(language, client.post("/device/", {"first": "Alice", "second": "Bob"}, follow=True))
            walk.see(language, client.post(f"{address}end/", follow=True))
            walk.see(language, client.get(address))
    walk.verdict(60)


@pytest.mark.django_db
def test_what_forms_find_wrong() -> None:
    walk = Walk()
    user = account()
    account("Bob")
    for language, client in everybody():
        signup, login = reverse("account_signup"), reverse("account_login")
        names = ("", "al", "a..b", "a/b", "admin", "ALICE", "x" * 40)
        passwords = ("", "123", "12345678901", "password", "charlie@ex")
        for name, password in [*((name, "") for name in names), *(("charlie@ex", password) for password in passwords)]:
            walk.see(language, client.post(signup, {"username": name, "email": "x", "password1": password}))
        for given in ({}, {"login": "Zoe", "password": "no"}, {"login": "x" * 300, "password": "no"}):
            walk.see(language, client.post(login, given))
        walk.see(language, client.post(reverse("account_reset_password"), {"email": "nobody"}))
        client.force_login(user)
        change = {"oldpassword": "no", "password1": "short", "password2": "other"}
        for given in ({}, change, {**change, "oldpassword": PASSWORD}):
            walk.see(language, client.post(reverse("account_change_password"), given))
        for given in ({"action_add": "", "email": user.email}, {"action_add": "", "email": "x"}):
            walk.see(language, client.post(reverse("account_email"), given))
        walk.see(language, client.post(reverse("account_reauthenticate"), {"password": "no"}))
        chosen = {"theme": "purple", "language": "xx", "volume": "101", "sound": "loud", "tiles": "", "motion": ""}
        walk.see(language, client.post(reverse("settings"), chosen))
        for name, value in (("volume", "101"), ("volume", "-1"), ("volume", "x"), ("sound", "loud"), ("hints", "on")):
            walk.see(language, client.post(reverse("setting", args=[name]), {name: value}))
        client.logout()
        for _try in range(6):
            answer = client.post(login, {"login": "Bob", "password": "no"})
        walk.see(language, answer)
    walk.verdict(60)


@pytest.mark.django_db
def test_what_is_said_after_a_form(settings: Any) -> None:
    walk = Walk()
    settings.ACCOUNT_RATE_LIMITS = False
    for number, (language, client) in enumerate(everybody()):
        given = {"username": f"Charlie{number}", "email": f"charlie{number}@example.org", "password1": PASSWORD}
        walk.see(language, client.post(reverse("account_signup"), given, follow=True))
        link = re.search(r"https?://[^/]+(/accounts/confirm-email/\S+)", mail.outbox[-1].body)
        assert link
        walk.see(language, client.get(link[1]))
        walk.see(language, client.post(link[1], follow=True))
        other = {"email": f"other{number}@example.org"}
        walk.see(language, client.post(reverse("account_email"), {"action_add": "", **other}, follow=True))
        walk.see(language, client.post(reverse("account_email"), {"action_send": "", **other}, follow=True))
        walk.see(language, client.post(reverse("account_email"), {"action_remove": "", **other}, follow=True))
        passwords = {"oldpassword": PASSWORD, "password1": PASSWORD + "x", "password2": PASSWORD + "x"}
        walk.see(language, client.post(reverse("account_change_password"), passwords, follow=True))
        walk.see(
            language, client.post(reverse("settings"), {"sound": "on", "volume": "50", "theme": "auto"}, follow=True)
        )
    walk.verdict(40)


@pytest.mark.django_db
@pytest.mark.parametrize("template", ["403.html", "403_csrf.html", "404.html", "429.html", "500.html", "503.html"])
def test_pages_of_trouble(rf: RequestFactory, template: str) -> None:
    walk = Walk()
    request = rf.get("/")
    request.user = make_user("Alice")
    for language in walk.said:
        with override(language):
            walk.see(language, render_to_string(template, {"login_url": "/"}, request))
    walk.verdict(3)


def test_the_languages_of_the_site_are_those_that_are_tested() -> None:
    assert {code for code, _name in settings.LANGUAGES} == {"en", *LANGUAGES}
