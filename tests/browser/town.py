"""Invented people and what they have done, written into a site that runs: what its pages are looked at with.

Names, figures and dates are the same each time. The writing itself is done in the site's own process (`settling`).
"""

import json
from datetime import UTC, datetime
from typing import Any

from tests.stack import Stack

PLAIN = "Zeynep"  # has done nothing yet
KNOWN = "Przemysław Wiśniewski"  # has a rating
CAREFUL = "Ayşe Öztürk"  # has a password, and an address that waits for its confirmation
BUSY = "Zofia Kamińska"  # is in the middle of a match
LONG = "Grzegorz Brzęczyszczykiewicz"
STAFF = "Keeper"
PASSWORD = "a quiet room with tiles"
JOINED = datetime(2026, 1, 12, 18, 0, tzinfo=UTC)
LONG_MS = 20 * 3_600_000  # a bank that lasts as long as anybody looks
# Of the one who is known: the opponent, who won, both balances at the end, whether it was rated, the day of 2026.
PAST = (
    ("Nilüfer", True, (300, 0), True, (1, 14)),
    ("Bartłomiej", False, (95, 205), True, (1, 15)),
    ("Nilüfer", True, (185, 115), True, (1, 21)),
    (LONG, True, (225, 75), True, (1, 30)),
    ("İpek Karahanoğlu", False, (150, 150), True, (2, 2)),
    ("Bartłomiej", False, (110, 190), False, (2, 3)),
    (LONG, True, (300, 0), True, (2, 11)),
    ("İpek Karahanoğlu", True, (160, 140), True, (2, 19)),
    ("Bartłomiej", False, (40, 260), True, (3, 1)),
)
NOW = (
    ("Nilüfer", "Bartłomiej", (185, 115)),
    ("İpek Karahanoğlu", LONG, (40, 260)),
    (BUSY, "Ömer", (165, 135)),
)
_CALL = "import json; from tests.browser import settling; print(json.dumps(settling.{name}()))"


def settle(stack: Stack) -> dict[str, dict[str, str]]:
    """Everybody is there: the keys of their `sessions` by name, and the `addresses` that only letters hold.

    `stack` has BONEYARD_TEST_DEALS.
    """
    found: dict[str, dict[str, str]] = _tell(stack, "settle")
    return found


def crowd(stack: Stack) -> None:
    """From now on matches are running."""
    _tell(stack, "crowd")


def _tell(stack: Stack, name: str) -> Any:
    return json.loads(stack.manage("shell", "--verbosity", "0", stdin=_CALL.format(name=name)).splitlines()[-1])
