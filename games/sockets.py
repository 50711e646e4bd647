"""What every socket of the site has in common: who is calling, from where, and for how long that holds.

Two doors. A browser brings its session cookie, which counts only together with an allowed Origin (none, "null" or
a look-alike is refused before the handshake). A program brings an API token in the Authorization header and asks
for the subprotocol `boneyard.v1`; it needs no Origin, and its cookies are not looked at.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

from django.conf import settings
from django.contrib.auth import get_user
from django.db import Error as DatabaseFault
from django.http import HttpRequest, parse_cookie
from django.http.request import validate_host
from django.utils.translation import get_language_from_request

from accounts.service import preferences_of, session_digest, user_for_token
from games.threads import in_database

if TYPE_CHECKING:
    from accounts.models import Preferences, User

logger = logging.getLogger(__name__)

PROTOCOL = "boneyard.v1"

CLOSE_FAULT = 1011  # a page opens its socket again after this one
CLOSE_MALFORMED = 4400
CLOSE_UNKNOWN = 4401  # no such token or session, or it has ended
CLOSE_NO_MATCH = 4404
CLOSE_LAGGING = 4408
CLOSE_FULL = 4413  # too many watch already, from there or in all
CLOSE_LIMIT = 4429

Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]


@dataclass(slots=True)
class Caller:
    """Who opened a socket. `user` None is a visitor; `token` is kept to look again whether it still counts."""

    user: User | None
    session_key: str | None = None
    token: str | None = None
    preferences: Preferences | None = None
    language: str = "en"

    @property
    def digest(self) -> str | None:
        """The name of the session in messages."""
        return session_digest(self.session_key) if self.session_key else None


class Refused(Exception):
    """The socket may not be opened. `code` None: not even the handshake is answered."""

    def __init__(self, code: int | None) -> None:
        super().__init__(code)
        self.code = code


class SocketConsumer:
    """An ASGI application per socket: handshake, frames one after the other, tidy end.

    Not the consumer of Channels: that one passes through a thread for each message and opens a layer channel for
    each socket. Subclasses fill in `opened`, `frame` and `closed`.
    """

    caller: Caller

    @classmethod
    def as_asgi(cls) -> Callable[[dict[str, Any], Receive, Send], Awaitable[None]]:
        """The application for a route."""

        async def application(scope: dict[str, Any], receive: Receive, send: Send) -> None:
            await cls(scope, send).run(receive)

        return application

    def __init__(self, scope: dict[str, Any], send: Send) -> None:
        self.scope = scope
        self.is_program = PROTOCOL in scope["subprotocols"]
        self._send = send
        self._open = False

    async def run(self, receive: Receive) -> None:
        """The whole life of the socket."""
        await receive()  # websocket.connect
        try:
            await self._live(receive)
        except DatabaseFault as error:
            # The page comes again by itself: after a refused handshake less and less often.
            logger.warning("%s: the database does not answer: %s", self.scope["path"], error)
            await self._tell({"type": "websocket.close", "code": CLOSE_FAULT})

    async def _live(self, receive: Receive) -> None:
        try:
            self.caller = await who_calls(self.scope)
        except Refused as refused:
            await self._refuse_handshake(refused.code)
            return
        try:
            await self._send({"type": "websocket.accept", "subprotocol": PROTOCOL if self.is_program else None})
            self._open = True
            await self.opened()
            await self._receive_all(receive)
        finally:
            self._open = False
            await self.closed()

    async def opened(self) -> None:
        """The handshake is done."""

    async def frame(self, message: dict[str, Any]) -> None:
        """A frame came: a `websocket.receive` message."""

    async def closed(self) -> None:
        """The socket is gone, whoever closed it. Called also when `opened` failed or closed it."""

    async def send_text(self, text: str) -> None:
        """Send a frame, unless the socket is closed by now. One that cannot be sent ends it, for the client too."""
        if self._open and not await self._tell({"type": "websocket.send", "text": text}):
            await self._tell({"type": "websocket.close", "code": CLOSE_FAULT})

    @property
    def is_open(self) -> bool:
        """Whether frames still go both ways; after a close from this side the client's are not to be looked at."""
        return self._open

    async def close(self, code: int) -> None:
        """Close from this side."""
        if self._open:
            self._open = False
            await self._tell({"type": "websocket.close", "code": code})

    async def guarded(self, work: Callable[[], Awaitable[None]]) -> None:
        """Do what runs beside the frames. A fault in it closes the socket: nobody may wait for news that never come."""
        try:
            await work()
        except Exception:
            logger.exception("a socket of %s failed", self.scope["path"])
            await self.close(CLOSE_FAULT)

    async def _tell(self, message: dict[str, Any]) -> bool:
        """Whether the server took the message; if not, the socket is closed."""
        try:
            await self._send(message)
        except Exception as error:
            # The other end may go at any moment; each server has its own way to say so.
            self._open = False
            logger.debug("a socket was gone before a frame: %s", error)
            return False
        return True

    async def still_stands(self) -> bool:
        """Whether the session or token that opened the socket still counts."""
        if self.caller.user is None:
            return True
        if self.caller.token is not None:
            user = await in_database(user_for_token, self.caller.token)
        else:
            user = await in_database(_user_of_session, self.caller.session_key)
        return user is not None and user.pk == self.caller.user.pk

    async def _receive_all(self, receive: Receive) -> None:
        # A close from this side needs no wake-up: the server says `disconnect` soon after.
        while (message := await receive())["type"] != "websocket.disconnect":
            await self.frame(message)

    async def _refuse_handshake(self, code: int | None) -> None:
        if code is None:
            await self._send({"type": "websocket.close"})
        else:
            # Accepted first: a refused handshake looks like a lost connection to the page, which would try for ever.
            await self._send({"type": "websocket.accept", "subprotocol": PROTOCOL if self.is_program else None})
            await self._send({"type": "websocket.close", "code": code})


