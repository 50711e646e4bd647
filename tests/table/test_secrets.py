"""No fragment holds a tile that its viewer may not see (D-31)."""

import re

import pytest

from games import fragments, rules
from tests.table.drive import Drive

TILE = re.compile(r"(?<![\d.])([0-6])(?:\||–|-)([0-6])(?![\d.])")
PATHS = re.compile(r' (?:d|viewBox|transform|stroke-dasharray)="[^"]*"')
FACE = re.compile(r'<use href="#d-[ul]([1-6])"')
COMMANDS = 260


def tiles_in(html: str) -> set[rules.Tile]:
    """Every tile that some markup names, in whatever way."""
    return {rules.Tile(*sorted((int(low), int(high)))) for low, high in TILE.findall(PATHS.sub("", html))}


def visible(match: Drive, viewer: int | None) -> set[rules.Tile]:
    """The tiles that a viewer may know of."""
    state = match.state
    shown = set(state.layout.tiles)
    for seat, held in enumerate(state.held):
        if seat == viewer or state.phase in ("ready", "over"):
            shown |= set(held)
    return shown


@pytest.mark.parametrize("viewer", [0, 1, None])
@pytest.mark.parametrize("seed", range(3))
def test_fragments_name_no_hidden_tile(seed: int, viewer: int | None) -> None:
    match = Drive(seed)
    for _ in range(COMMANDS):
        may_see = visible(match, viewer)
        for fragment_id, html in fragments.render_all(match.view(viewer)).items():
            assert tiles_in(html) <= may_see, fragment_id
        if match.step() is None:
            break


@pytest.mark.parametrize("seed", range(3))
def test_the_far_hand_is_only_backs_while_the_hand_runs(seed: int) -> None:
    match = Drive(seed)
    for _ in range(COMMANDS):
        if match.state.phase in ("auction", "play"):
            for viewer in (0, 1, None):
                html = fragments.render_all(match.view(viewer))
                assert not FACE.search(html["f-opponent"])
                if viewer is None:
                    assert not FACE.search(html["f-me"])
        if match.step() is None:
            break


def test_the_forced_opening_is_not_told_to_the_other_side() -> None:
    match = Drive(9)
    match.do(rules.Start(0))
    match.do(rules.Start(1))
    opener = match.state.turn
    assert opener is not None
    assert match.state.must_open is not None
    tile = match.state.must_open
    told = f"{tile.low}–{tile.high}"
    assert told in fragments.render_all(match.view(opener))["f-prompt"]
    for viewer in (1 - opener, None):
        assert told not in "".join(fragments.render_all(match.view(viewer)).values())


def test_open_hands_are_shown_when_the_hand_is_over() -> None:
    match = Drive(10)
    while not (match.state.phase == "ready" and match.state.hand > 0):
        match.step()
    loser = 0 if match.state.held[0] else 1
    sheet = fragments.render_all(match.view(None))["f-sheet"]
    assert set(match.state.held[loser]) <= tiles_in(sheet)
