"""The site as something a phone can install: its manifest, its worker, and the page that is shown without a connection.

The worker keeps that one page and the files it needs, and nothing else: no page of a match, no fragment, no answer of
the API ever gets into a cache or a storage (B261).
"""

import json
from hashlib import sha256

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from config.icons import SIZES, icon_name

# `--bg` of both themes in static/css/tokens.css: what surrounds the page in an installed site.
GROUND = {"light": "#f4f0e8", "dark": "#151412"}
# The letters themselves are not among what is kept: those that pages have asked for are in the browser's own cache.
OFFLINE_FILES = (
    "css/tokens.css",
    "css/fonts.css",
    "css/base.css",
    "css/controls.css",
    "css/pages.css",
    "css/offline.css",
)
OFFLINE_SCRIPTS = ("js/theme.js", "js/offline.js")
DAY_S = 24 * 3600


@require_safe
@cache_control(public=True, max_age=DAY_S)
def manifest(request: HttpRequest, language: str) -> HttpResponse:
    """What an installed site is called and looks like. Its address holds the language: no cookie comes along here."""
    if language not in dict(settings.LANGUAGES):
        raise Http404
    with translation.override(language):
        described = {
            "id": "/",
            "name": "Boneyard",
            "short_name": "Boneyard",
            "description": _("Dominoes against people, rated and fair."),
            "lang": language,
            "dir": "rtl" if translation.get_language_bidi() else "ltr",
            "start_url": reverse("lobby"),
            "scope": "/",
            "display": "standalone",
            "background_color": GROUND["light"],
            "theme_color": GROUND["light"],
            "categories": ["games"],
            "icons": [
                {
                    "src": static(icon_name(purpose, size)),
                    "sizes": f"{size}x{size}",
                    "type": "image/png",
                    "purpose": purpose,
                }
                for purpose in ("any", "maskable")
                for size in SIZES[purpose]
            ],
        }
    return JsonResponse(described, content_type="application/manifest+json")


@require_safe
@cache_control(public=True, max_age=DAY_S)
def favicon(request: HttpRequest) -> HttpResponse:
    """Where browsers look for an icon when a page names none, as those of the admin."""
    return redirect(static(icon_name("any", 192)))


@require_safe
@cache_control(public=True, no_cache=True)
def worker(request: HttpRequest) -> HttpResponse:
    """The script of the worker, asked for again each time: it changes whenever a file that it keeps does."""
    kept = [reverse("offline"), *map(static, (*OFFLINE_FILES, *OFFLINE_SCRIPTS, "icon.svg"))]
    version = sha256("\n".join([_offline_page(), *kept]).encode()).hexdigest()[:12]
    script = render_to_string("sw.js", {"version": json.dumps(version), "kept": json.dumps(kept)})
    return HttpResponse(script, content_type="text/javascript; charset=utf-8")


@require_safe
@cache_control(public=True, no_cache=True)
def offline(request: HttpRequest) -> HttpResponse:
    """The page that the worker keeps: in all languages at once, since it is shown when nobody can be asked for one."""
    return HttpResponse(_offline_page())


def _offline_page() -> str:
    return render_to_string(
        "offline.html", {"sheets": OFFLINE_FILES, "scripts": OFFLINE_SCRIPTS, "languages": dict(settings.LANGUAGES)}
    )
