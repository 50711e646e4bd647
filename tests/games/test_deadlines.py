"""Clocks: who may judge them when, and what is judged."""

from __future__ import annotations

import os
import random
from functools import partial
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import cache

from config import celery
from games import rules, service, snapshots, tasks
from games.errors import NotSeated, StaleCommand, TimeIsUp, TimingFault
from games.models import Hand, Match, MatchEvent
from ratings.models import Rating, RatingChange
from tests import factories
from tests.drivers import ManualClock, Table

pytestmark = pytest.mark.django_db

TURN_MS = 130_000  # SB-61, SB-62
TRIALS = 1_000 if os.environ.get("BONEYARD_SOAK") else 60


def lost_on_time(table: Table) -> None:
    """The stored match is lost by the seat that was on turn, dated at the deadline."""
    match = table.row()
    loser = table.state.turn
    assert (match.status, match.ending, match.winner) == ("finished", "time", 1 - loser)
    assert (match.turn_seat, match.deadline_ms, match.cap_ms) == (None, None, None)
    assert round(match.ended_at.timestamp() * 1_000) == table.state.deadline_ms
    state = snapshots.read(match.snapshot)
    assert (state.banks_ms[loser], state.phase) == (0, "over")


def test_a_command_before_the_deadline_is_accepted_whenever_it_is_handled(clock: ManualClock) -> None:
    """SB-70: the stamp decides."""
    table = Table.dealt(clock)
    arrived_ms = clock.move(TURN_MS - 1)
    clock.move(10_000)
    applied = table.send(table.moves()[0], arrived_ms=arrived_ms)
    assert applied.state.phase == "play"
    assert applied.state.banks_ms[applied.command.seat] == 1


def test_a_command_at_the_deadline_waits_for_the_verdict(clock: ManualClock) -> None:
    """D-27: nobody judges before the grace is over."""
    table = Table.dealt(clock)
    command = table.moves()[0]
    clock.move(TURN_MS)
    with pytest.raises(TimeIsUp) as refused:
        table.send(command)
    assert refused.value.detail == {"deadline_ms": table.state.deadline_ms}
    assert table.row().status == "playing"
    clock.move(settings.GRACE_MS - 1)
    with pytest.raises(TimeIsUp):
        table.send(command)
    assert table.row().seq == table.seq


def test_a_late_command_brings_the_verdict_after_the_grace(clock: ManualClock) -> None:
    table = Table.dealt(clock)
    seat = table.state.turn
    clock.move(TURN_MS + settings.GRACE_MS)
    applied = service.submit(
        table.match_id,
        table.moves()[0],
        actor=table.users[seat],
        expected_seq=table.seq,
        command_id="late",
        arrived_ms=clock(),
    )
    assert isinstance(applied.command, rules.ExpireTime)
    assert applied.facts[-1] == rules.MatchOver(table.state.deadline_ms, 1 - seat, rules.Ending.TIME)
    lost_on_time(table)
    event = MatchEvent.objects.get(match_id=table.match_id, seq=applied.seq)
    assert (event.seat, event.command_id, event.arrived_ms) == (None, None, table.state.deadline_ms)
    assert event.applied_ms == clock.at_ms


@pytest.mark.parametrize("which", ["stale", "other seat", "resignation"])
def test_any_late_command_does(clock: ManualClock, which: str) -> None:
    table = Table.dealt(clock)
    seat = table.state.turn
    clock.move(TURN_MS + settings.GRACE_MS)
    given: dict[str, Any] = {
        "stale": {"command": rules.DrawTile(seat), "expected_seq": 0},
        "other seat": {"command": rules.DrawTile(1 - seat), "expected_seq": table.seq},
        "resignation": {"command": rules.Resign(1 - seat), "expected_seq": None, "expected_hand": 1},
    }[which]
    actor = table.users[given["command"].seat]
    service.submit(table.match_id, **given, actor=actor, command_id="x", arrived_ms=clock())
    lost_on_time(table)


