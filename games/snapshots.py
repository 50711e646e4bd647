"""Match states as text, and the decoded ones that this process still holds.

The cache is keyed by the text itself: a state is used again only if the row holds exactly the
text it was made from. So nothing another process (or a rebuilt snapshot) wrote can be missed.
"""

from __future__ import annotations

import json
import threading
from collections import OrderedDict

from games import rules

CACHED_MATCHES = 2_000

_cached: OrderedDict[int, tuple[str, rules.MatchState]] = OrderedDict()
_lock = threading.Lock()


def encode(state: rules.MatchState) -> str:
    """The state as compact JSON text."""
    return json.dumps(rules.dump_state(state), separators=(",", ":"))


def read(text: str) -> rules.MatchState:
    """The state that `text` holds, without a look at what is held."""
    return rules.load_state(json.loads(text))


def decode(match_id: int, text: str) -> rules.MatchState:
    """The state that `text` holds; not decoded again when it is the one held for this match."""
    held = _cached.get(match_id)
    if held is not None and held[0] == text:
        return held[1]
    state = read(text)
    hold(match_id, text, state)
    return state


def hold(match_id: int, text: str, state: rules.MatchState) -> None:
    """Keep the state for the next command of this match."""
    with _lock:
        _cached[match_id] = (text, state)
        _cached.move_to_end(match_id)
        if len(_cached) > CACHED_MATCHES:
            _cached.popitem(last=False)


def forget() -> None:
    """Let go of everything held."""
    with _lock:
        _cached.clear()
