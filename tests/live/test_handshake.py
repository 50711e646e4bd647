"""Who may open a match socket, and how others are turned away."""

from __future__ import annotations

import pytest
from asgiref.sync import sync_to_async
from django.test import Client

from accounts.service import close_account, revoke_token
from games.live import registry
from games.sockets import CLOSE_NO_MATCH, CLOSE_UNKNOWN, PROTOCOL, origin_is_allowed
from tests.live.clients import (
    HOST,
    WAIT_S,
    Page,
    Program,
    Socket,
    dealt_table,
    page_headers,
    program_table,
    send,
    stranger,
)

pytestmark = [pytest.mark.django_db(transaction=True)]

BAD_ORIGINS = (
    None,
    b"null",
    b"http://evil.example",
    b"http://testserver.evil.example",
    b"http://eviltestserver",
    b"http://testserver:81",
    b"http://testserver@evil.example",
    b"http://evil.example/testserver",
    b"file://testserver",
    b"testserver",
    b"http://",
    b"\xff",
)


@pytest.mark.asyncio
@pytest.mark.parametrize("origin", BAD_ORIGINS)
async def test_a_session_does_not_count_from_elsewhere(origin: bytes | None) -> None:
    """B211: refused before the handshake, with a valid session."""
    table, sessions = await dealt_table()
    socket = Socket(table.public_id, page_headers(sessions[0], origin=origin))
    accepted, _ = await socket.connect(WAIT_S)
    assert not accepted
    assert registry().matches == {}


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("testserver", "http://testserver"),
        ("testserver", "https://testserver"),
        ("TestServer", "http://testserver"),
        ("testserver:8000", "http://testserver:8000"),
        ("testserver:80", "http://testserver"),
        ("testserver", "http://testserver:80"),
    ],
)
def test_the_own_origin_counts(host: str, origin: str) -> None:
    assert origin_is_allowed({b"host": host.encode(), b"origin": origin.encode()})


def test_a_host_that_is_not_ours_counts_for_nothing() -> None:
    """A name that somebody else pointed at this server (DNS rebinding)."""
    assert not origin_is_allowed({b"host": b"rebound.example", b"origin": b"http://rebound.example"})


def test_a_trusted_origin_counts(settings: object) -> None:
    settings.CSRF_TRUSTED_ORIGINS = ["https://play.example"]
    assert origin_is_allowed({b"host": b"testserver", b"origin": b"https://play.example"})
    assert not origin_is_allowed({b"host": b"testserver", b"origin": b"https://play.example.evil.example"})


@pytest.mark.asyncio
async def test_a_token_needs_no_origin_and_ignores_cookies() -> None:
    table, tokens = await program_table()
    seat = Program(table.public_id, tokens[1], (b"cookie", f"sessionid={await stranger()}".encode()))
    accepted, protocol = await seat.connect(WAIT_S)
    assert accepted
    assert protocol == PROTOCOL
    frame = await seat.next_json()
    assert frame["type"] == "sight"
    answer = await seat.command({"type": "start"})
    assert answer["type"] == "accepted"  # as the token's account: the stranger of the cookie has no seat
    await seat.close()


@pytest.mark.asyncio
async def test_an_unknown_token_is_told_so() -> None:
    table, _ = await program_table()
    seat = Program(table.public_id, "boneyard_nothing")
    await seat.open()
    assert await seat.closed_with() == CLOSE_UNKNOWN
    assert seat.frames == []


@pytest.mark.asyncio
async def test_a_token_without_the_protocol_is_refused() -> None:
    """It would be a program that reads HTML; a cookie beside it must not stand in."""
    table, sessions = await dealt_table()
    headers = [*page_headers(sessions[0]), (b"authorization", b"Bearer x")]
    accepted, _ = await Socket(table.public_id, headers).connect(WAIT_S)
    assert not accepted


