"""A match of two at one device, through the one writer (D-4)."""

from __future__ import annotations

import random
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from games import audit, records, rules, service, tasks
from games.errors import CannotStart, DeviceBusy, MalformedCommand, NotSeated, StaleCommand, TimeIsUp, TimingFault
from games.models import Match, MatchEvent, Seat
from ratings.models import Rating, RatingChange
from tests import factories
from tests.device.desk import ALICE, BOB, DEVICE, OTHER_DEVICE, Desk
from tests.drivers import ManualClock

pytestmark = pytest.mark.django_db


def test_a_new_match_is_nobodys_but_the_devices(clock: ManualClock) -> None:
    desk = Desk.new(clock)
    match = desk.row()
    assert (match.status, match.rated, match.pool, match.player_ids) == ("waiting", False, "", [None, None])
    assert match.cap_ms == clock.at_ms + service.DEVICE_CAP_MS
    assert list(Seat.objects.values_list("name", "user", "active_person")) == [(ALICE, None, None), (BOB, None, None)]
    assert service.running_at_device(DEVICE) == match
    assert service.running_at_device(OTHER_DEVICE) is None


@pytest.mark.parametrize("change", [{"rated": True}, {"pool": "spectacular-bid"}])
def test_the_database_never_lets_it_be_rated(clock: ManualClock, change: dict[str, Any]) -> None:
    desk = Desk.new(clock)
    with pytest.raises(IntegrityError), transaction.atomic():
        Match.objects.filter(pk=desk.match_id).update(**change)


def test_no_account_gets_a_made_up_name(clock: ManualClock) -> None:
    match = factories.make_match()
    with pytest.raises(IntegrityError), transaction.atomic():
        Seat.objects.filter(match=match).update(name="Somebody")


def test_two_accounts_cannot_start_a_match_with_a_curtain(clock: ManualClock) -> None:
    with pytest.raises(CannotStart):
        factories.make_match(options={"shared_device": True}, rated=False)


def test_a_device_plays_one_match_at_a_time(clock: ManualClock) -> None:
    desk = Desk.new(clock)
    with pytest.raises(DeviceBusy) as refused:
        Desk.new(clock)
    assert refused.value.detail == {"match": desk.public_id}
    Desk.new(clock, device=OTHER_DEVICE)
    service.end_at_device(desk.match_id, device=DEVICE)
    assert Desk.new(clock).public_id != desk.public_id


def test_one_press_deals_and_the_clock_waits_for_the_reveal(clock: ManualClock) -> None:
    """SB-68 (b): nobody's time runs while the device changes hands."""
    desk = Desk.dealt(clock)
    row = desk.row()
    assert (row.status, row.phase, row.hand_no, row.deadline_ms) == ("playing", "curtain", 1, None)
    clock.move(3_600_000)
    desk.send("reveal")
    assert (desk.state.phase, desk.state.turn_started_ms) == ("play", clock.at_ms)
    assert desk.row().cap_ms is None


def test_another_device_has_no_say(clock: ManualClock) -> None:
    desk = Desk.dealt(clock)
    for device in (OTHER_DEVICE, ""):
        with pytest.raises(NotSeated):
            desk.send("reveal", device=device)
        with pytest.raises(NotSeated):
            service.end_at_device(desk.match_id, device=device)
    with pytest.raises(NotSeated):
        service.submit(
            desk.match_id,
            rules.Resign(0),
            actor=factories.make_user(),
            expected_seq=desk.seq,
            expected_hand=desk.state.hand,
            command_id="c",
            arrived_ms=clock(),
        )


def test_a_device_has_no_say_in_a_match_of_accounts(clock: ManualClock) -> None:
    match = factories.make_match()
    for device in ("", DEVICE):
        with pytest.raises(NotSeated):
            service.end_at_device(match.pk, device=device)


def test_a_late_press_never_shows_the_other_hand(clock: ManualClock) -> None:
    """The reveal of one turn, sent again when the curtain has fallen for the other."""
    desk = Desk.dealt(clock)
    shown_at = desk.seq
    desk.send("reveal")
    desk.send(desk.moves()[0])
    assert desk.state.phase == "curtain"
    with pytest.raises(StaleCommand):
        desk.send("reveal", expected_seq=shown_at)
    with pytest.raises(StaleCommand):
        desk.send("resign", expected_seq=shown_at)
    with pytest.raises(MalformedCommand):
        desk.send("reveal", expected_seq=None)
    assert desk.refresh().phase == "curtain"


def test_a_doubled_press_is_answered_as_before_although_the_turn_went_over(clock: ManualClock) -> None:
    desk = Desk.shown(clock)
    move, shown_at = desk.moves()[0], desk.seq
    first = desk.send(move, command_id="same")
    again = desk.send(move, command_id="same", expected_seq=shown_at)
    assert (again.repeated, again.seq) == (True, first.seq)


