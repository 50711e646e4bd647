"""Which web processes there are, as far as Valkey knows.

Only the sole web process may judge a deadline without the grace of D-27, since only it
knows every stamped command. A process therefore registers before it listens, and asks
once more just before it judges. A process that dies stays listed for a while: then the
others wait for the grace, which costs nothing but half a second.
"""

from __future__ import annotations

import atexit
import contextlib
import logging
import secrets
import threading
import time

import redis
from django.conf import settings
from redis.backoff import NoBackoff
from redis.retry import Retry

from games.clock_source import now_ms

logger = logging.getLogger(__name__)

KEY = "boneyard:web"
BEAT_S = 1.0
FORGET_MS = 15_000
TRUST_S = 3 * BEAT_S  # an older answer of Valkey's says nothing any more


class WebProcess:
    """This process among the web processes. Until `join` it is none, and never alone."""

    def __init__(self) -> None:
        self.token = secrets.token_hex(6)
        self._valkey: redis.Redis | None = None
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._alone_until_s = 0.0
        self._doubted_until_s = 0.0

    def join(self) -> None:
        """Register, and keep registered from a thread of its own. Call it before the first request is let in."""
        if self._valkey is not None:
            return
        self._valkey = redis.Redis.from_url(
            settings.VALKEY_URL, socket_timeout=BEAT_S, socket_connect_timeout=BEAT_S, retry=Retry(NoBackoff(), 1)
        )
        self._beat(is_new=True)
        self._thread = threading.Thread(target=self._keep, name="web-process", daemon=True)
        self._thread.start()
        atexit.register(self.leave)

    def leave(self) -> None:
        """Unregister; the others are then alone at once and need not wait for this entry to fade."""
        atexit.unregister(self.leave)
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
        valkey, self._valkey, self._alone_until_s = self._valkey, None, 0.0
        if valkey is not None:
            with contextlib.suppress(redis.RedisError):
                valkey.zrem(KEY, self.token)
            valkey.close()

    def alone(self) -> bool:
        """Whether no other web process was there within the last seconds."""
        return time.monotonic() < self._alone_until_s

    def alone_now(self) -> bool:
        """The same, asked of Valkey at this moment. Blocks for a round trip."""
        return self._valkey is not None and self._beat()

    def _keep(self) -> None:
        while not self._stop.wait(BEAT_S):
            self._beat()

    def _beat(self, *, is_new: bool = False) -> bool:
        assert self._valkey is not None
        asked_s, at_ms = time.monotonic(), now_ms()
        try:
            with self._valkey.pipeline(transaction=True) as pipe:
                pipe.zadd(KEY, {self.token: at_ms})
                pipe.zremrangebyscore(KEY, "-inf", at_ms - FORGET_MS)
                pipe.zcard(KEY)
                was_missing, _, count = pipe.execute()
        except redis.RedisError as error:
            logger.warning("web processes unknown: %s", error)
            return False
        if was_missing and not is_new:
            # Valkey has lost what it knew, or this process slept: others may be there who are not listed again yet.
            self._doubted_until_s = asked_s + TRUST_S
        is_alone = count == 1 and asked_s >= self._doubted_until_s
        self._alone_until_s = asked_s + TRUST_S if is_alone else 0.0
        return is_alone


this_process = WebProcess()
