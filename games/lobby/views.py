"""The lobby page and the forms on it. Everything works without scripts."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from games import device
from games.device_pages import running_at
from games.limits import user_bucket

from . import service
from .errors import LobbyError
from .fragments import lobby_context
from .messages import error_text

if TYPE_CHECKING:
    from accounts.models import User


OFFER_COST = 5.0  # tokens: each offer made, taken or cancelled is drawn by every open lobby


def player_only(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """The view for somebody signed in who does not hurry too much; others sign in and come back to the lobby.

    Not to the address of the form: what was posted is lost, and there is no page to read there.
    """

    @wraps(view)
    def guarded(request: HttpRequest, **where: str) -> HttpResponse:
        viewer = _viewer(request)
        if viewer is None:
            return redirect_to_login(reverse("lobby"))
        if not user_bucket(viewer.pk, program=viewer.is_program).take(OFFER_COST):
            return render(request, "429.html", status=HTTPStatus.TOO_MANY_REQUESTS)
        return view(request, **where)

    return guarded


@never_cache
@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    """The public lobby; `?waiting=<offer>` goes to the table once that own offer is taken."""
    viewer = _viewer(request)
    if viewer is not None:
        service.owner_seen(viewer.pk)
        taken = service.taken_offer(viewer, request.GET.get("waiting", ""))
        if taken is not None and taken.match is not None and taken.match.is_running:
            return redirect("match", taken.match.public_id)
    context: dict[str, Any] = lobby_context(viewer, csrf=get_token(request))
    context["at_device"] = running_at(device.digest_of(request.COOKIES))
    return render(request, "games/lobby/lobby.html", context)


@require_POST
@player_only
def create(request: HttpRequest) -> HttpResponse:
    """A new open offer of the sender's."""
    try:
        offer = service.create_offer(
            _player(request), variant=request.POST.get("variant", ""), rated=request.POST.get("rated") == "1"
        )
    except LobbyError as error:
        return _refused(request, error)
    return redirect(f"{reverse('lobby')}?waiting={offer.public_id}")


@require_POST
@player_only
def take(request: HttpRequest, public_id: str) -> HttpResponse:
    """To the table of the match that begins."""
    try:
        match = service.take_offer(_player(request), public_id)
    except LobbyError as error:
        return _refused(request, error)
    return redirect("match", match.public_id)


@require_POST
@player_only
def cancel(request: HttpRequest, public_id: str) -> HttpResponse:
    """An own offer taken back."""
    try:
        service.cancel_offer(_player(request), public_id)
    except LobbyError as error:
        return _refused(request, error)
    messages.info(request, _("Your offer is cancelled."))
    return redirect("lobby")


def _player(request: HttpRequest) -> User:
    assert request.user.is_authenticated  # player_only stands before
    return request.user


def _viewer(request: HttpRequest) -> User | None:
    return request.user if request.user.is_authenticated else None


def _refused(request: HttpRequest, error: LobbyError) -> HttpResponse:
    messages.error(request, error_text(error))
    return redirect("lobby")
