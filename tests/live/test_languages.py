"""A page goes on in the language in which it was loaded, whatever is chosen elsewhere since."""

from __future__ import annotations

import re
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.conf import settings
from django.test import Client

from accounts.service import choose_language
from games.pictures import ALWAYS_DRAWN
from tests.live.clients import WAIT_S, Page, application, dealt_table, page_headers, send

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]

NOBODY = "Bekleyen yok."
NOT_HELD = {"type": "play", "tile": "0|0", "site": "0|0.line_a", "seq": "0", "id": "late"}
STALE = "Karşılaşma ilerledi"


@sync_to_async
def read(path: str, session: str | None, language: str = "") -> str:
    """What a browser with this session and cookie is shown."""
    client = Client()
    if session is not None:
        client.cookies["sessionid"] = session
    if language:
        client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    return client.get(path).content.decode()


def address_of_socket(html: str) -> str:
    found = re.search(r'ws-connect="([^"]+)"', html)
    assert found is not None
    return found[1]


def at_address(public_id: str, session: str | None, address: str) -> Page:
    page = Page(public_id, session)
    path, _, query = address.partition("?")
    assert page.scope["path"] == path
    page.scope["query_string"] = query.encode()
    return page


async def test_a_table_goes_on_in_its_language() -> None:
    """Its socket opens anew after the account has chosen another one; a visitor's handshake names no language."""
    table, sessions = await dealt_table()
    readers = [(sessions[0], ""), (None, "tr")]
    await sync_to_async(choose_language)(table.users[0], "tr")
    htmls = [await read(f"/matches/{table.public_id}/", *reader) for reader in readers]
    await sync_to_async(choose_language)(table.users[0], "pl")
    for (session, _), html in zip(readers, htmls, strict=True):
        page = at_address(table.public_id, session, address_of_socket(html))
        await page.open()
        look = re.search(r'id="f-seq"[^>]*data-look="([^"]*)"', html)
        assert look is not None
        await page.greet(seq=table.seq, look=look[1])
        assert set(page.parts) - {"f-seq"} == set(ALWAYS_DRAWN), "nothing is drawn in another language"
        await send(table)
        await page.at(table.seq)
        assert ".tr." in page.parts["f-seq"]
        await page.close()


@pytest.mark.parametrize("asked", ["language=xx", "language=../tr", "language=%FF", "language", "x=tr"])
async def test_a_language_of_nobody_is_none(asked: str) -> None:
    table, _ = await dealt_table()
    page = at_address(table.public_id, None, f"/ws/matches/{table.public_id}/?{asked}")
    page.scope["headers"].append((b"accept-language", b"pl"))
    await page.open()
    await page.greet(seq=-1)
    assert 'data-look=".pl.' in page.parts["f-seq"]
    await page.close()


async def test_the_lobby_goes_on_in_its_language() -> None:
    table, sessions = await dealt_table()
    html = await read("/", sessions[0], "tr")
    address = address_of_socket(html)
    await sync_to_async(choose_language)(table.users[0], "pl")
    lobby = WebsocketCommunicator(application, address, page_headers(sessions[0]))
    await lobby.connect(WAIT_S)
    frame = await lobby.receive_from(WAIT_S)
    assert NOBODY in frame
    await lobby.disconnect(timeout=WAIT_S)


async def test_a_page_without_a_socket_goes_on_in_its_language() -> None:
    """What it asks for every two seconds, and what it posts."""
    table, sessions = await dealt_table()
    await sync_to_async(choose_language)(table.users[0], "pl")
    place = f"/matches/{table.public_id}/"
    assert 'data-look="0.tr.' in await read(f"{place}fragments/?seq=-1&language=tr", sessions[0])
    assert 'data-look="0.pl.' in await read(f"{place}fragments/?seq=-1&language=xx", sessions[0])

    def post() -> Any:
        client = Client()
        client.cookies["sessionid"] = sessions[0]
        return client.post(f"{place}commands/?language=tr", NOT_HELD, headers={"hx-request": "true"})

    answer = await sync_to_async(post)()
    assert answer["Boneyard-Error"] == "StaleCommand"
    text = answer.content.decode()
    assert 'data-look="0.tr.' in text
    assert STALE in text
