"""The one time source (D-24): whole milliseconds since 1970, of this host.

Everything that stamps or judges asks here and nowhere else. Tests put another source in its place
with `use_source`; nothing patches a clock.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime


def _host_ms() -> int:
    return time.time_ns() // 1_000_000


_source: Callable[[], int] = _host_ms


def now_ms() -> int:
    """Milliseconds since 1970 on the designated clock."""
    return _source()


def as_datetime(at_ms: int) -> datetime:
    """The same instant for people: aware, UTC."""
    return datetime.fromtimestamp(at_ms / 1000, UTC)


@contextmanager
def use_source(source: Callable[[], int]) -> Iterator[None]:
    """Take the time from `source` inside the block, in all threads of this process."""
    global _source
    before, _source = _source, source
    try:
        yield
    finally:
        _source = before
