"""What the environment says about this installation: read once, checked, complete.

Knows nothing of Django. A name that starts with BONEYARD_ and is not listed here, or a
value that cannot be, raises `BadEnvironment`: a `SystemExit`, so that every entry point
(manage.py, daphne, celery) stops with one clear line in place of a traceback.
"""

import difflib
import os
import re
import secrets
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from email.utils import parseaddr
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

from environs import Env, EnvValidationError, validate

from games.prepared import read_deals

BASE_DIR = Path(__file__).resolve().parent.parent
LOCAL_HOSTS = ("localhost", "127.0.0.1", "[::1]")
SOCKET_PATH_LIMIT = 90  # the kernel cuts Unix socket paths off at 104 to 108 bytes
SECRET_KEY_BYTES = 50
SHORTEST_SECRET_KEY = 32  # characters
LONGEST_MS = 86_400_000  # a day: whatever is longer is a slip
MOST_PROXIES = 20
CONNECT_TIMEOUT_S = "10"  # a text, as a query of DATABASE_URL would give it
PREFIX = "BONEYARD_"
HOST = re.compile(r"\.?[a-z0-9-]+(\.[a-z0-9-]+)*|\[[0-9a-f:.]+\]")

# Read here, or (the last group) by the test suite, which shares the prefix.
KNOWN_NAMES = frozenset(
    {
        "BONEYARD_CONTINUE_CAP_MS",
        "BONEYARD_DEBUG",
        "BONEYARD_GRACE_MS",
        "BONEYARD_HOSTS",
        "BONEYARD_HTTPS",
        "BONEYARD_LOG_FORMAT",
        "BONEYARD_LOG_LEVEL",
        "BONEYARD_MAIL_FROM",
        "BONEYARD_MAIL_URL",
        "BONEYARD_SECRET_KEY",
        "BONEYARD_START_CAP_MS",
        "BONEYARD_TEST_DEALS",
        "BONEYARD_TIMERS",
        "BONEYARD_TRUSTED_PROXIES",
        "BONEYARD_VAR",
        "BONEYARD_SOAK",
        "BONEYARD_TEST_DATABASE",
        "BONEYARD_TEST_SERVICES",
    }
)


class BadEnvironment(SystemExit):
    """The environment asks for something that does not exist or cannot be."""

    def __init__(self, *lines: str) -> None:
        super().__init__("\n".join(f"boneyard: {line}" for line in lines))


@dataclass(frozen=True, slots=True)
class Environment:
    """Every choice the environment offers, with its default filled in. Times in ms."""

    debug: bool
    var_dir: Path
    secret_key: str
    hosts: tuple[str, ...]
    https: bool
    trusted_proxies: int
    database: dict[str, Any]
    valkey_url: str
    valkey_is_ours: bool
    mail: dict[str, Any]
    mail_from: str
    log_level: str
    log_format: str
    grace_ms: int
    start_cap_ms: int
    continue_cap_ms: int
    timers: bool
    test_deals: Path | None


