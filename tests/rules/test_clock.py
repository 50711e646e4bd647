"""Bank and delay: charges, deadlines, and what ends on time."""

import pytest

from games.rules import ExpireTime, MatchIsOver, NotYourTurn, VoidForFault
from games.rules.clock import BANK_MS, DELAY_MS, charge_of, deadline_of, is_out
from tests.rules.table import Table, deal, kinds

# Seat 0 opens with 6|6, seat 1 can answer with 3|6.
OPENING = deal("6|6 1|6", "3|6 5|5")


def table(bank_ms: int = BANK_MS) -> Table:
    return Table(OPENING, banks_ms=(bank_ms, BANK_MS)).started()


def test_the_constants_are_those_of_the_rules() -> None:
    """SB-61, SB-62."""
    assert (BANK_MS, DELAY_MS) == (120_000, 10_000)
    assert deadline_of(5_000, 120_000) == 135_000


@pytest.mark.parametrize(
    ("bank_ms", "elapsed_ms", "left_ms"),
    [
        (120_000, 8_000, 120_000),
        (120_000, 10_000, 120_000),
        (120_000, 10_001, 119_999),
        (120_000, 13_000, 117_000),
        (120_000, 129_999, 1),
        (120_000, 130_000, None),
        (3_000, 12_999, 1),
        (3_000, 13_000, None),
    ],
)
def test_a_turn_is_charged_what_exceeds_the_delay(bank_ms: int, elapsed_ms: int, left_ms: int | None) -> None:
    """SB-63, SB-70, SB-71."""
    match = table(bank_ms)
    facts = match.act("0 play 6|6", after_ms=elapsed_ms)
    assert facts[0]["elapsed_ms"] == elapsed_ms
    if left_ms is None:
        assert kinds(facts) == ["clock_stopped", "match_over"]
        assert match.state.banks_ms[0] == 0
        assert (match.state.winner, match.state.ending) == (1, "time")
    else:
        assert match.state.banks_ms[0] == left_ms
        assert match.state.turn == 1


def test_draws_and_placement_are_one_turn() -> None:
    """Three draws at 4, 8, 12 s and the placement at 15 s: 5,000 in all (SB-65)."""
    match = Table(
        deal("6|6 0|0", "0|1 0|2 0|3 0|4 0|5 1|1 1|2", "1|3 1|4 1|6"),
    ).started()
    match.act("0 play 6|6")
    begun = match.state.turn_started_ms
    for _ in range(3):
        assert kinds(match.act("1 draw", after_ms=4_000)) == ["drew"]
        assert match.state.turn_started_ms == begun
    facts = match.act("1 play 1|6@6|6.line_a", after_ms=3_000)
    assert (facts[0]["elapsed_ms"], facts[0]["charged_ms"]) == (15_000, 5_000)


def test_a_pass_after_draws_is_charged_to_the_last_draw() -> None:
    """Two draws, the last at 12 s, boneyard empty, pass: charge 2,000 (D-5)."""
    match = Table(deal("6|6 2|6", "0|1 0|2 0|3 0|4 0|5 1|1 1|2", "1|3 1|4")).started()
    match.act("0 play 6|6")
    match.state = match.state.but(boneyard=match.state.boneyard[:2])
    assert kinds(match.act("1 draw", after_ms=5_000)) == ["drew"]
    facts = match.act("1 draw", after_ms=7_000)
    assert kinds(facts) == ["drew", "clock_stopped", "passed", "turn_started"]
    assert (facts[1]["elapsed_ms"], facts[1]["charged_ms"]) == (12_000, 2_000)


def test_a_turn_ends_at_the_arrival_and_the_next_begins_at_the_application() -> None:
    """Arrival at 9 s, applied at 9.4 s: charge 0, the next clock starts at 9.4 s (D-26)."""
    match = table()
    begun = match.now_ms
    facts = match.act("0 play 6|6", after_ms=9_000, applied_ms=400)
    assert (facts[0]["elapsed_ms"], facts[0]["charged_ms"]) == (9_000, 0)
    assert match.state.turn_started_ms == begun + 9_400
    assert match.state.deadline_ms == begun + 9_400 + 130_000


