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

from environs import Env, EnvValidationError, validate

from config.addresses import BadEnvironment, check_valkey_url, parse_database_url, parse_mail_url, sqlite_database
from games.prepared import read_deals

BASE_DIR = Path(__file__).resolve().parent.parent
LOCAL_HOSTS = ("localhost", "127.0.0.1", "[::1]")
SOCKET_PATH_LIMIT = 90  # the kernel cuts Unix socket paths off at 104 to 108 bytes
SECRET_KEY_BYTES = 50
SHORTEST_SECRET_KEY = 32  # characters
LONGEST_MS = 86_400_000  # a day: whatever is longer is a slip
MOST_PROXIES = 20
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
    unchanged = _unchanged_values(env)
    database_url = env.str("DATABASE_URL", "").strip()
    valkey_url = env.str("VALKEY_URL", "").strip()
    with env.prefixed(PREFIX):
        var_name = env.str("VAR", "").strip()
        hosts: list[str] = env.list("HOSTS", [])
        secret_key = env.str("SECRET_KEY", "")
        mail_url = env.str("MAIL_URL", "console:")
        mail_from = env.str("MAIL_FROM", "Boneyard <boneyard@localhost>")
        test_deals = env.str("TEST_DEALS", "").strip()
    try:
        env.seal()
    except EnvValidationError as error:
        faults: Any = error.error_messages  # a list of texts by name
        raise BadEnvironment(*(f"{name}: {' '.join(map(plainer, texts))}" for name, texts in faults.items())) from None
    # An empty value is none, as compose files write it.
    var_dir = usable_folder(var_name or BASE_DIR / "var", needed=not (secret_key and database_url and valkey_url))
    return Environment(
        **unchanged,
        var_dir=var_dir,
        secret_key=check_secret_key("BONEYARD_SECRET_KEY", secret_key) if secret_key else kept_secret_key(var_dir),
        hosts=check_hosts(hosts, debug=unchanged["debug"]),
        database=(
            parse_database_url(database_url, base=BASE_DIR)
            if database_url
            else sqlite_database(var_dir / "boneyard.sqlite3")
        ),
        valkey_url=check_valkey_url(valkey_url) if valkey_url else f"unix://{valkey_socket(var_dir)}?db=0",
        valkey_is_ours=not valkey_url,
        mail=parse_mail_url(mail_url),
        mail_from=check_mail_from(mail_from),
        test_deals=check_test_deals(Path(test_deals)) if test_deals else None,
    )


def _unchanged_values(env: Env) -> dict[str, Any]:
    """What goes into `Environment` as it is read, by the names of its fields."""
    span = validate.Range(min=1, max=LONGEST_MS)
    with env.prefixed(PREFIX):
        return {
            "debug": env.bool("DEBUG", False),
            "https": env.bool("HTTPS", False),
            "trusted_proxies": env.int("TRUSTED_PROXIES", 0, validate=validate.Range(min=0, max=MOST_PROXIES)),
            "log_level": env.str("LOG_LEVEL", "INFO", validate=validate.OneOf(["DEBUG", "INFO", "WARNING", "ERROR"])),
            "log_format": env.str("LOG_FORMAT", "plain", validate=validate.OneOf(["plain", "json"])),
            "grace_ms": env.int("GRACE_MS", 500, validate=span),  # D-27
            "start_cap_ms": env.int("START_CAP_MS", 60_000, validate=span),  # D-1
            "continue_cap_ms": env.int("CONTINUE_CAP_MS", 30_000, validate=span),  # D-2
            "timers": env.bool("TIMERS", True),
        }


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


def valkey_socket(var_dir: Path) -> Path:
    """Where our own Valkey listens: inside `var_dir`, or in a short place when that path is too long."""
    inside = var_dir / "valkey.sock"
    if len(os.fsencode(inside)) <= SOCKET_PATH_LIMIT:
        return inside
    digest = sha256(os.fsencode(var_dir)).hexdigest()[:12]
    return Path(tempfile.gettempdir()) / f"boneyard-{os.getuid()}-{digest}" / "valkey.sock"


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
