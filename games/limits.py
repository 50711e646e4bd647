"""How much one socket and one user may ask: token buckets, here and across processes.

A bucket of this process answers at once and never waits for the network. What a user
spent is summed up in Valkey in the background, so that many sockets in many processes
draw from one allowance in the end. Without Valkey the buckets of the process remain.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from django.conf import settings

COMMAND_COST = 1.0
FAILED_COST = 3.0  # charged beside COMMAND_COST when a command was refused

# Names of settings and their defaults: tokens a second, and the most that can be saved up.
SOCKET_RATE = ("BONEYARD_SOCKET_RATE", 25.0)
SOCKET_BURST = ("BONEYARD_SOCKET_BURST", 80.0)
USER_RATE = ("BONEYARD_USER_RATE", 50.0)
USER_BURST = ("BONEYARD_USER_BURST", 160.0)
PROGRAM_FACTOR = 20.0  # a program plays many matches with one account


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


def socket_bucket(*, program: bool = False) -> Bucket:
    """The allowance of one connection."""
    factor = PROGRAM_FACTOR if program else 1.0
    return Bucket(_setting(SOCKET_RATE) * factor, _setting(SOCKET_BURST) * factor)


def user_bucket(user_id: int, *, program: bool = False) -> Bucket:
    """The allowance of one user, shared by all doors of this process (and, a little later, of all others)."""
    bucket = _users.get(user_id)
    if bucket is None:
        factor = PROGRAM_FACTOR if program else 1.0
        if len(_users) >= _KEPT:
            _forget_idle()
        bucket = _users[user_id] = Bucket(_setting(USER_RATE) * factor, _setting(USER_BURST) * factor)
    return bucket


_KEPT = 10_000
_users: dict[int, Bucket] = {}


def _forget_idle() -> None:
    now_s = time.monotonic()
    for user_id in [key for key, bucket in _users.items() if now_s - bucket.at_s > 60]:
        del _users[user_id]


def _setting(named: tuple[str, float]) -> float:
    name, default = named
    return float(getattr(settings, name, default))
