"""The site's real processes, started by `manage.py up` for one test or one measurement."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from config.leash import die_with_parent

ROOT = Path(__file__).resolve().parent.parent
READY_LIMIT_S = 180.0  # generous: a first start also cuts the fonts, and the machine may be crowded
STOP_LIMIT_S = 10.0
POLL_S = 0.02
# How a child of the supervisor is told from its siblings: words of its command line.
MARKS = {
    "web": ("daphne",),
    "clock": ("worker", "clock@%h"),
    "worker": ("worker", "worker@%h"),
    "beat": ("celery.beat:Scheduler",),
    "valkey": ("valkey.sock",),
}


@dataclass
class Stack:
    """A running site. `base_url` has no slash at its end."""

    base_url: str
    port: int
    var_dir: Path
    supervisor: subprocess.Popen[bytes]
    environment: dict[str, str]
    output: Path
    marks: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MARKS)

    @property
    def pids(self) -> dict[str, int]:
        """The process ids of the children that live now: web, clock, worker, beat and our own valkey."""
        found: dict[str, int] = {}
        for child in psutil.Process(self.supervisor.pid).children():
            try:
                words = child.cmdline()
                if child.status() == psutil.STATUS_ZOMBIE:
                    continue
            except psutil.NoSuchProcess:
                continue
            for name, marks in self.marks.items():
                if name not in found and all(any(mark in word for word in words) for mark in marks):
                    found[name] = child.pid
        return found

    def kill(self, name: str) -> int:
        """SIGKILL to one child; the id it had."""
        pid = self.pids[name]
        os.kill(pid, signal.SIGKILL)
        return pid

    def wait_for_another(self, name: str, than: int, *, limit_s: float = 10.0) -> int:
        """Waits until the child of that name is another process; its id."""
        return wait_until(lambda: (pid := self.pids.get(name)) != than and pid, limit_s=limit_s)

    def readiness(self) -> dict[str, object]:
        """What /readyz says; empty when nobody answers."""
        try:
            with urllib.request.urlopen(f"{self.base_url}/readyz", timeout=2) as answer:
                found: dict[str, object] = json.load(answer)
        except urllib.error.HTTPError as error:
            found = json.load(error)
        except OSError:
            return {}
        return found

    def wait_until_ready(self, *, limit_s: float = READY_LIMIT_S) -> None:
        """Raises AssertionError with the last lines of the output, at once when the supervisor has ended."""

        def ready() -> object:
            code = self.supervisor.poll()
            assert code is None, f"the supervisor ended with {code}\n{self.last_lines()}"
            return self.readiness().get("ready")

        wait_until(ready, limit_s=limit_s, complain=self.last_lines)

    def manage(self, *words: str, stdin: str | None = None) -> str:
        """Runs `manage.py` with the site's own settings; what it prints. Raises CalledProcessError."""
        command = [sys.executable, "manage.py", *words]
        done = subprocess.run(
            command, cwd=ROOT, env=self.environment, input=stdin, capture_output=True, text=True, check=True
        )
        return done.stdout

    def last_lines(self, count: int = 40) -> str:
        return "\n".join(self.output.read_text(errors="replace").splitlines()[-count:])

    def stop(self, with_signal: signal.Signals = signal.SIGTERM) -> float:
        """Stops the site; how long it took, in seconds."""
        started_s = time.monotonic()
        if self.supervisor.poll() is None:
            self.supervisor.send_signal(with_signal)
            try:
                self.supervisor.wait(STOP_LIMIT_S)
            except subprocess.TimeoutExpired:
                self.supervisor.kill()
                self.supervisor.wait()
                raise
        return time.monotonic() - started_s


@contextmanager
def running_stack(
    tmp_path: Path | None = None,
    *,
    database: str = "sqlite",
    extra_env: Mapping[str, str] | None = None,
    port: int = 0,
    wait: bool = True,
) -> Iterator[Stack]:
    """Starts the whole site on a port of its own, with its own files, and stops it at the end.

    `database`: "sqlite", or a postgresql:// address. `tmp_path`: where var/ and the output
    go; a new folder when left out. Waits until /readyz is green, unless `wait` is False.
    """
    with tempfile.TemporaryDirectory(prefix="by-") as spare:
        folder = Path(tmp_path or spare)
        environment = stack_environment(folder / "var", database=database, extra_env=extra_env)
        output = folder / "up.log"
        with output.open("ab") as file:
            supervisor = subprocess.Popen(
                [sys.executable, "manage.py", "up", "--port", str(port)],
                cwd=ROOT,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                preexec_fn=die_with_parent(signal.SIGTERM),
            )
        try:
            found_port = port or _wait_for_port(supervisor, folder / "var", output)
            base_url = f"http://localhost:{found_port}"
            stack = Stack(base_url, found_port, folder / "var", supervisor, environment, output)
            if wait:
                stack.wait_until_ready()
            yield stack
        finally:
            if supervisor.poll() is None:
                supervisor.terminate()
                try:
                    supervisor.wait(STOP_LIMIT_S)
                except subprocess.TimeoutExpired:
                    supervisor.kill()
                    supervisor.wait()


def refused_start(var_dir: Path, *words: str, **more: Any) -> str:
    """What is said where the site does not start. `words` in place of `--port 0`; `more` as for `stack_environment`."""
    command = [sys.executable, "manage.py", "up", *(words or ("--port", "0"))]
    environment = stack_environment(var_dir, **more)
    refused = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert refused.returncode != 0
    return refused.stderr


def stack_environment(
    var_dir: Path, *, database: str = "sqlite", extra_env: Mapping[str, str] | None = None
) -> dict[str, str]:
    """The environment of a site on its own: nothing of the test session's settings is left in it."""
    ours = ("BONEYARD_", "PYTEST_")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    for name in ("DATABASE_URL", "VALKEY_URL", "DJANGO_SETTINGS_MODULE"):
        environment.pop(name, None)
    environment["BONEYARD_VAR"] = str(var_dir)
    if database != "sqlite":
        environment["DATABASE_URL"] = database
    return {**environment, **(extra_env or {})}


def wait_until(question: Callable[[], Any], *, limit_s: float, complain: Callable[[], str] = str) -> Any:
    """The first true answer to `question`. Raises AssertionError after `limit_s`."""
    end_s = time.monotonic() + limit_s
    while not (answer := question()):
        assert time.monotonic() < end_s, f"not within {limit_s} s\n{complain()}"
        time.sleep(POLL_S)
    return answer


def _wait_for_port(supervisor: subprocess.Popen[bytes], var_dir: Path, output: Path) -> int:
    """The port that `--port 0` found: the supervisor listens on it, alone."""

    def listening() -> int:
        assert supervisor.poll() is None, output.read_text(errors="replace")
        for connection in psutil.Process(supervisor.pid).net_connections(kind="tcp"):
            if connection.status == psutil.CONN_LISTEN:
                return int(connection.laddr.port)
        return 0

    return wait_until(listening, limit_s=READY_LIMIT_S, complain=lambda: output.read_text(errors="replace"))
