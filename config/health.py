"""Is the process alive; is the site fit to be played on."""

import time

from django.core.cache import cache
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

LAST_SWEEP_KEY = "boneyard:last-sweep-ms"
LAST_SWEEP_LIMIT_MS = 5_000

_is_migrated = False


@require_safe
@never_cache
def livez(request: HttpRequest) -> HttpResponse:
    """This process answers."""
    return HttpResponse("ok", content_type="text/plain")


@require_safe
@never_cache
def readyz(request: HttpRequest) -> JsonResponse:
    """200 when everything a match needs is there, else 503; each part with "ok" or what is wrong."""
    parts = {
        "database": check_database(),
        "valkey": check_valkey(),
        "migrations": check_migrations(),
        "sweep": check_sweep(time.time_ns() // 1_000_000),
    }
    ready = all(state == "ok" for state in parts.values())
    return JsonResponse({"ready": ready, **parts}, status=200 if ready else 503)


def check_database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Exception as error:
        return type(error).__name__
    return "ok"


def check_valkey() -> str:
    try:
        cache.get(LAST_SWEEP_KEY)
    except Exception as error:
        return type(error).__name__
    return "ok"


def check_migrations() -> str:
    """Looked up until nothing waits: a process runs one state of the code, which cannot ask for more later."""
    global _is_migrated
    if _is_migrated:
        return "ok"
    try:
        executor = MigrationExecutor(connection)
        waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except Exception as error:
        return type(error).__name__
    _is_migrated = not waiting
    return f"{len(waiting)} to apply" if waiting else "ok"


def check_sweep(now_ms: int) -> str:
    """The clocks are enforced: the last deadline sweep was a moment ago."""
    try:
        last_ms = cache.get(LAST_SWEEP_KEY)
    except Exception as error:
        return type(error).__name__
    if last_ms is None:
        return "never ran"
    age_ms = now_ms - int(last_ms)
    return "ok" if age_ms <= LAST_SWEEP_LIMIT_MS else f"{age_ms} ms ago"
