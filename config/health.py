"""Is the process alive; is the site fit to be played on."""

from collections.abc import Callable

from django.core.cache import cache
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.clock_source import now_ms
from games.tasks import LAST_SWEEP_KEY

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
    checks = {
        "database": check_database,
        "valkey": check_valkey,
        "migrations": check_migrations,
        "sweep": check_sweep,
    }
    parts = {name: state_of(check) for name, check in checks.items()}
    ready = all(state == "ok" for state in parts.values())
    return JsonResponse({"ready": ready, **parts}, status=200 if ready else 503)


def state_of(check: Callable[[], str]) -> str:
    """What the check says, or by what it failed: any fault is an answer here."""
    try:
        return check()
    except Exception as error:
        return type(error).__name__


def check_database() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return "ok"


def check_valkey() -> str:
    cache.get(LAST_SWEEP_KEY)
    return "ok"


def check_migrations() -> str:
    """Looked up until nothing waits: a process runs one state of the code, which cannot ask for more later."""
    global _is_migrated
    if _is_migrated:
        return "ok"
    executor = MigrationExecutor(connection)
    waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
    _is_migrated = not waiting
    return f"{len(waiting)} to apply" if waiting else "ok"


def check_sweep(at_ms: int | None = None) -> str:
    """The clocks are enforced: the last deadline sweep was a moment ago. `at_ms` stands in for the clock, in tests."""
    last_ms = cache.get(LAST_SWEEP_KEY)
    if last_ms is None:
        return "never ran"
    age_ms = (now_ms() if at_ms is None else at_ms) - int(last_ms)
    return "ok" if age_ms <= LAST_SWEEP_LIMIT_MS else f"{age_ms} ms ago"
