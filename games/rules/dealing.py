"""How a hand is dealt: commitment to a seed, and the order of the tiles that follows from it.

The procedure is docs/rules/dealing.md; everything here is deterministic (D-32).
"""

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from typing import Final

from games.rules.tiles import TILES, Tile

SEED_BYTES: Final = 32
NONCE_BYTES: Final = 16


def commitment(seed: bytes) -> str:
    """The SHA-256 of a seed as 64 hexadecimal digits: shown before the deal (D-32).

    >>> commitment(bytes(32))[:16]
    '66687aadf862bd77'
    """
    return hashlib.sha256(seed).hexdigest()


def deal_order(seed: bytes, match_id: str, hand: int, nonces: Sequence[bytes | None]) -> tuple[Tile, ...]:
    """The order of all 28 tiles that these values lead to.

    `nonces` has one entry per seat, None where the player sent none. Raises ValueError for a
    seed that is not 32 bytes, a nonce that is not 16, or a match id with a line break.
    """
    if len(seed) != SEED_BYTES:
        raise ValueError("a seed has 32 bytes")
    if any(nonce is not None and len(nonce) != NONCE_BYTES for nonce in nonces):
        raise ValueError("a nonce has 16 bytes")
    if "\n" in match_id:
        raise ValueError("a match id has no line break")
    stream = _stream(seed, match_id, hand, nonces)
    order = list(TILES)
    # Fisher and Yates: the last tile not yet settled changes places with one up to it.
    for last in range(len(order) - 1, 0, -1):
        chosen = _below(last + 1, stream)
        order[last], order[chosen] = order[chosen], order[last]
    return tuple(order)


def _stream(seed: bytes, match_id: str, hand: int, nonces: Sequence[bytes | None]) -> Iterator[int]:
    shown = [nonce.hex() if nonce is not None else "-" for nonce in nonces]
    block = 0
    while True:
        message = "\n".join(["boneyard deal 1", match_id, str(hand), *shown, str(block)])
        yield from hmac.digest(seed, message.encode(), "sha256")
        block += 1


def _below(limit: int, stream: Iterator[int]) -> int:
    # A byte at or above the largest multiple of the limit would favour small numbers: skip it.
    fair = 256 - 256 % limit
    for byte in stream:
        if byte < fair:
            return byte % limit
    raise AssertionError("the stream does not end")