def test_a_command_older_than_the_turn_costs_nothing() -> None:
    match = table()
    facts = match.act("0 play 6|6", after_ms=-500, applied_ms=1_000)
    assert (facts[0]["elapsed_ms"], facts[0]["charged_ms"]) == (0, 0)


def test_a_command_stamped_in_time_and_handled_late_is_in_time() -> None:
    """D-16, D-26."""
    match = table()
    facts = match.act("0 play 6|6", after_ms=129_999, applied_ms=60_000)
    assert "played" in kinds(facts)


def test_a_refusal_leaves_the_clock_alone() -> None:
    """SB-77: refused at 9 s, played at 13 s, charged 3 s."""
    match = table()
    before, now_ms = match.state, match.now_ms
    with pytest.raises(NotYourTurn):
        match.act("1 play 3|6", after_ms=9_000)
    assert match.state is before
    match.now_ms = now_ms
    assert match.act("0 play 6|6", after_ms=13_000)[0]["charged_ms"] == 3_000


@pytest.mark.parametrize("line", ["0 play 6|6", "1 play 3|6", "0 resign", "1 resign", "1 accept", "0 start"])
def test_whatever_comes_at_the_deadline_ends_the_match_on_time(line: str) -> None:
    """By whoever sent it, dated at the deadline (SB-70, D-27)."""
    match = table()
    deadline_ms = match.state.deadline_ms
    assert deadline_ms is not None
    facts = match.act(line, after_ms=deadline_ms - match.now_ms + 777)
    assert [fact["at_ms"] for fact in facts] == [deadline_ms, deadline_ms]
    assert facts[0] == {
        "type": "clock_stopped",
        "at_ms": deadline_ms,
        "seat": 0,
        "elapsed_ms": 130_000,
        "charged_ms": 120_000,
        "bank_ms": 0,
    }
    assert (match.state.winner, match.state.ending, match.state.turn) == (1, "time", None)


def test_a_look_at_the_clock_ends_the_match_from_the_deadline_on() -> None:
    match = table()
    assert match.give(ExpireTime(), after_ms=129_999) == []
    assert kinds(match.give(ExpireTime(), after_ms=1)) == ["clock_stopped", "match_over"]
    assert match.give(ExpireTime()) == []


def test_no_clock_runs_before_the_deal_and_between_hands() -> None:
    """SB-68."""
    match = Table(OPENING)
    assert match.give(ExpireTime(), after_ms=10**9) == []
    match.act("0 start")
    assert (match.state.turn, match.state.deadline_ms) == (None, None)
    assert match.give(ExpireTime(), after_ms=10**9) == []


def test_a_void_stops_the_clock_and_undoes_a_loss_on_time_only() -> None:
    """SB-72, D-28."""
    running = table()
    facts = running.give(VoidForFault(), after_ms=12_000)
    assert kinds(facts) == ["clock_stopped", "match_over"]
    assert (running.state.winner, running.state.ending) == (None, "service_fault")

    lost = table()
    lost.give(ExpireTime(), after_ms=130_000)
    assert kinds(lost.give(VoidForFault())) == ["match_over"]
    assert (lost.state.winner, lost.state.ending) == (None, "service_fault")

    for match in (running, lost):
        with pytest.raises(MatchIsOver):
            match.give(VoidForFault())

    resigned = table()
    resigned.act("1 resign")
    with pytest.raises(MatchIsOver):
        resigned.give(VoidForFault())


def test_a_void_behind_the_deadline_charges_no_more_than_the_bank() -> None:
    match = table()
    facts = match.give(VoidForFault(), after_ms=500_000)
    assert (facts[0]["charged_ms"], facts[0]["bank_ms"]) == (120_000, 0)


def test_the_deadline_itself_is_too_late() -> None:
    assert [is_out(10, at) for at in (9, 10, 11)] == [False, True, True]
    assert not is_out(None, 10**12)
    assert charge_of(-5) == 0
