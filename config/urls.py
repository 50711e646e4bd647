"""HTTP routes of all apps."""

from django.contrib import admin
from django.urls import include, path

from config import health, pwa

handler500 = "config.faults.server_error"
urlpatterns = [
    path("livez", health.livez, name="livez"),
    path("readyz", health.readyz, name="readyz"),
    path("<slug:language>.webmanifest", pwa.manifest, name="manifest"),
    path("favicon.ico", pwa.favicon),
    path("sw.js", pwa.worker, name="worker"),
    path("offline/", pwa.offline, name="offline"),
    path("admin/", admin.site.urls),
    path("accounts/", include("accounts.urls")),
    path("accounts/", include("allauth.urls")),
    path("api/", include("games.api.urls")),
    path("kit/", include("games.kit.urls")),
    path("", include("games.lobby.urls")),
    path("", include("games.urls")),
]