def test_a_repeated_command_that_comes_late_is_answered_all_the_same(clock: ManualClock) -> None:
    table = Table.dealt(clock)
    command, seq = table.moves()[0], table.seq
    first = table.send(command, command_id="same")
    clock.move(TURN_MS)
    again = table.send(command, command_id="same", expected_seq=seq)
    assert (again.repeated, again.seq) == (True, first.seq)


def test_the_opponent_claims_after_the_grace(clock: ManualClock) -> None:
    table = Table.dealt(clock)
    claimant = table.users[1 - table.state.turn]
    clock.move(TURN_MS - 1)
    assert service.claim_time(table.match_id, actor=claimant, arrived_ms=clock()) is None
    arrived_ms = clock.move(1)
    with pytest.raises(TimeIsUp):
        service.claim_time(table.match_id, actor=claimant, arrived_ms=arrived_ms)
    clock.move(settings.GRACE_MS)
    assert service.claim_time(table.match_id, actor=claimant, arrived_ms=clock()) is not None
    assert service.claim_time(table.match_id, actor=claimant, arrived_ms=clock()) is None
    lost_on_time(table)


def test_a_stranger_claims_nothing(clock: ManualClock) -> None:
    table = Table.dealt(clock)
    clock.move(TURN_MS * 2)
    with pytest.raises(NotSeated):
        service.claim_time(table.match_id, actor=factories.charlie(), arrived_ms=clock())
    assert table.row().status == "playing"


def test_the_sole_process_need_not_wait(clock: ManualClock) -> None:
    """D-27."""
    table = Table.dealt(clock)
    clock.move(TURN_MS - 1)
    assert service.expire_due(table.match_id, sole_process=True) is None
    clock.move(1)
    assert service.expire_due(table.match_id) is None
    assert service.expire_due(table.match_id, sole_process=True) is not None
    lost_on_time(table)


def test_a_verdict_is_given_once(clock: ManualClock) -> None:
    """B237: the deadline task delivered twice and five times, out of order, two hours late."""
    table = Table.dealt(clock)
    clock.move(TURN_MS + 2 * 3_600_000)
    results = [service.expire_due(table.match_id, now_ms=clock.at_ms - back) for back in (0, 7_000_000, 0, 60_000, 0)]
    assert [result is not None for result in results] == [True, False, False, False, False]
    assert MatchEvent.objects.filter(match_id=table.match_id, kind="expire_time").count() == 1
    assert RatingChange.objects.filter(match_label=table.public_id).count() == 2
    lost_on_time(table)


def test_a_judgement_ordered_for_an_earlier_turn_does_nothing(clock: ManualClock) -> None:
    """B237: it looks at the turn and at the clock again."""
    table = Table.dealt(clock)
    clock.move(TURN_MS - 1)
    table.send(table.moves()[0])
    clock.move(settings.GRACE_MS + 1)
    assert service.expire_due(table.match_id) is None
    assert tasks.sweep() == 0
    assert table.row().seq == table.seq


def test_matches_end_by_the_sweep_alone(clock: ManualClock) -> None:
    """B076: bank, result, reason, ratings and ledger are there together."""
    rng = random.Random(7)
    tables = [Table.dealt(clock) for _match in range(12)]
    for table in tables:
        for _move in range(rng.randrange(6)):
            clock.move(rng.randrange(15_000))
            if clock() < (table.state.deadline_ms or 0):
                table.step(rng)
    for table in tables:
        table.refresh()
    clock.at_ms = max(table.state.deadline_ms for table in tables) + settings.GRACE_MS
    tasks.sweep()
    assert tasks.sweep() == 0
    for table in tables:
        lost_on_time(table)
        changes = RatingChange.objects.filter(match_label=table.public_id)
        assert {change.user_id: change.score for change in changes} == {
            table.users[table.state.turn].pk: 0.0,
            table.users[1 - table.state.turn].pk: 1.0,
        }
        assert Rating.objects.filter(user__in=table.users, games=1).count() == 2
        assert Hand.objects.filter(match_id=table.match_id, ending="time", over_ms=table.state.deadline_ms).exists()


