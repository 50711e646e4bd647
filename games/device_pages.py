"""The page on which two people begin a match at one device, and the way to end it without a result (D-4)."""

from __future__ import annotations

import hashlib
import time
from http import HTTPStatus
from typing import Any

from allauth.account.adapter import get_adapter
from django import forms
from django.contrib import messages as notices
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.forms import ListsFaults
from accounts.names import NAME_MAX_LENGTH, name_key, normalize_name, validate_name
from games import access, device, service
from games.errors import DeviceBusy, GameError, NoSuchMatch, NotSeated
from games.messages import error_text
from games.models import Match

STARTS_AN_HOUR = 60  # from one address: guests have no account that could be asked to slow down
HOUR_S = 3_600


class PlayersForm(ListsFaults, forms.Form):
    """What the two are called at their table. Names are as those of accounts, but may be of anybody."""

    first = forms.CharField(label=gettext_lazy("First player"), max_length=NAME_MAX_LENGTH, required=False)
    second = forms.CharField(label=gettext_lazy("Second player"), max_length=NAME_MAX_LENGTH, required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.widget.attrs["autocomplete"] = "off"
        self.fields["first"].initial, self.fields["second"].initial = _("Player 1"), _("Player 2")

    def clean_first(self) -> str:
        return self._name("first")

    def clean_second(self) -> str:
        name = self._name("second")
        if name_key(name) == name_key(self.cleaned_data.get("first", "")):
            raise forms.ValidationError(_("Choose two names that nobody can mistake for each other."), code="alike")
        return name

    def _name(self, field: str) -> str:
        name = normalize_name(self.cleaned_data[field]) or str(self.fields[field].initial)
        validate_name(name)
        return name


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def begin(request: HttpRequest) -> HttpResponse:
    """Two names and a button; while a match runs at this device, the way back to it and the way to end it."""
    signed, digest = device.key_for(request.COOKIES)
    form = PlayersForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        if not _may_start(request):
            return render(request, "429.html", status=HTTPStatus.TOO_MANY_REQUESTS)
        try:
            names = (form.cleaned_data["first"], form.cleaned_data["second"])
            match = service.start_at_device(names=names, device=digest)
        except DeviceBusy as error:
            notices.error(request, error_text(error.code, error.detail))
            return redirect("device")
        response = HttpResponseRedirect(reverse("match", args=(match.public_id,)), status=HTTPStatus.SEE_OTHER)
        device.keep_key(response, signed)
        return response
    return render(request, "games/device.html", {"form": form, "running": running_at(digest)})


@never_cache
@require_POST
def end(request: HttpRequest, public_id: str) -> HttpResponse:
    """The match of this device ended without a result."""
    digest = device.digest_of(request.COOKIES)
    try:
        match, _seat = access.get_match(None, public_id, device=digest)
        service.end_at_device(match.pk, device=digest)
    except (NoSuchMatch, NotSeated) as error:
        raise Http404 from error
    except GameError as error:
        notices.error(request, error_text(error.code, error.detail))
        return redirect("match", public_id)
    return redirect("device")


def running_at(digest: str) -> dict[str, Any] | None:
    """The match that runs at this device, as a card shows it; one query less where there is none."""
    match: Match | None = service.running_at_device(digest)
    if match is None:
        return None
    first, second = match.seats.order_by("index").values_list("name", flat=True)
    return {"public_id": match.public_id, "first": first, "second": second}


def _may_start(request: HttpRequest) -> bool:
    address = get_adapter().get_client_ip(request)
    name = hashlib.sha256(address.encode()).hexdigest()[:32]
    key = f"boneyard:device-starts:{name}:{int(time.time() // HOUR_S)}"
    cache.add(key, 0, timeout=HOUR_S)
    return bool(cache.incr(key) <= STARTS_AN_HOUR)
