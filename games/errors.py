"""Refusals of the service around the rules.

    GameError
    ├── MalformedCommand     the frame or form is not a command
    ├── StaleCommand         made for another version (or hand) of the match
    ├── NotSeated            the sender holds no such seat
    ├── TimeIsUp             the deadline has passed; the verdict follows
    ├── TimingFault          the service judged wrongly; the match was voided (D-28)
    ├── TooManyWaiting       a fifth command of a player while four wait (D-30)
    ├── RateLimited          more than a player may send
    ├── NoSuchMatch          no match of that name that the asker may see
    ├── AlreadyInMatch       a person plays one match at a time
    ├── DeviceBusy           another match runs at this device
    ├── AlreadyDealt         Leave is over once the tiles are dealt; only resigning is left
    └── CannotStart          these users cannot play this match

Each carries a `code` (its class name) and `detail` (values, JSON-able), no prose: sentences are
made in `games.messages`. What the rules refuse is `games.rules.IllegalCommand`, of the same form.
"""

from __future__ import annotations

from typing import Any


class GameError(Exception):
    """A refusal with a code; nothing has changed."""

    def __init__(self, **detail: Any) -> None:
        super().__init__(self.code)
        self.detail: dict[str, Any] = detail

    @property
    def code(self) -> str:
        return type(self).__name__


class MalformedCommand(GameError):
    """`field` names what is wrong, `reason` how: missing, unknown, type, value."""


class StaleCommand(GameError):
    """`seq` is the version the match has now."""

    def __init__(self, seq: int, **detail: Any) -> None:
        super().__init__(seq=seq, **detail)


class NotSeated(GameError):
    pass


class TimeIsUp(GameError):
    """`deadline_ms` has passed, but commands that came before it may still be on their way (D-27)."""


class TimingFault(GameError):
    """A loss on time was written although this command came before the deadline; the match is void now."""


class TooManyWaiting(GameError):
    pass


class RateLimited(GameError):
    pass


class NoSuchMatch(GameError):
    pass


class AlreadyInMatch(GameError):
    """`user` is the id of the person who still plays."""


class DeviceBusy(GameError):
    """`match` is the name of the one that runs."""


class AlreadyDealt(GameError):
    pass


class CannotStart(GameError):
    """`reason`: same_user, closed, seats, mixed_rated, options."""
