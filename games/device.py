"""Two people at one browser (D-4): which browser that is, who sits before it, and what it may show.

A browser that plays such a match holds a random key in a signed cookie of its own; the match knows its digest. The key
has nothing to do with who is signed in: guests have one, and signing in or out leaves it where it is. Nobody without
the key is let to the match (`games.access`).
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.http import parse_cookie

from games import rules
from games.limits import UserBucket, user_bucket

if TYPE_CHECKING:
    from django.http import HttpResponse

COOKIE = "boneyard-device"
COOKIE_AGE_S = 30 * 86_400
KEY_BYTES = 32
SALT = "games.device"


def digest_of(cookies: Mapping[str, str]) -> str:
    """The digest of the key that the browser holds; "" when it holds none that this site has given."""
    signed = cookies.get(COOKIE, "")
    try:
        # Signed only so that made-up keys cost no query.
        return _digest(Signer(salt=SALT).unsign(signed)) if signed else ""
    except BadSignature:
        return ""


def digest_of_socket(scope: Mapping[str, Any]) -> str:
    """The same for a browser that opens a socket."""
    lines = [value.decode("latin1") for name, value in scope["headers"] if name == b"cookie"]
    return digest_of(parse_cookie("; ".join(lines)))


def key_for(cookies: Mapping[str, str]) -> tuple[str, str]:
    """The signed key of the browser, a new one if it holds none, and its digest."""
    digest = digest_of(cookies)
    if digest:
        return cookies[COOKIE], digest
    key = secrets.token_hex(KEY_BYTES)
    return Signer(salt=SALT).sign(key), _digest(key)


def keep_key(response: HttpResponse, signed: str) -> None:
    """Have the browser keep this key, out of the reach of scripts."""
    response.set_cookie(
        COOKIE,
        signed,
        max_age=COOKIE_AGE_S,
        secure=bool(settings.SESSION_COOKIE_SECURE),
        httponly=True,
        samesite="Lax",
    )


def allowance(match_id: int) -> UserBucket:
    """What both at the device of this match may ask together."""
    # Allowances are by number, and accounts have the positive ones.
    return user_bucket(-match_id)


def viewer_of(state: rules.MatchState) -> int | None:
    """The seat whose tiles the device shows: that of the turn once it has revealed; None while nobody's are."""
    return state.turn if state.phase in ("auction", "play") else None


def sight_of(state: rules.MatchState) -> rules.Sight:
    """What the device may show of the match, and what may be done at it.

    Behind the curtain that is the reveal, between the hands one press for both; a resignation only where it is plain
    whose it would be.
    """
    viewer = viewer_of(state)
    shown = rules.sight(state, viewer)
    if viewer is not None:
        return shown
    seat = 0 if state.turn is None else state.turn
    offered = (command for command in rules.legal_commands(state) if command.seat == seat)
    return replace(shown, legal=tuple(command for command in offered if not isinstance(command, rules.Resign)))


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()
