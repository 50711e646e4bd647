"""The page of a match, and the HTTP door for commands: the table without scripts, or while the socket is away."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any

from csp.constants import SELF
from csp.decorators import csp_replace, csp_update
from django.conf import settings
from django.contrib import messages as notices
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language, override
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_POST, require_safe

from accounts.service import preferences_of
from games import access, device, fragments, messages, rules, service, snapshots
from games.arrival import Arrival, arrival_of, doors
from games.consumers import DEFAULT_FORMAT, TABLE_FORMATS, table_view
from games.errors import GameError, NoSuchMatch, NotSeated, RateLimited, TimeIsUp
from games.limits import COMMAND_COST, FAILED_COST, user_bucket
from games.live import LiveMatch
from games.loading import load_match, load_seq
from games.prefs import prefs_of
from games.presence import PAGE_VOUCH_MS, page_asked, read_presence
from games.table import Prefs, TableView, look_of
from games.wire import parse_form

ERROR_HEADER = "Boneyard-Error"  # the code of a refusal, for whoever does not read the sentence
_ROOT_ID = re.compile(r' id="')


@never_cache
@require_safe
@csp_update({"frame-src": [SELF]})  # type: ignore[arg-type] # of a view with more arguments
def match(request: HttpRequest, public_id: str) -> HttpResponse:
    """The table as this visitor may see it now, complete without scripts."""
    view = _view(request, public_id)
    return render(request, "games/match.html", fragments.page_context(view))


@never_cache
@require_safe
@xframe_options_sameorigin
@csp_replace({"frame-ancestors": [SELF]})  # type: ignore[arg-type] # the same
def match_here(request: HttpRequest, public_id: str) -> HttpResponse:
    """An empty page that asks for itself: within the table without scripts it says that its player is still there.

    The table itself must not be loaded again while its player decides: what is half typed would be lost.
    """
    try:
        _row, seat = access.get_match(request.user, public_id)
    except NoSuchMatch as error:
        raise Http404 from error
    if seat is None:
        raise Http404
    page_asked(public_id, seat)
    return render(request, "games/here.html", {"again_s": PAGE_VOUCH_MS // 3_000})


def in_language_of_page(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Has a view answer a page in its own language (`?language=`), whatever was chosen since it was drawn."""

    @wraps(view)
    def answer(request: HttpRequest, public_id: str) -> HttpResponse:
        wanted = request.GET.get("language")
        with override(wanted if wanted in dict(settings.LANGUAGES) else get_language()):
            return view(request, public_id)

    return answer


@never_cache
@require_safe
@in_language_of_page
def match_fragments(request: HttpRequest, public_id: str) -> HttpResponse:
    """All fragments, to be swapped by id; 204 when the page shows this version already, as it is for this visitor."""
    # A page without a socket asks every two seconds, and mostly there is nothing new.
    seq = load_seq(public_id, device=device.digest_of(request.COOKIES))
    if seq is not None and request.GET.get("seq") == str(seq):
        look, seat = _look(request, public_id)
        if request.GET.get("look") == look:
            if seat is not None:
                page_asked(public_id, seat)
            return HttpResponse(status=204)
    return HttpResponse(_swapped(_view(request, public_id)))


@never_cache
@require_POST
@in_language_of_page
def match_commands(request: HttpRequest, public_id: str) -> HttpResponse:
    """One command by form. The answer is the page again, for htmx its fragments; a refusal is said there.

    Either is drawn for the seat that asked, which says that somebody is there (`games.presence`).
    """
    arrival = arrival_of(request, public_id)
    if not request.user.is_authenticated and not device.digest_of(request.COOKIES):
        doors.leave(arrival)
        return _refused_visitor(request, public_id)
    try:
        _command(request, public_id, arrival)
    except NoSuchMatch as error:
        raise Http404 from error
    except (GameError, rules.Refusal) as error:
        return _refused(request, public_id, error)
    finally:
        doors.leave(arrival)
    if _is_htmx(request):
        return HttpResponse(_swapped(_view(request, public_id)))
    return _back(public_id)


