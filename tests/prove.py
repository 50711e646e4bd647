"""`./run test`: every check of the project, one after another, all of them even when one fails.

With words, they go to pytest and no other check is run. The summary ends with the closing
lines of the pytest runs, the main one last.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from config.leash import die_with_parent
from tests.chromium import find_chromium, install_chromium

ROOT = Path(__file__).resolve().parent.parent
PYTHON = sys.executable
PYTEST = (PYTHON, "-m", "pytest")
# Two sites and two browsers; a file stays whole, since its tests share what they open.
BY_FILE = ("-n", "2", "--dist", "loadfile")
LINT_IMPORTS = "from importlinter.cli import lint_imports_command; lint_imports_command()"
# What speaks to the database most; the whole suite runs on PostgreSQL.
ON_SQLITE = ("tests/games", "tests/ratings", "tests/lobby", "tests/accounts", "tests/device")


@dataclass(frozen=True, slots=True)
class Step:
    name: str
    command: tuple[str, ...]
    environment: tuple[tuple[str, str], ...] = ()
    is_pytest: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    step: Step
    passed: bool
    took_s: float
    closing_line: str


# What a fresh clone lacks; quick when it is there.
PREPARE = Step("fonts, messages, static files", (PYTHON, "manage.py", "prepare"))


def steps(*, browser: bool) -> list[Step]:
    """In the order they run: what is quick to fail comes first."""
    on_sqlite = tuple(path for path in ON_SQLITE if (ROOT / path).is_dir())
    return [
        Step("ruff format", (PYTHON, "-m", "ruff", "format", "--check", "--quiet", ".")),
        Step("ruff check", (PYTHON, "-m", "ruff", "check", "--quiet", ".")),
        Step("mypy", (PYTHON, "-m", "mypy")),
        # Not the script beside it, which names the folder it was installed in.
        Step("import contracts", (PYTHON, "-c", LINT_IMPORTS, "--no-cache")),
        PREPARE,
        Step("migrations", (PYTHON, "manage.py", "makemigrations", "--check", "--dry-run", "--verbosity", "1")),
        Step("message catalogues", (PYTHON, "-m", "config.messages", "check")),
        Step(
            "tests on SQLite",
            (*PYTEST, "-n", "2", "-m", "not real_stack", *on_sqlite),
            (("BONEYARD_TEST_DATABASE", "sqlite"),),
            is_pytest=True,
        ),
        Step("tests of the real processes", (*PYTEST, "-m", "real_stack"), is_pytest=True),
        *([Step("tests in a browser", (*PYTEST, *BY_FILE, "tests/browser"), is_pytest=True)] if browser else []),
        Step("tests", (*PYTEST, "-n", "2", "-m", "not real_stack"), is_pytest=True),
    ]


def run(step: Step) -> Result:
    print(f"\n=== {step.name}", flush=True)
    started_s = time.monotonic()
    closing_line = ""
    with tempfile.TemporaryDirectory(prefix="by-") as folder:
        environment = {**os.environ, "BONEYARD_VAR": folder, **dict(step.environment)}
        with subprocess.Popen(
            step.command,
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            preexec_fn=die_with_parent(signal.SIGTERM),
        ) as process:
            for line in process.stdout or ():
                print(line, end="", flush=True)
                if line.strip():
                    closing_line = line.strip()
        code = process.returncode
    return Result(step, code == 0, time.monotonic() - started_s, closing_line)


def main(words: list[str]) -> int:
    if words:
        if not run(PREPARE).passed:
            return 1
        return subprocess.run([*PYTEST, *words], cwd=ROOT, check=False).returncode
    # With CI set a missing browser is a failure, which the tests themselves report.
    browser = bool(find_chromium() or install_chromium() or os.environ.get("CI"))
    results = [run(step) for step in steps(browser=browser)]
    print("\n=== summary")
    for result in results:
        print(f"{'ok    ' if result.passed else 'FAILED'}  {result.step.name} ({result.took_s:.0f} s)")
    if not browser:
        print("SKIPPED THE TESTS IN A BROWSER: there is no Chromium on PATH, and installing one needs root.")
    for result in results:
        if result.step.is_pytest:
            print(f"\n{result.step.name}:\n{result.closing_line}")
    return 0 if all(result.passed for result in results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
