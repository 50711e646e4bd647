"""Makes what a checkout needs before it can serve, and only what is not up to date."""

import fcntl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from config.fonts import cut_fonts
from config.icons import draw_icons
from config.messages import compile_messages
from config.styles import join_styles
from games.templatetags.site import STYLES


def prepare(say: Callable[[str], None]) -> None:
    """Fonts, icons, messages and static files of this checkout. Several processes may ask at once."""
    with _alone(settings.BUILD_DIR / "prepare.lock"):
        if cut_fonts(settings.FONTS_DIR):
            say("Cut the fonts.")
        if draw_icons(settings.BASE_DIR / "static", settings.ICONS_DIR):
            say("Drew the icons.")
        join_styles(settings.BASE_DIR / "static" / "css", settings.STYLES_DIR, STYLES)
        compiled = compile_messages(settings.LOCALE_PATHS[0])
        if compiled:
            say(f"Compiled the messages: {', '.join(compiled)}.")
        if collect_static():
            say("Collected the static files.")


def migrate(say: Callable[[str], None]) -> None:
    """Brings the database up to date, if it is not."""
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if plan:
        call_command("migrate", interactive=False, verbosity=0)
        say(f"Applied {len(plan)} migrations.")


def collect_static() -> bool:
    """Fills STATIC_ROOT. False when it already holds the present files.

    Files that are there already are taken over, unless they were made in another way.
    """
    stamp = settings.BUILD_DIR / "static.made-of"
    way = sha256((settings.BASE_DIR / "config" / "storage.py").read_bytes()).hexdigest()
    made_of = f"{way} {_static_digest()}"
    found = stamp.read_text() if stamp.is_file() else ""
    if found == made_of and settings.STATIC_ROOT.is_dir():
        return False
    call_command("collectstatic", interactive=False, verbosity=0, clear=not found.startswith(way))
    stamp.write_text(made_of)
    return True


def _static_digest() -> str:
    digest = sha256()
    for finder in get_finders():
        for name, storage in finder.list([]):
            path = Path(storage.path(name))
            digest.update(f"{path} {path.stat().st_size} {path.stat().st_mtime_ns}\n".encode())
    return digest.hexdigest()


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
