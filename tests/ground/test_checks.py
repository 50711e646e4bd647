"""`manage.py check --deploy`: what a site that people use must not have."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from config import checks

FIT: dict[str, Any] = {
    "DEBUG": False,
    "TEST_DEALS": None,
    "ALLOWED_HOSTS": ["localhost", "dominoes.example"],
    "DATABASES": {"default": {"ENGINE": "django.db.backends.postgresql"}},
    "CHANNEL_LAYERS": {"default": {"BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer"}},
}


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({}, []),
        ({"TEST_DEALS": Path("deals.json")}, ["boneyard.E001"]),
        ({"TEST_DEALS": Path("deals.json"), "DEBUG": True}, ["boneyard.E001"]),
        ({"CHANNEL_LAYERS": {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}}, ["boneyard.E002"]),
        ({"ALLOWED_HOSTS": ["*"]}, ["boneyard.E003"]),
        ({"ALLOWED_HOSTS": ["localhost", "127.0.0.1"]}, ["boneyard.W001"]),
        ({"DATABASES": {"default": {"ENGINE": "django.db.backends.sqlite3"}}}, ["boneyard.W002"]),
    ],
)
def test_each_fault_is_named(monkeypatch: pytest.MonkeyPatch, changes: dict[str, Any], found: list[str]) -> None:
    monkeypatch.setattr(checks, "settings", SimpleNamespace(**{**FIT, **changes}))
    assert [message.id for message in checks.check_deploy(None)] == found
