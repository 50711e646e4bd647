"""The page, the forms and the socket of a match at one device, and who gets to them (D-4)."""

from __future__ import annotations

import re
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.http import HttpResponse
from django.test import Client

from games import device, service
from games.clock_source import now_ms
from games.models import Match
from games.sockets import CLOSE_NO_MATCH
from tests.device.browsers import DevicePage, browser, key
from tests.device.desk import Desk
from tests.factories import make_user
from tests.live.clients import Page, Program, program_token

pytestmark = pytest.mark.django_db(transaction=True)


def at_device() -> tuple[Desk, str]:
    cookie, digest = key()
    return Desk.dealt(now_ms, device=digest), cookie


def post(client: Client, desk: Desk, kind: str, **fields: Any) -> HttpResponse:
    form = {"type": kind, "seq": desk.seq, "hand": desk.state.hand, "id": f"{kind}{desk.seq}", **fields}
    return client.post(f"/matches/{desk.public_id}/commands/", form)


def test_the_match_is_there_for_its_device_only() -> None:
    desk, cookie = at_device()
    other, _digest = key()
    signed_in = Client()
    signed_in.force_login(make_user())
    for path in ("", "fragments/", f"fragments/?seq={desk.seq}", "fragments/?seq=None"):
        assert browser(cookie).get(f"/matches/{desk.public_id}/{path}").status_code in (200, 204)
        for stranger in (browser(), browser(other), browser(cookie[:-1] + "x"), signed_in):
            assert stranger.get(f"/matches/{desk.public_id}/{path}").status_code == 404
    assert post(browser(other), desk, "reveal").status_code == 404
    assert post(browser(), desk, "reveal")["Boneyard-Error"] == "NotSeated"
    assert desk.refresh().phase == "curtain"


def test_an_operator_sees_no_more_than_anybody() -> None:
    desk, _cookie = at_device()
    operator = make_user()
    operator.is_staff = operator.is_superuser = True
    operator.save()
    client = Client()
    client.force_login(operator)
    assert client.get(f"/matches/{desk.public_id}/").status_code == 404
    shown = client.get(f"/admin/games/match/{desk.row().pk}/change/")
    assert shown.status_code == 200
    assert desk.device not in shown.content.decode()


def test_made_up_keys_cost_no_query(django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        answer = browser("ab:cd").post("/matches/abcdefghjk/commands/", {"type": "reveal"})
    assert answer["Boneyard-Error"] == "NotSeated"


def test_a_turn_by_forms_alone() -> None:
    """Without scripts: reveal, play, and the curtain falls again. Nothing is kept by the browser."""
    desk, cookie = at_device()
    guest = browser(cookie)
    page = guest.get(f"/matches/{desk.public_id}/")
    assert "no-store" in page["Cache-Control"]
    assert re.search(r'id="f-curtain" class="curtain">', page.content.decode())
    assert post(guest, desk, "reveal").status_code == 303
    desk.refresh()
    assert desk.state.phase == "play"
    shown = guest.get(f"/matches/{desk.public_id}/").content.decode()
    assert re.search(r'id="f-curtain"[^>]* hidden', shown)
    assert shown.count('class="hand-tile"') == 7
    move = desk.moves()[0]
    site = f"{move.site}" if move.site else ""
    post(guest, desk, "play", tile=f"{move.tile.low}|{move.tile.high}", site=site)
    desk.refresh()
    assert desk.state.phase == "curtain"
    assert 'class="hand-tile"' not in guest.get(f"/matches/{desk.public_id}/").content.decode()


def test_a_refusal_charges_the_device_and_says_why() -> None:
    desk, cookie = at_device()
    answer = post(browser(cookie), desk, "reveal", seq=desk.seq - 1)
    assert answer["Boneyard-Error"] == "StaleCommand"
    assert desk.refresh().phase == "curtain"


def test_signing_in_and_out_leaves_the_match_where_it_is() -> None:
    desk, cookie = at_device()
    client = browser(cookie)
    user = make_user()
    client.force_login(user)
    path = f"/matches/{desk.public_id}/"
    assert client.get(path).status_code == 200
    client.logout()
    client.cookies[device.COOKIE] = cookie  # the test client drops all of them; a browser does not
    assert client.get(path).status_code == 200
    assert Match.objects.filter(seats__user=user).count() == 0


@pytest.mark.asyncio
async def test_two_tabs_play_one_match_by_socket() -> None:
    desk, cookie = await sync_to_async(at_device)()
    tabs = [DevicePage(desk.public_id, cookie) for _tab in range(2)]
    for tab in tabs:
        await tab.open()
        await tab.greet()
        assert 'class="curtain">' in tab.parts["f-curtain"]
        assert 'class="hand-tile"' not in tab.parts["f-me"]
    await tabs[0].command({"type": "reveal"}, seq=desk.seq, hand=1)
    for tab in tabs:
        await tab.at(desk.seq + 1)
        assert tab.parts["f-me"].count('class="hand-tile"') == 7
    await sync_to_async(desk.refresh)()
    # The other tab, late: there is nothing to reveal any more.
    await tabs[1].command({"type": "reveal"}, seq=desk.seq - 1, hand=1)
    assert 'data-code="StaleCommand"' in await tabs[1].next()
    move = desk.moves()[0]
    await tabs[1].command({"type": "play", "tile": f"{move.tile.low}|{move.tile.high}", "site": None}, seq=desk.seq)
    for tab in tabs:
        await tab.at(desk.seq + 1)
        assert 'class="curtain">' in tab.parts["f-curtain"]
        await tab.close()


@pytest.mark.asyncio
async def test_no_other_socket_is_let_in() -> None:
    desk, _cookie = await sync_to_async(at_device)()
    other, _digest = key()
    token = await sync_to_async(lambda: program_token(make_user()))()
    for socket in (Page(desk.public_id, None), DevicePage(desk.public_id, other), Program(desk.public_id, token)):
        await socket.open()
        assert await socket.closed_with() == CLOSE_NO_MATCH


@pytest.mark.asyncio
async def test_nobody_is_away_at_one_device() -> None:
    desk, cookie = await sync_to_async(at_device)()
    tab = DevicePage(desk.public_id, cookie)
    await tab.open()
    shown = await tab.greet()
    assert "seat__away" not in shown
    assert "data-since" not in shown
    await sync_to_async(service.end_at_device)(desk.match_id, device=desk.device)
    await tab.at(desk.seq + 1)
    assert 'data-kind="result"' in tab.parts["f-sheet"]
    await tab.close()
