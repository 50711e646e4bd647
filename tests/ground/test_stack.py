"""The tests' own site: what it says when it cannot start."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.stack import Stack


def test_a_supervisor_that_ended_is_noticed_at_once(tmp_path: Path) -> None:
    output = tmp_path / "up.log"
    output.write_text("boneyard: BONEYARD_DEBIG is not a setting.\n")
    supervisor = subprocess.Popen([sys.executable, "-c", "raise SystemExit(3)"])
    supervisor.wait()
    stack = Stack("http://localhost:1", 1, tmp_path, supervisor, {}, output)
    with pytest.raises(AssertionError, match="ended with 3\nboneyard: BONEYARD_DEBIG"):
        stack.wait_until_ready(limit_s=60)