def read_environment() -> Environment:
    """The environment of this process, checked. Raises BadEnvironment."""
    unknown = unknown_names(os.environ)
    if unknown:
        raise BadEnvironment(*unknown)
    env = Env(eager=False)
    span = validate.Range(min=1, max=LONGEST_MS)
    with env.prefixed(PREFIX):
        debug = env.bool("DEBUG", False)
        var_name = env.str("VAR", "").strip()
        hosts: list[str] = env.list("HOSTS", [])
        https = env.bool("HTTPS", False)
        trusted_proxies = env.int("TRUSTED_PROXIES", 0, validate=validate.Range(min=0, max=MOST_PROXIES))
        secret_key = env.str("SECRET_KEY", "")
        mail_url = env.str("MAIL_URL", "console:")
        mail_from = env.str("MAIL_FROM", "Boneyard <boneyard@localhost>")
        log_level = env.str("LOG_LEVEL", "INFO", validate=validate.OneOf(["DEBUG", "INFO", "WARNING", "ERROR"]))
        log_format = env.str("LOG_FORMAT", "plain", validate=validate.OneOf(["plain", "json"]))
        grace_ms = env.int("GRACE_MS", 500, validate=span)  # D-27
        start_cap_ms = env.int("START_CAP_MS", 60_000, validate=span)  # D-1
        continue_cap_ms = env.int("CONTINUE_CAP_MS", 30_000, validate=span)  # D-2
        timers = env.bool("TIMERS", True)
        test_deals = env.str("TEST_DEALS", "").strip()
    database_url = env.str("DATABASE_URL", "").strip()
    valkey_url = env.str("VALKEY_URL", "").strip()
    try:
        env.seal()
    except EnvValidationError as error:
        faults: Any = error.error_messages  # a list of texts by name
        raise BadEnvironment(*(f"{name}: {' '.join(map(plainer, texts))}" for name, texts in faults.items())) from None
    # An empty value is none, as compose files write it.
    var_dir = usable_folder(var_name or BASE_DIR / "var", needed=not (secret_key and database_url and valkey_url))
    return Environment(
        debug=debug,
        var_dir=var_dir,
        secret_key=check_secret_key("BONEYARD_SECRET_KEY", secret_key) if secret_key else kept_secret_key(var_dir),
        hosts=check_hosts(hosts, debug=debug),
        https=https,
        trusted_proxies=trusted_proxies,
        database=parse_database_url(database_url) if database_url else sqlite_database(var_dir / "boneyard.sqlite3"),
        valkey_url=check_valkey_url(valkey_url) if valkey_url else f"unix://{valkey_socket(var_dir)}?db=0",
        valkey_is_ours=not valkey_url,
        mail=parse_mail_url(mail_url),
        mail_from=check_mail_from(mail_from),
        log_level=log_level,
        log_format=log_format,
        grace_ms=grace_ms,
        start_cap_ms=start_cap_ms,
        continue_cap_ms=continue_cap_ms,
        timers=timers,
        test_deals=check_test_deals(Path(test_deals)) if test_deals else None,
    )


def unknown_names(environ: Mapping[str, str]) -> list[str]:
    """One line for each BONEYARD_ variable nobody reads, with the nearest real name."""
    lines = []
    for name in sorted(environ):
        if name.startswith(PREFIX) and name not in KNOWN_NAMES:
            # Without the prefix, which alone would make any two names alike.
            known = [other.removeprefix(PREFIX) for other in KNOWN_NAMES]
            near = difflib.get_close_matches(name.removeprefix(PREFIX), known, n=1)
            hint = f" Did you mean {PREFIX}{near[0]}?" if near else ""
            lines.append(f"{name} is not a setting.{hint}")
    return lines


def plainer(text: str) -> str:
    """What the reader of settings says, with the words that would do."""
    return "expected true or false." if text == "Not a valid boolean." else text


def usable_folder(name: str | Path, *, needed: bool) -> Path:
    """The folder of the site's own files, made when it is `needed`."""
    try:
        folder = Path(name).resolve()
        if needed:
            folder.parent.mkdir(parents=True, exist_ok=True)
            # Of the site's account alone: the database in it holds password hashes and the tiles of running hands.
            folder.mkdir(mode=0o700, exist_ok=True)
    except (OSError, RuntimeError) as error:  # RuntimeError: links in a ring
        reason = getattr(error, "strerror", None) or "the links to it go round in a ring"
        raise BadEnvironment(f"BONEYARD_VAR: {name} cannot be the site's folder: {reason}.") from None
    return folder


