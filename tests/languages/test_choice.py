"""Which language somebody gets: the account's, then the cookie's, then the browser's; on the page and on its socket."""

from __future__ import annotations

import re

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import OperationalError
from django.test import Client
from django.urls import reverse

from accounts.auth import AccountBackend
from accounts.models import Preferences, User
from accounts.service import save_preferences
from games import clock_source
from tests.drivers import ManualClock, Table
from tests.factories import make_user
from tests.live.clients import HOST, ORIGIN, Page, dealt_table, send, session_of

COOKIE = settings.LANGUAGE_COOKIE_NAME
# (what the account chose, the cookie, the browser's wish) and what is spoken
ORDER = [
    ("tr", "pl", "en", "tr"),
    ("", "pl", "tr", "pl"),
    ("", "", "tr-TR,tr;q=0.9", "tr"),
    ("", "", "de", "en"),
    ("", "xx", "pl", "pl"),
    ("xx", "", "pl", "pl"),
    ("en", "tr", "pl", "en"),
]
SAID = {"en": "Table", "tr": "Masa", "pl": "Stół"}
TURN = {"en": "Your tiles", "tr": "Taşlarınız", "pl": "Twoje klocki"}


def language_of(page: str) -> str:
    found = re.search(r'<html lang="(\w+)"', page)
    assert found
    return found[1]


@pytest.mark.django_db
@pytest.mark.parametrize(("account", "cookie", "browser", "spoken"), ORDER)
def test_account_then_cookie_then_browser(account: str, cookie: str, browser: str, spoken: str) -> None:
    client = Client(headers={"accept-language": browser})
    user = make_user()
    client.force_login(user)
    Preferences.objects.create(user=user, language=account)
    if cookie:
        client.cookies[COOKIE] = cookie
    for name in ("lobby", "settings", "rules", "account_email"):
        answer = client.get(reverse(name))
        assert language_of(answer.content.decode()) == spoken
        assert answer["Content-Language"] == spoken
    stranger = Client(headers={"accept-language": browser})
    if cookie:
        stranger.cookies[COOKIE] = cookie
    if not account:
        assert language_of(stranger.get("/").content.decode()) == spoken


@pytest.mark.django_db
def test_a_choice_made_elsewhere_counts_here_at_once() -> None:
    """The cookie of this browser is older than what was chosen on the phone."""
    here, phone, user = Client(), Client(), make_user()
    for client in (here, phone):
        client.force_login(user)
    here.post(reverse("set_language"), {"language": "tr", "next": "/"})
    phone.post(reverse("set_language"), {"language": "pl", "next": "/"})
    assert here.cookies[COOKIE].value == "tr"
    assert language_of(here.get("/").content.decode()) == "pl"


@pytest.mark.django_db
def test_the_language_of_an_account_costs_no_query_of_its_own(django_assert_num_queries) -> None:
    client, user = Client(), make_user()
    client.force_login(user)
    Preferences.objects.create(user=user, language="tr")
    with django_assert_num_queries(2):  # the session and the account
        assert language_of(client.get(reverse("rules")).content.decode()) == "tr"
    with django_assert_num_queries(0):
        Client().get(reverse("rules"))


@pytest.mark.django_db
def test_without_a_database_a_page_speaks_as_the_browser_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client(headers={"accept-language": "pl"})
    client.force_login(make_user())

    def locked(*_given: object) -> None:
        raise OperationalError("database is locked")

    monkeypatch.setattr(AccountBackend, "get_user", locked)
    answer = client.get(reverse("settings"))
    assert answer.status_code == 503
    assert language_of(answer.content.decode()) == "pl"


@pytest.mark.django_db
@pytest.mark.parametrize(
    "address",
    ["/?offer=abc", "/rules/spectacular-bid/", "/players/Alice/", "/accounts/settings/", "/device/"],
)
def test_a_switch_keeps_the_page(address: str) -> None:
    client = Client()
    client.force_login(make_user("Alice"))
    page = client.get(address).content.decode()
    form = page[page.index(f'action="{reverse("set_language")}"') :]
    back = re.search(r'name="next" value="([^"]*)"', form)
    assert back
    assert back[1] == address
    answer = client.post(reverse("set_language"), {"language": "tr", "next": back[1]})
    assert (answer.status_code, answer["Location"]) == (302, address)
    assert language_of(client.get(answer["Location"]).content.decode()) == "tr"


@pytest.mark.django_db
@pytest.mark.parametrize("signed_in", [True, False])
def test_a_switch_in_the_middle_of_a_match_keeps_the_table(signed_in: bool) -> None:
    """Also for whoever watches: the match goes on where it was, with another word for everything."""
    clock = ManualClock()
    with clock_source.use_source(clock):
        table = Table.dealt(clock)
        client = Client()
        if signed_in:
            client.force_login(table.users[0])
        address = f"/matches/{table.public_id}/"
        seqs = []
        for language in ("en", "tr", "pl"):
            answer = client.post(reverse("set_language"), {"language": language, "next": address}, follow=True)
            page = answer.content.decode()
            assert answer.redirect_chain == [(address, 302)]
            assert f'aria-label="{SAID[language]}"' in page
            assert f'name="next" value="{address}"' in page
            seqs += re.findall(r'id="f-seq"[^>]*data-seq="(\d+)"', page)
        assert seqs == [str(table.seq)] * 3
        assert table.row().seq == table.seq


class Told(Page):
    """The socket of a page in a browser with a cookie for the language and a wish of its own."""

    def __init__(self, public_id: str, session: str, cookie: str, browser: str) -> None:
        super().__init__(public_id, session)
        cookies = f"sessionid={session}" + (f"; {COOKIE}={cookie}" if cookie else "")
        self.scope["headers"] = [HOST, ORIGIN, (b"cookie", cookies.encode()), (b"accept-language", browser.encode())]


@pytest.mark.django_db(transaction=True)
@pytest.mark.asyncio
@pytest.mark.parametrize(("account", "cookie", "browser", "spoken"), ORDER)
async def test_a_socket_speaks_as_its_page(account: str, cookie: str, browser: str, spoken: str) -> None:
    """And the other player's speaks as theirs, of the same move."""
    table, sessions = await dealt_table()
    await sync_to_async(save_preferences)(table.users[0], {"language": account})
    await sync_to_async(save_preferences)(table.users[1], {"language": "pl"})
    pages = [Told(table.public_id, sessions[0], cookie, browser), Told(table.public_id, sessions[1], "tr", "tr")]
    for page in pages:
        await page.open()
        await page.greet(seq=-1)
    await send(table)
    for page, language in zip(pages, (spoken, "pl"), strict=True):
        await page.at(table.seq)
        assert f'aria-label="{TURN[language]}' in page.parts["f-me"]
        await page.close()


@pytest.mark.django_db(transaction=True)
@pytest.mark.asyncio
async def test_a_switch_reaches_the_next_socket() -> None:
    """The page is loaded again and opens another; what it then gets is in the new language."""
    table, sessions = await dealt_table()
    for language in ("tr", "pl"):
        await sync_to_async(_choose)(table.users[0], language)
        page = Told(table.public_id, sessions[0], "", "en")
        await page.open()
        await page.greet(seq=-1)
        assert TURN[language] in page.parts["f-me"]
        await page.close()


def _choose(user: User, language: str) -> None:
    client = Client()
    client.cookies["sessionid"] = session_of(user)
    client.post(reverse("set_language"), {"language": language, "next": "/"})
