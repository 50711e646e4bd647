"""Children end with their parent, by the kernel's help or by a process in between."""

import signal
import subprocess
import sys
from collections.abc import Iterator

import psutil
import pytest

from config.leash import IS_LINUX, leashed
from tests.stack import ROOT, wait_until

SLEEPER = [sys.executable, "-c", "import signal; print('up', flush=True); signal.pause()"]
PARENT = """\
import subprocess, sys
from config.leash import die_with_parent
child = subprocess.Popen([sys.executable, "-c", "import signal; signal.pause()"], preexec_fn=die_with_parent())
print(child.pid, flush=True)
child.wait()
"""


@pytest.fixture
def between() -> Iterator[subprocess.Popen[str]]:
    """The process in between, with its child running."""
    process = subprocess.Popen(
        leashed(SLEEPER), cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "up\n"
    yield process
    if process.poll() is None:
        process.kill()
    process.communicate()


def test_a_closed_pipe_ends_the_child(between: subprocess.Popen[str]) -> None:
    (child,) = psutil.Process(between.pid).children()
    assert between.stdin is not None
    between.stdin.close()
    between.stdin = None
    assert between.wait(10) == 128 + signal.SIGKILL
    assert not child.is_running()


def test_signals_are_passed_on(between: subprocess.Popen[str]) -> None:
    (child,) = psutil.Process(between.pid).children()
    between.terminate()
    assert between.wait(10) == 128 + signal.SIGTERM
    assert not child.is_running()


@pytest.mark.skipif(not IS_LINUX, reason="the kernel's help is Linux's")
def test_the_kernel_ends_the_child_of_a_killed_parent() -> None:
    with subprocess.Popen([sys.executable, "-c", PARENT], cwd=ROOT, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        child = psutil.Process(int(parent.stdout.readline()))
        parent.kill()
    wait_until(lambda: not child.is_running() or child.status() == psutil.STATUS_ZOMBIE, limit_s=10)
