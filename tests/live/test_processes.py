"""Who is the only web process: what Valkey says, and what it cannot say after it has forgotten everything (D-27)."""

from collections.abc import Iterator

import pytest
import redis
from django.conf import settings

from games import processes
from games.processes import KEY, WebProcess


@pytest.fixture
def valkey() -> Iterator[redis.Redis]:
    client = redis.Redis.from_url(settings.VALKEY_URL)
    client.delete(KEY)
    yield client
    client.delete(KEY)
    client.close()


@pytest.fixture
def pair(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[WebProcess, WebProcess]]:
    """Two processes that only say that they are there when asked."""
    monkeypatch.setattr(processes, "BEAT_S", 3_600.0)
    pair = (WebProcess(), WebProcess())
    yield pair
    for process in pair:
        process.leave()


def test_the_only_process_is_alone_until_another_one_joins(
    pair: tuple[WebProcess, WebProcess], valkey: redis.Redis
) -> None:
    first, second = pair
    assert not first.alone_now()
    first.join()
    assert first.alone_now()
    second.join()
    assert not first.alone_now()
    second.leave()
    assert first.alone_now()


def test_nobody_is_alone_just_after_valkey_lost_its_memory(
    pair: tuple[WebProcess, WebProcess], valkey: redis.Redis
) -> None:
    """The other one is not listed again yet, and may hold a command that came in time."""
    first, second = pair
    first.join()
    second.join()
    valkey.flushdb()
    assert not first.alone_now()
    assert not first.alone()
    assert not second.alone_now()
    second.leave()
    assert not first.alone_now()  # not within the time that others need to come back


def test_who_was_forgotten_is_alone_again_after_a_while(
    pair: tuple[WebProcess, WebProcess], valkey: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "TRUST_S", 1e-6)
    first, _ = pair
    first.join()
    valkey.delete(KEY)
    assert not first.alone_now()
    assert first.alone_now()
