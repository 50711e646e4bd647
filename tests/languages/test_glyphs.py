"""Tiles are drawn, and named in digits: no font has to know a sign for them (B195)."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

from django.conf import settings

from config import messages
from games.messages import tile_text
from games.pieces import ICONS

SOURCES = ("accounts", "config", "games", "ratings", "templates", "static")
TEXTS = (".py", ".html", ".txt", ".js", ".css", ".svg")
# Domino and Mahjong tiles, playing cards, dice, and all emoji.
PICTURES = re.compile("[\U0001f000-\U0001faff⚀-⚅☀-⛿️]")
# Letters, digits, marks and the few signs beside them, which every bare font set has.
PLAIN = re.compile(r"[\u0000-\u024f‐-‧ ‰-›€−…–—→×±≈½ \u00a0\u202f]*")


def sources() -> list[Path]:
    found = [path for folder in SOURCES for path in (settings.BASE_DIR / folder).rglob("*") if path.suffix in TEXTS]
    assert len(found) > 100
    return found


def test_no_source_writes_a_tile_as_a_sign() -> None:
    for path in sources():
        found = PICTURES.search(path.read_text(encoding="utf-8"))
        assert found is None, f"{path}: {unicodedata.name(found[0], found[0])}"


def test_no_message_needs_a_sign_that_fonts_lack() -> None:
    for catalogue in settings.BASE_DIR.glob("locale/*/LC_MESSAGES/django.po"):
        for line in catalogue.read_text(encoding="utf-8").splitlines():
            assert PLAIN.fullmatch(line), line
    for message in messages.extract_messages():
        for form in message.id if isinstance(message.id, tuple) else (message.id,):
            assert PLAIN.fullmatch(form), form


def test_readers_hear_a_tile_in_digits() -> None:
    assert tile_text("6|4") == "6–4"
    assert ICONS
    assert not any("<text" in drawing for drawing in ICONS.values())
