"""The lobby's socket: live offers, the way to the table, and nobody let in who should not be."""

from __future__ import annotations

import asyncio

import pytest
from asgiref.sync import sync_to_async
from channels.routing import URLRouter
from channels.testing import WebsocketCommunicator
from django.db import OperationalError
from django.test import Client

from games.live import registry
from games.lobby import service
from games.lobby.consumers import LobbyConsumer
from games.lobby.models import Offer
from games.lobby.room import room
from games.lobby.routing import websocket_urlpatterns
from games.service import active_match_of
from tests.factories import make_user
from tests.live.clients import ORIGIN, WAIT_S, page_headers, session_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]

application = URLRouter(websocket_urlpatterns)


class Lobby(WebsocketCommunicator):
    """A lobby page's socket."""

    def __init__(self, session: str | None, *, origin: bytes | None = ORIGIN[1]) -> None:
        super().__init__(application, "/ws/lobby/", page_headers(session, origin=origin))

    async def open(self) -> Lobby:
        accepted, _ = await self.connect(WAIT_S)
        assert accepted
        return self

    async def until(self, text: str) -> str:
        """The first frame that holds this text."""
        while text not in (frame := await self.receive_from(WAIT_S)):
            pass
        return frame

    async def close(self) -> None:
        await self.disconnect(timeout=WAIT_S)


make = sync_to_async(make_user)
session = sync_to_async(session_of)


async def test_an_offer_appears_and_goes_without_a_reload() -> None:
    alice, bob = await make("Alice"), await make("Bob")
    page = await Lobby(await session(bob)).open()
    await page.until("Nobody is waiting")
    offer = await sync_to_async(service.create_offer)(alice)
    assert f"/offers/{offer.public_id}/take/" in await page.until("Alice")
    await sync_to_async(service.cancel_offer)(alice, offer.public_id)
    await page.until("Nobody is waiting")
    await page.close()


async def test_the_owner_is_led_to_the_table_when_the_offer_is_taken() -> None:
    alice, bob = await make("Alice"), await make("Bob")
    page = await Lobby(await session(alice)).open()
    offer = await sync_to_async(service.create_offer)(alice)
    await page.until("Waiting for an opponent")
    await sync_to_async(service.take_offer)(bob, offer.public_id)
    match = await sync_to_async(active_match_of)(alice)
    await page.until(f'data-url="/matches/{match.public_id}/"')
    await page.close()


async def test_forms_in_a_frame_carry_the_visitors_own_token() -> None:
    alice, bob = await make("Alice"), await make("Bob")
    await sync_to_async(service.create_offer)(alice)
    page = Lobby(await session(bob))
    page.scope["headers"] = [
        (name, value + b"; csrftoken=" + b"c" * 32) if name == b"cookie" else (name, value)
        for name, value in page.scope["headers"]
    ]
    await page.open()
    assert f'name="csrfmiddlewaretoken" value="{"c" * 32}"' in await page.until("Alice")
    await page.close()


async def test_closing_the_last_page_lets_the_offer_go_soon() -> None:
    alice = await make("Alice")
    signed_in = await session(alice)
    first, second = await Lobby(signed_in).open(), await Lobby(signed_in).open()
    offer = await sync_to_async(service.create_offer)(alice)
    await first.until("Waiting for an opponent")
    await second.until("Waiting for an opponent")
    await first.close()
    kept = await Offer.objects.aget(pk=offer.pk)
    assert kept.seen_at_ms >= offer.created_at_ms
    await second.close()
    left = await Offer.objects.aget(pk=offer.pk)
    assert left.seen_at_ms < offer.created_at_ms
    assert await sync_to_async(service.expire_offers)(at_ms=left.seen_at_ms + service.OWNER_GONE_MS) == 1


async def test_nothing_goes_on_when_the_database_fails_as_the_last_page_closes(monkeypatch: pytest.MonkeyPatch) -> None:
    page = await Lobby(await session(await make("Alice"))).open()
    await page.until("Nobody is waiting")
    listening, shown = registry(), room()
    tasks = [*listening._running, *shown._tasks]

    def fails(_user_id: int) -> None:
        raise OperationalError

    monkeypatch.setattr(service, "leave_lobby", fails)
    await page.send_input({"type": "websocket.disconnect", "code": 1000})
    await asyncio.wait([page.future])
    assert tasks
    assert all(task.done() for task in tasks)
    assert registry() is not listening
    assert room() is not shown


@pytest.mark.parametrize("origin", [None, b"null", b"http://elsewhere.example", b"http://testserver.example"])
async def test_a_foreign_page_is_refused_before_the_handshake(origin: bytes | None) -> None:
    """B211: a session cookie counts only with an Origin of this site."""
    page = Lobby(await session(await make("Alice")), origin=origin)
    accepted, _ = await page.connect(WAIT_S)
    assert not accepted


async def test_a_task_of_a_page_that_fails_ends_its_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    """1011: the page opens another one."""

    async def fails(_self: LobbyConsumer, _text: str) -> None:
        raise OperationalError

    monkeypatch.setattr(LobbyConsumer, "send_text", fails)
    page = await Lobby(await session(await make("Alice"))).open()
    assert await page.receive_output(WAIT_S) == {"type": "websocket.close", "code": 1011}
    await page.close()


async def test_signing_out_closes_the_lobby_at_once() -> None:
    """In another tab; the pages of others stay."""
    alice, bob = await make("Alice"), await make("Bob")
    client = Client()
    await sync_to_async(client.force_login)(alice)
    own = await Lobby(client.cookies["sessionid"].value).open()
    other = await Lobby(await session(bob)).open()
    for page in (own, other):
        await page.until("Nobody is waiting")
    await registry().settle()  # listening by now
    await sync_to_async(client.logout)()
    assert await own.receive_output(WAIT_S) == {"type": "websocket.close", "code": 4401}
    await own.close()
    await sync_to_async(service.create_offer)(await make("Carol"))
    await other.until("Carol")
    await other.close()


async def test_a_visitor_without_a_session_gets_nothing() -> None:
    page = await Lobby(None).open()
    message = await page.receive_output(WAIT_S)
    assert (message["type"], message["code"]) == ("websocket.close", 4401)
    await page.close()
