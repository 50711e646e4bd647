"""How a match begins, and how it ends before the first deal."""

from __future__ import annotations

import random

import pytest
from django.conf import settings

from accounts.models import User
from accounts.service import close_account, issue_token
from games import rules, service
from games.errors import AlreadyDealt, AlreadyInMatch, CannotStart, NotSeated
from games.models import Hand, Match, MatchEvent, Seat
from ratings.models import Rating, RatingChange
from tests import factories
from tests.drivers import ManualClock, Table

pytestmark = pytest.mark.django_db


def test_a_new_match_waits_for_start(clock: ManualClock) -> None:
    alice, bob = factories.alice(), factories.bob()
    match = factories.make_match([alice, bob])
    assert (match.status, match.phase, match.seq, match.deadline_ms) == ("waiting", "ready", 0, None)
    assert match.cap_ms == clock.at_ms + settings.START_CAP_MS
    seats = list(Seat.objects.filter(match=match).values_list("index", "user", "points", "rating_at_start"))
    assert seats == [(0, alice.pk, 150, 150_000), (1, bob.pk, 150, 150_000)]


def test_the_first_deal_is_committed_to_before_anybody_presses(clock: ManualClock) -> None:
    match = factories.make_match()
    hand = Hand.objects.get(match=match)
    assert (hand.number, hand.dealt_ms, len(bytes.fromhex(hand.seed))) == (1, None, 32)
    assert hand.commitment == rules.commitment(bytes.fromhex(hand.seed))


def test_the_tiles_are_dealt_when_both_have_pressed(clock: ManualClock) -> None:
    table = Table.new(clock)
    table.send(rules.Start(1))
    assert table.row().status == "waiting"
    clock.move(5_000)
    table.send(rules.Start(0))
    match = table.row()
    assert (match.status, match.hand_no, match.cap_ms, match.seq) == ("playing", 1, None, 2)
    assert match.deadline_ms == clock.at_ms + 130_000


def test_nobody_plays_against_themselves(clock: ManualClock) -> None:
    alice = factories.alice()
    with pytest.raises(CannotStart) as refused:
        factories.make_match([alice, alice])
    assert refused.value.detail == {"reason": "same_user"}


@pytest.mark.parametrize("number", [1, 3])
def test_a_duel_has_two_seats(clock: ManualClock, number: int) -> None:
    users = [factories.make_user() for _seat in range(number)]
    with pytest.raises(CannotStart):
        factories.make_match(users)
    assert not Match.objects.exists()


def test_people_and_programs_are_not_rated_against_each_other(clock: ManualClock) -> None:
    users = [factories.make_user(), factories.make_user(is_program=True)]
    with pytest.raises(CannotStart) as refused:
        factories.make_match(users, rated=True)
    assert refused.value.detail == {"reason": "mixed_rated"}
    assert factories.make_match(users, rated=False).rated is False


def test_who_became_a_program_meanwhile_is_not_rated_among_people(clock: ManualClock) -> None:
    """What the caller read of its users may be old."""
    alice, bob = factories.alice(), factories.bob()
    issue_token(User.objects.get(pk=bob.pk))
    with pytest.raises(CannotStart) as refused:
        factories.make_match([alice, bob], rated=True)
    assert refused.value.detail == {"reason": "mixed_rated"}


def test_a_closed_account_plays_no_new_match(clock: ManualClock) -> None:
    alice, bob = factories.alice(), factories.bob()
    close_account(User.objects.get(pk=bob.pk))
    with pytest.raises(CannotStart) as refused:
        factories.make_match([alice, bob])
    assert refused.value.detail == {"reason": "closed"}
    assert not Match.objects.exists()


def test_only_default_options_are_rated(clock: ManualClock) -> None:
    """CL-30."""
    with pytest.raises(CannotStart) as refused:
        factories.make_match(options={"shared_device": True}, rated=True)
    assert refused.value.detail == {"reason": "options"}
    assert factories.make_match(options={"shared_device": False}, rated=True).rated is True


def test_a_person_has_one_active_match(clock: ManualClock) -> None:
    alice, bob, charlie = factories.alice(), factories.bob(), factories.charlie()
    first = factories.make_match([alice, bob])
    with pytest.raises(AlreadyInMatch) as refused:
        factories.make_match([charlie, bob])
    assert refused.value.detail == {"user": bob.pk}
    assert Match.objects.count() == 1
    assert service.active_match_of(bob) == first
    assert service.active_match_of(charlie) is None


