"""What the table weighs, so that growth is noticed. How fast that is on a phone: tests/bench/weight.py."""

import re
import statistics
from typing import Any

import pytest
from django.test import Client

from config.storage import without_comments
from config.templatetags.modules import module_preloads
from tests.table.drive import frame_sizes
from tests.weight import weigh

pytestmark = pytest.mark.django_db

PAGE_LIMIT, SCRIPTS_LIMIT = 120_000, 40_000
FRAME_LIMIT = 8_192
KIT = ("js/kit.js",)
MATCHES = 4


@pytest.mark.parametrize("name", ["your-turn", "long-chain", "auction-raise", "settlement-out", "victory-chips"])
def test_first_view_of_the_table_is_light(client: Client, settings: Any, name: str) -> None:
    settings.DEBUG = True
    weight = weigh(client.get(f"/kit/{name}/").content.decode(), without=KIT)
    assert weight.of("scripts") <= SCRIPTS_LIMIT, weight
    assert weight.total <= PAGE_LIMIT, weight


def test_a_frame_of_a_move_is_small() -> None:
    """Both viewers of some whole matches, as the socket sends it."""
    sizes = frame_sizes(MATCHES)
    assert statistics.median(sizes) <= FRAME_LIMIT, f"{statistics.median(sizes)} bytes"


def test_what_is_collected_has_no_comments_and_all_else() -> None:
    script = b"// Why.\n\n/** @param {string} b */\nconst c = (/** @type {any} */ (b)) => a(`//${b}`);\n"
    assert without_comments("js/x.js", script) == b"\n\nconst c = ((b)) => a(`//${b}`);\n"
    assert without_comments("css/x.css", b"/* Why. */\n.a {\n  top: 0;\n}\n") == b".a {\n  top: 0;\n}\n"
    assert without_comments("admin/js/x.js", script) == script


def test_modules_are_fetched_all_at_once() -> None:
    """The links in the head of the table are what its script imports, no more and no less."""
    linked = set(re.findall(r'href="/static/([^"]+)"', module_preloads("js/match.js")))
    imported = weigh('<script src="/static/js/match.js"></script>').files["scripts"]
    assert linked == set(imported) - {"js/match.js"}
    assert "js/socket.js" in linked
    assert "js/motion.js" not in linked, "what moves is fetched when something does"
