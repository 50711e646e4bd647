"""How a hand gets its tiles: the committed seed, the nonces, and the documented test setting (D-32)."""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from django.conf import settings

from games import rules
from games.models import Hand

SEED_BYTES = 32
NONCE_BYTES = 16


@dataclass(frozen=True, slots=True)
class TestDeals:
    """What `TEST_DEALS` fixes: hand n takes deal n, beginning again after the last."""

    __test__ = False  # not a test class, whatever its name says

    deals: tuple[tuple[rules.Tile, ...], ...]
    balances: tuple[int, ...] | None
    banks_ms: tuple[int, ...] | None


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


def test_deals() -> TestDeals | None:
    """The deals of the test setting, or None on every real site.

    The file is JSON: a list of deals, or `{"deals": [...], "balances": [a, b], "banks_ms": [a, b]}`;
    a deal lists its 28 tiles ("1|4") in dealing order.
    """
    path = getattr(settings, "TEST_DEALS", None)
    return _read(str(path), Path(path).stat().st_mtime_ns) if path else None


@lru_cache(maxsize=4)
def _read(path: str, _changed_ns: int) -> TestDeals:
    found = json.loads(Path(path).read_text())
    if isinstance(found, list):
        found = {"deals": found}
    deals = tuple(tuple(rules.parse_tile(tile) for tile in deal) for deal in found.get("deals", ()))
    for deal in deals:
        if sorted(deal) != sorted(rules.TILES):
            message = f"{path}: a deal does not hold the 28 tiles once each"
            raise ValueError(message)
    balances, banks_ms = (None if found.get(name) is None else tuple(found[name]) for name in ("balances", "banks_ms"))
    return TestDeals(deals, balances, banks_ms)
