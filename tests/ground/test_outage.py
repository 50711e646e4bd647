"""What a visitor is told while a server behind the site is away."""

import logging
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import caches
from django.db import OperationalError
from django.test import Client

from accounts.service import issue_token
from games.lobby import service as lobby
from tests.factories import make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def no_valkey(settings: Any, tmp_path: Path) -> None:
    settings.CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": f"unix://{tmp_path}/gone.sock?db=0",
        }
    }
    caches.close_all()


def test_signing_in_without_valkey_is_said_to_be_impossible_now(client: Client, no_valkey: None) -> None:
    """The limits of sign-in cannot be counted, so nobody gets in; it is not called a fault."""
    answer = client.post("/accounts/login/", {"login": "alice", "password": "x"})
    assert answer.status_code == 503
    assert "Not possible at the moment" in answer.content.decode()
    assert answer["Retry-After"]


@pytest.mark.parametrize("path", ["/", "/rules/spectacular-bid/", "/accounts/login/", "/accounts/signup/"])
def test_pages_do_without_valkey(client: Client, no_valkey: None, path: str) -> None:
    assert client.get(path, follow=True).status_code == 200


def test_a_locked_database_is_told_and_logged(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def locked(*_given: Any, **_more: Any) -> None:
        raise OperationalError("database is locked")

    token = issue_token(make_user())
    client.force_login(make_user())
    monkeypatch.setattr(lobby, "create_offer", locked)
    with caplog.at_level(logging.ERROR):
        page = client.post("/offers/", {"variant": "spectacular-bid"})
        told = client.post(
            "/api/offers/", b"{}", content_type="application/json", headers={"authorization": f"Bearer {token}"}
        )
    assert (page.status_code, told.status_code) == (503, 503)
    assert told.json() == {"error": "Unavailable", "detail": {}}
    assert "database is locked" in caplog.text
    assert token not in caplog.text
