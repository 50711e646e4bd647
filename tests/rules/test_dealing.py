"""Fair dealing: the commitment, the documented shuffle, and that it favours nobody."""

import hashlib
import hmac
import os
from collections import Counter

import pytest

from games.rules import TILES, Tile, commitment, deal_order, format_tile

SEED = bytes(range(32))
NONCES = (bytes(16), bytes(range(16)))
# The worked example of docs/rules/dealing.md.
EXAMPLE = (
    "0|4 1|4 1|2 0|6 5|5 4|4 3|5 0|3 0|0 4|6 0|2 3|4 2|6 0|1 1|6 1|1 0|5 2|2 3|3 2|4 4|5 2|5 1|5 1|3 3|6 2|3 5|6 6|6"
)


def test_the_worked_example_of_the_document() -> None:
    assert commitment(SEED) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    order = deal_order(SEED, "aB3dE6gH9k", 7, (NONCES[1], None))
    assert " ".join(map(format_tile, order)) == EXAMPLE


def test_an_order_can_be_found_by_the_document_alone() -> None:
    """The procedure once more, written from docs/rules/dealing.md."""
    stream = b"".join(
        hmac.new(SEED, f"boneyard deal 1\nmatch\n12\n{bytes(16).hex()}\n-\n{block}".encode(), hashlib.sha256).digest()
        for block in range(20)
    )
    numbers = iter(stream)
    tiles = [Tile(low, high) for low in range(7) for high in range(low, 7)]
    for last in range(27, 0, -1):
        number = next(byte for byte in numbers if byte < 256 // (last + 1) * (last + 1)) % (last + 1)
        tiles[last], tiles[number] = tiles[number], tiles[last]
    assert deal_order(SEED, "match", 12, (bytes(16), None)) == tuple(tiles)


def test_every_value_changes_the_order() -> None:
    orders = {
        deal_order(seed, match_id, hand, nonces)
        for seed in (SEED, bytes(32))
        for match_id in ("a", "b")
        for hand in (1, 2, 11)
        for nonces in ((None, None), (NONCES[0], None), (None, NONCES[0]), NONCES, NONCES[::-1])
    }
    assert len(orders) == 2 * 2 * 3 * 5


def test_it_refuses_what_could_be_read_in_two_ways() -> None:
    for seed, match_id, nonces in (
        (bytes(31), "a", (None, None)),
        (bytes(32), "a\n1", (None, None)),
        (bytes(32), "a", (b"short", None)),
    ):
        with pytest.raises(ValueError, match=r"seed|line break|nonce"):
            deal_order(seed, match_id, 1, nonces)


def test_each_tile_is_equally_often_in_each_place() -> None:
    """B003, B068: chi-square over many deals; all 20,000 of them with BONEYARD_SOAK."""
    deals = 20_000 if os.environ.get("BONEYARD_SOAK") else 2_000
    counts: Counter[tuple[int, Tile]] = Counter()
    for hand in range(deals):
        order = deal_order(SEED, "chi-square", hand, (None, None))
        assert len(set(order)) == 28
        counts.update(enumerate(order))
    expected = deals / 28
    chi_square = sum((counts[place, tile] - expected) ** 2 / expected for place in range(28) for tile in TILES)
    # 27 * 27 = 729 degrees of freedom: mean 729, deviation 38. Five deviations either way; the
    # deals are fixed, so this cannot fail by chance.
    assert 538 < chi_square < 920
