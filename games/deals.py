"""How a hand gets its tiles: the committed seed, the nonces, and the documented test setting (D-32)."""

from __future__ import annotations

import secrets
from functools import lru_cache
from pathlib import Path

from django.conf import settings

from games import rules
from games.models import Hand
from games.prepared import PreparedDeals, read_deals

SEED_BYTES = 32
NONCE_BYTES = 16


def new_hand(match_id: int, number: int, seats: int) -> Hand:
    """The coming hand, not saved: its seed is drawn and committed to before anybody can answer it."""
    seed = secrets.token_bytes(SEED_BYTES)
    return Hand(
        match_id=match_id,
        number=number,
        seed=seed.hex(),
        commitment=rules.commitment(seed),
        nonces=[None] * seats,
    )


def order_of(hand: Hand, public_id: str) -> tuple[rules.Tile, ...]:
    """The 28 tiles of the hand in dealing order, from its seed and the nonces that arrived."""
    fixed = test_deals()
    if fixed is not None and fixed.deals:
        return fixed.deals[(hand.number - 1) % len(fixed.deals)]
    nonces = [None if nonce is None else bytes.fromhex(nonce) for nonce in hand.nonces]
    return rules.deal_order(bytes.fromhex(hand.seed), public_id, hand.number, nonces)


def test_deals() -> PreparedDeals | None:
    """What `TEST_DEALS` fixes (`games.prepared`), or None on every real site; a changed file is read again."""
    path = getattr(settings, "TEST_DEALS", None)
    return _read(Path(path), Path(path).stat().st_mtime_ns) if path else None


@lru_cache(maxsize=4)
def _read(path: Path, _changed_ns: int) -> PreparedDeals:
    return read_deals(path)
