"""Telling the world that something was committed: content-free notices, best effort.

A notice names a match and a version and nothing else; what a viewer may see is made by
each web process for its own sockets. Sockets of this process are told directly, others
through the channel layer. Whatever fails here is healed by `games.live`, which compares
versions every two seconds.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from channels.layers import get_channel_layer

if TYPE_CHECKING:
    from games.service import Applied

logger = logging.getLogger(__name__)

SEND_LIMIT_S = 2.0
MATCH_NOTICE = "match.advanced"
PRESENCE_NOTICE = "match.presence"
SESSION_ENDED = "session.ended"

# Called in the thread of the commit. True: no other process has to be told.
_listeners: list[Callable[[Applied], bool]] = []
_background: asyncio.AbstractEventLoop | None = None
_background_lock = threading.Lock()


def match_group(public_id: str) -> str:
    """The group of the processes that show this match."""
    return f"match.{public_id}"


def user_group(user_id: int) -> str:
    """The group of the processes that hold a socket of this user."""
    return f"user.{user_id}"


def listen(listener: Callable[[Applied], bool]) -> None:
    """Have `listener` called for every match advanced in this process, in the thread of the commit."""
    _listeners.append(listener)


def unlisten(listener: Callable[[Applied], bool]) -> None:
    """End `listen`."""
    if listener in _listeners:
        _listeners.remove(listener)


def advanced(applied: Applied) -> None:
    """Tell everybody who shows the match that it has a new version.

    To be called after the commit (`transaction.on_commit(..., robust=True)`), once per accepted command. Never
    blocks on the network and never raises.
    """
    alone = False
    for listener in tuple(_listeners):
        try:
            alone = listener(applied) or alone
        except Exception:
            logger.exception("match %s: a listener failed at %s", applied.public_id, applied.seq)
    if not alone:
        message = {"type": MATCH_NOTICE, "match": applied.public_id, "seq": applied.seq}
        send_to_group(match_group(applied.public_id), message)


def send_to_group(group: str, message: dict[str, Any]) -> None:
    """Send a layer message from any thread: on the running loop if there is one, else in the background."""
    layer = get_channel_layer()
    if layer is None:
        return
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        asyncio.run_coroutine_threadsafe(_send(layer, group, message), _background_loop())
    else:
        _spawn(loop, _send(layer, group, message))


_tasks: set[asyncio.Task[None]] = set()


def _spawn(loop: asyncio.AbstractEventLoop, coroutine: Coroutine[Any, Any, None]) -> None:
    # The loop itself holds tasks only weakly.
    task = loop.create_task(coroutine)
    _tasks.add(task)
    task.add_done_callback(_tasks.discard)


async def _send(layer: Any, group: str, message: dict[str, Any]) -> None:
    try:
        async with asyncio.timeout(SEND_LIMIT_S):
            await layer.group_send(group, message)
    except Exception as error:
        # The layer may be down or full; the periodic comparison brings the news a little later.
        logger.warning("notice to %s lost: %s", group, error)


def _background_loop() -> asyncio.AbstractEventLoop:
    """One loop thread per process: `async_to_sync` would open a connection per message."""
    global _background
    with _background_lock:
        if _background is None or _background.is_closed():
            _background = asyncio.new_event_loop()
            threading.Thread(target=_background.run_forever, name="announce", daemon=True).start()
        return _background