def test_the_result_does_not_depend_on_the_period_of_the_sweep(clock: ManualClock) -> None:
    for late_ms in (0, 500, 3_600_000):
        table = Table.dealt(clock)
        clock.at_ms = table.state.deadline_ms + settings.GRACE_MS + late_ms
        tasks.sweep()
        lost_on_time(table)


def test_the_sweep_keeps_all_caps(clock: ManualClock) -> None:
    """B074: a Start or a Continue that nobody presses ends by a stated limit."""
    waiting = Table.new(clock)
    playing = Table.dealt(clock).play_until(lambda state: state.phase == "ready", random.Random(1))
    ending = Table.dealt(clock)
    clock.move(TURN_MS + settings.GRACE_MS)
    assert tasks.sweep() == 3
    assert waiting.row().status == "cancelled"
    assert (playing.row().status, playing.row().hand_no) == ("playing", playing.state.hand + 1)
    assert ending.row().ending == "time"


def test_no_match_outlives_its_players(clock: ManualClock) -> None:
    """B074: wherever both leave for good, the sweep alone brings the match to its end."""
    tables = [
        Table.new(clock),
        Table.dealt(clock),
        Table.dealt(clock).play_until(lambda state: state.phase == "ready", random.Random(1)),
        Table.dealt(clock).play_until(lambda state: state.phase == "auction", random.Random(2)),
    ]
    for _ in range(4):
        clock.move(TURN_MS + settings.GRACE_MS)
        tasks.sweep()
    assert not any(table.row().is_running for table in tables)
    assert [table.row().ending for table in tables] == ["cancelled", "time", "time", "time"]


def test_nothing_that_is_due_is_kept_outside_the_database(clock: ManualClock) -> None:
    """B241: all of Valkey flushed in the middle of the matches."""
    tables = [Table.new(clock), Table.dealt(clock)]
    cache.clear()
    snapshots.forget()
    clock.move(TURN_MS + settings.GRACE_MS)
    assert tasks.sweep() == 2
    assert [table.row().status for table in tables] == ["cancelled", "finished"]


def test_a_match_that_cannot_be_judged_stops_nobody_else(clock: ManualClock, caplog: pytest.LogCaptureFixture) -> None:
    broken, sound = Table.dealt(clock), Table.dealt(clock)
    Match.objects.filter(pk=broken.match_id).update(snapshot="{}")
    clock.move(TURN_MS + settings.GRACE_MS)
    assert tasks.sweep() == 1
    assert sound.row().ending == "time"
    assert f"match {broken.match_id}" in caplog.text
    caplog.clear()
    assert tasks.sweep() == 0
    assert caplog.text == ""  # set aside for now
    clock.move(tasks.FIRST_BACK_OFF_MS)
    tasks.sweep()
    assert "2 in a row" in caplog.text
    service.rebuild_snapshot(broken.match_id)
    clock.move(tasks.LONGEST_BACK_OFF_MS)
    assert tasks.sweep() == 1
    assert broken.row().ending == "time"


def test_more_matches_than_are_taken_at_once(clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "AT_ONCE", 2)
    tables = [Table.dealt(clock) if number % 2 else Table.new(clock) for number in range(7)]
    clock.move(TURN_MS + settings.GRACE_MS)
    assert tasks.sweep() == len(tables)
    assert {table.row().status for table in tables} == {"finished", "cancelled"}


def test_the_sweep_takes_the_time_it_is_given(clock: ManualClock) -> None:
    table = Table.dealt(clock)
    due_ms = table.state.deadline_ms + settings.GRACE_MS
    assert tasks.sweep(due_ms - 1) == 0
    assert tasks.sweep(due_ms) == 1
    assert MatchEvent.objects.get(match_id=table.match_id, kind="expire_time").applied_ms == due_ms


