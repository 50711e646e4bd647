"""The servers that the environment names by an address: database, Valkey, mail.

Each is checked and put as Django needs it. Knows nothing of Django. No refusal repeats
an address: it may hold a password.
"""

from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

CONNECT_TIMEOUT_S = "10"  # a text, as a query of DATABASE_URL would give it


class BadEnvironment(SystemExit):
    """The environment asks for something that does not exist or cannot be."""

    def __init__(self, *lines: str) -> None:
        super().__init__("\n".join(f"boneyard: {line}" for line in lines))


def sqlite_database(path: Path) -> dict[str, Any]:
    """Django's settings for a SQLite file that several processes write to.

    IMMEDIATE takes the write lock at BEGIN: with the default, a transaction that read
    first fails at once when another one wrote meanwhile, whatever the busy timeout.
    """
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": str(path),
        "CONN_MAX_AGE": None,
        "OPTIONS": {
            "timeout": 20,
            "transaction_mode": "IMMEDIATE",
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
        },
    }


def parse_database_url(url: str, *, base: Path) -> dict[str, Any]:
    """Django's settings for `postgresql://user:password@host:port/name` or `sqlite:///path`.

    `?host=/folder` names the folder of a Unix socket, as libpq does; other query values
    are passed on as connection options. A relative path begins at `base`.
    """
    expected = "postgresql://user:password@host:port/name or sqlite:///path"
    parts, port = split_address("DATABASE_URL", url, expected)
    if parts.scheme == "sqlite" and parts.path.strip("/"):
        path = unquote(parts.path)
        # sqlite:///relative and sqlite:////absolute, as SQLAlchemy writes them.
        return sqlite_database(Path(path[1:]) if path.startswith("//") else base / path[1:])
    if parts.scheme not in ("postgres", "postgresql") or not parts.path.strip("/"):
        raise BadEnvironment(f"DATABASE_URL: expected {expected}.")
    # A server that says nothing would otherwise be waited for as long as the kernel likes.
    options = {"connect_timeout": CONNECT_TIMEOUT_S} | {
        key: values[-1] for key, values in parse_qs(parts.query).items()
    }
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.lstrip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": options.pop("host", "") or parts.hostname or "",
        "PORT": str(port or ""),
        "CONN_MAX_AGE": 60,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": options,
    }


def check_valkey_url(url: str) -> str:
    """The address of a Valkey or Redis, with its database number always written out."""
    expected = "redis://host:port/number, rediss://… or unix:///path?db=number"
    parts, _port = split_address("VALKEY_URL", url, expected)
    if parts.scheme == "unix" and parts.path:
        number = parse_qs(parts.query).get("db", ["0"])[-1]
        address = f"unix://{parts.path}?db={number}"
    elif parts.scheme in ("redis", "rediss") and parts.hostname:
        number = parts.path.lstrip("/") or "0"
        address = f"{parts.scheme}://{parts.netloc}/{number}"
    else:
        raise BadEnvironment(f"VALKEY_URL: expected {expected}.")
    if not (number.isascii() and number.isdecimal()):
        raise BadEnvironment("VALKEY_URL: the database is named by a number.")
    return address


def valkey_number(url: str) -> int:
    """The database number within a checked address: what keeps two sites on one server apart."""
    parts = urlsplit(url)
    return int(parts.query.removeprefix("db=") if parts.scheme == "unix" else parts.path.lstrip("/"))


def broker_url(url: str) -> str:
    """A checked Valkey address as Celery's transport spells it."""
    parts = urlsplit(url)
    if parts.scheme == "unix":
        return f"redis+socket://{parts.path}?virtual_host={valkey_number(url)}"
    return url


def parse_mail_url(url: str) -> dict[str, Any]:
    """Django's mail settings for `console:`, `smtp://user:password@host:port` (`?tls=1`: STARTTLS) or `smtps://…`."""
    expected = "console:, smtp://user:password@host:port or smtps://…"
    parts, port = split_address("BONEYARD_MAIL_URL", url, expected)
    if parts.scheme == "console":
        return {"EMAIL_BACKEND": "django.core.mail.backends.console.EmailBackend"}
    if parts.scheme not in ("smtp", "smtps") or not parts.hostname:
        raise BadEnvironment(f"BONEYARD_MAIL_URL: expected {expected}.")
    tls = parse_qs(parts.query).get("tls", ["0"])[-1] == "1"
    return {
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "EMAIL_HOST": parts.hostname,
        "EMAIL_PORT": port or (465 if parts.scheme == "smtps" else 587 if tls else 25),
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_SSL": parts.scheme == "smtps",
        "EMAIL_USE_TLS": tls,
        "EMAIL_TIMEOUT": 10,
    }


def split_address(name: str, url: str, expected: str) -> tuple[SplitResult, int | None]:
    """The parts of an address, and its port."""
    try:
        parts = urlsplit(url)
    except ValueError:
        raise BadEnvironment(f"{name}: expected {expected}.") from None
    try:
        port = parts.port
    except ValueError:
        port = 0
    if port == 0:
        raise BadEnvironment(f"{name}: the port has to be a number from 1 to 65535.")
    return parts, port
