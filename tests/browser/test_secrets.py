"""The look-out for hidden tiles sees them, however they are written."""

import pytest

from games import rules
from tests.browser.matches import WHOLE
from tests.browser.secrets import known_to, tiles_in


@pytest.mark.parametrize(
    "text",
    ['data-tile="1|4"', "open with 1–4", "[1|4] (larger end, 4)", 'id="tile-1-4"', 'data-last="t-1-4"', "1|4.low"],
)
def test_a_tile_is_found(text: str) -> None:
    assert tiles_in(text) == {rules.parse_tile("1|4")}


@pytest.mark.parametrize("text", ["150–150", "2:00 – 2:00", "1 + 4 = 5", "tile-back", "1–4.5", "0–300"])
def test_what_is_no_tile_is_none(text: str) -> None:
    assert not tiles_in(text)


def test_tiles_become_known_with_the_table() -> None:
    state = WHOLE.state_at(10)
    own, other = (set(state.held[seat]) for seat in (0, 1))
    table = set(state.layout.tiles)
    assert known_to(0, state) == own | table
    assert known_to(None, state) == table
    over = next(step.after for step in WHOLE.steps if step.after.phase == "ready" and step.after.hand == 1)
    assert known_to(None, over) == {*over.held[0], *over.held[1], *over.layout.tiles}
    assert not other & known_to(0, state)
