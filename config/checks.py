"""System checks: what must not be on a site that people use (`manage.py check --deploy`)."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register

from config.environment import LOCAL_HOSTS


@register(Tags.security, deploy=True)
def check_deploy(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Faults of a deployed site: prepared deals, no host of its own, an embedded database, a layer nobody shares."""
    found: list[CheckMessage] = []
    if settings.TEST_DEALS is not None:
        found.append(
            Error("The deals of this site are prepared.", hint="Unset BONEYARD_TEST_DEALS.", id="boneyard.E001")
        )
    if settings.DEBUG:
        return found
    backend = settings.CHANNEL_LAYERS["default"]["BACKEND"]
    if "InMemory" in backend:
        found.append(
            Error("The channel layer is not shared between processes.", hint="Set VALKEY_URL.", id="boneyard.E002")
        )
    if "*" in settings.ALLOWED_HOSTS:
        found.append(
            Error("Any host name is accepted.", hint="Name the site's hosts in BONEYARD_HOSTS.", id="boneyard.E003")
        )
    if not set(settings.ALLOWED_HOSTS) - set(LOCAL_HOSTS):
        found.append(Warning("The site has no host name of its own.", hint="Set BONEYARD_HOSTS.", id="boneyard.W001"))
    if "sqlite3" in settings.DATABASES["default"]["ENGINE"]:
        found.append(
            Warning(
                "SQLite serves one small club; a public site wants PostgreSQL.",
                hint="Set DATABASE_URL.",
                id="boneyard.W002",
            )
        )
    return found
