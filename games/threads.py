"""Database work of the event loop: a few threads of our own, each with its own connection.

Everything that sockets ask of the database goes through `in_database`. The default of
Channels would put all of it into one thread, behind every page that is being made.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

from django.db import close_old_connections, connection, connections

THREADS = 6
# SQLite has one writer at a time and a busy wait that is not fair: a queue in front of it is both quicker and fair.
SQLITE_WRITERS = 1
CHECK_EVERY_S = 1.0

P = ParamSpec("P")
R = TypeVar("R")

_readers: ThreadPoolExecutor | None = None
_writers: ThreadPoolExecutor | None = None
_create = threading.Lock()
_local = threading.local()


async def in_database(function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """The result of `function`, which reads or makes rare changes, from a database thread."""
    return await _run(_pool("_readers", THREADS), function, *args, **kwargs)


async def in_writer(function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """The result of `function`, a transaction that changes a match, from a thread for these alone."""
    threads = SQLITE_WRITERS if connection.vendor == "sqlite" else THREADS
    return await _run(_pool("_writers", threads), function, *args, **kwargs)


async def _run(pool: ThreadPoolExecutor, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    # Not `database_sync_to_async`: it copies contexts and, with health checks on, pings the server before each call.
    future = pool.submit(_tended, partial(function, *args, **kwargs))
    # What was handed over is done, even when nobody waits for it any more.
    return await asyncio.shield(asyncio.wrap_future(future))


def _tended(function: Callable[[], R]) -> R:
    """`function` with a connection that is neither broken nor too old, and none left behind broken."""
    if time.monotonic() - getattr(_local, "checked_s", 0.0) > CHECK_EVERY_S:
        close_old_connections()
        _local.checked_s = time.monotonic()
    try:
        return function()
    finally:
        for opened in connections.all(initialized_only=True):
            if opened.errors_occurred or opened.settings_dict["CONN_MAX_AGE"] == 0:
                opened.close_if_unusable_or_obsolete()


def _pool(name: str, threads: int) -> ThreadPoolExecutor:
    pool: ThreadPoolExecutor | None = globals()[name]
    if pool is None:
        with _create:
            pool = globals()[name]
            if pool is None:
                pool = globals()[name] = ThreadPoolExecutor(threads, thread_name_prefix=f"database{name}")
    return pool
