"""`manage.py up` against real processes: start, restart, stop, and what is left behind."""

import os
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from config.environment import valkey_socket
from tests.stack import ROOT, Stack, refused_start, running_stack, stack_environment, wait_until

pytestmark = pytest.mark.real_stack

FIRST_ANSWER_LIMIT_S = 5.0
STOP_LIMIT_S = 3.0
RECOVERY_LIMIT_S = 10.0
EVERY_CHILD = {"valkey", "web", "clock", "worker", "beat"}


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """One site for the tests that leave it running."""
    with running_stack(tmp_path_factory.mktemp("stack")) as running:
        yield running


def up(stack: Stack, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "manage.py", "up", *words]
    return subprocess.run(
        command, cwd=ROOT, env=stack.environment, capture_output=True, text=True, timeout=30, check=False
    )


def all_gone(pids: list[int]) -> bool:
    return all(not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE for pid in pids)


def test_every_process_is_there_once_the_address_is_printed(stack: Stack) -> None:
    wait_until(lambda: f"Boneyard is ready: {stack.base_url}/" in stack.last_lines(), limit_s=5)
    assert set(stack.pids) == EVERY_CHILD
    assert stack.readiness() == {
        "ready": True,
        "database": "ok",
        "valkey": "ok",
        "migrations": "ok",
        "sweep": "ok",
    }


def test_each_process_has_a_session_of_its_own(stack: Stack) -> None:
    assert {os.getsid(pid) for pid in stack.pids.values()} == set(stack.pids.values())


def test_the_first_answer_comes_within_seconds(tmp_path: Path) -> None:
    """From a folder that was set up before. The better of two, and more patience on a crowded machine."""
    crowd = max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))
    took_s = []
    for _ in range(2):
        started_s = time.monotonic()
        with running_stack(tmp_path, wait=False) as running:
            wait_until(running.readiness, limit_s=30)
            took_s.append(time.monotonic() - started_s)
    assert min(took_s) < FIRST_ANSWER_LIMIT_S * crowd


def test_a_second_instance_is_refused(stack: Stack) -> None:
    second = up(stack, "--port", "0")
    assert second.returncode != 0
    assert second.stderr == f"CommandError: Boneyard is already running here (process {stack.supervisor.pid}).\n"


def test_a_port_that_is_taken_is_one_clear_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        refused = refused_start(tmp_path, "--port", str(port))
    assert refused == f"CommandError: Cannot listen on 127.0.0.1, port {port}: Address already in use.\n"


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("--port", "65536"), "manage.py up: error: argument --port: a port is a number from 0 to 65535"),
        (
            ("--bind", "no.such.name.invalid", "--port", "0"),
            "CommandError: Cannot listen on no.such.name.invalid, port 0: there is no such address.",
        ),
    ],
)
def test_an_address_that_cannot_be_is_one_clear_line(tmp_path: Path, words: tuple[str, ...], line: str) -> None:
    refused = refused_start(tmp_path, *words)
    assert refused.splitlines()[-1] == line
    assert "Traceback" not in refused


def test_a_file_that_cannot_be_written_is_one_clear_line(tmp_path: Path) -> None:
    lock = tmp_path / "boneyard.lock"
    lock.mkdir()
    assert refused_start(tmp_path) == f"CommandError: {lock}: Is a directory.\n"


def test_its_files_are_its_own(stack: Stack) -> None:
    key = stack.var_dir / "secret-key"
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert len(key.read_text()) >= 50
    assert {path.name for path in (stack.var_dir / "log").glob("*.log")} <= {f"{name}.log" for name in EVERY_CHILD}


@pytest.mark.parametrize("name", sorted(EVERY_CHILD))
def test_a_killed_process_comes_back(stack: Stack, name: str) -> None:
    stack.wait_for_another(name, stack.kill(name), limit_s=RECOVERY_LIMIT_S)
    stack.wait_until_ready(limit_s=RECOVERY_LIMIT_S)


@pytest.fixture
def _hang_ups_count() -> Iterator[None]:
    """Under nohup they are ignored, here and in all that is started from here."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.mark.usefixtures("_hang_ups_count")
@pytest.mark.parametrize("with_signal", [signal.SIGHUP, signal.SIGINT, signal.SIGTERM])
def test_it_stops_in_order(tmp_path: Path, with_signal: signal.Signals) -> None:
    with running_stack(tmp_path) as running:
        pids = list(running.pids.values())
        assert running.stop(with_signal) < STOP_LIMIT_S
        assert running.supervisor.returncode == 0
        assert all_gone(pids)
        assert running.last_lines(1) == "Stopped."


def test_it_stops_while_it_starts(tmp_path: Path) -> None:
    with running_stack(tmp_path, wait=False) as running:
        wait_until(lambda: running.pids, limit_s=60)
        pids = list(running.pids.values())
        assert running.stop() < STOP_LIMIT_S
        assert all_gone(pids)


def test_a_killed_supervisor_leaves_nothing_behind(tmp_path: Path) -> None:
    with running_stack(tmp_path) as running:
        pids = list(running.pids.values())
        assert len(pids) == len(EVERY_CHILD)
        running.supervisor.kill()
        running.supervisor.wait()
        wait_until(lambda: all_gone(pids), limit_s=3)
    with running_stack(tmp_path) as again:
        assert again.readiness()["ready"]


def test_the_secret_key_is_made_once(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "from django.conf import settings; print(settings.SECRET_KEY)"]
    environment = {**stack_environment(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings"}
    started = [
        subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(3)
    ]
    keys = {process.communicate(timeout=30)[0] for process in started}
    assert len(keys) == 1
    assert len(keys.pop()) > 50


def test_a_deep_folder_gets_a_short_socket_while_the_site_runs(tmp_path: Path) -> None:
    deep = tmp_path / ("d" * 60) / ("e" * 60)
    deep.mkdir(parents=True)
    short = valkey_socket(deep / "var").parent
    assert short.parent == Path(tempfile.gettempdir())
    short.mkdir(mode=0o700)  # as a killed site leaves it
    (short / "valkey.sock").touch()
    with running_stack(deep) as running:
        assert running.readiness()["valkey"] == "ok"
        assert stat.S_IMODE(short.stat().st_mode) == 0o700
    assert not short.exists()


def test_a_short_folder_of_somebody_else_is_refused(tmp_path: Path) -> None:
    deep = tmp_path / ("d" * 60) / ("e" * 60)
    short = valkey_socket(deep / "var").parent
    short.mkdir(mode=0o755)
    try:
        refused = refused_start(deep / "var")
    finally:
        short.rmdir()
    assert refused.splitlines()[-1].startswith(f"CommandError: {short} is not ours alone: ")