def test_a_match_that_is_over_binds_nobody(clock: ManualClock) -> None:
    table = Table.dealt(clock)
    table.send(rules.Resign(0))
    assert service.active_match_of(table.users[0]) is None
    factories.make_match(table.users)


def test_a_program_may_have_several(clock: ManualClock) -> None:
    programs = [factories.make_user(is_program=True), factories.make_user(is_program=True)]
    matches = {factories.make_match(programs).pk, factories.make_match(programs).pk}
    assert len(matches) == 2
    assert service.active_match_of(programs[0]).pk == max(matches)


def test_leaving_before_the_first_deal_cancels(clock: ManualClock) -> None:
    """D-1."""
    table = Table.new(clock)
    table.send(rules.Start(0))
    applied = service.leave(table.match_id, table.users[1])
    match = table.row()
    assert applied.facts[-1].ending == "cancelled"
    assert (match.status, match.ending, match.winner, match.absent, match.seq) == (
        "cancelled",
        "cancelled",
        None,
        [1],
        2,
    )
    assert not RatingChange.objects.exists()
    factories.make_match(table.users)


def test_nobody_leaves_once_the_tiles_are_dealt(clock: ManualClock) -> None:
    table = Table.dealt(clock)
    with pytest.raises(AlreadyDealt):
        service.leave(table.match_id, table.users[0])
    with pytest.raises(NotSeated):
        service.leave(table.match_id, factories.charlie())


def test_a_resignation_before_the_first_deal_is_a_loss_without_rating(clock: ManualClock) -> None:
    """D-22, D-34."""
    table = Table.new(clock)
    table.send(rules.Resign(0))
    match = table.row()
    assert (match.status, match.ending, match.winner, match.started_at) == ("finished", "resign", 1, None)
    assert not RatingChange.objects.exists()


def test_who_has_not_pressed_in_time_is_noted_as_absent(clock: ManualClock) -> None:
    """D-1."""
    table = Table.new(clock)
    table.send(rules.Start(1))
    clock.move(settings.START_CAP_MS + settings.GRACE_MS - 1)
    assert service.cancel_unstarted(table.match_id) is None
    clock.move(1)
    assert service.cancel_unstarted(table.match_id) is not None
    assert service.cancel_unstarted(table.match_id) is None
    match = table.row()
    assert (match.status, match.absent, match.cap_ms) == ("cancelled", [0], None)
    assert MatchEvent.objects.filter(match=match).count() == 2
    assert not Rating.objects.filter(games__gt=0).exists()


def test_a_start_that_came_in_time_counts_although_the_cap_has_passed(clock: ManualClock) -> None:
    table = Table.new(clock)
    table.send(rules.Start(1))
    arrived_ms = clock.move(settings.START_CAP_MS - 1)
    clock.move(100)
    assert table.send(rules.Start(0), arrived_ms=arrived_ms).state.hand == 1


def test_a_start_that_came_late_does_not(clock: ManualClock) -> None:
    table = Table.new(clock)
    table.send(rules.Start(1))
    clock.move(settings.START_CAP_MS + settings.GRACE_MS)
    applied = table.send(rules.Start(0))
    assert (applied.state.ending, table.row().absent) == ("cancelled", [0])


def test_the_server_continues_for_those_who_do_not(clock: ManualClock) -> None:
    """D-2."""
    table = Table.dealt(clock).play_until(lambda state: state.phase == "ready", random.Random(1))
    hand = table.state.hand
    assert table.row().cap_ms == clock.at_ms + settings.CONTINUE_CAP_MS
    table.send(rules.Continue(1), nonce=b"n" * 16)
    clock.move(settings.CONTINUE_CAP_MS + settings.GRACE_MS - 1)
    assert service.continue_overdue(table.match_id) is None
    clock.move(1)
    applied = service.continue_overdue(table.match_id)
    assert applied is not None
    assert (applied.state.hand, table.row().cap_ms) == (hand + 1, None)
    assert service.continue_overdue(table.match_id) is None
    dealt = Hand.objects.get(match_id=table.match_id, number=hand + 1)
    assert dealt.nonces == [None, (b"n" * 16).hex()]
    assert MatchEvent.objects.get(match_id=table.match_id, seq=applied.seq).command_id is None


def test_the_server_continues_for_both(clock: ManualClock) -> None:
    table = Table.dealt(clock).play_until(lambda state: state.phase == "ready", random.Random(1))
    hand, seq = table.state.hand, table.seq
    clock.move(settings.CONTINUE_CAP_MS + settings.GRACE_MS)
    applied = service.continue_overdue(table.match_id)
    assert applied is not None
    assert (applied.state.hand, applied.seq) == (hand + 1, seq + 2)
