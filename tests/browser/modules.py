"""The site's own modules, for tests that listen to what runs in a page or set it going."""

import json
import re

from tests.stack import ROOT

MANIFEST = ROOT / "var" / "static" / "staticfiles.json"


def served(script: str) -> str:
    """The script with its modules under the addresses that pages load: another address would be another module."""
    paths = json.loads(MANIFEST.read_text())["paths"]
    return re.sub(r"/static/(js/\w+\.js)", lambda found: f"/static/{paths[found[1]]}", script)
