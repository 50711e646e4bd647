"""The arithmetic of bank and delay, in whole milliseconds.

A turn is charged to the arrival of its last command; the next starts when that command was
applied (D-26). Nothing here reads a clock.
"""

from typing import Final

BANK_MS: Final = 120_000  # SB-61
DELAY_MS: Final = 10_000  # SB-62


def deadline_of(started_ms: int, bank_ms: int) -> int:
    """When a turn that started then runs out of time.

    >>> deadline_of(1_000, bank_ms=120_000)
    131000

    Rule: SB-70.
    """
    return started_ms + DELAY_MS + bank_ms


def is_out(deadline_ms: int | None, arrived_ms: int) -> bool:
    """Whether time was up at that moment; the deadline itself is too late (SB-70)."""
    return deadline_ms is not None and arrived_ms >= deadline_ms


def charge_of(elapsed_ms: int) -> int:
    """What a turn of this length takes from the bank.

    >>> [charge_of(elapsed) for elapsed in (8_000, 10_000, 10_001, 13_000)]
    [0, 0, 1, 3000]

    Rule: SB-63.
    """
    return max(0, elapsed_ms - DELAY_MS)
