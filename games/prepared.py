"""Deals out of a file, for tests: read once the site starts, so that a bad file is named there and not at a table.

Knows nothing of Django: `config.environment` reads the file before there is any.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from games import rules

SEATS = 2
KEYS = {"deals", "balances", "banks_ms"}


@dataclass(frozen=True, slots=True)
class PreparedDeals:
    """What the file fixes: hand n takes deal n, beginning again after the last."""

    deals: tuple[tuple[rules.Tile, ...], ...]
    balances: tuple[int, ...] | None
    banks_ms: tuple[int, ...] | None


def read_deals(path: Path) -> PreparedDeals:
    """The deals of a JSON file: a list of deals, or `{"deals": [...], "balances": [a, b], "banks_ms": [a, b]}`.

    A deal lists its 28 tiles ("1|4") in dealing order. Raises ValueError with a sentence about the file.
    """
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise ValueError(f"{path} is not JSON") from None
    if isinstance(found, list):
        found = {"deals": found}
    if not isinstance(found, dict) or not found or not found.keys() <= KEYS:
        raise ValueError(f"{path}: expected a list of deals, or an object with deals, balances, banks_ms")
    deals = found.get("deals", [])
    if not isinstance(deals, list):
        raise ValueError(f"{path}: deals is not a list")
    return PreparedDeals(
        tuple(_deal(path, deal) for deal in deals), _pair(path, found, "balances"), _pair(path, found, "banks_ms")
    )


def _deal(path: Path, told: Any) -> tuple[rules.Tile, ...]:
    try:
        deal = tuple(rules.parse_tile(tile) for tile in told)
    except (TypeError, ValueError):
        deal = ()
    if sorted(deal) != sorted(rules.TILES):
        raise ValueError(f"{path}: a deal does not hold the 28 tiles once each")
    return deal


def _pair(path: Path, found: Mapping[str, Any], name: str) -> tuple[int, ...] | None:
    told = found.get(name)
    if told is None:
        return None
    if not isinstance(told, list) or len(told) != SEATS or any(type(each) is not int or each < 0 for each in told):
        raise ValueError(f"{path}: {name} is not a pair of whole numbers")
    return tuple(told)