def test_what_falls_due_between_two_sweeps_is_judged_at_its_time(clock: ManualClock) -> None:
    """Nobody waits for the period beside the grace: each loss is written within a step of it, in their order."""
    tables = []
    for _match in range(6):
        tables.append(Table.dealt(clock))
        clock.move(90)
    due_ms = [table.state.deadline_ms + settings.GRACE_MS for table in tables]
    clock.at_ms = due_ms[0] - 30
    pauses = []

    def pause(rest_s: float) -> None:
        pauses.append(rest_s)
        clock.move(round(rest_s * 1_000))

    assert tasks.follow(clock.at_ms, due_ms[-1], pause) == 6
    for table in tables:
        lost_on_time(table)
    verdicts = MatchEvent.objects.filter(kind="expire_time").order_by("pk")
    assert [event.match_id for event in verdicts] == [table.match_id for table in tables]
    late_ms = [event.applied_ms - due for event, due in zip(verdicts, due_ms, strict=True)]
    assert all(0 <= late <= tasks.STEP_MS for late in late_ms)
    assert sum(pauses) * 1_000 == pytest.approx(due_ms[-1] - due_ms[0] + 30, abs=1)


def test_many_that_fall_due_one_after_the_other_are_judged_in_steps(clock: ManualClock) -> None:
    tables = []
    for _match in range(20):
        tables.append(Table.dealt(clock))
        clock.move(5)
    clock.at_ms = tables[0].state.deadline_ms + settings.GRACE_MS - 1
    pauses = []

    def pause(rest_s: float) -> None:
        pauses.append(rest_s)
        clock.move(round(rest_s * 1_000))

    assert tasks.follow(clock.at_ms, clock.at_ms + tasks.PERIOD_MS, pause) == 20
    assert len(pauses) <= 20 * 5 / tasks.STEP_MS + 2


