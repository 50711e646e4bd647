"""The lobby sockets of this process: told of changes, and the sign that their owners are there.

One layer channel listens for the whole process; a change is drawn once for all that came within a moment. Every few
seconds the room says which owners are here and looks by itself whether something changed, so a lost notice is
repaired.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Hashable
from typing import Any, Protocol

from channels.layers import get_channel_layer

from games.threads import in_database

from . import service

logger = logging.getLogger(__name__)

HEARTBEAT_S = 5.0
GATHER_S = 0.1
RETRY_S = 1.0


class Visitor(Protocol):
    """A lobby socket."""

    user_id: int

    def refresh(self) -> None:
        """Something of the lobby has changed; returns at once."""


class Room:
    """The lobby of one event loop. It listens while somebody is in it."""

    def __init__(self) -> None:
        self.visitors: list[Visitor] = []
        self._tasks: list[asyncio.Task[None]] = []
        self._shown: Hashable = None

    def enter(self, visitor: Visitor) -> None:
        """Have the visitor refreshed from now on. Pair it with `leave`."""
        self.visitors.append(visitor)
        if not self._tasks:
            self._tasks = [asyncio.create_task(self._listen()), asyncio.create_task(self._beat())]

    async def leave(self, visitor: Visitor) -> None:
        """The socket is gone; its owner's offers go soon unless another one is here."""
        self.visitors.remove(visitor)
        try:
            if all(other.user_id != visitor.user_id for other in self.visitors):
                await in_database(service.leave_lobby, visitor.user_id)
        finally:
            if not self.visitors:
                await self._stop()

    async def _stop(self) -> None:
        tasks, self._tasks = self._tasks, []
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if not self.visitors:
            _rooms.pop(asyncio.get_running_loop(), None)

    async def _listen(self) -> None:
        layer = get_channel_layer()
        channel: str | None = None
        while True:
            try:
                if channel is None:
                    channel = await layer.new_channel()
                    await layer.group_add(service.LOBBY_GROUP, channel)
                await layer.receive(channel)
                # Several changes in a row are one picture.
                await asyncio.sleep(GATHER_S)
                self._refresh()
            except asyncio.CancelledError:
                if channel is not None:
                    await _let_go(layer, channel)
                raise
            except Exception as error:
                logger.warning("the channel layer does not answer: %s", error)
                channel = None
                await asyncio.sleep(RETRY_S)

    async def _beat(self) -> None:
        while True:
            try:
                await in_database(service.owners_seen, sorted({visitor.user_id for visitor in self.visitors}))
                shown = await in_database(service.fingerprint)
                if shown != self._shown:
                    self._shown = shown
                    self._refresh()
            except Exception:
                logger.exception("the lobby could not be looked at")
            await asyncio.sleep(HEARTBEAT_S)

    def _refresh(self) -> None:
        for visitor in self.visitors:
            visitor.refresh()


_rooms: dict[asyncio.AbstractEventLoop, Room] = {}


def room() -> Room:
    """The lobby of the running loop."""
    return _rooms.setdefault(asyncio.get_running_loop(), Room())


async def _let_go(layer: Any, channel: str) -> None:
    try:
        async with asyncio.timeout(RETRY_S):
            await layer.group_discard(service.LOBBY_GROUP, channel)
    except Exception as error:
        logger.info("could not leave the lobby's group: %s", error)
