"""Accounts to sign in with, and what their sockets are told."""

import pytest
from allauth.account.models import EmailAddress

from accounts import service
from accounts.models import User

PASSWORD = "a-quiet-room-7"


@pytest.fixture
def alice(db) -> User:
    user = User.objects.create_user("Alice", email="alice@example.org", password=PASSWORD)
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
    return user


@pytest.fixture
def told(monkeypatch) -> list[tuple[str, dict]]:
    """Every message to a group, in order: (group, message)."""
    sent: list[tuple[str, dict]] = []

    class Layer:
        async def group_send(self, group: str, message: dict) -> None:
            sent.append((group, message))

    monkeypatch.setattr(service, "get_channel_layer", Layer)
    return sent
