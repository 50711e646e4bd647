"""HTTP routes of all apps."""

import sys
from importlib.util import find_spec

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from config import health

urlpatterns: list[URLPattern | URLResolver] = [
    path("livez", health.livez, name="livez"),
    path("readyz", health.readyz, name="readyz"),
    path("admin/", admin.site.urls),
    path("accounts/", include("allauth.urls")),
]
for prefix, module in (
    ("accounts/", "accounts.urls"),
    ("", "ratings.urls"),
    ("api/", "games.api.urls"),
    ("", "games.lobby.urls"),
    ("", "games.urls"),
):
    if find_spec(module) is not None:
        try:
            urlpatterns.append(path(prefix, include(module)))
        except ImportError as error:
            sys.stderr.write(f"config.urls: {module} is left out: {error}\n")
