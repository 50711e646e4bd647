"""The one writer of matches.

Every accepted command is one transaction: read the match under its lock, let the rules decide,
insert one `MatchEvent`, update the row on condition of its `seq`. Sockets, forms, programs, tasks
and management commands all come through here; nothing else changes a match.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from games.models import Match

if TYPE_CHECKING:
    from accounts.models import User
    from games.rules import MatchState


@dataclass(frozen=True, slots=True)
class Applied:
    """What one accepted command has done.

    `state` and `facts` hold secrets and do not show in a repr; what a viewer may see of them goes
    through `games.rules.sight` and `sight_fact`. With `repeated` the command had been accepted
    before: `seq`, `facts` and the times are those of then, `state` is the present one.
    """

    match_id: int
    public_id: str
    seq: int
    state: MatchState = field(repr=False)
    facts: tuple[Any, ...] = field(repr=False)
    command: Any = field(repr=False)
    arrived_ms: int
    applied_ms: int
    repeated: bool = False


def submit(
    match_id: int,
    command: Any,
    *,
    actor: User | None,
    expected_seq: int | None,
    expected_hand: int | None = None,
    command_id: str,
    arrived_ms: int,
    nonce: bytes | None = None,
    waited_behind: bool = False,
) -> Applied:
    """The result of a player's command, applied now and charged up to `arrived_ms`."""
    raise NotImplementedError


def start_match(
    *, users: Sequence[User], variant: str = "spectacular-bid", options: dict[str, Any] | None = None, rated: bool
) -> Match:
    """A new match of these users, seated in this order, waiting for Start."""
    raise NotImplementedError


def leave(match_id: int, actor: User) -> Applied:
    """The match cancelled because `actor` left before the first deal (D-1)."""
    raise NotImplementedError


def claim_time(match_id: int, *, actor: User, arrived_ms: int) -> Applied | None:
    """The verdict the claimant asks for, or None when no clock has run out."""
    raise NotImplementedError


def expire_due(match_id: int, *, now_ms: int | None = None, sole_process: bool = False) -> Applied | None:
    """The loss on time, written if the turn is still open; None when nothing is due."""
    raise NotImplementedError


def cancel_unstarted(match_id: int, *, now_ms: int | None = None) -> Applied | None:
    """The match cancelled because somebody has not pressed Start in time (D-1)."""
    raise NotImplementedError


def continue_overdue(match_id: int, *, now_ms: int | None = None) -> Applied | None:
    """The last of the Continues that the server pressed for absent players (D-2)."""
    raise NotImplementedError


def void_for_fault(match_id: int, *, reason: str) -> Applied:
    """The match aborted for a fault of the service; a rating already applied is reversed (D-28)."""
    raise NotImplementedError
