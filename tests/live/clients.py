"""Ends of a match socket for tests: a page's and a program's."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable
from typing import Any

from asgiref.sync import sync_to_async
from channels.routing import URLRouter
from channels.testing import WebsocketCommunicator
from django.test import Client

from accounts.models import User
from accounts.service import issue_token
from config.routing import websocket_urlpatterns
from games import rules, service
from games.clock_source import now_ms
from games.sockets import PROTOCOL
from tests.drivers import Table
from tests.factories import make_user

WAIT_S = 20.0  # of a crowded machine
HOST = (b"host", b"testserver")
ORIGIN = (b"origin", b"http://testserver")
_FRAGMENT = re.compile(r'(?:^|(?<=>))<[a-z]+ [^>]*?\bid="(f-[a-z0-9-]+)"')
_numbers = itertools.count(1)

application = URLRouter(websocket_urlpatterns)


def session_of(user: User) -> str:
    """A signed-in session of the user."""
    client = Client()
    client.force_login(user)
    return client.cookies["sessionid"].value


def page_headers(session: str | None = None, *, origin: bytes | None = ORIGIN[1]) -> list[tuple[bytes, bytes]]:
    """What a browser sends with a handshake."""
    headers = [HOST]
    if origin is not None:
        headers.append((b"origin", origin))
    if session is not None:
        headers.append((b"cookie", f"sessionid={session}".encode()))
    return headers


class Socket(WebsocketCommunicator):
    """A match socket; everything that came is kept in `frames`."""

    def __init__(self, public_id: str, headers: list[tuple[bytes, bytes]], **given: Any) -> None:
        super().__init__(application, f"/ws/matches/{public_id}/", headers, **given)
        self.frames: list[str] = []
        self.mark = ""

    async def open(self) -> None:
        """Connect, and see it accepted."""
        accepted, _ = await self.connect(WAIT_S)
        assert accepted

    async def next(self) -> str:
        """The next frame."""
        text = await self.receive_from(WAIT_S)
        self.frames.append(text)
        return text

    async def ping(self) -> None:
        """Say what has been read, and take all frames up to the answer."""
        await self.send_json_to({"type": "ping", "t": 1, "mark": self.mark})
        while not (text := await self.next()).startswith('{"type": "pong"'):
            pass
        self.mark = json.loads(text)["mark"]

    async def closed_with(self) -> int:
        """The code the server closes with, whatever comes before."""
        while True:
            message = await self.receive_output(WAIT_S)
            if message["type"] == "websocket.close":
                return int(message["code"])
            self.frames.append(message["text"])

    async def close(self) -> None:
        """Leave as a browser does."""
        await self.disconnect(timeout=WAIT_S)


class Program(Socket):
    """A JSON seat (or a program that only watches)."""

    def __init__(self, public_id: str, token: str, *more: tuple[bytes, bytes]) -> None:
        headers = [HOST, (b"authorization", f"Bearer {token}".encode()), *more]
        super().__init__(public_id, headers, subprotocols=[PROTOCOL])
        self.seen: dict[str, Any] = {}

    async def next_json(self) -> dict[str, Any]:
        """The next frame; the newest sight stays in `seen`."""
        frame = json.loads(await self.next())
        if frame["type"] == "sight":
            self.seen = frame
        return frame

    async def until(self, is_it: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The next frame that is as asked for."""
        while not is_it(frame := await self.next_json()):
            pass
        return frame

    async def at(self, seq: int) -> dict[str, Any]:
        """The sight at this version or a later one."""
        if self.seen and self.seen["seq"] >= seq:
            return self.seen
        return await self.until(lambda frame: frame["type"] == "sight" and frame["seq"] >= seq)

    async def command(self, told: dict[str, Any], **given: Any) -> dict[str, Any]:
        """Send a command for the version last seen, and give the answer to it."""
        by_hand = told["type"] in ("start", "continue", "reveal", "resign")
        about = {"hand": self.seen["sight"]["hand"]} if by_hand else {"seq": self.seen["seq"]}
        frame = {**_unseated(told), **about, "id": f"p{next(_numbers)}", **given}
        await self.send_json_to(frame)
        return await self.until(lambda answer: answer["type"] != "sight" and answer.get("id") == frame["id"])


class Page(Socket):
    """The socket of a table page; it greets as the page's script does."""

    def __init__(self, public_id: str, session: str | None, **given: Any) -> None:
        super().__init__(public_id, page_headers(session, **given))
        self.seq = 0
        self.parts: dict[str, str] = {}

    async def greet(self, seq: int = 0, table_format: str = "wide", look: str = "") -> str:
        """Say hello and take the first frame."""
        await self.send_json_to({"type": "hello", "seq": seq, "look": look, "format": table_format})
        return await self.next_html()

    async def next_html(self) -> str:
        """The next frame; its fragments replace those in `parts`."""
        text = await self.next()
        starts = [(found.start(), found[1]) for found in _FRAGMENT.finditer(text)]
        for (start, name), (end, _) in itertools.pairwise([*starts, (len(text), "")]):
            self.parts[name] = text[start:end]
        if found := re.search(r'id="f-seq"[^>]*data-seq="(\d+)"', text):
            self.seq = int(found[1])
        return text

    async def at(self, seq: int) -> None:
        """Take frames until this version is shown."""
        while self.seq < seq:
            await self.next_html()

    async def command(self, told: dict[str, Any], **about: Any) -> None:
        """Send what a form of the page sends: all values are text."""
        fields = {**_unseated(told), **about, "id": f"h{next(_numbers)}"}
        texts = {key: "" if value is None else str(value) for key, value in fields.items()}
        await self.send_json_to({**texts, "HEADERS": {"HX-Request": "true"}})


@sync_to_async
def dealt_table(**given: Any) -> tuple[Table, list[str]]:
    """A match whose first hand is dealt, and a session of each player."""
    table = Table.dealt(now_ms, **given)
    return table, [session_of(user) for user in table.users]


@sync_to_async
def program_table() -> tuple[Table, list[str]]:
    """A match of two programs that waits for Start, and their tokens."""
    users = [make_user(), make_user()]
    tokens = [program_token(user) for user in users]
    return Table.new(now_ms, users=users), tokens


@sync_to_async
def stranger() -> str:
    """A session of somebody who plays nowhere."""
    return session_of(make_user())


@sync_to_async
def send(table: Table, command: rules.PlayerCommand | None = None) -> service.Applied:
    """A command given outside of all sockets, as a form post in another thread would be."""
    return table.send(command or table.moves()[0])


def program_token(user: User) -> str:
    """A token for the account, which becomes a program's."""
    return issue_token(user)


def _unseated(told: dict[str, Any]) -> dict[str, Any]:
    """A command as a client sends it: the seat is the sender's."""
    return {key: value for key, value in told.items() if key != "seat"}
