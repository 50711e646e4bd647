"""Who is at the table, and how many watch, as all web processes know it together.

Each process vouches in Valkey for the seats and spectators whose sockets it holds, for a short time and again and
again: a process that dies vouches for nobody any more, and no good-bye has to be heard (a reload or a second tab must
not look like leaving). A page without a socket is vouched for by each of its requests, a little longer than it takes to
ask again; where there is a socket, that one alone decides. Presence has no influence on any clock (SB-69).
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from functools import cache

import redis
from django.conf import settings
from redis.asyncio import Redis
from redis.asyncio.retry import Retry as AsyncRetry
from redis.backoff import NoBackoff
from redis.client import Pipeline
from redis.exceptions import RedisError
from redis.retry import Retry

from games.clock_source import now_ms

logger = logging.getLogger(__name__)

VOUCH_MS = 20_000
LINGER_MS = 3_000  # a page that is being reloaded comes back within this time
PAGE_VOUCH_MS = 30_000  # a page without a socket asks again within some seconds, unless its reader has to decide
FORGET_S = 86_400
LIMIT_S = 1.0  # a table does not wait longer to learn who is there

PAGES = "pages"  # vouches where a process's token stands otherwise: one word for the pages of all processes
Away = dict[int, int | None]  # by seat: since when (ms), or None while somebody vouches for it


class Presence:
    """This process's word on its own seats, and what all processes say together. Never raises for Valkey."""

    def __init__(self, token: str) -> None:
        self.token = token
        self._valkey: Redis | None = None

    async def close(self) -> None:
        """Let the connection go; what was vouched for fades by itself."""
        if self._valkey is not None:
            valkey, self._valkey = self._valkey, None
            await valkey.aclose()

    async def came(self, public_id: str, seat: int) -> None:
        """The first socket of this seat opened here."""
        await self._vouch({public_id: (seat,)}, VOUCH_MS, back=True)

    async def left(self, public_id: str, seat: int) -> None:
        """The last socket of this seat closed here. It stays vouched for while it may just be reloading."""
        await self._vouch({public_id: (seat,)}, LINGER_MS, back=False)

    async def watch(self, here: Mapping[str, int]) -> dict[str, int]:
        """So many watch each match here; how many do in all processes. Empty when Valkey cannot be asked."""
        at_ms = now_ms()
        try:
            async with self.client().pipeline(transaction=False) as pipe:
                for public_id, count in here.items():
                    key = _watchers_key(public_id)
                    if count:
                        pipe.hset(key, self.token, f"{at_ms + VOUCH_MS}:{count}")
                        pipe.pexpire(key, VOUCH_MS)
                    else:
                        pipe.hdel(key, self.token)
                for public_id in here:
                    pipe.hvals(_watchers_key(public_id))
                told = (await pipe.execute())[-len(here) :]
        except RedisError as error:
            logger.warning("watchers unknown: %s", error)
            return {}
        return {public_id: _watchers(values, at_ms) for public_id, values in zip(here, told, strict=True)}

    async def read(self, here: Mapping[str, Iterable[int]], seats: Mapping[str, int]) -> dict[str, Away]:
        """Who is away since when, of every match in `seats` (its number of seats). Empty when Valkey cannot be asked.

        Vouches again for the seats in `here` on the way.
        """
        at_ms = now_ms()
        await self._vouch(here, VOUCH_MS, back=True)
        found: dict[str, Away] = {}
        try:
            async with self.client().pipeline(transaction=False) as pipe:
                for public_id in seats:
                    pipe.zrangebyscore(_seats_key(public_id), at_ms, "+inf")
                    pipe.hgetall(_away_key(public_id))
                answers = await pipe.execute()
                for position, (public_id, count) in enumerate(seats.items()):
                    vouched, since = answers[2 * position : 2 * position + 2]
                    found[public_id] = _away(vouched, since, count, at_ms)
                    # Who left without a word is away from now on.
                    for seat, away_ms in found[public_id].items():
                        if away_ms is not None and b"%d" % seat not in since:
                            pipe.hsetnx(_away_key(public_id), str(seat), str(at_ms))
                            pipe.expire(_away_key(public_id), FORGET_S)
                await pipe.execute()
        except RedisError as error:
            logger.warning("presence unknown: %s", error)
            return {}
        return found

    def client(self) -> Redis:
        """The connection to Valkey, made when first needed."""
        if self._valkey is None:
            self._valkey = Redis.from_url(
                settings.VALKEY_URL,
                socket_timeout=LIMIT_S,
                socket_connect_timeout=LIMIT_S,
                retry=AsyncRetry(NoBackoff(), 1),
            )
        return self._valkey

    async def _vouch(self, here: Mapping[str, Iterable[int]], for_ms: int, *, back: bool) -> None:
        at_ms = now_ms()
        try:
            async with self.client().pipeline(transaction=False) as pipe:
                for public_id, seats in here.items():
                    for seat in seats:
                        pipe.zadd(_seats_key(public_id), {f"{seat}:{self.token}": at_ms + for_ms})
                        # The page has its socket now, or had it: what its own request said would outlast that one.
                        pipe.zrem(_seats_key(public_id), f"{seat}:{PAGES}")
                        if back:
                            pipe.hdel(_away_key(public_id), str(seat))
                        else:
                            pipe.hset(_away_key(public_id), str(seat), str(at_ms))
                            pipe.expire(_away_key(public_id), FORGET_S)
                    pipe.expire(_seats_key(public_id), FORGET_S)
                await pipe.execute()
        except RedisError as error:
            logger.warning("presence not told: %s", error)


