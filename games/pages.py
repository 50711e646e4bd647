"""Pages around the table: the rules of the game, and leaving a match before it starts."""

import re
from http import HTTPStatus

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from games import access, service
from games.converters import MatchName
from games.errors import GameError, NoSuchMatch
from games.limits import user_bucket
from games.messages import error_text
from games.rulebook import book


@require_safe
def rules_index(request: HttpRequest) -> HttpResponse:
    """The rules of all games of this site; of the only one, its page."""
    return redirect("rules")


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """The rules of Spectacular Bid. `?table=<match>` comes from a table: its clock runs on, and there is a way back."""
    table = request.GET.get("table", "")
    if not re.fullmatch(MatchName.regex, table):
        table = ""
    return render(request, "games/rules.html", {"book": book(), "table": table})


@require_safe
def rules_sheet(request: HttpRequest) -> HttpResponse:
    """The same text without the page around it, for the sheet beside a table."""
    return render(request, "games/rules/_sheet.html", {"book": book()})


@require_POST
def leave(request: HttpRequest, public_id: str) -> HttpResponse:
    """The way out before the first deal: the match is cancelled without rating (D-1)."""
    user = request.user
    if not user.is_authenticated:
        # Back to the table, not to this address: what was posted is lost, and there is no page to read here.
        return redirect_to_login(reverse("match", args=(public_id,)))
    if not user_bucket(user.pk, program=user.is_program).take():
        return render(request, "429.html", status=HTTPStatus.TOO_MANY_REQUESTS)
    try:
        match, _seat = access.get_match(user, public_id)
        service.leave(match.pk, user)
    except NoSuchMatch as error:
        raise Http404 from error
    except GameError as error:
        messages.error(request, error_text(error.code, error.detail))
        return redirect("match", public_id)
    return redirect("/")
