"""Who meets whom in a pool: examples, and properties of random crowds."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.lobby.pairing import (
    ANYBODY,
    ANYBODY_FROM_MS,
    NEAR,
    WINDOWS,
    Pair,
    Waiting,
    next_step,
    pair,
    weight,
    window,
)

ALICE, BOB, CHARLIE, DORA = 1, 2, 3, 4


def waits(user_id: int, rating: int = 1500, waited_ms: int = 0, **what: Any) -> Waiting:
    """Somebody of whom only what matters is said."""
    return Waiting(user_id, rating, waited_ms, **what)


def ids(pairs: Sequence[Pair]) -> list[tuple[int, int]]:
    return [(found.first, found.second) for found in pairs]


# The rules once more, for two players and without haste.


def fit(one: Waiting, other: Waiting) -> bool:
    """Both windows, both wishes, and neither avoids the other."""
    return all(
        abs(mine.rating - theirs.rating) <= window(mine.waited_ms)
        and mine.lowest <= theirs.rating <= mine.highest
        and theirs.user_id not in mine.avoided
        for mine, theirs in ((one, other), (other, one))
    )


def repeats(one: Waiting, other: Waiting) -> bool:
    return one.last_opponent == other.user_id or other.last_opponent == one.user_id


def may_meet(crowd: Sequence[Waiting], one: Waiting, other: Waiting) -> bool:
    """As `fit`, and no repeat while anybody else fits either of the two."""
    if not fit(one, other):
        return False
    return not repeats(one, other) or not any(
        fit(mine, theirs) and not repeats(mine, theirs)
        for mine in (one, other)
        for theirs in crowd
        if theirs is not mine
    )


def greatest_total(crowd: Sequence[Waiting]) -> int:
    """The greatest weight of any choice of pairs, by trying them all."""
    worth = {
        (one.user_id, other.user_id): weight(one, other)
        for one, other in combinations(crowd, 2)
        if may_meet(crowd, one, other)
    }

    def best(left: tuple[Waiting, ...]) -> int:
        if not left:
            return 0
        one, rest = left[0], left[1:]
        with_one = (
            worth[one.user_id, other.user_id] + best(rest[:place] + rest[place + 1 :])
            for place, other in enumerate(rest)
            if (one.user_id, other.user_id) in worth
        )
        return max((best(rest), *with_one))

    return best(tuple(crowd))


def total(crowd: Sequence[Waiting], pairs: Sequence[Pair]) -> int:
    by_id = {player.user_id: player for player in crowd}
    return sum(weight(by_id[found.first], by_id[found.second]) for found in pairs)


@st.composite
def crowds(draw: st.DrawFn, most: int = 14, *, repeating: bool = True) -> list[Waiting]:
    """Players close enough to fit often, with few values, so that much is alike."""
    count = draw(st.integers(0, most))
    others = st.integers(1, count + 1)
    ratings = st.one_of(st.sampled_from((1500, 1600, 1650)), st.integers(1000, 2200))
    return [
        Waiting(
            user_id=user_id,
            rating=draw(ratings),
            waited_ms=draw(st.sampled_from((0, 5_000, 10_000, 35_000, 59_999, 60_000, 400_000))),
            reliability=draw(st.sampled_from((100, 100, 90, 50, 0))),
            lowest=draw(st.sampled_from((-ANYBODY, -ANYBODY, 1500))),
            highest=draw(st.sampled_from((ANYBODY, ANYBODY, 1600))),
            avoided=draw(st.frozensets(others, max_size=2)),
            last_opponent=draw(st.one_of(st.none(), others)) if repeating else None,
        )
        for user_id in range(1, count + 1)
    ]


# Windows


@pytest.mark.parametrize(
    ("waited_ms", "distance"),
    [(-1, 150), (0, 150), (9_999, 150), (10_000, 200), (25_000, 250), (59_999, 600), (60_000, ANYBODY)],
)
def test_the_window_widens_in_steps(waited_ms: int, distance: int) -> None:
    assert window(waited_ms) == distance


def test_each_step_is_announced_by_the_one_before() -> None:
    for (from_ms, distance), following in zip(WINDOWS, (*WINDOWS[1:], None), strict=True):
        assert window(from_ms) == distance
        assert next_step(from_ms) == following
    assert next_step(ANYBODY_FROM_MS + 1) is None


def test_the_steps_only_widen() -> None:
    assert list(WINDOWS) == sorted(set(WINDOWS))
    assert [distance for _, distance in WINDOWS] == sorted({distance for _, distance in WINDOWS})


@pytest.mark.parametrize(("distance", "paired"), [(0, True), (150, True), (151, False)])
def test_two_who_have_just_come_meet_within_the_first_window(distance: int, paired: bool) -> None:
    assert bool(pair([waits(ALICE), waits(BOB, 1500 + distance)])) == paired


def test_both_windows_have_to_reach() -> None:
    alice = waits(ALICE, 1500, waited_ms=ANYBODY_FROM_MS)
    assert not pair([alice, waits(BOB, 1900, waited_ms=39_999)])
    assert ids(pair([alice, waits(BOB, 1900, waited_ms=40_000)])) == [(ALICE, BOB)]


def test_anybody_fits_after_a_minute() -> None:
    crowd = [waits(ALICE, 100, waited_ms=60_000), waits(BOB, 4000, waited_ms=60_000)]
    assert ids(pair(crowd)) == [(ALICE, BOB)]


@pytest.mark.parametrize("wish", [{"lowest": 1501}, {"highest": 1499}, {"lowest": 1600, "highest": 1400}])
def test_a_wish_does_not_widen(wish: dict[str, int]) -> None:
    crowd = [waits(ALICE, waited_ms=900_000, **wish), waits(BOB, waited_ms=900_000)]
    assert not pair(crowd)


def test_the_bounds_of_a_wish_belong_to_it() -> None:
    assert pair([waits(ALICE, lowest=1500, highest=1500), waits(BOB)])


# Who meets whom


@pytest.mark.parametrize("crowd", [[], [waits(ALICE)]])
def test_it_takes_two(crowd: list[Waiting]) -> None:
    assert pair(crowd) == ()


def test_it_refuses_somebody_who_waits_twice() -> None:
    with pytest.raises(ValueError, match="waits twice"):
        pair([waits(ALICE), waits(ALICE, 1600)])


def test_the_nearest_ratings_meet() -> None:
    crowd = [waits(ALICE, 1500), waits(BOB, 1600), waits(CHARLIE, 1510), waits(DORA, 1610)]
    assert ids(pair(crowd)) == [(ALICE, CHARLIE), (BOB, DORA)]


def test_two_even_distances_are_better_than_one_great_and_none() -> None:
    """All four can play within their windows, so they do, rather than the two who are nearest."""
    crowd = [waits(ALICE, 1400), waits(BOB, 1500), waits(CHARLIE, 1510), waits(DORA, 1610)]
    assert ids(pair(crowd)) == [(ALICE, BOB), (CHARLIE, DORA)]


@pytest.mark.parametrize("avoiding", [ALICE, BOB])
def test_it_is_enough_that_one_avoids_the_other(avoiding: int) -> None:
    crowd = [waits(user_id, waited_ms=900_000) for user_id in (ALICE, BOB)]
    crowd[avoiding - 1] = waits(avoiding, avoided=frozenset({ALICE, BOB} - {avoiding}))
    assert not pair(crowd)


def test_who_avoids_one_meets_another() -> None:
    crowd = [waits(ALICE, avoided=frozenset({BOB})), waits(BOB), waits(CHARLIE, 1600), waits(DORA, 1400)]
    assert (ALICE, BOB) not in ids(pair(crowd))
    assert len(pair(crowd)) == 2


@pytest.mark.parametrize("longest", [ALICE, BOB, CHARLIE])
def test_who_has_waited_longest_is_not_the_one_left_over(longest: int) -> None:
    crowd = [waits(user_id, waited_ms=9_000 if user_id == longest else 3_000) for user_id in (ALICE, BOB, CHARLIE)]
    (only,) = ids(pair(crowd))
    assert longest in only


def test_waiting_counts_against_distance() -> None:
    """Bob is nearer to Charlie; Alice has waited."""
    nearer = waits(BOB, 1510)
    assert ids(pair([waits(ALICE, 1400), nearer, waits(CHARLIE, 1500)])) == [(BOB, CHARLIE)]
    assert ids(pair([waits(ALICE, 1400, waited_ms=15_000), nearer, waits(CHARLIE, 1500)])) == [(ALICE, CHARLIE)]


def test_those_who_have_waited_longest_come_first() -> None:
    crowd = [
        waits(ALICE, 1000),
        waits(BOB, 1000),
        waits(7, 2000, waited_ms=3_000),
        waits(8, 2000),
        waits(CHARLIE, 1500, waited_ms=2_000),
        waits(DORA, 1500, waited_ms=2_000),
    ]
    assert ids(pair(crowd)) == [(7, 8), (CHARLIE, DORA), (ALICE, BOB)]


# Repeats


@pytest.mark.parametrize("remembering", [(ALICE,), (BOB,), (ALICE, BOB)])
def test_the_same_two_do_not_meet_again_while_another_waits(remembering: tuple[int, ...]) -> None:
    last = {ALICE: BOB, BOB: ALICE}
    crowd = [waits(user_id, last_opponent=last[user_id] if user_id in remembering else None) for user_id in last]
    assert ids(pair(crowd)) == [(ALICE, BOB)]
    (only,) = ids(pair([*crowd, waits(CHARLIE, 1640)]))
    assert CHARLIE in only


def test_whoever_fits_neither_does_not_keep_two_from_meeting_again() -> None:
    crowd = [waits(ALICE, last_opponent=BOB), waits(BOB, last_opponent=ALICE), waits(CHARLIE, 1700)]
    assert ids(pair(crowd)) == [(ALICE, BOB)]


def test_two_who_left_a_match_with_two_others_change_opponents() -> None:
    last = {ALICE: BOB, BOB: ALICE, CHARLIE: DORA, DORA: CHARLIE}
    ratings = {ALICE: 1500, BOB: 1501, CHARLIE: 1600, DORA: 1601}
    found = ids(pair([waits(user_id, ratings[user_id], last_opponent=last[user_id]) for user_id in last]))
    assert len(found) == 2
    assert not {(ALICE, BOB), (CHARLIE, DORA)} & set(found)


# Leavers


def test_leavers_meet_leavers_though_others_are_nearer() -> None:
    crowd = [
        waits(ALICE, 1500),
        waits(BOB, 1510, reliability=50),
        waits(CHARLIE, 1600),
        waits(DORA, 1610, reliability=60),
    ]
    assert ids(pair(crowd)) == [(ALICE, CHARLIE), (BOB, DORA)]


def test_a_leaver_meets_anybody_rather_than_nobody() -> None:
    assert ids(pair([waits(ALICE), waits(BOB, reliability=0)])) == [(ALICE, BOB)]


def test_a_leaver_does_not_wait_for_ever_behind_those_who_stay() -> None:
    """Each second two others come who suit each other better."""
    for second in range(161):
        newcomers = [waits(10 + 2 * second, waited_ms=0), waits(11 + 2 * second, waited_ms=0)]
        found = ids(pair([waits(ALICE, reliability=0, waited_ms=1_000 * second), *newcomers]))
        assert len(found) == 1
        if ALICE in found[0]:
            break
        assert second < 160
    else:
        pytest.fail("still waiting")


def test_a_leaver_finds_another_among_many_who_stay() -> None:
    """The next on each side are reliable; the other leaver is far down the row, and is compared all the same."""
    crowd = [waits(10 + place, 1450 + place) for place in range(100)]
    crowd[10] = waits(ALICE, 1460, reliability=40)
    crowd[90] = waits(BOB, 1540, reliability=40)
    assert (ALICE, BOB) in ids(pair(crowd))


# Properties


@given(crowds(), st.sampled_from((1, NEAR, None)))
@settings(max_examples=150, deadline=None)
def test_every_pair_is_allowed_and_nobody_is_in_two(crowd: list[Waiting], near: int | None) -> None:
    by_id = {player.user_id: player for player in crowd}
    found = pair(crowd, near=near)
    seated = [user_id for one in ids(found) for user_id in one]
    assert len(seated) == len(set(seated))
    for one in found:
        assert one.first < one.second
        assert may_meet(crowd, by_id[one.first], by_id[one.second])


@given(crowds(), st.sampled_from((1, NEAR, None)))
@settings(max_examples=150, deadline=None)
def test_no_two_are_left_who_may_meet(crowd: list[Waiting], near: int | None) -> None:
    seated = {user_id for one in ids(pair(crowd, near=near)) for user_id in one}
    left = [player for player in crowd if player.user_id not in seated]
    assert not [(one, other) for one, other in combinations(left, 2) if may_meet(crowd, one, other)]


@given(crowds(), st.randoms(use_true_random=False), st.sampled_from((1, NEAR, None)))
@settings(max_examples=100, deadline=None)
def test_the_order_of_those_who_wait_does_not_matter(crowd: list[Waiting], rng: Random, near: int | None) -> None:
    shuffled = rng.sample(crowd, len(crowd))
    assert pair(shuffled, near=near) == pair(crowd, near=near)


@given(crowds(8))
@settings(max_examples=150, deadline=None)
def test_all_candidates_give_the_greatest_total(crowd: list[Waiting]) -> None:
    assert total(crowd, pair(crowd, near=None)) == greatest_total(crowd)


@given(crowds(repeating=False), st.data())
@settings(max_examples=100, deadline=None)
def test_who_is_paired_would_be_too_after_a_longer_wait(crowd: list[Waiting], data: st.DataObject) -> None:
    """Repeats aside: a wider window may show another who fits, and a repeat has to stand back for them."""
    found = pair(crowd, near=None)
    if not found:
        return
    longer = data.draw(st.sampled_from([user_id for one in ids(found) for user_id in one]))
    more_ms = data.draw(st.integers(1, 100_000))
    later = [
        replace(player, waited_ms=player.waited_ms + more_ms) if player.user_id == longer else player
        for player in crowd
    ]
    assert longer in {user_id for one in ids(pair(later, near=None)) for user_id in one}


def test_ties_are_broken_the_same_way_each_time() -> None:
    """All alike, so that each choice of pairs has the same weight."""
    crowd = [waits(user_id) for user_id in range(1, 121)]
    first = pair(crowd)
    assert len(first) == 60
    for seed in range(5):
        assert pair(Random(seed).sample(crowd, len(crowd))) == first


def test_no_tie_goes_by_the_age_of_an_account() -> None:
    """Of three alike the one left over is now the oldest account, now the newest."""
    left_over = set()
    for oldest in range(1, 91, 3):
        trio = range(oldest, oldest + 3)
        (only,) = ids(pair([waits(user_id) for user_id in trio]))
        left_over |= {place for place, user_id in enumerate(trio) if user_id not in only}
    assert left_over == {0, 1, 2}


def test_looking_at_near_candidates_only_costs_little() -> None:
    rng = Random(5)
    crowd = [
        waits(
            user_id,
            round(rng.gauss(1500, 300)),
            waited_ms=rng.randrange(60_000),
            reliability=100 if rng.random() < 0.9 else rng.randrange(80),
        )
        for user_id in range(1, 121)
    ]
    near, every = pair(crowd), pair(crowd, near=None)
    assert len(near) == len(every)
    # Less than a pair more than 100 points further apart, in all.
    assert 0 <= total(crowd, every) - total(crowd, near) < 10_000