def page_asked(public_id: str, seat: int) -> None:
    """A page of this seat asked for something over HTTP: somebody is there, with a socket or without."""
    try:
        with _pages().pipeline(transaction=False) as pipe:
            _vouch_for_page(pipe, public_id, seat, now_ms())
            pipe.execute()
    except RedisError as error:
        logger.warning("presence not told: %s", error)


def read_presence(public_id: str, seats: int, *, asked_by: int | None = None) -> tuple[Away, int]:
    """The same for one match and the thread of a page: who is away since when, and how many watch.

    Nobody is and nobody does when Valkey cannot be asked. On the way vouches for the seat whose page it is.
    """
    at_ms = now_ms()
    try:
        with _pages().pipeline(transaction=False) as pipe:
            if asked_by is not None:
                _vouch_for_page(pipe, public_id, asked_by, at_ms)
            pipe.zrangebyscore(_seats_key(public_id), at_ms, "+inf")
            pipe.hgetall(_away_key(public_id))
            pipe.hvals(_watchers_key(public_id))
            vouched, since, told = pipe.execute()[-3:]
    except RedisError as error:
        logger.warning("presence unknown: %s", error)
        return {}, 0
    return _away(vouched, since, seats, at_ms), _watchers(told, at_ms)


def _vouch_for_page(pipe: Pipeline, public_id: str, seat: int, at_ms: int) -> None:
    pipe.zadd(_seats_key(public_id), {f"{seat}:{PAGES}": at_ms + PAGE_VOUCH_MS})
    pipe.expire(_seats_key(public_id), FORGET_S)
    # Of no account while it is vouched for; afterwards it is away since it was last heard of.
    pipe.hset(_away_key(public_id), str(seat), str(at_ms))
    pipe.expire(_away_key(public_id), FORGET_S)


@cache
def _pages() -> redis.Redis:
    # Again only after a connection that was gone: what has been waited for once is not waited for twice.
    retry = Retry(NoBackoff(), 1, supported_errors=(redis.ConnectionError,))
    return redis.Redis.from_url(
        settings.VALKEY_URL, socket_timeout=LIMIT_S, socket_connect_timeout=LIMIT_S, retry=retry
    )


def _away(vouched: list[bytes], since: dict[bytes, bytes], seats: int, at_ms: int) -> Away:
    present = {int(member.partition(b":")[0]) for member in vouched}
    return {seat: None if seat in present else int(since.get(b"%d" % seat, at_ms)) for seat in range(seats)}


def _watchers(told: list[bytes], at_ms: int) -> int:
    """The sum of what the processes said, each as "until:count"."""
    parted = (value.partition(b":") for value in told)
    return sum(int(count) for until, _, count in parted if int(until) > at_ms)


def _seats_key(public_id: str) -> str:
    return f"boneyard:seats:{public_id}"


def _away_key(public_id: str) -> str:
    return f"boneyard:away:{public_id}"


def _watchers_key(public_id: str) -> str:
    return f"boneyard:watchers:{public_id}"