def test_what_cannot_be_judged_is_not_waited_for_again(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    table = Table.dealt(clock)
    clock.at_ms = table.state.deadline_ms
    monkeypatch.setattr(service, "expire_due", lambda *_ids, **_given: 1 / 0)
    pauses: list[float] = []
    assert tasks.follow(clock.at_ms, clock.at_ms + tasks.PERIOD_MS, pauses.append) == 0
    assert len(pauses) == 1


def test_a_match_another_sweep_is_at_is_left_to_it(clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = [Table.dealt(clock), Table.dealt(clock)]
    clock.at_ms = tables[0].state.deadline_ms + settings.GRACE_MS
    judge, inner = service.expire_due, []

    def judge_and_sweep(match_id: int, **given: Any) -> service.Applied | None:
        if not inner:
            inner.append(None)
            inner.append(tasks.sweep())
        return judge(match_id, **given)

    monkeypatch.setattr(service, "expire_due", judge_and_sweep)
    assert tasks.sweep() == 1
    assert inner == [None, 1]
    assert not tasks._in_hand
    for table in tables:
        lost_on_time(table)


def test_the_sweep_looks_as_far_ahead_as_beat_leaves_it_alone() -> None:
    assert tasks.PERIOD_MS == celery.SWEEP_PERIOD_S * 1_000


def test_the_task_leaves_its_heartbeat(clock: ManualClock) -> None:
    tasks.enforce_deadlines()
    assert cache.get("boneyard:last-sweep-ms") == clock.at_ms


def test_each_turn_has_one_outcome(clock: ManualClock) -> None:
    """B078: a command from 50 ms before to 50 ms after the deadline, and a sweep beside it."""
    rng = random.Random(78)
    table = Table.dealt(clock)
    for trial in range(TRIALS):
        if table.state.phase != "play":
            table = Table.dealt(clock)
        command, seat, deadline_ms = table.moves()[0], table.state.turn, table.state.deadline_ms
        arrived_ms = deadline_ms + rng.randrange(-50, 51) if trial % 10 else deadline_ms
        clock.at_ms = max(arrived_ms, deadline_ms + rng.randrange(-50, 700))
        order = [tasks.sweep, partial(table.send, command, arrived_ms=arrived_ms)]
        if arrived_ms >= deadline_ms or clock() < deadline_ms + settings.GRACE_MS:
            rng.shuffle(order)
        else:
            order.reverse()  # the grace is over: whoever handles it that late has handled the command first
        late = False
        for act in order:
            try:
                act()
            except (TimeIsUp, rules.MatchIsOver):
                late = True
        clock.at_ms = deadline_ms + settings.GRACE_MS
        tasks.sweep()
        match = table.row()
        accepted = MatchEvent.objects.filter(match=match, seat=seat, arrived_ms=arrived_ms, kind=command.type)
        lost = MatchEvent.objects.filter(match=match, kind="expire_time", arrived_ms=deadline_ms)
        assert accepted.exists() == (arrived_ms < deadline_ms)
        assert lost.exists() == (arrived_ms >= deadline_ms)
        assert late or match.status == "playing" or lost.exists()
        if lost.exists():
            table = Table.dealt(clock)
        else:
            table.refresh()


# D-28 (1).


def judged_too_early(table: Table, clock: ManualClock) -> tuple[rules.PlayerCommand, int]:
    """A legal command stamped 1 ms before the deadline, and a verdict written before it was handled."""
    command = table.moves()[0]
    arrived_ms = clock.move(TURN_MS - 1)
    clock.move(settings.GRACE_MS + 1)
    assert service.expire_due(table.match_id) is not None
    return command, arrived_ms


def test_a_command_in_time_that_is_found_after_the_verdict_voids_the_match(clock: ManualClock) -> None:
    table = Table.dealt(clock)
    command, arrived_ms = judged_too_early(table, clock)
    ratings = dict(Rating.objects.filter(user__in=table.users).values_list("user", "value_centi"))
    assert set(ratings.values()) != {150_000}
    with pytest.raises(TimingFault):
        table.send(command, arrived_ms=arrived_ms)
    match = table.row()
    assert (match.status, match.ending, match.winner) == ("aborted", "service_fault", None)
    assert match.voided_at is not None
    assert match.void_reason == f"command for version {table.seq} stamped 501 ms before the verdict was written"
    assert set(Rating.objects.filter(user__in=table.users).values_list("value_centi", "games")) == {(150_000, 0)}
    assert RatingChange.objects.filter(match_label=table.public_id).count() == 4
    with pytest.raises(rules.MatchIsOver):
        table.send(command, arrived_ms=arrived_ms, command_id="once more")
    assert table.row().seq == match.seq


def test_a_command_that_waited_behind_others_of_its_player_proves_nothing(clock: ManualClock) -> None:
    table = Table.dealt(clock)
    command, arrived_ms = judged_too_early(table, clock)
    with pytest.raises(rules.MatchIsOver):
        table.send(command, arrived_ms=arrived_ms, waited_behind=True)
    assert table.row().ending == "time"


@pytest.mark.parametrize("what", ["late", "stale", "illegal", "other seat", "resignation", "other hand"])
def test_what_proves_nothing(clock: ManualClock, what: str) -> None:
    table = Table.dealt(clock)
    seat = table.state.turn
    command, arrived_ms = judged_too_early(table, clock)
    given: dict[str, Any] = {"arrived_ms": arrived_ms}
    if what == "late":
        given["arrived_ms"] = arrived_ms + 1
    elif what == "stale":
        given["expected_seq"] = table.seq - 1
    elif what == "illegal":
        command = rules.DrawTile(seat)
    elif what == "other seat":
        command = rules.PlayTile(1 - seat, table.state.held[1 - seat][0], None)
    elif what == "resignation":
        command = rules.Resign(seat)
    else:
        command = rules.Continue(seat)
    with pytest.raises((rules.MatchIsOver, StaleCommand)):
        table.send(command, **given)
    assert table.row().ending == "time"
