"""Pages around the table: the rules of the game, and leaving a match before it starts."""

from http import HTTPStatus

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from games import access, service
from games.errors import GameError, NoSuchMatch
from games.limits import user_bucket
from games.messages import error_text
from games.rules import VARIANTS
from games.rules.auction import DISCOUNT, MIN_BID, STEP
from games.rules.clock import BANK_MS, DELAY_MS

CHIP = 5  # points


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """The game in short, its numbers from the engine itself."""
    variant = VARIANTS["spectacular-bid"]
    numbers = {
        "start_balance": variant.start_balance,
        "start_chips": variant.start_balance // CHIP,
        "all_points": variant.start_balance * variant.seats,
        "tiles_per_hand": variant.tiles_per_hand,
        "boneyard": 28 - variant.tiles_per_hand * variant.seats,
        "min_bid": MIN_BID,
        "step": STEP,
        "discount": DISCOUNT,
        "bank_s": BANK_MS // 1000,
        "delay_s": DELAY_MS // 1000,
    }
    return render(request, "games/rules.html", {"n": numbers})


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
