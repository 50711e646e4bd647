"""Who waits in a pool for an opponent, and how far from their own rating they are looked for.

Values only: no database, no clock, no matching. A page that says how wide a window is imports
this; `games.lobby.pairing` decides who meets whom.
"""

from bisect import bisect_right
from dataclasses import dataclass

# A distance that no two ratings have: from there on a window holds anybody.
ANYBODY = 100_000
# After so many ms of waiting an opponent may be so many rating points away, up or down. The last step
# lets nobody wait for ever where few people play.
WINDOWS = (
    (0, 150),
    (10_000, 200),
    (20_000, 250),
    (30_000, 300),
    (40_000, 400),
    (50_000, 600),
    (60_000, ANYBODY),
)
ANYBODY_FROM_MS = WINDOWS[-1][0]

_STEPS_MS = tuple(from_ms for from_ms, _distance in WINDOWS)


@dataclass(frozen=True, slots=True)
class Waiting:
    """One player who waits in a pool, as the pairing sees them.

    `rating` in whole points. `reliability` is the share of begun matches that the player did not
    leave, 0 to 100; 100 for newcomers. `lowest` and `highest` bound the ratings of wished opponents,
    both included: unlike the window, a wish does not widen. `avoided` are the ids of players who are
    never met; it is enough that one of two avoids the other. `last_opponent` is the id of whoever the
    player's latest match was against.
    """

    user_id: int
    rating: int
    waited_ms: int
    reliability: int = 100
    lowest: int = -ANYBODY
    highest: int = ANYBODY
    avoided: frozenset[int] = frozenset()
    last_opponent: int | None = None


def window(waited_ms: int) -> int:
    """How many rating points away an opponent may be after so long; `ANYBODY` or more is no bound.

    >>> window(0), window(9_999), window(10_000)
    (150, 150, 200)
    """
    return WINDOWS[_step(waited_ms)][1]


def next_step(waited_ms: int) -> tuple[int, int] | None:
    """When the window widens next, in ms of waiting, and to what; None once it holds anybody.

    >>> next_step(12_000)
    (20000, 250)
    """
    following = _step(waited_ms) + 1
    return WINDOWS[following] if following < len(WINDOWS) else None


def ratings_sought(player: Waiting) -> tuple[int, int]:
    """The lowest and highest rating that the player's window and wishes allow together, both included."""
    reach = window(player.waited_ms)
    return max(player.rating - reach, player.lowest), min(player.rating + reach, player.highest)


def _step(waited_ms: int) -> int:
    # A clock that was set back must not take the first window away.
    return max(bisect_right(_STEPS_MS, waited_ms) - 1, 0)
