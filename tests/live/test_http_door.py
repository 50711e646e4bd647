"""The table by ordinary requests: the page without scripts, and commands by form."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from django.core.asgi import get_asgi_application
from django.http import HttpResponse
from django.test import Client

from accounts.service import save_preferences
from games import limits, rules, views
from games.arrival import WAITING_LIMIT, StampBody, doors
from games.clock_source import now_ms
from games.models import MatchEvent
from tests.drivers import Table
from tests.factories import make_user
from tests.live.clients import WAIT_S, dealt_table

pytestmark = pytest.mark.django_db(transaction=True)

_FORM = re.compile(r'<form class="command" [^>]*action="([^"]+)"[^>]*>(.*?)</form>', re.DOTALL)
_INPUT = re.compile(r'<input [^>]*?name="([a-z]+)"[^>]*? value="([^"]*)"')


def client_of(user: Any, **given: Any) -> Client:
    client = Client(**given)
    client.force_login(user)
    return client


def address(table: Table, end: str = "") -> str:
    return f"/matches/{table.public_id}/{end}"


def fields(table: Table, command: rules.PlayerCommand, **given: Any) -> dict[str, Any]:
    told = {key: value for key, value in rules.dump_command(command).items() if key != "seat"}
    about = {"seq": table.seq, "id": f"f{table.seq}"}
    return {key: "" if value is None else value for key, value in {**told, **about, **given}.items()}


def forms(response: HttpResponse, kind: str) -> list[dict[str, str]]:
    """The command forms of that type on a page, as a browser without scripts would post them."""
    found = [dict(_INPUT.findall(inputs)) for action, inputs in _FORM.findall(response.content.decode())]
    return [form for form in found if form.get("type") == kind]


def test_a_match_begins_and_goes_on_by_what_the_page_offers() -> None:
    """Without scripts: Start by both, then the offered plays; each page holds complete forms with a token."""
    table = Table.new(now_ms)
    clients = [client_of(user, enforce_csrf_checks=True) for user in table.users]
    for client in clients:
        (form,) = forms(client.get(address(table)), "start")
        assert form["csrfmiddlewaretoken"]
        answer = client.post(address(table, "commands/"), form)
        assert (answer.status_code, answer["Location"]) == (303, address(table))
    for _ in range(8):
        table.refresh()
        client = clients[table.state.turn]
        page = client.get(address(table))
        offered = forms(page, "play") or forms(page, "draw")
        assert client.post(address(table, "commands/"), offered[0]).status_code == 303
        assert table.refresh().seq > 0
    assert table.seq == 10


def test_a_post_without_a_token_is_refused() -> None:
    """B211: posts need a token as sockets need an Origin."""
    table = Table.dealt(now_ms)
    client = client_of(table.users[table.state.turn], enforce_csrf_checks=True)
    answer = client.post(address(table, "commands/"), fields(table, table.moves()[0]))
    assert answer.status_code == 403
    assert table.row().seq == table.seq


def test_htmx_gets_the_fragments_of_the_new_version() -> None:
    table = Table.dealt(now_ms)
    client = client_of(table.users[table.state.turn])
    answer = client.post(address(table, "commands/"), fields(table, table.moves()[0]), headers={"HX-Request": "true"})
    html = answer.content.decode()
    assert answer.status_code == 200
    assert f'data-seq="{table.seq + 1}"' in html
    assert re.findall(r'<[a-z]+ hx-swap-oob="true" id="(f-[a-z]+)"', html)[-1] == "f-seq"


@pytest.mark.parametrize("is_htmx", [False, True])
def test_a_refusal_has_a_code_and_a_sentence(is_htmx: bool) -> None:
    table = Table.dealt(now_ms)
    client = client_of(table.users[table.state.turn])
    headers = {"HX-Request": "true"} if is_htmx else {}
    answer = client.post(
        address(table, "commands/"), fields(table, table.moves()[0], seq=table.seq - 1), headers=headers
    )
    assert answer[views.ERROR_HEADER] == "StaleCommand"
    if is_htmx:
        assert 'id="f-toast"' in answer.content.decode()
        assert f'data-seq="{table.seq}"' in answer.content.decode()
    else:
        assert answer.status_code == 303
        assert 'role="status"' in client.get(address(table)).content.decode()
    assert table.row().seq == table.seq


def test_the_same_form_posted_twice_counts_once() -> None:
    table = Table.dealt(now_ms)
    client = client_of(table.users[table.state.turn])
    form = fields(table, table.moves()[0])
    for _ in range(2):
        answer = client.post(address(table, "commands/"), form)
        assert answer.status_code == 303
        assert views.ERROR_HEADER not in answer
    assert table.row().seq == table.seq + 1


def test_strangers_and_visitors_have_no_seat() -> None:
    table = Table.dealt(now_ms)
    for client in (Client(), client_of(make_user())):
        answer = client.post(address(table, "commands/"), fields(table, table.moves()[0]))
        assert answer[views.ERROR_HEADER] == "NotSeated"
    assert table.row().seq == table.seq


@pytest.mark.parametrize("is_htmx", [False, True])
def test_a_visitor_s_form_asks_the_database_nothing(
    is_htmx: bool, django_assert_num_queries: Callable[[int], AbstractContextManager[Any]]
) -> None:
    """Nobody counts what a visitor sends, so it may cost nothing."""
    table = Table.dealt(now_ms)
    headers = {"HX-Request": "true"} if is_htmx else {}
    with django_assert_num_queries(0):
        answer = Client().post(address(table, "commands/"), fields(table, table.moves()[0]), headers=headers)
    assert answer[views.ERROR_HEADER] == "NotSeated"
    assert answer.status_code == (403 if is_htmx else 303)


def test_who_is_signed_out_signs_in_and_comes_back_to_the_table() -> None:
    table = Table.new(now_ms)
    answer = Client().post(address(table, "leave/"))
    assert answer["Location"] == f"/accounts/login/?next={address(table)}"
    client = client_of(table.users[0])
    assert client.get(address(table)).status_code == 200
    assert table.row().status == "waiting"


def test_leaving_without_end_is_slowed_down(settings: Any) -> None:
    settings.USER_RATE = 0.0
    settings.USER_BURST = 2.0
    table = Table.new(now_ms)
    client = client_of(make_user())
    assert [client.post(address(table, "leave/")).status_code for _ in range(3)] == [302, 302, 429]


@pytest.mark.parametrize("place", ["/matches/{}/", "/matches/{}/fragments/", "/rules/spectacular-bid/", "/players/{}/"])
def test_who_asks_for_the_head_alone_gets_it(place: str) -> None:
    table = Table.dealt(now_ms)
    path = place.format(table.users[0].username if "players" in place else table.public_id)
    answer = Client().head(path)
    assert (answer.status_code, answer.content) == (200, b"")
    assert Client().post(path).status_code == 405


def test_a_match_that_is_not_there_is_not_found() -> None:
    client = client_of(make_user())
    for end in ("", "fragments/"):
        assert client.get(f"/matches/nosuchmatch/{end}").status_code == 404
    assert client.post("/matches/nosuchmatch/commands/", {"type": "draw", "seq": 1, "id": "x"}).status_code == 404
    assert client.get("/matches/%00/").status_code == 404


def test_fragments_are_sent_to_who_shows_another_version() -> None:
    table = Table.dealt(now_ms)
    client = client_of(table.users[0])
    shown = {"seq": table.seq, "look": look_of(client, table)}
    assert client.get(address(table, "fragments/"), shown).status_code == 204
    answer = client.get(address(table, "fragments/"), {"seq": table.seq - 1, "format": "square"})
    assert answer.status_code == 200
    assert 'data-format="square"' in answer.content.decode()
    assert 'id="f-seq"' in answer.content.decode()


def look_of(client: Client, table: Table) -> str:
    """What the page of this client says of how it was drawn."""
    found = re.search(r'data-look="([^"]*)"', client.get(address(table)).content.decode())
    assert found is not None
    return found[1]


def test_fragments_are_sent_to_who_shows_somebody_elses_page() -> None:
    """It was drawn before signing in or out, or with other preferences."""
    table = Table.dealt(now_ms)
    own, visitor = client_of(table.users[0]), Client()
    place = address(table, "fragments/")
    looks = [look_of(client, table) for client in (own, client_of(table.users[1]), visitor)]
    assert [own.get(place, {"seq": table.seq, "look": look}).status_code for look in looks] == [204, 200, 200]
    assert [visitor.get(place, {"seq": table.seq, "look": look}).status_code for look in looks] == [200, 200, 204]
    save_preferences(table.users[0], {"hints": False})
    assert own.get(place, {"seq": table.seq, "look": looks[0]}).status_code == 200


@pytest.mark.asyncio
async def test_a_fifth_waiting_form_is_refused() -> None:
    """D-30, over both doors: here four commands of the player wait at the sockets."""
    table, (session, _) = await dealt_table()
    user = table.users[0]
    doors.know_session(session, user.pk)
    waiting = [doors.enter(table.public_id, user.pk) for _ in range(WAITING_LIMIT)]
    assert await posted(address(table, "commands/"), "type=draw&seq=0&id=x", session) == "TooManyWaiting"
    for arrival in waiting:
        doors.leave(arrival)
    assert await posted(address(table, "commands/"), "type=draw&seq=0&id=x", session) == "StaleCommand"
    assert doors.waiting(table.public_id) == 0


async def posted(path: str, body: str, session: str) -> str | None:
    """The error code that the whole site, doors included, answers a form post with."""
    token = "a" * 32
    headers = {
        "host": "testserver",
        "cookie": f"sessionid={session}; csrftoken={token}",
        "x-csrftoken": token,
        "content-type": "application/x-www-form-urlencoded",
        "content-length": str(len(body)),
    }
    scope = {
        "type": "http",
        "method": "POST",
        "path": path,
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }
    site = ApplicationCommunicator(StampBody(get_asgi_application()), scope)
    await site.send_input({"type": "http.request", "body": body.encode(), "more_body": False})
    start = await site.receive_output(WAIT_S)
    await site.receive_output(WAIT_S)
    await site.wait(WAIT_S)
    assert start["status"] == 303
    return {name.decode(): value.decode() for name, value in start["headers"]}.get(views.ERROR_HEADER)


def test_arrival_is_taken_from_the_door() -> None:
    table = Table.dealt(now_ms)
    client = client_of(table.users[table.state.turn])
    before_ms = now_ms()
    client.post(address(table, "commands/"), fields(table, table.moves()[0]))
    event = MatchEvent.objects.get(match_id=table.match_id, seq=table.seq + 1)
    assert before_ms <= event.arrived_ms <= event.applied_ms <= now_ms()


def test_too_many_posts_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table.dealt(now_ms)
    user = table.users[table.state.turn]
    client = client_of(user)
    monkeypatch.setitem(limits._users, user.pk, limits.Bucket(rate=0.0, burst=4.0))
    codes = [
        client.post(address(table, "commands/"), fields(table, table.moves()[0], seq=0)).get(views.ERROR_HEADER)
        for _ in range(4)
    ]
    assert codes[0] == "StaleCommand"
    assert codes[-1] == "RateLimited"
    assert table.row().seq == table.seq
