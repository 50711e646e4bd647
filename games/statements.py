"""The three statements of a plain move, as SQL.

The ORM takes longer to put them together than the database to run them (0.45 of 0.8 ms a move,
measured on SQLite), and they are the same for every move: so they are written out, with the names
of the models' own tables and columns. All rarer writes go through the ORM.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from django.db import connection, models

from games.models import Match, MatchEvent, Seat


class MatchRow(NamedTuple):
    """The columns of a match that a command needs."""

    id: int
    public_id: str
    status: str
    seq: int
    snapshot: str
    player_ids: list[int | None]
    cap_ms: int | None
    ending: str
    rated: bool
    pool: str
    device: str

    @property
    def is_running(self) -> bool:
        """Whether somebody may still act in the match."""
        return self.status in Match.RUNNING


class EventRow(NamedTuple):
    """The columns of an event; `command` and `facts` as JSON data."""

    match_id: int
    seq: int
    hand_no: int
    seat: int | None
    kind: str
    command: dict[str, Any]
    command_id: str | None
    facts: list[dict[str, Any]]
    arrived_ms: int
    applied_ms: int


# What every move changes, in this order.
MOVED = ("seq", "snapshot", "phase", "turn_seat", "deadline_ms")


def lock_match(match_id: int, *, skip_locked: bool = False) -> MatchRow | None:
    """The row of the match, locked until the transaction ends (on SQLite BEGIN has locked already).

    None when there is no such match, or when it is locked and `skip_locked`.
    """
    with connection.cursor() as cursor:
        cursor.execute(_select(_lock_clause(skip_locked)), (match_id,))
        found = cursor.fetchone()
    if found is None:
        return None
    pk, public_id, status, seq, snapshot, player_ids, cap_ms, ending, rated, pool, device = found
    players = json.loads(player_ids)
    return MatchRow(pk, public_id, status, seq, snapshot, players, cap_ms, ending, bool(rated), pool, device)


def insert_event(event: EventRow) -> None:
    """Append to the log. Raises IntegrityError when the version or the command's id is taken."""
    told = {"command": _json(event.command), "facts": _json(event.facts)}
    values: list[Any] = [told.get(name, value) for name, value in zip(EventRow._fields, event, strict=True)]
    with connection.cursor() as cursor:
        cursor.execute(_insert(), values)


def move_match(match_id: int, seq: int, moved: tuple[Any, ...]) -> bool:
    """Write the `MOVED` columns if the match is still at version `seq`; whether it was."""
    with connection.cursor() as cursor:
        cursor.execute(_update(), (*moved, match_id, seq))
        return bool(cursor.rowcount == 1)


def settle_seats(match_id: int, points: Sequence[int]) -> None:
    """Write the points at the end, in seat order, and let the players go."""
    with connection.cursor() as cursor:
        cursor.executemany(_settle(), [(each, match_id, index) for index, each in enumerate(points)])


# Nothing but names of our own models gets into these texts; values are always parameters.


def _lock_clause(skip_locked: bool) -> str:
    if not connection.features.has_select_for_update:
        return ""
    return " FOR UPDATE SKIP LOCKED" if skip_locked else " FOR UPDATE"


@cache
def _select(lock_clause: str) -> str:
    columns = ", ".join(_column(Match, name) for name in MatchRow._fields)
    return f"SELECT {columns} FROM {_table(Match)} WHERE id = %s{lock_clause}"


@cache
def _insert() -> str:
    columns = ", ".join(_column(MatchEvent, name) for name in EventRow._fields)
    places = ", ".join(["%s"] * len(EventRow._fields))
    return f"INSERT INTO {_table(MatchEvent)} ({columns}) VALUES ({places})"


@cache
def _update() -> str:
    changes = ", ".join(f"{_column(Match, name)} = %s" for name in MOVED)
    return f"UPDATE {_table(Match)} SET {changes} WHERE id = %s AND seq = %s"


@cache
def _settle() -> str:
    points, index, person = (_column(Seat, name) for name in ("points", "index", "active_person"))
    where = f"{_column(Seat, 'match')} = %s AND {index} = %s"
    return f"UPDATE {_table(Seat)} SET {points} = %s, {person} = NULL WHERE {where}"


def _table(model: type[Match | MatchEvent | Seat]) -> str:
    return connection.ops.quote_name(model._meta.db_table)


def _column(model: type[Match | MatchEvent | Seat], name: str) -> str:
    field = model._meta.get_field(name)
    assert isinstance(field, models.Field)
    assert field.column is not None
    return connection.ops.quote_name(field.column)


def _json(told: Any) -> str:
    return json.dumps(told, separators=(",", ":"))
