"""Who asks: a personal token in the Authorization header, and nothing else.

Session cookies are ignored here, so a browser cannot be made to act for its user.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from accounts.service import user_for_token

if TYPE_CHECKING:
    from django.http import HttpRequest

    from accounts.models import User

SCHEME = "bearer "


def token_user(request: HttpRequest) -> User | None:
    """The program whose token came with the request, or None."""
    header = request.headers.get("Authorization", "")
    if header[: len(SCHEME)].lower() != SCHEME:
        return None
    return user_for_token(header[len(SCHEME) :].strip())