def check_hosts(names: Iterable[str], *, debug: bool) -> tuple[str, ...]:
    """The host names the site answers to, this machine's own first. "*" is for debugging only."""
    hosts = list(LOCAL_HOSTS)
    for name in (name.strip().lower() for name in names):
        if name == "*" and not debug:
            raise BadEnvironment("BONEYARD_HOSTS: * would let any name in; name the hosts of the site.")
        if name and name != "*" and not HOST.fullmatch(name):
            raise BadEnvironment(
                f"BONEYARD_HOSTS: {name!r} is not a host name. Write dominoes.example: no scheme, no port, no path."
            )
        if name and name not in hosts:
            hosts.append(name)
    return tuple(hosts)


def secure_origins(hosts: Iterable[str]) -> list[str]:
    """The origins of pages under these hosts. ".club.example" is all names under it, which origins say with a star."""
    return [f"https://{'*' if host.startswith('.') else ''}{host}" for host in hosts]


def check_mail_from(sender: str) -> str:
    """The sender of the site's mail, fit to be a header."""
    if not sender.isprintable() or "@" not in parseaddr(sender)[1]:
        raise BadEnvironment("BONEYARD_MAIL_FROM: expected Name <name@host> on one line.")
    return sender


def check_test_deals(path: Path) -> Path:
    """The file of prepared deals, read once to see that it is one."""
    if not path.is_file():
        raise BadEnvironment(f"BONEYARD_TEST_DEALS: there is no file {path}.")
    try:
        read_deals(path)
    except ValueError as error:
        raise BadEnvironment(f"BONEYARD_TEST_DEALS: {error}.") from None
    return path


def split_address(name: str, url: str, expected: str) -> tuple[SplitResult, int | None]:
    """The parts of an address, and its port. No refusal repeats the address: it may hold a password."""
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


def parse_database_url(url: str) -> dict[str, Any]:
    """Django's settings for `postgresql://user:password@host:port/name` or `sqlite:///path`.

    `?host=/folder` names the folder of a Unix socket, as libpq does; other query values
    are passed on as connection options.
    """
    expected = "postgresql://user:password@host:port/name or sqlite:///path"
    parts, port = split_address("DATABASE_URL", url, expected)
    if parts.scheme == "sqlite" and parts.path.strip("/"):
        path = unquote(parts.path)
        # sqlite:///relative and sqlite:////absolute, as SQLAlchemy writes them.
        return sqlite_database(Path(path[1:]) if path.startswith("//") else BASE_DIR / path[1:])
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


def valkey_socket(var_dir: Path) -> Path:
    """Where our own Valkey listens: inside `var_dir`, or in a short place when that path is too long."""
    inside = var_dir / "valkey.sock"
    if len(os.fsencode(inside)) <= SOCKET_PATH_LIMIT:
        return inside
    digest = sha256(os.fsencode(var_dir)).hexdigest()[:12]
    return Path(tempfile.gettempdir()) / f"boneyard-{os.getuid()}-{digest}" / "valkey.sock"


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


def kept_secret_key(var_dir: Path) -> str:
    """The installation's secret key out of `var_dir`, made there on the first call and readable by its owner only."""
    path = var_dir / "secret-key"
    try:
        if not path.exists():
            _make_secret_key(path)
        key = path.read_text(encoding="utf-8")
    except OSError as error:
        raise BadEnvironment(f"{path}: the secret key cannot be kept there: {error.strerror}.") from None
    except UnicodeDecodeError:
        key = ""
    return check_secret_key(str(path), key)


def check_secret_key(place: str, key: str) -> str:
    """The key without blanks around it: whoever can guess it can sign in as anybody."""
    key = key.strip()
    if len(key) < SHORTEST_SECRET_KEY:
        raise BadEnvironment(f"{place}: a secret key has {SHORTEST_SECRET_KEY} random characters or more.")
    return key


def _make_secret_key(path: Path) -> None:
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix="secret-key-")  # created with mode 0600
    fresh = Path(name)
    try:
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_urlsafe(SECRET_KEY_BYTES))
        # A link, not a rename: of several processes that start at once, the first one's key stays.
        os.link(fresh, path)
    except FileExistsError:
        pass
    finally:
        fresh.unlink()
