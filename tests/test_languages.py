"""Turkish and Polish: complete, on every page and in every fragment, with the right plural forms."""

import random
import re
from collections.abc import Iterator
from functools import cache
from html import unescape

import pytest
from django.core import mail
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext, ngettext, override

from config import messages
from games import clock_source, errors, fragments, rules
from games.lobby import errors as lobby_errors
from games.lobby.messages import error_text as lobby_error_text
from games.lobby.service import create_offer
from games.messages import error_text, news_text
from games.table import Result, TableView
from tests.drivers import ManualClock, Table
from tests.factories import make_user
from tests.table.drive import Drive

LANGUAGES = ("pl", "tr")
NAMES = ("Alice", "Bob")
VIEWERS = (0, 1, None)
PASSWORD = "a-quiet-room-7"
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%[sd]|\{\w*\}")
OPEN_PAGES = (
    "lobby",
    "rules",
    "account_login",
    "account_signup",
    "account_reset_password",
    "account_reset_password_done",
    "account_inactive",
    "account_email_verification_sent",
)
OWN_PAGES = (
    "lobby",
    "settings",
    "account_email",
    "account_change_password",
    "account_reauthenticate",
    "account_logout",
)
TEMPLATES = ("403.html", "404.html", "429.html", "500.html", "account/signup_closed.html")

every_language = pytest.mark.parametrize("language", LANGUAGES)


@cache
def english(language: str) -> tuple[str, ...]:
    """Of each message of more than two words its longest stretch without a value, where the language has another."""
    found = set()
    for message in messages.extract_messages():
        forms = message.id if isinstance(message.id, tuple) else (message.id,)
        for form in forms:
            stretch = max(PLACEHOLDER.split(form), key=len)
            with override(language):
                is_name = not form or stretch in gettext(form)
            if len(form.split()) > 2 and len(re.findall(r"[^\W\d]{2,}", stretch)) > 1 and not is_name:
                found.add(stretch)
    assert len(found) > 250
    return tuple(sorted(found))


def english_in(text: str, language: str) -> list[str]:
    text = re.sub(r"\s+", " ", unescape(text))
    return [stretch for stretch in english(language) if stretch in text]


def pictures(seed: int, language: str) -> Iterator[TableView]:
    """What all viewers see of a random match to its end: each auction, sheet and block, and some of the moves."""
    match = Drive(seed)
    number = 0
    while True:
        number += 1
        if number % 7 == 0 or match.state.phase in ("ready", "auction", "over") or match.state.turn_kind == "opening":
            yield from (seen(match, viewer, language) for viewer in VIEWERS)
        if match.step() is None:
            return


def seen(match: Drive, viewer: int | None, language: str) -> TableView:
    result = None
    if match.state.phase == "over":
        changes = (("1684", "1693"), ("1512?", "1503?")) if match.state.winner is not None else None
        result = Result(match.state.winner, str(match.state.ending), changes, reference="4f2a")
    return match.view(
        viewer,
        language=language,
        cap_ms=match.now_ms + 60_000,
        away=(9_000, 12_000),
        seed="5eed" * 16,
        result=result,
    )


@every_language
@pytest.mark.parametrize("seed", [1, 2])
def test_no_fragment_of_a_match_says_an_english_sentence(language: str, seed: int) -> None:
    with override(language):
        for view in pictures(seed, language):
            assert english_in("".join(fragments.render_all(view).values()), language) == []


@every_language
def test_no_ending_is_told_in_english(language: str) -> None:
    resigned, timed_out, cancelled, aborted = (Drive(seed) for seed in range(4))
    for match in (resigned, timed_out, aborted):
        match.do(rules.Start(0))
        match.do(rules.Start(1))
    resigned.do(rules.Resign(1))
    timed_out.now_ms += 200_000
    timed_out.do(rules.ExpireTime())
    cancelled.do(rules.CancelUnstarted(absent=(0, 1)))
    aborted.do(rules.VoidForFault())
    with override(language):
        for match in (resigned, timed_out, cancelled, aborted):
            assert match.state.phase == "over"
            for viewer in VIEWERS:
                view = seen(match, viewer, language)
                assert english_in("".join(fragments.render_all(view).values()), language) == []
                assert english_in(news_text(view.log, NAMES), language) == []


@every_language
def test_what_happens_is_read_out_in_the_language(language: str) -> None:
    match = Drive(3)
    with override(language):
        while match.step() is not None:
            facts = [rules.sight_fact(fact, 0) for _seq, fact in match.facts]
            assert english_in(news_text(facts, NAMES), language) == []


