"""The site as something that is installed: manifest, icons, worker, the page without a connection, headers."""

import json
import re
import struct
import zlib
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import Client

from config.icons import draw, draw_icons
from config.pwa import GROUND
from tests.contrast import tokens

pytestmark = pytest.mark.django_db

PAGES = ("/", "/rules/spectacular-bid/", "/accounts/login/", "/offline/", "/sw.js", "/livez", "/nowhere/")


def pixels_of(png: bytes) -> tuple[int, list[bytes]]:
    """Width, and each row without its filter byte."""
    width, _height = struct.unpack(">II", png[16:24])
    at, packed = 33, b""
    while png[at + 4 : at + 8] == b"IDAT":
        length = int.from_bytes(png[at : at + 4], "big")
        packed += png[at + 8 : at + 8 + length]
        at += length + 12
    raw = zlib.decompress(packed)
    return width, [raw[start + 1 : start + 1 + 4 * width] for start in range(0, len(raw), 4 * width + 1)]


@pytest.mark.parametrize(("language", "word"), [("en", "dominoes"), ("tr", "domino"), ("pl", "domino")])
def test_manifest_speaks_the_language_of_its_page(client: Client, language: str, word: str) -> None:
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    page = client.get("/").content.decode()
    found = re.search(r'<link rel="manifest" href="([^"]+)">', page)
    assert found is not None
    answer = Client().get(found[1])
    described = json.loads(answer.content)
    assert answer["Content-Type"] == "application/manifest+json"
    assert (described["lang"], described["scope"], described["start_url"]) == (language, "/", "/")
    assert word in described["description"].lower()
    for icon in described["icons"]:
        width, _rows = pixels_of(Path(finders.find(icon["src"].removeprefix("/static/"))).read_bytes())
        assert icon["sizes"] == f"{width}x{width}"
    assert {icon["purpose"] for icon in described["icons"]} == {"any", "maskable"}


def test_a_language_nobody_speaks_has_no_manifest(client: Client) -> None:
    assert client.get("/xx.webmanifest").status_code == 404


def test_icons_are_what_is_drawn(tmp_path: Path) -> None:
    """Cloth to the very edge where a device cuts its own form, a clear corner elsewhere, and a tile in the middle."""
    static = settings.BASE_DIR / "static"
    size, rows = pixels_of(draw(static / "icon-full.svg", 48))
    assert size == len(rows) == 48
    assert rows[0][:4] == rows[-1][-4:] == bytes.fromhex("1f5145ff")
    assert rows[20][4 * 20 : 4 * 21] == bytes.fromhex("f8f3e6ff")
    _size, rows = pixels_of(draw(static / "icon.svg", 48))
    assert rows[0][3] == 0
    assert draw_icons(static, tmp_path)
    assert not draw_icons(static, tmp_path)


def test_the_ground_around_the_page_is_the_page_s() -> None:
    assert {theme: tokens(theme)["bg"] for theme in GROUND} == GROUND


def test_theme_colour_follows_the_chosen_theme(client: Client) -> None:
    assert client.get("/").content.count(b'<meta name="theme-color"') == 2
    client.cookies["theme"] = "dark"
    page = client.get("/").content.decode()
    assert re.findall(r'<meta name="theme-color" content="([^"]+)"', page) == [GROUND["dark"]]


def test_worker_keeps_the_offline_page_and_files_that_are_there(client: Client) -> None:
    answer = client.get("/sw.js")
    script = answer.content.decode()
    assert answer["Content-Type"].startswith("text/javascript")
    assert "no-cache" in answer["Cache-Control"]
    found = re.search(r"^const KEPT = (.*);$", script, re.MULTILINE)
    assert found is not None
    kept = json.loads(found[1])
    assert kept[0] == "/offline/"
    page = client.get(kept[0]).content.decode()
    assert set(re.findall(r'(?:href|src)="(/static/[^"]+)"', page)) == set(kept[1:])
    assert all(finders.find(address.removeprefix("/static/")) for address in kept[1:])


def test_offline_page_is_the_same_for_everybody(client: Client) -> None:
    """It is kept by the browser, so it must hold nothing of whoever was signed in, and has all languages."""
    first = client.get("/offline/", headers={"accept-language": "pl"})
    assert not first.cookies
    assert "csrf" not in first.content.decode()
    assert first.content == Client().get("/offline/").content
    assert re.findall(r'<section class="offline" lang="(\w+)"', first.content.decode()) == ["en", "tr", "pl"]


@pytest.mark.parametrize("path", PAGES)
def test_every_answer_has_the_strict_policy(client: Client, path: str) -> None:
    policy = client.get(path)["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "data:" not in policy
    for directive in ("script-src", "style-src", "worker-src", "manifest-src", "connect-src", "font-src", "img-src"):
        assert f"{directive} 'self'" in policy


def test_pages_are_compressed_and_never_twice_the_same_length(client: Client) -> None:
    """The length tells nothing of what is in it: each answer has some bytes at random (docs/adr/0013)."""
    answers = [client.get("/", headers={"accept-encoding": "gzip"}) for _ in range(8)]
    assert {answer["Content-Encoding"] for answer in answers} == {"gzip"}
    assert "Accept-Encoding" in answers[0]["Vary"]
    assert len({len(answer.content) for answer in answers}) > 1
    assert client.get("/").headers.get("Content-Encoding") is None
