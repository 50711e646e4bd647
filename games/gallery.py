"""Those who only watch: how many may, and when they are served.

Hundreds may watch one match, and the players of it and of all others must not notice. So one task of the process
serves all spectators, a few at a time, and stands back while a player waits for a picture or an answer. Whoever has
waited longer than the next version took to come gets the newest one only.
"""

from __future__ import annotations

import asyncio
import ipaddress
import resource
import time
from collections import Counter
from collections.abc import Hashable
from itertools import islice
from typing import Any, Protocol

from django.conf import settings

from games.arrival import doors
from games.limits import setting

AT_ONCE = 10  # are served in a round; that takes a millisecond, for which a player's command may find the loop busy
YIELD_S = 0.001
PATIENCE_S = 0.010  # spectators stand back no longer than this between two rounds, however busy the players are

# Names of settings and their defaults.
VISITORS = ("WATCHING_VISITORS", 2_000)  # sockets without an account, in one process
PER_ADDRESS = ("WATCHING_PER_ADDRESS", 64)  # of these from one address of the internet
PER_ACCOUNT = ("WATCHING_PER_ACCOUNT", 32)  # sockets of one account that only watch, in one process


Place = int | str  # an account's, or an address


class Onlooker(Protocol):
    """A socket without a seat."""

    async def show(self) -> None:
        """Send what is new. Never raises."""


class Gallery:
    """The spectators of one event loop."""

    def __init__(self) -> None:
        self.places = Places()
        # Sockets of players who have not been shown yet what they are to see.
        self.players: set[Hashable] = set()
        self._waiting: dict[Onlooker, bool] = {}  # in the order in which they came
        self._called = asyncio.Event()

    def call(self, onlooker: Onlooker) -> None:
        """There is something new to show. Who waits already keeps the place in the queue."""
        self._waiting[onlooker] = True
        self._called.set()

    def leave(self, onlooker: Onlooker) -> None:
        """The socket is gone."""
        self._waiting.pop(onlooker, False)

    async def serve(self) -> None:
        """Serve for ever."""
        while True:
            await self._called.wait()
            self._called.clear()
            while self._waiting:
                await self._players_first()
                for onlooker in tuple(islice(self._waiting, AT_ONCE)):
                    # It may have gone while another one was served.
                    if self._waiting.pop(onlooker, False):
                        await onlooker.show()

    async def _players_first(self) -> None:
        """Let the loop do everything else that is due; then wait as long as a player does, up to a limit."""
        await asyncio.sleep(0)
        end_s = time.monotonic() + PATIENCE_S
        while (self.players or doors.anybody_waits()) and time.monotonic() < end_s:
            await asyncio.sleep(YIELD_S)


class Places:
    """How many watch from where. Players need no place."""

    def __init__(self) -> None:
        self._taken: Counter[Place] = Counter()
        self._visitors = 0

    def take(self, account: int | None, address: str) -> Place | None:
        """A place for a socket of this account, or of a visitor (None) at this address; None when there is none."""
        place: Place = address if account is None else account
        if account is not None:
            is_full = self._taken[place] >= setting(PER_ACCOUNT)
        else:
            is_full = self._visitors >= most_visitors() or (
                is_one_person(address) and self._taken[place] >= setting(PER_ADDRESS)
            )
        if is_full:
            return None
        self._taken[place] += 1
        self._visitors += account is None
        return place

    def give_back(self, place: Place) -> None:
        """End `take`."""
        self._taken[place] -= 1
        if not self._taken[place]:
            del self._taken[place]
        self._visitors -= isinstance(place, str)


def most_visitors() -> float:
    """How many visitors may watch: half of what may be open in this process is for others."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return setting(VISITORS) if soft == resource.RLIM_INFINITY else min(setting(VISITORS), soft // 2)


def address_of(scope: dict[str, Any]) -> str:
    """The address a socket was opened from, as the last of our proxies was told it; "" when nobody says."""
    proxies = settings.ALLAUTH_TRUSTED_PROXY_COUNT
    told = dict(scope["headers"]).get(b"x-forwarded-for", b"").decode("latin1").split(",")
    if 0 < proxies <= len(told):
        return told[-proxies].strip()
    return (scope.get("client") or ("",))[0]


def is_one_person(address: str) -> bool:
    """Whether an address stands for few people. One of this machine or its network may be that of a proxy."""
    try:
        return ipaddress.ip_address(address).is_global
    except ValueError:
        return False
