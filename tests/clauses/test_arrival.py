"""Arrival and application of a command are two times (D-16, D-26); the referee knows only one."""

from typing import Any

import pytest

from games.rules import DrawTile, MatchState, PlayTile, Resign, Start, decide, dump_fact, fold, new_match, parse_tile
from tests.clauses.driver import deal_of

DEAL = deal_of("6|6 5|6", "3|6 2|6")


def opened_at(applied_ms: int = 10_000) -> MatchState:
    """Seat 0 has opened with [6|6]; the turn of seat 1 began when that was applied."""
    order = tuple(parse_tile(name) for name in DEAL)
    state = new_match("spectacular-bid", at_ms=0)
    state = fold(state, decide(state, Start(0), arrived_ms=0, now_ms=0))
    state = fold(state, decide(state, Start(1), arrived_ms=0, now_ms=0, order=order))
    return fold(state, decide(state, opening(), arrived_ms=9_000, now_ms=applied_ms))


def opening() -> PlayTile:
    return PlayTile(0, parse_tile("6|6"), None)


def facts_of(state: MatchState, command: Any, arrived_ms: int, now_ms: int) -> list[dict[str, Any]]:
    return [dump_fact(fact) for fact in decide(state, command, arrived_ms=arrived_ms, now_ms=now_ms)]


@pytest.mark.clause("D-26", "SB-63")
def test_vector_a_turn_is_charged_to_the_arrival_and_the_next_clock_starts_at_the_application() -> None:
    """Arrival at 9 s, applied at 9.4 s: charge 0, next clock from 9.4 s."""
    state = opened_at(9_400)
    assert state.banks_ms == (120_000, 120_000)
    assert (state.turn, state.turn_started_ms, state.deadline_ms) == (1, 9_400, 139_400)


@pytest.mark.clause("D-26")
def test_waiting_within_the_service_is_charged_to_nobody() -> None:
    """Arrival after 12 s of thought, applied 5 s later: 2 s."""
    state = opened_at(10_000)
    stopped = facts_of(state, Resign(1), arrived_ms=22_000, now_ms=27_000)[0]
    assert (stopped["elapsed_ms"], stopped["charged_ms"], stopped["bank_ms"]) == (12_000, 2_000, 118_000)


@pytest.mark.clause("D-26", "SB-63")
def test_a_command_that_arrived_before_its_turn_began_is_charged_nothing_and_never_less() -> None:
    stopped = facts_of(opened_at(10_000), Resign(1), arrived_ms=9_500, now_ms=10_000)[0]
    assert (stopped["elapsed_ms"], stopped["charged_ms"]) == (0, 0)


@pytest.mark.clause("D-16", "SB-70", "D-26")
def test_vector_a_command_stamped_before_the_deadline_and_handled_after_it_is_valid() -> None:
    state = opened_at(10_000)
    assert state.deadline_ms == 140_000
    facts = facts_of(state, Resign(1), arrived_ms=139_999, now_ms=140_600)
    assert [fact["type"] for fact in facts] == ["clock_stopped", "match_over"]
    assert (facts[0]["bank_ms"], facts[1]["ending"]) == (1, "resign")


@pytest.mark.clause("D-16", "SB-70")
def test_a_command_stamped_at_the_deadline_is_a_loss_on_time_as_of_the_deadline() -> None:
    facts = facts_of(opened_at(10_000), DrawTile(1), arrived_ms=140_000, now_ms=140_600)
    assert [fact["type"] for fact in facts] == ["clock_stopped", "match_over"]
    assert {fact["at_ms"] for fact in facts} == {140_000}
    assert (facts[1]["winner"], facts[1]["ending"]) == (0, "time")
