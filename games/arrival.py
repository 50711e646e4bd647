"""The moment a command arrives, and who waits at the doors.

Both doors stamp before anything can queue (D-25): `StampArrival` drains a socket and
stamps each frame as it is handed over, `StampBody` stamps a form post when its body is
complete. What was stamped and is not answered yet waits; `doors` knows for every match
how many do, so that the only web process may judge a deadline at once (D-27), and
refuses a fifth waiting command of a player, who could otherwise flood his own queue and
call the delay a fault of the service (D-30).
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import threading
from collections import deque
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import parse_cookie

from games.clock_source import now_ms
from games.errors import GameError, MalformedCommand, RateLimited, TooManyWaiting
from games.limits import Bucket, socket_bucket

logger = logging.getLogger(__name__)

WAITING_LIMIT = 4  # D-30: commands of one player that may wait at once
CONTROL_LIMIT = 16  # control frames of one socket that may wait
FRAME_LIMIT = 4_096  # characters of one frame; the longest command has about 300
BODY_LIMIT = 16_384  # bytes of one form post
SESSIONS_KEPT = 20_000

CONTROL_TYPES = frozenset({"hello", "resync", "format", "ping", "claim"})
COMMANDS_PATH = re.compile(r"^/matches/([A-Za-z0-9_-]{1,32})/commands/$")

Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
AsgiApp = Callable[[dict[str, Any], Receive, Send], Awaitable[None]]


@dataclass(slots=True)
class Arrival:
    """A stamped command. It waits from its stamp until `doors.leave`."""

    public_id: str
    player: Hashable
    arrived_ms: int
    waited_behind: bool = False  # another command of the same player was still waiting when this one came
    refused: GameError | None = None  # it has then not arrived at all
    waits: bool = False


class Doors:
    """Which stamped commands of which match wait, in this process. Usable from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: dict[str, dict[Hashable, int]] = {}
        self._players: dict[str, int] = {}

    def enter(self, public_id: str, player: Hashable) -> Arrival:
        """The command stamped now; `refused` is set when four of the player's wait already."""
        with self._lock:
            arrival = Arrival(public_id, player, now_ms())
            players = self._waiting.setdefault(public_id, {})
            count = players.get(player, 0)
            if count >= WAITING_LIMIT:
                arrival.refused = TooManyWaiting(limit=WAITING_LIMIT)
                return arrival
            players[player] = count + 1
            arrival.waits = True
            arrival.waited_behind = count > 0
            return arrival

    def leave(self, arrival: Arrival) -> None:
        """The command is answered, or its connection is gone. Calling it again does nothing."""
        with self._lock:
            if not arrival.waits:
                return
            arrival.waits = False
            players = self._waiting[arrival.public_id]
            players[arrival.player] -= 1
            if not players[arrival.player]:
                del players[arrival.player]
                if not players:
                    del self._waiting[arrival.public_id]

    def waiting(self, public_id: str) -> int:
        """How many stamped commands of the match are not answered yet."""
        with self._lock:
            return sum(self._waiting.get(public_id, {}).values())

    def anybody_waits(self) -> bool:
        """Whether a stamped command of any match is not answered yet."""
        return bool(self._waiting)

    def know_session(self, session_key: str, user_id: int) -> None:
        """From now on this session's form posts count as this user's already when they are stamped."""
        with self._lock:
            if len(self._players) >= SESSIONS_KEPT:
                self._players.clear()
            self._players[session_key] = user_id

    def player_of_session(self, session_key: str) -> Hashable:
        """The user behind a session, or the session itself as long as nobody said who it is."""
        return self._players.get(session_key, ("session", session_key))


doors = Doors()


class Inbox:
    """The bounded queue behind one socket's stamp. The consumer says whose commands these are."""

    def __init__(self) -> None:
        self.public_id = ""
        self.player: Hashable = ("socket", id(self))
        self.bucket: Bucket = socket_bucket()
        self.user_bucket: Bucket | None = None
        # Awaited by the drain task with the frame (None: not even JSON) and why it has not arrived.
        self.on_refused: Callable[[dict[str, Any] | None, GameError], Awaitable[None]] | None = None
        self._messages: deque[dict[str, Any]] = deque()
        self._ready = asyncio.Event()
        self._controls = 0

    async def get(self) -> dict[str, Any]:
        """The next message, as an ASGI `receive`. Frames carry `frame` (parsed) and `arrival` (for commands)."""
        while not self._messages:
            self._ready.clear()
            await self._ready.wait()
        message = self._messages.popleft()
        if message.get("control"):
            self._controls -= 1
        return message

    def put(self, message: dict[str, Any]) -> None:
        """Queue a message that is not a frame, or a frame let in by `accept`."""
        self._messages.append(message)
        self._ready.set()

    async def take_frame(self, message: dict[str, Any]) -> None:
        """Stamp a frame and queue it, or refuse it at once."""
        frame, error = parse_text(message.get("text"))
        if frame is not None and error is None:
            error = self._admit(message, frame)
        elif not self.bucket.take():
            error = RateLimited()
        if error is None:
            self.put(message)
        elif self.on_refused is not None:
            await self.on_refused(frame, error)

    def close(self) -> None:
        """Nobody will answer what still waits here."""
        for message in self._messages:
            if (arrival := message.get("arrival")) is not None:
                doors.leave(arrival)
        self._messages.clear()

    def _admit(self, message: dict[str, Any], frame: dict[str, Any]) -> GameError | None:
        message["frame"] = frame
        if not self.bucket.take() or (self.user_bucket is not None and not self.user_bucket.take()):
            return RateLimited()
        if frame["type"] in CONTROL_TYPES:
            if self._controls >= CONTROL_LIMIT:
                return RateLimited()
            self._controls += 1
            message["control"] = True
            message["arrived_ms"] = now_ms()
            return None
        if not self.public_id:
            return None  # a socket without a match takes no commands
        arrival = doors.enter(self.public_id, self.player)
        message["arrival"] = arrival
        return arrival.refused


