"""Ratings from the start of a match to the ledger."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import translation
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.models import User
from ratings.models import Rating, RatingChange
from ratings.service import (
    Frozen,
    casual_reason,
    changes_of_match,
    freeze,
    has_rated_matches,
    last_changes,
    pool_for,
    preview,
    rating_of,
    ratings_of,
    record_result,
    reverse_result,
    terms_against,
)

from .conftest import NOW, POOL, give_rating

pytestmark = pytest.mark.django_db


def value(user: User, pool: str = POOL) -> int:
    return rating_of(user, pool).value_centi


def test_nobody_needs_a_row_to_have_a_rating(alice):
    figure = rating_of(alice, POOL)
    assert (figure.value_centi, figure.games, figure.text) == (150_000, 0, "1500?")
    assert not Rating.objects.exists()
    assert not has_rated_matches(alice)


def test_many_ratings_are_one_query(alice, bob, django_assert_num_queries):
    give_rating(bob, 1612)
    with django_assert_num_queries(1):
        texts = {user_id: figure.text for user_id, figure in ratings_of([alice, bob], POOL).items()}
    assert texts == {alice.pk: "1500?", bob.pk: "1612"}


def test_a_first_match_moves_both_by_half_of_a_newcomer_s_k(alice, bob, rate):
    won, lost = rate(alice, bob)
    assert (won.k, won.delta_centi, won.after_centi) == (20, 1_000, 151_000)
    assert (lost.k, lost.delta_centi, lost.after_centi) == (20, -1_000, 149_000)
    assert (rating_of(alice, POOL).text, rating_of(bob, POOL).text) == ("1510?", "1490?")
    assert rating_of(alice, POOL).games == 1
    assert has_rated_matches(alice)


def test_a_settled_player_risks_half_against_a_newcomer(alice, bob):
    give_rating(alice, 1500, games=100)
    give_rating(bob, 1500, games=9)
    settled, newcomer = freeze([alice, bob], POOL)
    assert (settled.k, newcomer.k) == (10, 40)
    assert (settled.provisional, newcomer.provisional) == (False, True)


def test_k_ten_stays_after_a_fall(alice, bob):
    give_rating(alice, 2300, peak=2400)
    give_rating(bob, 2300)
    assert [seat.k for seat in freeze([alice, bob], POOL)] == [10, 20]


@pytest.mark.parametrize(("points", "changes"), [(1500, (1_000, -1_000)), (1900, (1_818, -1_818))])
def test_both_changes_come_from_both_old_values(alice, bob, rate, points, changes):
    """B156: neither the order of the seats nor who is written first matters."""
    give_rating(alice, 1500)
    give_rating(bob, points)
    rows = rate(alice, bob)
    assert tuple(row.delta_centi for row in rows) == changes
    assert [row.before_centi for row in rows] == [150_000, points * 100]


def test_overlapping_matches_keep_each_other_s_change(alice, bob, django_user_model):
    """B142: two matches begun together, one lost, then one won."""
    charlie = django_user_model.objects.create_user("Charlie")
    for user in (alice, bob, charlie):
        give_rating(user, 1500)
    first = freeze([alice, bob], POOL, at=NOW)
    second = freeze([alice, charlie], POOL, at=NOW)
    record_result(pool=POOL, match_label="first", seats=first, scores=[0, 1], at=NOW)
    record_result(pool=POOL, match_label="second", seats=second, scores=[1, 0], at=NOW + timedelta(minutes=1))
    rows = list(RatingChange.objects.filter(user=alice))
    assert [(row.before_centi, row.delta_centi, row.after_centi) for row in rows] == [
        (150_000, -1_000, 149_000),
        (149_000, 1_000, 150_000),
    ]
    assert [row.own_centi for row in rows] == [150_000, 150_000]
    assert value(alice) == 150_000


def test_the_next_match_uses_the_new_rating(alice, bob, rate):
    """B144: no older value is kept anywhere."""
    freeze([alice, bob], POOL)
    preview(alice, bob, POOL)
    rate(alice, bob)
    assert [seat.rating for seat in freeze([alice, bob], POOL)] == [151_000, 149_000]
    assert rate(alice, bob)[0].own_centi == 151_000


def test_recording_twice_changes_nothing(alice, bob, rate):
    seats = freeze([alice, bob], POOL)
    first = record_result(pool=POOL, match_label="m", seats=seats, scores=[1, 0], at=NOW)
    again = record_result(pool=POOL, match_label="m", seats=seats, scores=[0, 1], at=NOW)
    assert [row.pk for row in again] == [row.pk for row in first]
    assert [row.delta_centi for row in again] == [1_000, -1_000]
    assert (value(alice), value(bob)) == (151_000, 149_000)
    assert RatingChange.objects.count() == 2


@pytest.mark.parametrize("scores", [[1, 1], [1], [0, 0], [2, -1], [0.75, 0.25]])
def test_what_is_no_result_is_refused(alice, bob, scores):
    seats = freeze([alice, bob], POOL)
    with pytest.raises(ValueError, match="score"):
        record_result(pool=POOL, match_label="m", seats=seats, scores=scores, at=NOW)
    assert not RatingChange.objects.exists()


def test_a_tie_moves_the_weaker_up(alice, bob):
    give_rating(alice, 1500)
    give_rating(bob, 1600)
    up, down = record_result(pool=POOL, match_label="m", seats=freeze([alice, bob], POOL), scores=[0.5, 0.5], at=NOW)
    assert (up.delta_centi, down.delta_centi) == (280, -280)


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    own=st.integers(40_000, 280_000),
    gap=st.integers(-60_000, 60_000),
    games=st.tuples(st.integers(0, 40), st.integers(0, 40)),
    score=st.sampled_from([0, 0.5, 1]),
)
def test_what_was_promised_is_what_is_applied(alice, bob, own, gap, games, score):
    other = max(40_000, own + gap)
    Rating.objects.all().delete()
    for user, points, played in ((alice, own, games[0]), (bob, other, games[1])):
        Rating.objects.create(user=user, pool=POOL, value_centi=points, games=played, peak_centi=max(points, 150_000))
    # Earlier examples leave wins behind, so that the farming factor varies too.
    promised = preview(alice, bob, POOL, at=NOW)
    rows = record_result(
        pool=POOL,
        match_label=f"match{RatingChange.objects.count()}",
        seats=freeze([alice, bob], POOL, at=NOW),
        scores=[score, 1 - score],
        at=NOW,
    )
    due = {0: "loss_centi", 0.5: "draw_centi", 1: "win_centi"}
    assert rows[0].delta_centi == getattr(promised.own, due[score])
    assert rows[1].delta_centi == getattr(promised.other, due[1 - score])
    for row in rows:
        assert row.after_centi == row.before_centi + row.delta_centi
    if rows[0].k == rows[1].k and {row.reason for row in rows} == {"result"}:
        assert rows[0].delta_centi == -rows[1].delta_centi


def test_the_stakes_are_said_with_sign_and_k(alice, bob):
    give_rating(alice, 1514)
    give_rating(bob, 1500)
    stakes = preview(alice, bob, POOL)
    assert stakes.text == "+9.6 / −10.4 (K 20)"
    assert (stakes.gain_text, stakes.loss_text, stakes.k) == ("+9.6", "−10.4", 20)
    assert stakes.other.text == "+10.4 / −9.6 (K 20)"
    with translation.override("pl"):
        assert stakes.gain_text == "+9,6"


def test_at_the_floor_a_loss_is_cut_and_says_so(alice, bob, rate):
    give_rating(alice, 400)
    give_rating(bob, 403)
    promised = preview(alice, bob, POOL)
    won, lost = rate(alice, bob)
    assert (lost.delta_centi, lost.after_centi, lost.reason) == (-300, 40_000, "floor")
    assert promised.other.loss_centi == -300
    assert (won.reason, won.delta_centi) == ("result", 1_009)


def test_gains_over_one_opponent_wear_out(alice, bob, rate):
    """Three wins count whole, three by half, further ones nothing; losses always count."""
    for user in (alice, bob):
        give_rating(user, 1500)
    rows = [rate(alice, bob, at=NOW + timedelta(minutes=number)) for number in range(8)]
    assert [won.farming_factor for won, _lost in rows] == [1, 1, 1, 0.5, 0.5, 0.5, 0, 0]
    assert [won.reason for won, _lost in rows] == ["result"] * 3 + ["farm-limit"] * 5
    assert [lost.reason for _won, lost in rows] == ["result"] * 8
    assert rows[7][0].delta_centi == 0
    assert rows[7][1].delta_centi < 0


def test_a_loss_ends_the_row_of_wins(alice, bob, rate):
    for _ in range(4):
        rate(alice, bob)
    rate(bob, alice)
    assert freeze([alice, bob], POOL, at=NOW)[0].farming_factor == 1


def test_wins_of_last_week_do_not_count(alice, bob, rate):
    for _ in range(4):
        rate(alice, bob, at=NOW - timedelta(days=7))
    assert freeze([alice, bob], POOL, at=NOW)[0].farming_factor == 1


def test_a_match_of_a_wide_gap_is_casual(alice, bob):
    give_rating(alice, 1500)
    give_rating(bob, 2100)
    assert casual_reason(alice, bob, POOL) == ""
    Rating.objects.filter(user=bob).update(value_centi=210_001, peak_centi=210_001)
    assert casual_reason(alice, bob, POOL) == "gap"
    assert casual_reason(bob, alice, POOL) == "gap"


def test_the_sixth_match_of_a_day_is_casual(alice, bob, rate):
    for number in range(5):
        rate(alice, bob, at=NOW - timedelta(hours=20) + timedelta(minutes=number))
    assert casual_reason(alice, bob, POOL, at=NOW) == "day-limit"
    assert casual_reason(bob, alice, POOL, at=NOW) == "day-limit"
    assert casual_reason(bob, alice, POOL, at=NOW, is_fixture=True) == ""
    assert casual_reason(alice, bob, POOL, at=NOW + timedelta(hours=5)) == ""


def test_the_twenty_first_match_of_a_week_is_casual(alice, bob, rate):
    for day in range(1, 6):
        for number in range(4):
            rate(alice, bob, at=NOW - timedelta(days=day) + timedelta(minutes=number))
    assert casual_reason(alice, bob, POOL, at=NOW) == "week-limit"
    reverse_result("match1", at=NOW)
    assert casual_reason(alice, bob, POOL, at=NOW) == ""


def test_people_and_programs_are_rated_apart(alice, bob, django_user_model):
    robot = django_user_model.objects.create_user("robot", is_program=True)
    other = django_user_model.objects.create_user("robot two", is_program=True)
    programs = pool_for("spectacular-bid", 2, programs=True)
    assert programs != POOL
    assert casual_reason(alice, robot, POOL) == "program"
    assert casual_reason(robot, alice, programs) == "program"
    assert casual_reason(robot, other, POOL) == "program"
    assert casual_reason(robot, other, programs) == ""
    assert casual_reason(alice, bob, programs) == "program"
    assert casual_reason(alice, bob, POOL) == ""


def test_nobody_is_rated_against_himself(alice):
    assert casual_reason(alice, alice, POOL) == "same-person"


def test_pools_do_not_touch_each_other(alice, bob, rate):
    rate(alice, bob)
    assert value(alice, "goat-duel") == 150_000


def test_partners_share_the_expectation_and_keep_their_k(db, django_user_model):
    users = [django_user_model.objects.create_user(f"player-{letter}") for letter in "abcd"]
    pool = pool_for("goat", 4, programs=False)
    for user, points, games in zip(users, (1400, 1500, 1600, 1500), (100, 100, 20, 100), strict=True):
        give_rating(user, points, games=games, pool=pool)
    rows = record_result(pool=pool, match_label="m", seats=freeze(users, pool), scores=[1, 0, 1, 0], at=NOW)
    assert [row.k for row in rows] == [20, 20, 40, 20]
    assert [row.delta_centi for row in rows] == [1_000, -1_000, 2_000, -1_000]
    assert {row.expected for row in rows} == {0.5}
    assert rows[0].opponents_key == f"{users[1].pk},{users[3].pk}"
    assert last_changes(users[0], pool)[0].opponents == ("player-b", "player-d")


def test_a_quick_win_of_a_young_account_is_flagged(alice, bob, rate):
    User.objects.filter(pk=bob.pk).update(date_joined=NOW - timedelta(days=30))
    User.objects.filter(pk=alice.pk).update(date_joined=NOW - timedelta(days=1))
    assert [row.flagged for row in rate(alice, bob, play_ms=59_000)] == [True, False]
    assert [row.flagged for row in rate(alice, bob, play_ms=61_000)] == [False, False]
    assert [row.flagged for row in rate(bob, alice, play_ms=59_000)] == [False, False]
    assert [row.delta_centi for row in RatingChange.objects.filter(match_label="match1")] == [1_000, -1_000]


def test_a_result_is_taken_back_by_further_rows(alice, bob, rate):
    rate(alice, bob)
    rate(alice, bob)
    before = list(RatingChange.objects.order_by("id").values())
    counters = reverse_result("match1", at=NOW, note="reference 17")
    assert [row.delta_centi for row in counters] == [-1_000, 1_000]
    assert {row.reason for row in counters} == {"void-fault"}
    assert [row.undoes.match_label for row in counters] == ["match1", "match1"]
    assert list(RatingChange.objects.order_by("id").values())[:4] == before
    assert rating_of(alice, POOL).games == 1
    assert changes_of_match("match1") == {}
    assert value(alice) - 150_000 == sum(RatingChange.objects.filter(user=alice).values_list("delta_centi", flat=True))


def test_taking_back_twice_changes_nothing(alice, bob, rate):
    rate(alice, bob)
    first = reverse_result("match1", at=NOW)
    again = reverse_result("match1", reason="reversal", at=NOW)
    assert [row.pk for row in again] == [row.pk for row in first]
    assert (value(alice), value(bob)) == (150_000, 150_000)


def test_what_was_never_rated_has_nothing_to_take_back(db):
    assert reverse_result("unknown") == []


def test_taking_back_stops_at_the_floor(alice, bob, rate):
    give_rating(alice, 400)
    give_rating(bob, 400)
    rate(alice, bob)
    Rating.objects.filter(user=alice).update(value_centi=40_200)
    assert reverse_result("match1", at=NOW)[0].after_centi == 40_000


def test_the_peak_is_the_highest_line_of_the_ledger(alice, bob, rate):
    rate(alice, bob)
    rate(bob, alice)
    assert rating_of(alice, POOL).peak_centi == 151_000
    reverse_result("match2", at=NOW)
    peak = max(RatingChange.objects.filter(user=alice).values_list("after_centi", flat=True))
    assert rating_of(alice, POOL).peak_centi == peak


def test_the_last_changes_come_newest_first(alice, bob, rate, django_assert_num_queries):
    rate(alice, bob)
    rate(bob, alice)
    with django_assert_num_queries(2):
        shown = last_changes(alice, POOL, limit=10)
    assert [(row.match_label, row.before_text, row.after_text, row.delta_text) for row in shown] == [
        ("match2", "1510?", "1499?", "−10.6"),
        ("match1", "1500?", "1510?", "+10.0"),
    ]
    assert shown[0].opponents == ("Bob",)
    assert shown[0].reason_text == "match result"
    assert len(last_changes(alice, POOL, limit=1)) == 1
    assert changes_of_match("match1")[bob.pk].delta_text == "−10.0"
    assert changes_of_match("casual") == {}


def test_a_rating_loses_its_question_mark_with_the_thirtieth_match(alice, bob, rate):
    """DESIGN 9: a provisional rating is never shown without it, nor a settled one with it."""
    give_rating(alice, 1500, games=29)
    give_rating(bob, 1500, games=30)
    rate(alice, bob)
    changes = changes_of_match("match1")
    assert [changes[user.pk].before_text[4:] for user in (alice, bob)] == ["?", ""]
    assert [changes[user.pk].after_text[4:] for user in (alice, bob)] == ["", ""]
    reverse_result("match1", at=NOW)
    counter = last_changes(alice, POOL)[0]
    assert (counter.before_text[4:], counter.after_text[4:]) == ("", "?")


def test_a_renamed_account_keeps_its_rows(alice, bob, rate):
    """B152: rows go by account, pages show the present name."""
    seats = freeze([alice, bob], POOL)
    bob.username = "Robert"
    bob.save()
    record_result(pool=POOL, match_label="m", seats=seats, scores=[1, 0], at=NOW)
    assert last_changes(alice, POOL)[0].opponents == ("Robert",)


def test_frozen_values_of_a_stored_seat_will_do(alice, bob):
    for user in (alice, bob):
        give_rating(user, 1500, games=50)
    seats = [
        Frozen(alice.pk, 150_000, 20, 50, Decimal("1.0000"), False),
        Frozen(bob.pk, 150_000, 20, 50, Decimal("0.5000"), False),
    ]
    rows = record_result(pool=POOL, match_label="m", seats=seats, scores=[0, 1], at=NOW)
    assert [row.delta_centi for row in rows] == [-1_000, 500]


@pytest.mark.parametrize("seats", [2, 4])
def test_pool_names_are_short_enough_to_store(seats):
    for variant in ("spectacular-bid", "international-duo"):
        assert len(pool_for(variant, seats, programs=True)) <= 60


def test_the_terms_against_many_are_those_against_each(alice, bob, rate, django_user_model, django_assert_num_queries):
    """One page of offers: the same answers as one by one, and no more queries for more offers."""
    others = [django_user_model.objects.create_user(f"rival {number}") for number in range(6)]
    robot = django_user_model.objects.create_user("robot", is_program=True)
    give_rating(alice, 1700)
    give_rating(others[0], 2350)
    for number in range(5):
        rate(alice, bob, at=NOW - timedelta(hours=number))
        rate(alice, others[1], at=NOW - timedelta(days=2, minutes=number))
        rate(others[2], alice, at=NOW - timedelta(days=3, minutes=number))
    opponents = [alice, bob, robot, *others]
    with django_assert_num_queries(2):
        terms = terms_against(alice, opponents, POOL, at=NOW)
    assert set(terms) == {user.pk for user in opponents}
    for other in opponents:
        reason = casual_reason(other, alice, POOL, at=NOW)
        assert terms[other.pk].casual_reason == reason
        assert terms[other.pk].stake == (None if reason else preview(alice, other, POOL, at=NOW).own)
    assert [terms[user.pk].casual_reason for user in opponents[:4]] == ["same-person", "day-limit", "program", "gap"]


def test_matches_that_still_run_count_for_the_limit(alice, bob, rate):
    """Programs play several at once: none of them is in the ledger yet."""
    rate(alice, bob)
    assert casual_reason(alice, bob, POOL, at=NOW, running=3) == ""
    assert casual_reason(alice, bob, POOL, at=NOW, running=4) == "day-limit"
    assert terms_against(alice, [bob], POOL, at=NOW, running={bob.pk: 4})[bob.pk].casual_reason == "day-limit"
    assert casual_reason(alice, bob, POOL, at=NOW, running=30, is_fixture=True) == ""