def _command(request: HttpRequest, public_id: str, arrival: Arrival) -> None:
    if arrival.refused is not None:
        raise arrival.refused
    user, digest = request.user, device.digest_of(request.COOKIES)
    bucket = user_bucket(user.pk, program=user.is_program) if user.is_authenticated else None
    if bucket is not None and not bucket.take():
        raise RateLimited
    try:
        envelope = parse_form(request.POST)
        row, seat = access.get_match(user, public_id, device=digest)
        if row.device and bucket is None:
            bucket = device.allowance(row.pk)
            if not bucket.take():
                raise RateLimited
        asked: dict[str, Any] = {
            "expected_seq": envelope.seq,
            "expected_hand": envelope.hand,
            "command_id": envelope.command_id,
            "arrived_ms": arrival.arrived_ms,
            "nonce": envelope.nonce,
            "waited_behind": arrival.waited_behind,
        }
        if row.device:
            applied = service.submit_at_device(row.pk, envelope.command, device=digest, **asked)
        elif seat is None or not user.is_authenticated:
            raise NotSeated
        else:
            if request.session.session_key:
                doors.know_session(request.session.session_key, user.pk)
            applied = service.submit(row.pk, envelope.command(seat), actor=user, **asked)
    except (GameError, rules.Refusal):
        if bucket is not None:
            bucket.charge(FAILED_COST - COMMAND_COST)
        raise
    if isinstance(applied.command, rules.ExpireTime):
        raise TimeIsUp(deadline_ms=applied.facts[-1].at_ms)


def _refused(request: HttpRequest, public_id: str, error: GameError | rules.Refusal) -> HttpResponse:
    """The table as it really is, with what was wrong."""
    text = messages.error_text(error.code, error.detail)
    if _is_htmx(request):
        response = HttpResponse(_swapped(_view(request, public_id)) + _swap(fragments.render_error(error.code, text)))
    else:
        notices.error(request, text)
        response = _back(public_id)
    response[ERROR_HEADER] = error.code
    return response


def _refused_visitor(request: HttpRequest, public_id: str) -> HttpResponse:
    """To the table as everybody sees it. Without a query: nobody counts what a visitor posts."""
    error = NotSeated()
    notices.error(request, messages.error_text(error.code, error.detail))
    # A script that reads 403 loads the page again: whoever signed out elsewhere has no seat on it any more.
    response = HttpResponse(status=HTTPStatus.FORBIDDEN) if _is_htmx(request) else _back(public_id)
    response[ERROR_HEADER] = error.code
    return response


def _is_htmx(request: HttpRequest) -> bool:
    return request.headers.get("HX-Request") == "true"


def _back(public_id: str) -> HttpResponse:
    return HttpResponseRedirect(reverse("match", args=(public_id,)), status=HTTPStatus.SEE_OTHER)


def _view(request: HttpRequest, public_id: str) -> TableView:
    """What this visitor sees, read afresh. Raises `Http404`."""
    try:
        loaded = load_match(public_id)
        if loaded.device not in ("", device.digest_of(request.COOKIES)):
            raise NoSuchMatch
    except NoSuchMatch as error:
        raise Http404 from error
    live = LiveMatch(loaded)
    seated = {card.user_id: card.index for card in live.seats if card.user_id is not None}
    viewer = seated.get(request.user.pk) if request.user.is_authenticated else None
    live.away, live.watchers = read_presence(public_id, len(live.seats), asked_by=viewer)
    return table_view(
        live,
        viewer,
        language=get_language() or "en",
        table_format=_table_format(request),
        prefs=_prefs(request),
        csrf=get_token(request),
    )


def _look(request: HttpRequest, public_id: str) -> tuple[str, int | None]:
    """The look of that view, without reading it, and the seat of who asks."""
    row, seat = access.get_match(request.user, public_id, device=device.digest_of(request.COOKIES))
    viewer = device.viewer_of(snapshots.decode(row.pk, row.snapshot)) if row.device else seat
    return look_of(viewer, get_language() or "en", _table_format(request), _prefs(request)), seat


def _table_format(request: HttpRequest) -> str:
    wanted = request.GET.get("format", DEFAULT_FORMAT)
    return wanted if wanted in TABLE_FORMATS else DEFAULT_FORMAT


def _prefs(request: HttpRequest) -> Prefs:
    return prefs_of(preferences_of(request.user) if request.user.is_authenticated else None)


def _swapped(view: TableView) -> str:
    parts = [*fragments.render_all(view).values(), fragments.render_seq(view)]
    return "".join(_swap(part) for part in parts)


def _swap(fragment: str) -> str:
    """The fragment as htmx swaps it from an ordinary answer: by its id, wherever it stands."""
    return _ROOT_ID.sub(r' hx-swap-oob="true" id="', fragment, count=1)
