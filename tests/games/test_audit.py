"""Stored matches judged again, and put right by the operator."""

from __future__ import annotations

import random
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from games import audit, rules, service
from games.models import Hand, Match, MatchEvent
from tests import factories
from tests.drivers import ManualClock, Table

pytestmark = pytest.mark.django_db


def verified(*names: str) -> str:
    told = StringIO()
    call_command("verify_matches", *names, stdout=told)
    return told.getvalue()


def everything() -> list[object]:
    return [list(model.objects.order_by("pk").values()) for model in (Match, MatchEvent, Hand)]


@pytest.fixture
def tables(clock: ManualClock) -> list[Table]:
    """A match of every kind of standing."""
    rng = random.Random(9)
    kinds = [Table.new(clock), Table.new(clock)] + [Table.dealt(clock) for _match in range(7)]
    _waiting, cancelled, _opening, playing, interlude, resigned, expired, voided, finished = kinds
    service.leave(cancelled.match_id, cancelled.users[1])
    for _move in range(6):
        clock.move(12_345)
        playing.step(rng)
    for table in (interlude, resigned):
        table.play_until(lambda state: state.phase == "ready", rng)
    interlude.send(rules.Continue(1), nonce=b"1" * 16)
    resigned.send(rules.Resign(1))
    finished.play_out(rng)
    clock.at_ms = expired.state.deadline_ms + 1_000
    service.expire_due(expired.match_id)
    service.expire_due(voided.match_id)
    service.void_for_fault(voided.match_id, reason="test")
    return kinds


def test_what_the_service_wrote_is_right(tables: list[Table]) -> None:
    """Facts fold to the snapshot, commands judged again give the facts, 300 points, 28 tiles."""
    assert verified() == f"{len(tables)} looked at, 0 wrong\n"


def test_looking_changes_nothing(tables: list[Table]) -> None:
    before = everything()
    verified(*(table.public_id for table in tables))
    assert everything() == before


@pytest.mark.parametrize(
    ("damage", "finding"),
    [
        (lambda table: Match.objects.filter(pk=table.match_id).update(snapshot="{}"), "snapshot cannot be read"),
        (lambda table: Match.objects.filter(pk=table.match_id).update(deadline_ms=5), "deadline_ms is 5"),
        (lambda table: MatchEvent.objects.filter(match_id=table.match_id, seq=3).delete(), "event 4 follows 2"),
        (
            lambda table: MatchEvent.objects.filter(match_id=table.match_id, seq=3).update(arrived_ms=0),
            "event 3: the command judged again gives other facts",
        ),
        (
            lambda table: Hand.objects.filter(match_id=table.match_id, number=1).update(seed="00" * 32),
            "hand 1: the seed is not the one committed to",
        ),
        (lambda table: Hand.objects.filter(match_id=table.match_id, number=1).delete(), "hands without a stored deal"),
    ],
)
def test_damage_is_found(clock: ManualClock, damage: object, finding: str) -> None:
    table = Table.dealt(clock)
    for _move in range(4):
        clock.move(20_000)
        table.step(random.Random(1))
    with factories.unguarded():
        damage(table)
    told = StringIO()
    with pytest.raises(CommandError, match="1 of 1 matches"):
        call_command("verify_matches", table.public_id, stdout=told)
    assert f"{table.public_id}: " in told.getvalue()
    assert finding in told.getvalue()
    assert "|" not in told.getvalue()


def test_a_seed_that_gives_another_order_is_found(clock: ManualClock, settings: object) -> None:
    settings.TEST_DEALS = None
    table = Table.dealt(clock)
    Hand.objects.filter(match_id=table.match_id).update(nonces=["00" * 16, None])
    assert audit.findings(table.row()) == ["hand 1: seed and nonces give another order"]


def test_a_match_that_is_not_there() -> None:
    for command in ("verify_matches", "rebuild_snapshot"):
        with pytest.raises(CommandError, match="no such match"):
            call_command(command, "nowhere", stdout=StringIO())
    with pytest.raises(CommandError, match="no such match"):
        call_command("void_match", "nowhere", reason="x", stdout=StringIO())


def test_a_broken_snapshot_is_made_from_the_log_again(clock: ManualClock) -> None:
    table = Table.dealt(clock)
    for _move in range(5):
        table.step(random.Random(1))
    right = table.row().snapshot
    Match.objects.filter(pk=table.match_id).update(snapshot="{}", deadline_ms=None, phase="ready")
    told = StringIO()
    call_command("rebuild_snapshot", table.public_id, stdout=told)
    call_command("rebuild_snapshot", table.public_id, stdout=told)
    assert told.getvalue() == f"{table.public_id}: rebuilt\n{table.public_id}: was right already\n"
    assert table.row().snapshot == right
    assert audit.findings(table.row()) == []
    table.step(random.Random(1))


def test_the_operator_voids_as_the_service_does(clock: ManualClock) -> None:
    table, told = Table.dealt(clock), StringIO()
    call_command("void_match", table.public_id, reason="a power cut", stdout=told)
    match = table.row()
    assert (match.status, match.ending, match.void_reason) == ("aborted", "service_fault", "a power cut")
    assert MatchEvent.objects.filter(match=match).latest("seq").kind == "void_for_fault"
    with pytest.raises(CommandError, match="not lost on time"):
        call_command("void_match", table.public_id, reason="again", stdout=told)
