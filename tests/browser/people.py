"""Accounts whose sign-up is not what is tested, each signed in already."""

import json
from collections.abc import Sequence

from tests.stack import Stack

_PROGRAM = """
import json
from django.conf import settings
from django.test import Client
from accounts.models import User
sessions = {{}}
for number, name in enumerate({names!r}):
    user = User(username=name, email=f"person{{number}}@example.org")
    user.set_unusable_password()
    user.save()
    client = Client()
    client.force_login(user, backend=settings.AUTHENTICATION_BACKENDS[0])
    sessions[name] = client.cookies[settings.SESSION_COOKIE_NAME].value
print(json.dumps(sessions))
"""


def make_people(stack: Stack, names: Sequence[str]) -> dict[str, str]:
    """An account for each name, and the key of a session of it."""
    printed = stack.manage("shell", "--verbosity", "0", stdin=_PROGRAM.format(names=list(names)))
    sessions: dict[str, str] = json.loads(printed.splitlines()[-1])
    return sessions
