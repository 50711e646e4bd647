"""Accounts and matches for tests: Alice and Bob play, Charlie is the stranger."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from django.db import connection

from accounts.models import User
from games import service
from games.models import Match
from ratings.guards import without_triggers

_numbers = itertools.count(1)


def make_user(name: str = "", *, is_program: bool = False) -> User:
    """An account; with no name, one that nobody else has."""
    name = name or f"player{next(_numbers)}"
    user = User(username=name, email=f"{name.lower()}@example.org", is_program=is_program)
    user.set_unusable_password()
    user.save()
    return user


def alice() -> User:
    return make_user("Alice")


def bob() -> User:
    return make_user("Bob")


def charlie() -> User:
    return make_user("Charlie")


def make_match(users: Sequence[User] = (), *, rated: bool = True, **options: Any) -> Match:
    """A match that waits for Start; between two new accounts when none are named."""
    return service.start_match(users=list(users) or [make_user(), make_user()], rated=rated, **options)


@contextmanager
def unguarded() -> Iterator[None]:
    """What a broken disk or a hand in the database may do: change rows that guard themselves."""
    if connection.vendor == "sqlite":
        with without_triggers(connection):
            yield
        return
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        yield
        cursor.execute("SET session_replication_role = DEFAULT")
