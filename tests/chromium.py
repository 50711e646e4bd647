"""The browser of the browser tests: a Chromium on PATH, else Debian's own, when we are root."""

import os
import shutil
import subprocess
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
FLAGS = (
    "--no-sandbox",  # root has no other way to run it
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-sync",
    "--no-first-run",
)


def find_chromium() -> Path | None:
    """The browser's executable, if there is one."""
    for name in NAMES:
        found = shutil.which(name)
        if found:
            return Path(found)
    return None


def install_chromium() -> Path | None:
    """Installs Debian's chromium where that is ours to do: as root, on a machine with apt-get."""
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        return None
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for words in (["update"], ["install", "-y", "--no-install-recommends", "chromium"]):
        if subprocess.run(["apt-get", "-qq", *words], env=environment, check=False).returncode != 0:
            return None
    return find_chromium()
