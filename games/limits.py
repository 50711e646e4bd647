"""How much one socket and one user may ask: token buckets, here and across processes. And how much may be unread.

A bucket of this process answers at once and never waits for the network. What a user
spent is summed up in Valkey in the background, so that many sockets in many processes
draw from one allowance in the end. Without Valkey the buckets of the process remain.
"""

from __future__ import annotations

import secrets
import time
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from redis.asyncio import Redis

COMMAND_COST = 1.0
FAILED_COST = 3.0  # charged beside COMMAND_COST when a command was refused
DRAWN_COST = 1.0 / 4_000  # for each character of a picture that was asked for; a whole table has some 30,000

# Names of settings and their defaults: tokens a second, and the most that can be saved up.
SOCKET_RATE = ("SOCKET_RATE", 25.0)
SOCKET_BURST = ("SOCKET_BURST", 80.0)
USER_RATE = ("USER_RATE", 50.0)
USER_BURST = ("USER_BURST", 160.0)
PROGRAM_FACTOR = 20.0  # a program plays many matches with one account
USERS_KEPT = 10_000
IDLE_S = 60
WINDOW_S = 10
MARKS_KEPT = 16  # of pings that are under way at once


@dataclass(slots=True)
class Bucket:
    """A token bucket: `rate` tokens a second, at most `burst` saved."""

    rate: float
    burst: float
    tokens: float = field(init=False)
    at_s: float = field(init=False)

    def __post_init__(self) -> None:
        self.tokens = self.burst
        self.at_s = time.monotonic()

    def take(self, cost: float = COMMAND_COST, *, now_s: float | None = None) -> bool:
        """Whether `cost` could be paid; nothing is taken when not."""
        self._fill(now_s)
        if self.tokens < cost:
            return False
        self.tokens -= cost
        return True

    def charge(self, cost: float = FAILED_COST, *, now_s: float | None = None) -> None:
        """Take `cost` even if that leaves a debt, of one `burst` at most."""
        self._fill(now_s)
        self.tokens = max(-self.burst, self.tokens - cost)

    def _fill(self, now_s: float | None) -> None:
        now_s = time.monotonic() if now_s is None else now_s
        self.tokens = min(self.burst, self.tokens + (now_s - self.at_s) * self.rate)
        self.at_s = now_s


@dataclass(slots=True)
class UserBucket(Bucket):
    """The bucket of a user in this process, and what has to be told to the others."""

    untold: float = 0.0
    window: int = 0
    told: float = 0.0  # by this process, in this window
    heard: float = 0.0  # of all others, in this window

    def take(self, cost: float = COMMAND_COST, *, now_s: float | None = None) -> bool:
        is_paid = Bucket.take(self, cost, now_s=now_s)
        if is_paid:
            self.untold += cost
        return is_paid

    def charge(self, cost: float = FAILED_COST, *, now_s: float | None = None) -> None:
        Bucket.charge(self, cost, now_s=now_s)
        self.untold += cost

    def tell(self, window: int) -> float:
        """What to add to the sum of all processes in this window."""
        if window != self.window:
            self.window, self.told, self.heard = window, 0.0, 0.0
        untold, self.untold = self.untold, 0.0
        self.told += untold
        return untold

    def hear(self, total: float) -> None:
        """Pay here for what was spent elsewhere; `total` is the sum of all processes in this window."""
        elsewhere = max(0.0, total - self.told - self.heard)
        self.heard += elsewhere
        Bucket.charge(self, elsewhere)


@dataclass(slots=True)
class Unread:
    """What was sent through one socket, in characters, and how much of it is known to have been read.

    That a client writes does not show that it reads. A mark does: it is sent behind all that went before, cannot be
    guessed, and comes back only from somebody who has read as far.
    """

    sent: int = 0
    read: int = 0
    _marks: deque[tuple[str, int]] = field(default_factory=lambda: deque(maxlen=MARKS_KEPT))

    @property
    def count(self) -> int:
        """The characters of which nobody knows."""
        return self.sent - self.read

    def new_mark(self) -> str:
        """To be sent next. It stands for everything before it."""
        mark = secrets.token_hex(8)
        self._marks.append((mark, self.sent))
        return mark

    def came_back(self, mark: Any) -> None:
        """The client sent this as a mark; whatever is none changes nothing."""
        while any(mark == kept for kept, _ in self._marks):
            _, self.read = self._marks.popleft()

    def forgive(self) -> None:
        """Count from here on."""
        self.read = self.sent


def socket_bucket(*, program: bool = False) -> Bucket:
    """The allowance of one connection."""
    factor = PROGRAM_FACTOR if program else 1.0
    return Bucket(setting(SOCKET_RATE) * factor, setting(SOCKET_BURST) * factor)


def user_bucket(user_id: int, *, program: bool = False) -> UserBucket:
    """The allowance of one user, shared by all doors of this process (and, a little later, of all others)."""
    bucket = _users.get(user_id)
    if bucket is None:
        factor = PROGRAM_FACTOR if program else 1.0
        if len(_users) >= USERS_KEPT:
            _forget_idle()
        # Threads of pages come here too: whoever is first makes the bucket of all.
        bucket = _users.setdefault(user_id, UserBucket(setting(USER_RATE) * factor, setting(USER_BURST) * factor))
    return bucket


async def share(valkey: Redis) -> None:
    """Tell the other processes what users spent here, and let them pay here for what they spent there.

    Raises `RedisError`; nothing is told twice then, only not at all.
    """
    window = int(time.time() // WINDOW_S)
    spenders = [(user_id, bucket) for user_id, bucket in _entries() if bucket.untold]
    async with valkey.pipeline(transaction=False) as pipe:
        for user_id, bucket in spenders:
            key = f"boneyard:spent:{user_id}:{window}"
            pipe.incrbyfloat(key, bucket.tell(window))
            pipe.expire(key, 2 * WINDOW_S)
        totals = (await pipe.execute())[::2]
    for (_, bucket), total in zip(spenders, totals, strict=True):
        bucket.hear(float(total))


def setting(named: tuple[str, float]) -> float:
    """The setting of this name, or its default."""
    name, default = named
    return float(getattr(settings, name, default))


_users: dict[int, UserBucket] = {}


def _forget_idle() -> None:
    now_s = time.monotonic()
    for user_id, bucket in _entries():
        if now_s - bucket.at_s > IDLE_S:
            _users.pop(user_id, None)


def _entries() -> list[tuple[int, UserBucket]]:
    """All buckets, copied at once: other threads add users meanwhile."""
    return list(_users.items())
