"""Pages of one's own account that allauth does not have."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST
from django.views.i18n import set_language as django_set_language

from accounts.cookies import keep_language, keep_look, look_of_cookies
from accounts.forms import PreferencesForm
from accounts.looks import look_of_preferences, preferences_of_look
from accounts.models import Preferences, User
from accounts.service import choose_language, preferences_of, save_preferences


class SignedInRequest(HttpRequest):
    """What a view behind `login_required` gets."""

    user: User


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def settings_page(request: SignedInRequest) -> HttpResponse:
    """All settings, saved together: what a page without scripts does."""
    form = PreferencesForm(request.POST or None, instance=preferences_of(request.user, so_far=_so_far(request)))
    if request.method != "POST" or not form.is_valid():
        return render(request, "accounts/settings.html", {"form": form})
    preferences = save_preferences(request.user, form.cleaned_data)
    with override(preferences.language or None):
        messages.success(request, _("Saved."))
    response = redirect("settings")
    _keep(response, preferences)
    return response


@login_required
@require_POST
def setting(request: SignedInRequest, name: str) -> HttpResponse:
    """One setting, saved as soon as it is changed; the answer stands beside it."""
    if name not in PreferencesForm.base_fields:
        raise Http404
    form = PreferencesForm(request.POST, instance=Preferences(user=request.user), only=name)
    if not form.is_valid():
        return render(request, "accounts/_saved.html", {"errors": form.errors.get(name)})
    preferences = save_preferences(request.user, form.cleaned_data, so_far=_so_far(request))
    response = render(request, "accounts/_saved.html")
    _keep(response, preferences)
    if name == "language":
        response["HX-Refresh"] = "true"
    return response


def _keep(response: HttpResponse, preferences: Preferences) -> None:
    """Have this browser look as the account wishes from now on."""
    keep_language(response, preferences.language)
    keep_look(response, look_of_preferences(preferences))


def _so_far(request: HttpRequest) -> dict[str, Any]:
    """What an account that has chosen nothing yet looks like in this browser."""
    return preferences_of_look(look_of_cookies(request.COOKIES))


@require_POST
def set_language(request: HttpRequest) -> HttpResponse:
    """Change the language of this browser, and of the account when there is one; back to `next`."""
    if request.user.is_authenticated:
        choose_language(request.user, request.POST.get("language", ""), so_far=_so_far(request))
    return django_set_language(request)
