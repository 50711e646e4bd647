"""The socket of the lobby: the parts of the page that changed, for its viewer. Nothing is taken from the client."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from django.conf import settings
from django.http import parse_cookie
from django.utils.translation import override

from games.live import Registry, registry
from games.sockets import CLOSE_LIMIT, CLOSE_UNKNOWN, SocketConsumer
from games.threads import in_database

from .fragments import lobby_fragments
from .room import Room, room

logger = logging.getLogger(__name__)

FRAMES_LIMIT = 20  # a page of ours sends none
RECHECK_S = 60.0


class LobbyConsumer(SocketConsumer):
    """One lobby page of somebody who is signed in."""

    def __init__(self, scope: dict[str, Any], send: Any) -> None:
        super().__init__(scope, send)
        self.user_id = 0
        self.dirty = asyncio.Event()
        self.sent: dict[str, str] = {}
        self.frames = 0
        self.csrf = ""
        self._room: Room | None = None
        self._registry: Registry | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def opened(self) -> None:
        user = self.caller.user
        if user is None or self.is_program:
            await self.close(CLOSE_UNKNOWN)
            return
        self.user_id = user.pk
        cookies = parse_cookie(dict(self.scope["headers"]).get(b"cookie", b"").decode("latin1"))
        self.csrf = cookies.get(settings.CSRF_COOKIE_NAME, "")
        self._room = room()
        self._room.enter(self)
        self._registry = registry()
        self._registry.open_user(user.pk, self)
        for work in (self._draw, self._recheck):
            self._spawn(work)
        self.refresh()

    async def frame(self, message: dict[str, Any]) -> None:
        self.frames += 1
        if self.frames > FRAMES_LIMIT:
            await self.close(CLOSE_LIMIT)

    async def closed(self) -> None:
        for task in self._tasks:
            task.cancel()
        try:
            if self._room is not None:
                await self._room.leave(self)
        finally:
            if self._registry is not None:
                self._registry.close_user(self.user_id, self)
                await self._registry.idle()

    def refresh(self) -> None:
        self.dirty.set()

    def session_ended(self, digest: str | None) -> None:
        if digest is None:
            self._spawn(self._check_session)
        elif digest == self.caller.digest:
            # Not looked up: the notice comes while the page still signs out.
            self._spawn(partial(self.close, CLOSE_UNKNOWN))

    async def _draw(self) -> None:
        while True:
            await self.dirty.wait()
            self.dirty.clear()
            try:
                drawn = await in_database(self._fragments)
            except Exception:
                logger.exception("the lobby could not be drawn")
                continue
            changed = "".join(html for name, html in drawn.items() if self.sent.get(name) != html)
            self.sent = drawn
            if changed:
                await self.send_text(changed)

    def _fragments(self) -> dict[str, str]:
        assert self.caller.user is not None
        with override(self.caller.language):
            return lobby_fragments(self.caller.user, csrf=self.csrf)

    async def _recheck(self) -> None:
        while True:
            await asyncio.sleep(RECHECK_S)
            await self._check_session()

    async def _check_session(self) -> None:
        if not await self.still_stands():
            await self.close(CLOSE_UNKNOWN)

    def _spawn(self, work: Callable[[], Awaitable[None]]) -> None:
        task = asyncio.create_task(self.guarded(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
