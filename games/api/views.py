"""The JSON door for programs: list, make, take and cancel offers; list own matches.

Each view parses, calls the lobby's service and shapes the answer. Every refusal is
`{"error": code, "detail": {...}}` with a status that fits.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Concatenate

from django.http import HttpRequest, JsonResponse
from django.views.decorators.csrf import csrf_exempt

from games import limits
from games.lobby import service as lobby
from games.lobby import shown
from games.lobby.errors import LobbyError, NotYourOffer, OfferGone, UnknownGame

from .auth import token_user
from .shapes import match_shape, offer_shape

if TYPE_CHECKING:
    from accounts.models import User

BODY_LIMIT = 4096
OFFER_KEYS = {"variant": str, "rated": bool}

View = Callable[..., JsonResponse]


class BadRequest(Exception):
    """The body is not what this address takes; `field` is at fault."""

    def __init__(self, field: str) -> None:
        super().__init__(field)
        self.field = field


def refusal(code: str, status: HTTPStatus, **detail: Any) -> JsonResponse:
    """The one form of a refusal."""
    return JsonResponse({"error": code, "detail": detail}, status=status)


def program_door(**by_method: Callable[Concatenate[HttpRequest, User, ...], JsonResponse]) -> View:
    """A view that lets a program in by its token and picks the handler of the request's method."""
    if "GET" in by_method:
        by_method["HEAD"] = by_method["GET"]
    allowed = ", ".join(sorted(by_method))

    @csrf_exempt
    @wraps(next(iter(by_method.values())))
    def view(request: HttpRequest, **where: str) -> JsonResponse:
        handler = by_method.get(request.method or "")
        if handler is None:
            answer = refusal("MethodNotAllowed", HTTPStatus.METHOD_NOT_ALLOWED, allowed=allowed)
            answer["Allow"] = allowed
            return answer
        user = token_user(request)
        if user is None:
            answer = refusal("TokenNeeded", HTTPStatus.UNAUTHORIZED)
            answer["WWW-Authenticate"] = "Bearer"
            return answer
        if not limits.user_bucket(user.pk, program=user.is_program).take():
            return refusal("RateLimited", HTTPStatus.TOO_MANY_REQUESTS)
        lobby.owner_seen(user.pk)
        try:
            return handler(request, user, **where)
        except BadRequest as error:
            return refusal("MalformedRequest", HTTPStatus.BAD_REQUEST, field=error.field)
        except LobbyError as error:
            return refusal(error.code, _status_of(error))

    return view


def list_offers(request: HttpRequest, user: User) -> JsonResponse:
    """All open offers, as they would be for this program."""
    return JsonResponse({"offers": [offer_shape(offer) for offer in shown.shown_offers(user, lobby.open_offers())]})


def make_offer(request: HttpRequest, user: User) -> JsonResponse:
    """A new offer; it stays open while the program keeps asking this API or holds a socket."""
    wanted = _body(request, OFFER_KEYS)
    offer = lobby.create_offer(user, **wanted)
    (made,) = shown.shown_offers(user, [offer])
    return JsonResponse(
        {"offer": offer_shape(made), "expires_at_ms": offer.expires_at_ms, "ask_within_ms": lobby.OWNER_GONE_MS},
        status=HTTPStatus.CREATED,
    )


def offer_state(request: HttpRequest, user: User, public_id: str) -> JsonResponse:
    """What became of an own offer."""
    offer = lobby.own_offer(user, public_id)
    return JsonResponse(
        {
            "id": offer.public_id,
            "status": offer.status,
            "match": offer.match.public_id if offer.match else None,
        }
    )


def take_offer(request: HttpRequest, user: User, public_id: str) -> JsonResponse:
    """The match that begins."""
    _body(request, {})
    match = lobby.take_offer(user, public_id)
    return JsonResponse(
        {"match": match.public_id, "socket": f"/ws/matches/{match.public_id}/"}, status=HTTPStatus.CREATED
    )


def cancel_offer(request: HttpRequest, user: User, public_id: str) -> JsonResponse:
    """An own offer taken back."""
    lobby.cancel_offer(user, public_id)
    return JsonResponse({"id": public_id, "status": "cancelled"})


def list_matches(request: HttpRequest, user: User) -> JsonResponse:
    """The program's running matches."""
    return JsonResponse({"matches": [match_shape(match) for match in shown.own_matches(user)]})


offers_view = program_door(GET=list_offers, POST=make_offer)
offer_view = program_door(GET=offer_state, DELETE=cancel_offer)
take_view = program_door(POST=take_offer)
matches_view = program_door(GET=list_matches)


def _status_of(error: LobbyError) -> HTTPStatus:
    match error:
        case OfferGone():
            return HTTPStatus.GONE
        case NotYourOffer():
            return HTTPStatus.FORBIDDEN
        case UnknownGame():
            return HTTPStatus.BAD_REQUEST
        case _:
            return HTTPStatus.CONFLICT


def _body(request: HttpRequest, keys: dict[str, type]) -> dict[str, Any]:
    """The JSON object of the request: only these keys, each of its type; an empty body is an empty object."""
    try:
        # Asked before the body is read: a long one is not wanted at all.
        if int(request.headers.get("Content-Length") or 0) > BODY_LIMIT or len(request.body) > BODY_LIMIT:
            raise BadRequest("body")
        body = json.loads(request.body or b"{}")
    except (ValueError, RecursionError) as error:
        raise BadRequest("body") from error
    if not isinstance(body, dict):
        raise BadRequest("body")
    for key, value in body.items():
        if key not in keys or type(value) is not keys[key]:
            raise BadRequest(str(key)[:40])
    return body
