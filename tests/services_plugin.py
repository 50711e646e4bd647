"""Starts the servers the tests stand on, before Django reads its settings.

Loaded by `-p tests.services_plugin`. A throw-away PostgreSQL and Valkey listen on Unix
sockets in a short temporary folder; their addresses are handed over in the environment,
where the processes of pytest-xdist find them too. BONEYARD_TEST_DATABASE=sqlite runs
the tests on SQLite, a postgresql:// address on a server of one's own. What is missing is
a failure with CI set; else the database falls back to SQLite, and the header says so.
"""

import contextlib
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from config.leash import die_with_parent
from config.services import Postgres, ServiceMissing, find_postgres, find_valkey, valkey_answers, valkey_command

START_LIMIT_S = 20.0
VALKEY_DATABASES = 64
HANDED_OVER = "BONEYARD_TEST_SERVICES"
INITDB_FLAGS = ["-U", "boneyard", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "--no-instructions"]
POSTGRES_FLAGS = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "listen_addresses": "",
    "max_connections": "200",
    "shared_buffers": "64MB",
    "jit": "off",
}


class Services:
    """The servers of one test session and the folder they live in."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="by-"))
        self.folder.chmod(0o755)
        self.running: list[tuple[subprocess.Popen[bytes], signal.Signals]] = []
        self.notes: list[str] = []

    def start(self) -> None:
        """Starts what is asked for and hands the addresses over."""
        os.environ["BONEYARD_VAR"] = str(self.folder / "var")
        os.environ["VALKEY_URL"] = self.start_valkey()
        os.environ["DATABASE_URL"] = self.choose_database(os.environ.get("BONEYARD_TEST_DATABASE", "postgresql"))

    def choose_database(self, asked: str) -> str:
        if "://" in asked:
            self.notes.append("database: the server named by BONEYARD_TEST_DATABASE")
            return asked
        if asked == "postgresql":
            try:
                return self.start_postgres(find_postgres())
            except ServiceMissing as missing:
                if os.environ.get("CI"):
                    raise
                self.notes.append(f"database: SQLITE IN PLACE OF POSTGRESQL. {missing}")
        else:
            self.notes.append("database: SQLite")
        return f"sqlite:///{self.folder / 'boneyard.sqlite3'}".replace("sqlite:///", "sqlite:////", 1)

    def start_valkey(self) -> str:
        socket = self.folder / "valkey.sock"
        command = valkey_command(
            find_valkey(), socket_path=socket, directory=self.folder, keep=False, databases=VALKEY_DATABASES
        )
        self.run(command, log="valkey.log", stop=signal.SIGTERM)
        self.wait_until(lambda: valkey_answers(socket), log="valkey.log")
        return f"unix://{socket}?db=0"

    def start_postgres(self, found: Postgres) -> str:
        """PostgreSQL refuses to run as root: then it runs as `nobody`, from a place `nobody` can reach."""
        folder = self.folder / "pg"
        folder.mkdir()
        who: dict[str, int | list[int]] = {}
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            who = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
            os.chown(folder, nobody.pw_uid, nobody.pw_gid)
            if not _starts(found.bin_dir / "postgres", who):
                found = self.copied(found)
        subprocess.run(
            [found.bin_dir / "initdb", "-D", folder / "data", *INITDB_FLAGS],
            check=True,
            cwd=folder,
            stdout=subprocess.DEVNULL,
            **who,
        )
        flags = [word for name, value in POSTGRES_FLAGS.items() for word in ("-c", f"{name}={value}")]
        self.run(
            [str(found.bin_dir / "postgres"), "-D", str(folder / "data"), "-k", str(folder), *flags],
            log="postgres.log",
            stop=signal.SIGQUIT,
            **who,
        )
        self.wait_until(lambda: _accepts(found.bin_dir / "pg_isready", folder, who), log="postgres.log")
        self.notes.append("database: a throw-away PostgreSQL")
        return f"postgresql://boneyard@/postgres?host={folder}"

    def copied(self, found: Postgres) -> Postgres:
        """The same programs in the session's folder, with the libraries a wheel keeps next to them."""
        root = self.folder / found.root.name
        shutil.copytree(found.root, root, symlinks=True)
        libraries = found.root.with_name(found.root.name + ".libs")
        if libraries.is_dir():
            shutil.copytree(libraries, root.with_name(root.name + ".libs"), symlinks=True)
        return Postgres(bin_dir=root / found.bin_dir.relative_to(found.root), root=root)

    def run(self, command: list[str], *, log: str, stop: signal.Signals, **who: int | list[int]) -> None:
        with (self.folder / log).open("wb") as output:
            process = subprocess.Popen(
                command,
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=die_with_parent(stop),
                **who,
            )
        self.running.append((process, stop))

    def wait_until(self, is_there: Callable[[], bool], *, log: str) -> None:
        process = self.running[-1][0]
        limit_s = time.monotonic() + START_LIMIT_S
        while not is_there():
            if process.poll() is not None or time.monotonic() > limit_s:
                raise pytest.UsageError(f"{log}:\n{(self.folder / log).read_text(errors='replace')}")
            time.sleep(0.02)

    def stop(self) -> None:
        for process, stop in reversed(self.running):
            process.send_signal(stop)
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


_services: Services | None = None


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests() -> None:
    """Before pytest-django's own hook, which imports the settings."""
    global _services
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    if os.environ.get(HANDED_OVER):
        if worker:  # each process of xdist has a Valkey database of its own
            address = os.environ["VALKEY_URL"].partition("?")[0]
            os.environ["VALKEY_URL"] = f"{address}?db={int(worker.removeprefix('gw')) + 1}"
        return
    _services = Services()
    try:
        _services.start()
    except ServiceMissing as missing:
        _services.stop()
        raise pytest.UsageError(str(missing)) from missing
    except BaseException:
        _services.stop()
        raise
    os.environ[HANDED_OVER] = str(_services.folder)


def pytest_report_header() -> list[str]:
    return _services.notes if _services is not None else []


def pytest_unconfigure() -> None:
    global _services
    if _services is not None:
        services, _services = _services, None
        os.environ.pop(HANDED_OVER, None)
        services.stop()


def _starts(program: Path, who: dict[str, int | list[int]]) -> bool:
    with contextlib.suppress(OSError):
        answer = subprocess.run([program, "--version"], cwd="/", capture_output=True, **who)
        return bool(answer.returncode == 0)
    return False


def _accepts(program: Path, folder: Path, who: dict[str, int | list[int]]) -> bool:
    answer = subprocess.run([program, "-q", "-h", folder], cwd="/", capture_output=True, **who)
    return bool(answer.returncode == 0)