def parse_text(text: Any) -> tuple[dict[str, Any] | None, GameError | None]:
    """A frame's JSON object with a text as its `type`, or why it is none."""
    if not isinstance(text, str) or len(text) > FRAME_LIMIT:
        return None, MalformedCommand(field="frame", reason="value")
    try:
        frame = json.loads(text)
    except (ValueError, RecursionError):
        return None, MalformedCommand(field="frame", reason="type")
    if not isinstance(frame, dict):
        return None, MalformedCommand(field="frame", reason="type")
    if not isinstance(frame.get("type"), str):
        return frame, MalformedCommand(field="type", reason="type" if "type" in frame else "missing")
    return frame, None


class StampArrival:
    """ASGI wrapper of a consumer: a task of its own per socket stamps and bounds what comes in.

    The consumer finds its `Inbox` in `scope["inbox"]`. Without the task a frame would be stamped when the
    consumer comes to it, and a slow render would be charged to the player.
    """

    def __init__(self, inner: AsgiApp) -> None:
        self.inner = inner

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        inbox = Inbox()
        # Until the consumer knows better: many sockets opened at once are not as many players.
        inbox.player = _opener(scope) or inbox.player
        drain = asyncio.create_task(_drain(receive, inbox))
        try:
            await self.inner({**scope, "inbox": inbox}, inbox.get, send)
        finally:
            drain.cancel()
            inbox.close()


async def _drain(receive: Receive, inbox: Inbox) -> None:
    while True:
        message = await receive()
        if message["type"] != "websocket.receive":
            inbox.put(message)
            if message["type"] == "websocket.disconnect":
                return
            continue
        try:
            await inbox.take_frame(message)
        except Exception:
            # A frame that cannot be refused must not stop the ones behind it.
            logger.exception("a frame was lost at the door of %s", inbox.public_id)


class StampBody:
    """ASGI wrapper of the pages: a command sent as a form has arrived when its body is complete.

    It stands outside Django because Django passes through a thread before its first middleware. The stamp is
    in `scope["arrival"]`; see `arrival_of`.
    """

    def __init__(self, inner: AsgiApp) -> None:
        self.inner = inner

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        found = COMMANDS_PATH.match(scope["path"]) if scope["type"] == "http" and scope["method"] == "POST" else None
        if found is None:
            await self.inner(scope, receive, send)
            return
        held: list[Arrival] = []
        size = 0

        async def stamped() -> dict[str, Any]:
            nonlocal size
            message = await receive()
            if message["type"] == "http.request":
                size += len(message.get("body", b""))
                if size > BODY_LIMIT:
                    # The rest is read and dropped; the form is then incomplete and refused as such.
                    message = {**message, "body": b""}
                if not message.get("more_body", False) and not held:
                    held.append(doors.enter(found[1], _sender(scope)))
                    scope["arrival"] = held[0]
            return message

        try:
            await self.inner(scope, stamped, send)
        finally:
            for arrival in held:
                doors.leave(arrival)


def arrival_of(request: Any, public_id: str) -> Arrival:
    """The stamp of a form post. Without `StampBody` around (the test client) it arrives now, and waits for nothing."""
    scope = getattr(request, "scope", None) or {}
    return scope.get("arrival") or Arrival(public_id, None, now_ms())


def _sender(scope: dict[str, Any]) -> Hashable:
    """Who posts, as far as the headers tell without a query."""
    return _player_of_cookie(scope) or ("client", (scope.get("client") or ("",))[0])


def _opener(scope: dict[str, Any]) -> Hashable | None:
    """Who opens a socket, in the same way: by token or by cookie, as `games.sockets` has it."""
    token = dict(scope.get("headers", ())).get(b"authorization")
    return ("token", token) if token else _player_of_cookie(scope)


def _player_of_cookie(scope: dict[str, Any]) -> Hashable | None:
    # Read as Django reads it, which forgives more than the standard library does: one sender, one name.
    lines = [value.decode("latin1") for name, value in scope.get("headers", ()) if name == b"cookie"]
    session_key = parse_cookie("; ".join(lines)).get(settings.SESSION_COOKIE_NAME)
    return doors.player_of_session(session_key) if session_key else None
