"""Makes the accounts and matches of a measurement in a site's own database, and prints who may connect how.

For `manage.py shell -c` of that site: `print_tables({"door": "json", "count": 100})`. `bank_ms` shortens the banks, so
that a time-out need not be waited for; `started`: both have pressed Start.
"""

from __future__ import annotations

import json
import os
from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.db import transaction

from accounts.models import User
from accounts.service import issue_token
from games import clock_source, rules, service, snapshots
from games.models import Match
from tests.factories import make_user


def print_tables(job: dict[str, Any]) -> None:
    """One line of JSON, for the process that asked."""
    print(json.dumps(make_tables(job)))


def make_tables(job: dict[str, Any]) -> list[dict[str, Any]]:
    """The tables as the players of `tests.bench.load` want them."""
    tables = []
    with transaction.atomic():
        for _ in range(job["count"]):
            users = [_account() for _ in range(2)]
            seats = [_way_in(user, job["door"]) for user in users]
            match = service.start_match(users=users, rated=False)
            if "bank_ms" in job:
                _shorten(match, job["bank_ms"])
            tables.append({"match": match.public_id, "seats": seats, "users": users, "id": match.pk})
    for table in tables:
        users = table.pop("users")
        for seat, user in enumerate(users if job.get("started") else ()):
            service.submit(
                table["id"],
                rules.Start(seat),
                actor=user,
                expected_seq=None,
                expected_hand=0,
                command_id=f"s{seat}",
                arrived_ms=clock_source.now_ms(),
            )
    return tables


def _account() -> User:
    return make_user(f"b{os.urandom(6).hex()}")


def _way_in(user: User, door: str) -> dict[str, str]:
    if door == "json":
        return {"token": issue_token(user)}
    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return {"session": session.session_key}


def _shorten(match: Match, bank_ms: int) -> None:
    state = snapshots.read(match.snapshot).but(banks_ms=(bank_ms, bank_ms))
    text = snapshots.encode(state)
    Match.objects.filter(pk=match.pk).update(snapshot=text, origin=text)