@pytest.mark.asyncio
async def test_the_protocol_without_a_token_is_refused() -> None:
    table, sessions = await dealt_table()
    socket = Socket(table.public_id, page_headers(sessions[0]), subprotocols=[PROTOCOL])
    await socket.open()
    assert await socket.closed_with() == CLOSE_UNKNOWN


@pytest.mark.asyncio
async def test_a_match_that_is_not_there_is_told_so() -> None:
    socket = Socket("nosuchmatch", page_headers(await stranger()))
    await socket.open()
    assert await socket.closed_with() == CLOSE_NO_MATCH


@pytest.mark.asyncio
async def test_refused_sockets_are_never_told_anything() -> None:
    """B058: nobody, a stranger with a bad token, another's session: then the players connect and play."""
    table, sessions = await dealt_table()
    refused = [
        Socket(table.public_id, page_headers(sessions[0], origin=b"http://evil.example")),
        Socket(table.public_id, [HOST], subprotocols=[PROTOCOL]),
        Program(table.public_id, "boneyard_wrong"),
    ]
    for socket in refused:
        await socket.connect(WAIT_S)
    assert registry().matches == {}
    page = Page(table.public_id, sessions[0])
    await page.open()
    await page.greet()
    await send(table)
    await page.at(table.seq)
    shown = registry().matches[table.public_id]
    assert len(shown.screens) == 1
    for socket in refused:
        while not socket.output_queue.empty():
            assert socket.output_queue.get_nowait()["type"] != "websocket.send"
    await page.close()


@pytest.mark.asyncio
async def test_signing_out_closes_the_sockets_of_that_session() -> None:
    table, sessions = await dealt_table()
    page, elsewhere, other = (Page(table.public_id, session) for session in (sessions[0], sessions[0], sessions[1]))
    for socket in (page, elsewhere, other):
        await socket.open()
        await socket.greet()
    client = Client()
    client.cookies["sessionid"] = sessions[0]
    await sync_to_async(client.post)("/accounts/logout/")
    assert await page.closed_with() == CLOSE_UNKNOWN
    assert await elsewhere.closed_with() == CLOSE_UNKNOWN
    await send(table)
    await other.at(table.seq)
    for socket in (page, elsewhere, other):
        await socket.close()


@pytest.mark.asyncio
async def test_closing_the_account_closes_its_sockets() -> None:
    table, sessions = await dealt_table()
    page = Page(table.public_id, sessions[0])
    await page.open()
    await page.greet()
    await sync_to_async(close_account)(table.users[0])
    assert await page.closed_with() == CLOSE_UNKNOWN
    await page.close()


@pytest.mark.asyncio
async def test_revoking_a_token_closes_its_socket() -> None:
    table, tokens = await program_table()
    seat = Program(table.public_id, tokens[0])
    await seat.open()
    await seat.next_json()
    user = table.users[0]
    token_id = await sync_to_async(lambda: user.api_tokens.get().pk)()
    await sync_to_async(revoke_token)(user, token_id)
    assert await seat.closed_with() == CLOSE_UNKNOWN
    await seat.close()


@pytest.mark.asyncio
async def test_fifty_aborted_handshakes_leave_nothing_behind(caplog: pytest.LogCaptureFixture) -> None:
    """B102: then it works at once, with one presence entry and no error in the log."""
    table, sessions = await dealt_table()
    for number in range(50):
        socket = Page(table.public_id, sessions[0])
        await socket.send_input({"type": "websocket.connect"})
        if number % 2:
            await socket.receive_output(WAIT_S)
        await socket.send_input({"type": "websocket.disconnect", "code": 1006})
        await socket.wait(WAIT_S)
    page = Page(table.public_id, sessions[0])
    await page.open()
    await page.greet()
    assert page.seq == table.seq
    shown = registry().matches[table.public_id]
    assert shown.here[0] == 1
    assert len(shown.screens) == 1
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []
    await page.close()
