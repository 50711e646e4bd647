"""Two players at one device: the curtain between their turns (D-4, SB-68)."""

import pytest

from games.rules import (
    CancelAbandoned,
    MatchIsOver,
    NotYourTurn,
    Resign,
    Reveal,
    WrongPhase,
    legal_commands,
    parse_tile,
    sight,
    sight_data,
)
from tests.rules.table import Table, deal, kinds

SHARED = {"shared_device": True}


def shared_table() -> Table:
    return Table(deal("6|6 1|6", "3|6 2|6"), deal("6|6", "3|6"), options=SHARED).started()


def test_one_press_counts_for_both_and_ends_at_the_curtain() -> None:
    table = shared_table()
    assert [fact.type for fact in table.facts] == ["ready", "ready", "dealt"]
    assert [fact.seat for fact in table.facts[:2]] == [0, 1]
    state = table.state
    assert (state.phase, state.turn, state.turn_started_ms, state.deadline_ms) == ("curtain", 0, None, None)
    assert legal_commands(state) == (Reveal(0), Resign(0), Resign(1))


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_nobody_sees_a_hand_behind_the_curtain(viewer: int | None) -> None:
    shown = sight_data(sight(shared_table().state, viewer))
    assert (shown["held"], shown["must_open"], shown["boneyard"]) == ([7, 7], None, 14)


def test_the_clock_starts_when_the_hand_is_revealed() -> None:
    table = shared_table()
    with pytest.raises(NotYourTurn):
        table.act("1 reveal")
    with pytest.raises(WrongPhase):
        table.act("0 play 6|6")
    facts = table.act("0 reveal", after_ms=60_000)
    assert kinds(facts) == ["revealed", "turn_started"]
    assert (facts[1]["seat"], facts[1]["kind"]) == (0, "opening")
    assert (table.state.phase, table.state.turn_started_ms) == ("play", table.now_ms)
    assert sight(table.state, 0).held[1] == 7


def test_the_curtain_falls_before_the_turn_of_who_was_not_the_last_to_reveal() -> None:
    table = shared_table()
    table.act("0 reveal")
    assert kinds(table.act("0 play 6|6")) == ["clock_stopped", "played"]
    assert (table.state.phase, table.state.turn) == ("curtain", 1)
    facts = table.act("1 reveal")
    assert facts[1]["kind"] == "turn"
    assert table.state.turn == 1


def test_a_forced_pass_needs_no_handing_over() -> None:
    table = Table(deal("6|6 2|6", "0|1 0|2 0|3 0|4 0|5 1|1 1|2"), options=SHARED).started()
    table.act("0 reveal")
    table.state = table.state.but(boneyard=())
    assert kinds(table.act("0 play 6|6")) == ["clock_stopped", "played", "passed", "turn_started"]
    assert (table.state.phase, table.state.turn) == ("play", 0)


def test_an_auction_is_handed_over_at_each_decision() -> None:
    table = Table((), deal("6|6", "5|5"), hand=1, jockey=0, options=SHARED)
    table.started()
    assert (table.state.phase, table.state.turn, table.state.turn_kind) == ("curtain", 1, "auction")
    assert table.act("1 reveal")[1]["kind"] == "auction"
    assert kinds(table.act("1 bid 15")) == ["clock_stopped", "bid"]
    assert (table.state.phase, table.state.turn) == ("curtain", 0)
    table.act("0 reveal")
    table.act("0 accept")
    assert (table.state.phase, table.state.turn, table.state.turn_kind) == ("curtain", 1, "opening")
    assert table.act("1 reveal")[1]["kind"] == "opening"
    assert table.state.jockey is None


def test_a_forced_decline_leads_straight_to_the_curtain_of_the_jockey() -> None:
    table = Table((), deal("6|6", "5|5"), hand=1, jockey=0, balances=(290, 10), options=SHARED)
    table.started()
    assert [fact.type for fact in table.facts] == ["ready", "ready", "dealt", "declined"]
    assert (table.state.phase, table.state.turn, table.state.turn_kind) == ("curtain", 0, "opening")


def test_a_new_hand_begins_with_a_curtain_also_for_the_last_to_reveal() -> None:
    table = shared_table()
    table.act("0 reveal")
    table.state = table.state.but(held=((parse_tile("6|6"),), table.state.held[1]))
    assert kinds(table.act("0 play 6|6"))[-1] == "hand_over"
    assert table.state.phase == "ready"
    assert sight(table.state, None).held == table.state.held
    table.act("1 continue")
    assert (table.state.phase, table.state.turn, table.state.revealed) == ("curtain", 1, None)


def test_there_is_no_curtain_on_two_devices() -> None:
    table = Table(deal("6|6")).started()
    with pytest.raises(WrongPhase):
        table.act("0 reveal")


def test_a_resignation_behind_the_curtain_stops_no_clock() -> None:
    table = shared_table()
    assert kinds(table.act("1 resign")) == ["match_over"]
    assert table.state.winner == 0


def test_a_match_at_one_device_is_cancelled_whenever_it_is_left_alone() -> None:
    """D-4. Behind the curtain no clock runs, so nothing else would ever end it."""
    over = {"type": "match_over", "winner": None, "ending": "cancelled"}
    waiting = Table(deal("6|6"), options=SHARED)
    behind = shared_table()
    for table in (waiting, behind):
        assert table.give(CancelAbandoned()) == [{**over, "at_ms": table.now_ms}]
        with pytest.raises(MatchIsOver):
            table.give(CancelAbandoned())
    running = shared_table()
    running.act("0 reveal")
    assert kinds(running.give(CancelAbandoned())) == ["clock_stopped", "match_over"]


def test_a_match_of_two_devices_is_not_left_alone() -> None:
    with pytest.raises(WrongPhase):
        Table(deal("6|6")).started().give(CancelAbandoned())
