"""What a site stands on, looked at before its processes are started: the database, Valkey, the folder of the logs.

What is wrong becomes a `CommandError` of one line that says what, where, and what to do
about it. Nothing that is stored is changed here.
"""

import os
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

import redis
from django.conf import settings
from django.core.management.base import CommandError
from django.db import Error, connection

LOOKED_THROUGH_BYTES = 200_000_000  # a second's work on a slow disk; of a larger file only the head is looked at
VALKEY_LIMIT_S = 5.0
DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
PRIMARY_CODE = 0xFF  # what SQLite adds to an error's number stands above


def check_log_dir(folder: Path) -> None:
    """The folder is there and takes files."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise CommandError(f"{folder}: the logs cannot be written there: {error.strerror}.") from error


def check_database() -> None:
    """The database answers and, as far as a short look tells, is whole."""
    if connection.vendor == "sqlite":
        check_sqlite_file(Path(settings.DATABASES["default"]["NAME"]))
    try:
        connection.ensure_connection()
    except Error as error:
        raise CommandError(f"{which_database()} does not answer: {one_line(error)}") from error


def which_database() -> str:
    """The database as a line names it. An address is not repeated: it may hold a password."""
    place = f" in {settings.DATABASES['default']['NAME']}" if connection.vendor == "sqlite" else ""
    return f"The database{place}"


def check_sqlite_file(path: Path) -> None:
    """The file of the database can be written to, its folder too, and it is not damaged. It may be missing yet."""
    if not path.parent.is_dir():
        raise CommandError(f"{path}: there is no such folder for the database.")
    for place in (path.parent, path):  # the folder too: SQLite keeps what is not yet in the file beside it
        if place.exists() and not os.access(place, os.W_OK):
            raise CommandError(f"{place}: the database cannot be written there by the account that runs the site.")
    if path.is_file() and (fault := _damage(path)):
        raise CommandError(
            f"{path}: the database is damaged ({fault}). Nothing was changed. Move the file away, "
            "with its -wal and -shm if there are any, and put a backup in its place, or start without one from nothing."
        )


def check_valkey() -> None:
    """The Valkey that VALKEY_URL names answers, and lets us in."""
    try:
        with closing(redis.Redis.from_url(settings.VALKEY_URL, socket_connect_timeout=VALKEY_LIMIT_S)) as valkey:
            valkey.ping()
    except redis.RedisError as error:
        raise CommandError(f"The Valkey that VALKEY_URL names does not answer: {one_line(error)}") from error


def one_line(error: object) -> str:
    """What a server said, which may be several lines."""
    return " ".join(str(error).split())


def _damage(path: Path) -> str | None:
    """What SQLite finds wrong with the file, or None. Read-only, so that no log left beside it is put into it."""
    is_small = path.stat().st_size <= LOOKED_THROUGH_BYTES
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path.absolute()))}?mode=ro", uri=True)) as file:
            answer = file.execute("PRAGMA quick_check(1)" if is_small else "PRAGMA schema_version").fetchone()[0]
    except sqlite3.Error as error:
        # Locked, or not ours to read: that is for the connection itself to say.
        is_damage = getattr(error, "sqlite_errorcode", 0) & PRIMARY_CODE in DAMAGED
        return one_line(error) if is_damage else None
    return one_line(answer) if is_small and answer != "ok" else None