@every_language
def test_every_refusal_has_a_sentence_of_the_language(language: str) -> None:
    classes = [*vars(rules).values(), *vars(errors).values()]
    codes = {cls.__name__ for cls in classes if isinstance(cls, type) and issubclass(cls, Exception)}
    details = ({}, {"lowest": 20, "highest": 150, "tile": "1|4", "field": "amount"})
    plain = {(code, number): error_text(code, detail) for code in codes for number, detail in enumerate(details)}
    with override(language):
        for (code, number), sentence in plain.items():
            assert error_text(code, details[number]) != sentence
        for cls in lobby_errors.LobbyError.__subclasses__():
            assert english_in(lobby_error_text(cls()), language) == []


@every_language
@pytest.mark.parametrize("page", OPEN_PAGES)
@pytest.mark.django_db
def test_pages_for_everybody(client, language: str, page: str) -> None:
    create_offer(make_user("Alice"))
    check_page(client.get(reverse(page), headers={"accept-language": language}), language)


@every_language
@pytest.mark.parametrize("page", OWN_PAGES)
@pytest.mark.django_db
def test_pages_of_an_account(client, language: str, page: str) -> None:
    user = make_user("Alice")
    user.set_password(PASSWORD)
    user.save()
    client.force_login(user)
    check_page(client.get(reverse(page), headers={"accept-language": language}), language)


@every_language
@pytest.mark.parametrize("template", TEMPLATES)
@pytest.mark.django_db
def test_pages_that_are_rarely_seen(rf, language: str, template: str) -> None:
    request = rf.get("/")
    request.user = make_user()
    with override(language):
        page = render_to_string(template, {"login_url": "/"}, request)
    assert f'<html lang="{language}"' in page
    assert english_in(page, language) == []


@every_language
@pytest.mark.django_db
def test_the_table_and_the_players_page_through_a_match(client, language: str) -> None:
    users, chance, headers = [make_user("Alice"), make_user("Bob")], random.Random(5), {"accept-language": language}
    client.force_login(users[0])
    clock = ManualClock()
    with clock_source.use_source(clock):
        table = Table.new(clock, users=users)
        for phase in ("ready", "play", "ready", "auction", "play"):
            table.play_until(lambda state, phase=phase: state.phase == phase, chance)
            check_page(client.get(reverse("match", args=[table.public_id]), headers=headers), language)
            check_page(client.get(reverse("lobby"), headers=headers), language)
            if phase == "ready":
                table.both_press()
        table.send(rules.Resign(1))
        check_page(client.get(reverse("match", args=[table.public_id]), headers=headers), language)
        check_page(client.get(reverse("player", args=["Alice"]), headers=headers), language)


@every_language
@pytest.mark.django_db
def test_forms_say_what_is_wrong_in_the_language(client, language: str) -> None:
    headers = {"accept-language": language}
    wrong = ({}, {"username": "a..b", "email": "x", "password1": "123"})
    pages = [client.post(reverse("account_signup"), form, headers=headers) for form in wrong]
    pages.append(client.post(reverse("account_login"), {"login": "Zoe", "password": "no"}, headers=headers))
    for answer in pages:
        check_page(answer, language)
        for sentence in ("This field", "This password", "The password", "Enter a valid"):
            assert sentence not in answer.content.decode()


@every_language
@pytest.mark.django_db
def test_mail_is_written_in_the_language(client, language: str) -> None:
    user = make_user("Alice")
    user.set_password(PASSWORD)
    user.save()
    client.post(reverse("account_reset_password"), {"email": user.email}, headers={"accept-language": language})
    (letter,) = mail.outbox
    links_aside = re.sub(r"https?://\S+", "", f"{letter.subject}\n{letter.body}")
    assert english_in(links_aside, language) == []
    assert not re.search(r"\b(password|you|email)\b", links_aside.lower())


def test_polish_has_three_forms() -> None:
    with override("pl"):
        tiles = [ngettext("%(count)d tile", "%(count)d tiles", n) % {"count": n} for n in (1, 2, 5, 12, 22, 25)]
        assert tiles == ["1 klocek", "2 klocki", "5 klocków", "12 klocków", "22 klocki", "25 klocków"]


def test_turkish_leaves_the_word_alone_after_a_number() -> None:
    with override("tr"):
        tiles = [ngettext("%(count)d tile", "%(count)d tiles", n) % {"count": n} for n in (1, 2, 5, 22)]
        assert tiles == ["1 taş", "2 taş", "5 taş", "22 taş"]


@every_language
def test_every_counted_message_has_a_form_for_every_number(language: str) -> None:
    counted = [message.id for message in messages.extract_messages() if isinstance(message.id, tuple)]
    assert counted
    with override(language):
        for one, many in counted:
            forms = [ngettext(one, many, number) for number in (1, 2, 5, 22)]
            assert not {one, many} & set(forms)
            assert forms[1] == forms[3]


def check_page(answer, language: str) -> None:
    page = answer.content.decode()
    assert answer.status_code == 200
    assert f'<html lang="{language}"' in page
    assert english_in(page, language) == []
