"""The arithmetic of ratings."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings import elo

RATINGS = st.integers(elo.FLOOR_CENTI, 320_000)
SCORES = st.sampled_from([0, 0.5, 1])
FACTORS = st.sampled_from([40, 20, 10, 5])


@pytest.mark.parametrize(
    ("own", "opposing", "share"),
    [(1500, 1500, "0.5000"), (1600, 1500, "0.6401"), (1500, 1900, "0.0909"), (2100, 1500, "0.9693")],
)
def test_expected_score_is_the_pocket_calculator_s(own, opposing, share):
    assert round(elo.expected(own * 100, opposing * 100), 4) == float(share)


@given(RATINGS, RATINGS)
def test_the_two_expectations_make_one(own, opposing):
    assert elo.expected(own, opposing) + elo.expected(opposing, own) == pytest.approx(1)


@given(RATINGS, RATINGS, SCORES, FACTORS)
def test_equal_k_gives_opposite_changes(own, opposing, score, k):
    assert elo.change_centi(own, opposing, score, k) == -elo.change_centi(opposing, own, 1 - score, k)


@given(RATINGS, RATINGS, FACTORS)
def test_a_win_never_costs_and_a_loss_never_pays(own, opposing, k):
    win, tie, loss = (elo.change_centi(own, opposing, score, k) for score in (1, 0.5, 0))
    assert loss <= tie <= win
    assert loss <= 0 <= win
    assert abs(win - loss - 100 * k) <= 1


@given(RATINGS, RATINGS, SCORES, FACTORS)
def test_the_farming_factor_touches_gains_only(own, opposing, score, k):
    whole = elo.change_centi(own, opposing, score, k)
    assert elo.change_centi(own, opposing, score, k, 0.0) == min(whole, 0)
    half = elo.change_centi(own, opposing, score, k, 0.5)
    assert half == whole if whole <= 0 else abs(2 * half - whole) <= 1


@pytest.mark.parametrize(
    ("own", "opposing", "score", "k", "change"),
    [
        (150_000, 150_000, 1, 20, 1_000),
        (150_000, 150_000, 0, 40, -2_000),
        (150_000, 190_000, 1, 20, 1_818),
        (150_000, 190_000, 0, 20, -182),
        (190_000, 150_000, 1, 20, 182),
        (151_400, 150_000, 1, 20, 960),
        (150_000, 150_000, 0.5, 40, 0),
    ],
)
def test_changes_are_the_pocket_calculator_s(own, opposing, score, k, change):
    assert elo.change_centi(own, opposing, score, k) == change


@pytest.mark.parametrize(("factor", "k", "change"), [(0.5, 5, 125), (0.25, 5, 63)])
def test_half_a_hundredth_is_rounded_away_from_zero(factor, k, change):
    assert elo.change_centi(150_000, 150_000, 1, k, factor) == change


@pytest.mark.parametrize(
    ("games", "peak", "k"),
    [(0, 150_000, 40), (29, 150_000, 40), (30, 150_000, 20), (500, 239_999, 20), (500, 240_000, 10), (5, 240_000, 10)],
)
def test_k_goes_by_games_and_peak(games, peak, k):
    assert elo.base_k(games, peak) == k


@pytest.mark.parametrize(("opposing_games", "k"), [(0, 10), (9, 10), (10, 20), (300, 20)])
def test_k_is_halved_against_a_newcomer(opposing_games, k):
    assert elo.k_factor(100, 150_000, opposing_games) == k


@given(st.integers(elo.FLOOR_CENTI, 320_000), st.integers(-4_000, 4_000))
def test_nobody_falls_under_the_floor(before, delta):
    applied = elo.apply_floor(before, delta)
    assert before + applied >= elo.FLOOR_CENTI
    assert applied == delta or before + applied == elo.FLOOR_CENTI


@pytest.mark.parametrize(("points", "shown"), [(150_049, 1500), (150_050, 1501), (149_950, 1500), (40_000, 400)])
def test_a_rating_is_shown_in_whole_points(points, shown):
    assert elo.shown_points(points) == shown


def test_a_side_s_rating_is_the_mean():
    assert elo.side_centi([150_000, 160_000]) == 155_000
    assert Decimal(elo.side_centi([150_001, 150_000])) == 150_001
