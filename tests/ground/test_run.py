"""The script `run`: what it sets up, and that it does nothing twice. Python and pip are stand-ins here."""

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.stack import ROOT

TOOLS = ("cat", "cmp", "cp", "dirname", "mkdir", "printf", "rm", "sed", "sh")
LOCKS = ("requirements.lock", "requirements-dev.lock")

# Notes each call, and does as much as `run` can notice. WITHOUT: what this Python cannot do.
PYTHON = """\
#!/bin/sh
case "$1" in
-c) case "$WITHOUT" in *version*) exit 1 ;; esac; exit 0 ;;
esac
echo "$*" >>"$CALLS"
case "$1 $2" in
"-m venv")
    case "$WITHOUT $*" in
    *ensurepip*--without-pip*) ;;
    *ensurepip*) exit 1 ;;
    esac
    for folder; do :; done
    mkdir -p "$folder/bin"
    cp "$0" "$folder/bin/python"
    case "$*" in *--without-pip*) : >"$folder/bare" ;; esac
    ;;
"-m pip")
    here=$(dirname "$0")
    [ ! -f "$here/../bare" ] || exit 1
    case "$WITHOUT" in *network*) exit 1 ;; esac
    ;;
esac
exit 0
"""


@dataclass
class Checkout:
    """A folder with the script in it, and the only programs it finds."""

    folder: Path

    def run(self, *words: str, without: str = "") -> subprocess.CompletedProcess[str]:
        self.calls_file.unlink(missing_ok=True)
        environment = {"PATH": str(self.folder / "bin"), "CALLS": str(self.calls_file), "WITHOUT": without}
        return subprocess.run(
            [self.folder / "run", *words], env=environment, capture_output=True, text=True, timeout=20, check=False
        )

    @property
    def calls_file(self) -> Path:
        return self.folder / "calls"

    @property
    def calls(self) -> list[str]:
        """What Python was asked for in the last run, without questions about versions."""
        lines = self.calls_file.read_text().splitlines() if self.calls_file.exists() else []
        return [line for line in lines if not line.endswith("--version")]


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    (tmp_path / "bin").mkdir()
    for tool in TOOLS:
        found = shutil.which(tool)
        if found:
            (tmp_path / "bin" / tool).symlink_to(found)
    python = tmp_path / "bin" / "python3"
    python.write_text(PYTHON)
    python.chmod(0o755)
    shutil.copy(ROOT / "run", tmp_path / "run")
    for name in LOCKS:
        (tmp_path / name).write_text(f"{name} of today\n")
    return Checkout(tmp_path)


def install_of(name: str) -> str:
    flags = "--quiet --disable-pip-version-check --no-input --require-hashes --only-binary :all:"
    return f"-m pip install {flags} -r {name}"


def test_the_first_start_sets_up_and_the_next_one_only_serves(checkout: Checkout) -> None:
    first = checkout.run("--port", "9000")
    assert first.returncode == 0
    assert checkout.calls == ["-m venv .venv", install_of("requirements.lock"), "manage.py up --port 9000"]
    checkout.run()
    assert checkout.calls == ["manage.py up"]


def test_a_new_lock_file_is_installed(checkout: Checkout) -> None:
    checkout.run()
    (checkout.folder / "requirements.lock").write_text("another\n")
    checkout.run()
    assert checkout.calls == [install_of("requirements.lock"), "manage.py up"]


def test_what_the_tests_need_holds_what_the_site_needs(checkout: Checkout) -> None:
    checkout.run("test")
    assert checkout.calls == ["-m venv .venv", install_of("requirements-dev.lock"), "-m tests.prove"]
    checkout.run()
    assert checkout.calls == ["manage.py up"]
    checkout.run("test", "tests/rules", "-x")
    assert checkout.calls == ["-m tests.prove tests/rules -x"]


def test_the_long_tests_have_what_a_fresh_clone_lacks(checkout: Checkout) -> None:
    """The pages of the tests need letters, pictures and catalogues."""
    assert checkout.run("soak", "tests/live").returncode == 0
    assert checkout.calls[-2:] == ["manage.py prepare", "-m pytest -n 2 tests/live"]


def test_an_installation_that_failed_is_tried_again(checkout: Checkout) -> None:
    assert checkout.run(without="network").returncode != 0
    assert "manage.py up" not in checkout.calls
    assert checkout.run().returncode == 0
    assert checkout.calls == [install_of("requirements.lock"), "manage.py up"]


def test_a_python_that_went_away_is_replaced(checkout: Checkout) -> None:
    checkout.run()
    (checkout.folder / ".venv" / "bin" / "python").unlink()
    checkout.run()
    assert checkout.calls == ["-m venv .venv", install_of("requirements.lock"), "manage.py up"]


def test_without_ensurepip_a_pip_from_outside_fills_the_environment(checkout: Checkout) -> None:
    assert checkout.run(without="ensurepip").returncode == 0
    assert checkout.calls[:2] == ["-m venv .venv", "-m venv --without-pip .venv"]
    assert checkout.calls[-2].startswith("-m pip --python .venv/bin/python install ")
    assert checkout.calls[-1] == "manage.py up"


def test_an_old_python_is_one_clear_line(checkout: Checkout) -> None:
    refused = checkout.run(without="version")
    assert refused.returncode == 1
    assert refused.stderr == "boneyard: Python 3.11 to 3.14 is needed; install python3 (or uv) and run this again.\n"


def test_an_unknown_word_shows_the_commands(checkout: Checkout) -> None:
    refused = checkout.run("dance")
    assert refused.returncode == 2
    assert "./run test" in refused.stderr
    assert checkout.calls == []


def test_help_shows_the_commands_and_sets_nothing_up(checkout: Checkout) -> None:
    helped = checkout.run("--help")
    assert helped.returncode == 0
    assert "./run test" in helped.stdout
    assert checkout.calls == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_to_is_one_clear_line(checkout: Checkout) -> None:
    checkout.folder.chmod(0o555)
    try:
        refused = checkout.run()
    finally:
        checkout.folder.chmod(0o755)
    assert refused.returncode == 1
    assert refused.stderr == f"boneyard: {checkout.folder} cannot be written to.\n"


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_file_names_exact_versions_with_hashes_and_no_address(name: str) -> None:
    text = (ROOT / name).read_text().replace("\\\n", " ")
    for line in text.splitlines():
        assert re.match(r"^[a-z0-9._-]+(\[[a-z,]+\])?==[^ ]+( ; [^-]+)?( +--hash=sha256:[0-9a-f]{64})+$", line), line
    assert "://" not in text


def test_the_script_is_one_that_a_plain_shell_can_read() -> None:
    assert os.access(ROOT / "run", os.X_OK)
    shell = shutil.which("dash") or "sh"
    assert subprocess.run([shell, "-n", ROOT / "run"], check=False).returncode == 0
