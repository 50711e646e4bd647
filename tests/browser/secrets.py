"""Looks for tiles that nobody may know yet in everything a browser was told."""

import json
import re

from games import rules
from tests.browser.player import Player, version_of
from tests.browser.script import Script

# Every way in which pages and frames write a tile: 1|4, 1–4, tile-1-4, t-1-4.
NAMED = (
    re.compile(r"(?<!\d)([0-6])[|–]([0-6])(?!\d|\.\d)"),
    re.compile(r"\b(?:tile|t)-([0-6])-([0-6])\b"),
)
OPPONENT = re.compile(r'<section[^>]*id="f-opponent".*?</section>', re.DOTALL)
TILE = re.compile(r'<svg class="tile.*?</svg>', re.DOTALL)


def tiles_in(text: str) -> set[rules.Tile]:
    """Every tile that the text names."""
    named = {(int(low), int(high)) for pattern in NAMED for low, high in pattern.findall(text)}
    return {rules.Tile(min(pair), max(pair)) for pair in named}


def known_to(viewer: int | None, state: rules.MatchState) -> set[rules.Tile]:
    """What the viewer may know of this hand (D-31): the table, the own tiles, and both hands once it is over."""
    known = set(state.layout.tiles)
    for seat, held in enumerate(state.held):
        if seat == viewer or state.phase in ("ready", "over"):
            known |= set(held)
    return known


def check_received(player: Player, script: Script, viewer: int | None) -> None:
    """Nothing that this browser received at a table names a tile that was hidden in that version."""
    for text in player.received():
        version = version_of(text)
        named = tiles_in(text)
        if version is None:
            assert not named, text
            continue
        state = script.state_at(version)
        assert named <= known_to(viewer, state), (version, named - known_to(viewer, state), text)
        if state.phase in ("auction", "play"):
            for seat in OPPONENT.findall(text):
                drawn = set(TILE.findall(seat))
                assert len(drawn) <= 1, "one back is like the other"
                assert all("tile--back" in tile for tile in drawn)


def check_storage(player: Player) -> None:
    """No tile is kept in the browser."""
    stored = player.page.evaluate("() => JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])")
    assert not tiles_in(json.dumps(json.loads(stored), ensure_ascii=False)), stored
