"""Accounts whose sign-up is not what is tested, each signed in already."""

import itertools
import json
from collections.abc import Iterator, Sequence

from tests.stack import Stack

_PROGRAM = """
import json
from django.conf import settings
from django.test import Client
from accounts.models import User
sessions = {{}}
for name in {names!r}:
    user = User(username=name, email=f"person{{User.objects.count()}}@example.org", is_staff={staff})
    user.set_unusable_password()
    user.save()
    client = Client()
    client.force_login(user, backend=settings.AUTHENTICATION_BACKENDS[0])
    sessions[name] = client.cookies[settings.SESSION_COOKIE_NAME].value
print(json.dumps(sessions))
"""

AT_ONCE = 24


def make_people(stack: Stack, names: Sequence[str], *, staff: bool = False) -> dict[str, str]:
    """An account for each name, and the key of a session of it."""
    printed = stack.manage("shell", "--verbosity", "0", stdin=_PROGRAM.format(names=list(names), staff=staff))
    sessions: dict[str, str] = json.loads(printed.splitlines()[-1])
    return sessions


def endless_people(stack: Stack) -> Iterator[tuple[str, str]]:
    """One person after the other, name and session; a few are made at a time, since each call starts a process."""
    for first in itertools.count(step=AT_ONCE):
        yield from make_people(stack, [f"Player{first + number}" for number in range(AT_ONCE)]).items()
