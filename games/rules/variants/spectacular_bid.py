"""Spectacular Bid: the numbers of docs/rules/spectacular-bid.md."""

from collections.abc import Mapping
from typing import Any, Final

from games.rules.variants.variant import Options, Variant

KEY: Final = "spectacular-bid"


def _read_options(options: Mapping[str, Any]) -> Options:
    unknown = sorted(set(options) - {"shared_device"})
    if unknown:
        raise ValueError(f"unknown option: {unknown[0]}")
    shared_device = options.get("shared_device", False)
    if not isinstance(shared_device, bool):
        raise ValueError("shared_device is true or false")
    return Options(shared_device=shared_device)


SPECTACULAR_BID: Final = Variant(
    key=KEY,
    seats=2,  # SB-1
    tiles_per_hand=7,  # SB-11
    start_balance=150,  # SB-2
    read_options=_read_options,
)