def test_who_is_on_turn_resigns(clock: ManualClock) -> None:
    desk = Desk.shown(clock)
    seat = desk.state.turn
    desk.send("resign")
    assert (desk.state.winner, desk.row().ending) == (1 - seat, "resign")


def test_time_runs_out_as_ever(clock: ManualClock) -> None:
    desk = Desk.shown(clock)
    seat, deadline_ms = desk.state.turn, desk.state.deadline_ms
    clock.move(deadline_ms - clock.at_ms)
    with pytest.raises(TimeIsUp):
        desk.send(desk.moves()[0])
    clock.move(2_000)
    applied = service.claim_time(desk.match_id, actor=None, device=DEVICE, arrived_ms=clock())
    assert applied is not None
    assert (applied.state.winner, applied.state.ending) == (1 - seat, "time")


def test_a_move_in_time_voids_a_verdict_of_ours(clock: ManualClock) -> None:
    """D-28 holds here, too, although the match that is over no longer knows whose turn it was."""
    desk = Desk.shown(clock)
    move, deadline_ms = desk.moves()[0], desk.state.deadline_ms
    clock.move(deadline_ms - clock.at_ms)
    assert service.expire_due(desk.match_id, sole_process=True) is not None
    with pytest.raises(TimingFault):
        desk.send(move, arrived_ms=deadline_ms - 1)
    assert desk.row().status == "aborted"


@pytest.mark.parametrize("begin", [Desk.new, Desk.dealt])
def test_a_device_left_alone_for_a_day_is_swept(clock: ManualClock, begin: Any) -> None:
    desk = begin(clock)
    clock.move(service.DEVICE_CAP_MS)
    tasks.sweep()
    assert desk.row().is_running
    clock.move(2_000)
    assert tasks.sweep() == 1
    row = desk.row()
    assert (row.status, row.ending, row.winner, row.absent, row.cap_ms) == ("cancelled", "cancelled", None, [], None)
    assert audit.findings(row) == []


def test_each_act_begins_the_day_anew(clock: ManualClock) -> None:
    desk = Desk.dealt(clock)
    clock.move(service.DEVICE_CAP_MS - 1)
    desk.send("reveal")
    desk.send(desk.moves()[0])
    assert desk.row().cap_ms == clock.at_ms + service.DEVICE_CAP_MS


def test_those_at_the_device_may_end_it_without_a_result(clock: ManualClock) -> None:
    desk = Desk.shown(clock)
    clock.move(11_000)
    applied = service.end_at_device(desk.match_id, device=DEVICE)
    assert applied is not None
    assert [fact.type for fact in applied.facts] == ["clock_stopped", "match_over"]
    assert desk.row().status == "cancelled"
    assert service.end_at_device(desk.match_id, device=DEVICE) is None


def test_a_clock_that_has_run_out_is_no_way_to_end_it(clock: ManualClock) -> None:
    desk = Desk.shown(clock)
    clock.move(desk.state.deadline_ms - clock.at_ms + 2_000)
    service.end_at_device(desk.match_id, device=DEVICE)
    assert desk.row().ending == "time"


def test_a_move_takes_three_statements(clock: ManualClock) -> None:
    desk = Desk.shown(clock)
    rng = random.Random(3)
    while desk.state.phase != "play" or desk.state.must_open or len(desk.state.held[desk.state.turn]) < 2:
        desk.step(rng)
    with CaptureQueriesContext(connection) as captured:
        desk.send(desk.moves()[0])
    beside = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")
    statements = [query["sql"].split()[0] for query in captured.captured_queries]
    assert [word for word in statements if word not in beside] == ["SELECT", "INSERT", "UPDATE"]


def test_whole_matches_are_as_the_rules_say_and_rate_nobody(clock: ManualClock) -> None:
    for number in range(3):
        desk = Desk.new(clock, device=f"{number:064x}")
        rng = random.Random(number)
        while desk.state.phase != "over":
            clock.move(700)
            desk.step(rng)
        row = desk.row()
        assert row.status == "finished"
        assert audit.findings(row) == []
        assert rules.judge_record(records.match_record(row)).ending == desk.state.ending
        assert f'[Seat0 "{ALICE}"]' in records.record_text(row)
        # How often the device went over is in the record.
        assert MatchEvent.objects.filter(match=row, kind="reveal").count() == sum(
            isinstance(fact, rules.Revealed) for fact in records.match_record(row).facts
        )
    assert not Rating.objects.exists()
    assert not RatingChange.objects.exists()


def test_between_two_hands_nobody_is_hurried(clock: ManualClock) -> None:
    """One press of Continue counts for both, and D-2 presses for nobody: a day is left, not half a minute."""
    desk = Desk.shown(clock)
    desk.play_until(lambda state: state.phase == "ready", random.Random(8))
    assert (desk.state.phase, desk.state.hand) == ("ready", 1)
    clock.move(10 * 60_000)
    assert tasks.sweep() == 0
    desk.send("continue")
    assert (desk.state.phase, desk.state.hand) == ("curtain", 2)