async def who_calls(scope: dict[str, Any]) -> Caller:
    """The caller behind a handshake. Raises `Refused`."""
    headers = dict(scope["headers"])
    wants_json = PROTOCOL in scope["subprotocols"]
    authorization = headers.get(b"authorization", b"").decode("latin1")
    if wants_json or authorization:
        kind, _, token = authorization.partition(" ")
        user = None
        if wants_json and kind.lower() == "bearer":
            user = await in_database(user_for_token, token.strip())
        if user is None:
            raise Refused(CLOSE_UNKNOWN if wants_json else None)
        return Caller(user, token=token.strip())
    if not origin_is_allowed(headers):
        raise Refused(None)
    cookies = parse_cookie(headers.get(b"cookie", b"").decode("latin1"))
    session_key = cookies.get(settings.SESSION_COOKIE_NAME)
    # Hundreds may come at once to watch, and most of them without a session.
    caller = await in_database(_caller_of_session, session_key) if session_key else Caller(None)
    caller.language = _language_of_page(scope) or _language(caller, cookies, headers)
    return caller


def origin_is_allowed(headers: dict[bytes, bytes]) -> bool:
    """Whether a page of this site opened the socket: Origin names the very host the request went to, or a trusted one.

    Host and port are compared as a whole, so that neither a longer name nor another port will do.
    """
    try:
        origin = urlsplit(headers.get(b"origin", b"").decode("ascii"))
        host = headers.get(b"host", b"").decode("ascii").lower()
        name, port = origin.hostname, origin.port
    except (UnicodeDecodeError, ValueError):
        return False
    if origin.scheme not in ("http", "https") or not name or origin.path or origin.query or origin.fragment:
        return False
    if "@" in origin.netloc:
        return False
    if f"{origin.scheme}://{origin.netloc.lower()}" in settings.CSRF_TRUSTED_ORIGINS:
        return True
    default = 443 if origin.scheme == "https" else 80
    hosts = {origin.netloc.lower(), f"{origin.netloc.lower()}:{default}" if port is None else origin.netloc.lower()}
    shown = f"[{name}]" if ":" in name else name
    if port == default:
        hosts.add(shown)
    return host in hosts and validate_host(shown, settings.ALLOWED_HOSTS)


def _caller_of_session(session_key: str | None) -> Caller:
    user = _user_of_session(session_key)
    if user is None:
        return Caller(None)
    return Caller(user, session_key=session_key, preferences=preferences_of(user))


def _user_of_session(session_key: str | None) -> User | None:
    """The user a session stands for, checked as for a page: backend, active account, hash of the password."""
    if not session_key:
        return None
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(session_key)
    user = get_user(request)
    return user if user.is_authenticated else None


def _language_of_page(scope: dict[str, Any]) -> str:
    """The language of the page around the socket, as the page's address for it says; "" for none of ours.

    Something else may have been chosen since the page was drawn, and not every browser sends a handshake the languages
    that it sends a page.
    """
    wanted = parse_qs(scope.get("query_string", b"").decode("latin1")).get("language", [""])[-1]
    return wanted if wanted in dict(settings.LANGUAGES) else ""


def _language(caller: Caller, cookies: dict[str, str], headers: dict[bytes, bytes]) -> str:
    """The language of the pages this visitor gets."""
    known = dict(settings.LANGUAGES)
    if caller.preferences is not None and caller.preferences.language in known:
        return caller.preferences.language
    request = HttpRequest()
    request.COOKIES = cookies
    request.META["HTTP_ACCEPT_LANGUAGE"] = headers.get(b"accept-language", b"").decode("latin1")
    return get_language_from_request(request)
