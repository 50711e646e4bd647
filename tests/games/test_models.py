"""What the database itself refuses."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.db.migrations.executor import MigrationExecutor

from games.models import Hand, Match, MatchEvent, Seat, new_public_id
from tests.drivers import ManualClock, Table

pytestmark = pytest.mark.django_db


def refused(change: Any) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        change()


def test_public_ids_are_short_and_different() -> None:
    names = {new_public_id() for _name in range(1_000)}
    assert len(names) == 1_000
    assert {len(name) for name in names} == {10}
    assert all(name.isascii() and name.isalnum() for name in names)


@pytest.mark.parametrize(
    "change",
    [
        {"status": "paused"},
        {"status": "finished"},
        {"winner": 1},
        {"ending": "time"},
        {"status": "cancelled", "ending": "cancelled"},
        {"status": "waiting"},  # with a clock that runs
        {"turn_seat": None},
    ],
)
def test_a_match_cannot_stand_in_two_ways(clock: ManualClock, change: dict[str, Any]) -> None:
    table = Table.dealt(clock)
    refused(lambda: Match.objects.filter(pk=table.match_id).update(**change))


def test_a_version_is_written_once(clock: ManualClock) -> None:
    table = Table.dealt(clock)
    event = MatchEvent.objects.get(match_id=table.match_id, seq=1)
    event.pk, event.command_id = None, "another"
    refused(lambda: event.save(force_insert=True))


def test_a_command_id_is_accepted_once(clock: ManualClock) -> None:
    table = Table.dealt(clock)
    event = MatchEvent.objects.get(match_id=table.match_id, seq=1)
    event.pk, event.seq = None, 50
    refused(lambda: event.save(force_insert=True))


def test_the_server_has_no_ids_and_acts_as_often_as_it_must(clock: ManualClock) -> None:
    table = Table.dealt(clock)
    for seq in (50, 51):
        MatchEvent.objects.create(
            match_id=table.match_id, seq=seq, hand_no=1, kind="x", command={}, facts=[], arrived_ms=0, applied_ms=0
        )


def test_seats_and_hands_are_there_once(clock: ManualClock) -> None:
    table = Table.dealt(clock)
    for row in (Seat.objects.get(match_id=table.match_id, index=0), Hand.objects.get(match_id=table.match_id)):
        row.pk = None
        refused(lambda row=row: row.save(force_insert=True))


def test_a_person_is_bound_to_one_match(clock: ManualClock) -> None:
    """One active match per person, by the database."""
    first, second = Table.dealt(clock), Table.dealt(clock)
    refused(
        lambda: Seat.objects.filter(match_id=second.match_id, index=0).update(
            user=first.users[0], active_person=first.users[0]
        )
    )


@pytest.mark.parametrize("change", [{"facts": []}, {"applied_ms": 0}, {"seq": 99}])
def test_the_log_is_not_changed(clock: ManualClock, change: dict[str, Any]) -> None:
    table = Table.dealt(clock)
    events = MatchEvent.objects.filter(match_id=table.match_id)
    before = list(events.values())
    refused(lambda: events.filter(seq=1).update(**change))
    refused(lambda: events.filter(seq=1).delete())
    refused(lambda: events.get(seq=2).save())
    refused(lambda: Match.objects.get(pk=table.match_id).delete())
    assert list(events.values()) == before


@pytest.mark.parametrize("change", [{"seed": "00" * 32}, {"commitment": "00" * 32}, {"number": 9}])
def test_what_a_hand_was_committed_to_stays(clock: ManualClock, change: dict[str, Any]) -> None:
    """D-32: also for a hand that nobody has answered yet."""
    for table in (Table.new(clock), Table.dealt(clock)):
        hands = Hand.objects.filter(match_id=table.match_id)
        before = list(hands.values())
        refused(lambda hands=hands: hands.update(**change))
        refused(hands.delete)
        assert list(hands.values()) == before


@pytest.mark.django_db(transaction=True)
def test_emptying_the_whole_database_leaves_the_guards(clock: ManualClock) -> None:
    for _time in range(2):
        table = Table.dealt(clock)
        refused(MatchEvent.objects.filter(match_id=table.match_id).delete)
        call_command("flush", interactive=False, verbosity=0)
        assert not MatchEvent.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_the_guards_can_be_taken_back_and_made_again(clock: ManualClock) -> None:
    table = Table.dealt(clock)
    events = MatchEvent.objects.filter(match_id=table.match_id, seq=1)
    executor = MigrationExecutor(connection)
    try:
        executor.migrate([("games", "0001_initial"), ("ratings", "0001_initial"), ("accounts", "0001_initial")])
        assert events.update(applied_ms=7) == 1
    finally:
        executor = MigrationExecutor(connection)
        executor.migrate(executor.loader.graph.leaf_nodes())
    refused(lambda: events.update(applied_ms=8))


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL plans by the size of the table")
@pytest.mark.parametrize("column", ["deadline_ms", "cap_ms"])
def test_due_matches_are_found_by_their_index(clock: ManualClock, column: str) -> None:
    due = Match.objects.filter(**{f"{column}__lte": 5}).order_by(column)
    assert f"games_match_due_{column.removesuffix('_ms')}" in due.values_list("pk").explain()
