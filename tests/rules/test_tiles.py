"""Tiles: the set, its order, its notation."""

import pytest

from games.rules import TILES, Tile, format_tile, parse_tile
from games.rules.tiles import rank


def test_the_set_has_each_combination_once() -> None:
    assert len(TILES) == len(set(TILES)) == 28
    assert {frozenset(tile) for tile in TILES} == {frozenset((a, b)) for a in range(7) for b in range(7)}
    assert list(TILES) == sorted(TILES)


@pytest.mark.parametrize("tile", TILES)
def test_a_tile_is_read_as_it_was_written(tile: Tile) -> None:
    assert parse_tile(format_tile(tile)) is tile


@pytest.mark.parametrize("text", ["", "4|1", "1-4", "1|7", " 1|4", "1|4 ", "1|4|", "٠|١", "１|４", None, 14, [1, 4]])
def test_it_refuses_what_is_no_tile(text: object) -> None:
    with pytest.raises(ValueError, match="not a tile"):
        parse_tile(text)


def test_ranks_put_every_double_above_every_other_tile_and_never_tie() -> None:
    """SB-14, SB-15."""
    ranked = sorted(TILES, key=rank)
    assert len({rank(tile) for tile in TILES}) == 28
    assert [tile.is_double for tile in ranked] == [False] * 21 + [True] * 7
    assert [format_tile(tile) for tile in ranked[-8:]] == ["5|6", "0|0", "1|1", "2|2", "3|3", "4|4", "5|5", "6|6"]
    assert rank(parse_tile("3|6")) > rank(parse_tile("4|5"))
    assert rank(parse_tile("4|6")) > rank(parse_tile("3|6"))
