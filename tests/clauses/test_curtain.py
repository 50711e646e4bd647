"""One device for two players: the curtain between their turns (SB-68 b, D-4)."""

import pytest

from tests.clauses.driver import Table, deal_of, kinds, line, only, stored

SHARED: dict[str, object] = {"shared_device": True}


def shared(*deals: list[str]) -> Table:
    return Table(deals, options=SHARED)


def reveal_and_play(table: Table, text: str) -> None:
    for token in text.split():
        if table.state()["phase"] == "curtain":
            table.act(table.state()["turn"], "reveal")
        table.play(token)


@pytest.mark.clause("D-4", "SB-68")
@pytest.mark.parametrize("seat", [0, 1])
def test_one_press_counts_for_both_and_the_first_turn_waits_behind_the_curtain(seat: int) -> None:
    table = shared(deal_of("5|5", "6|6"))
    facts = table.act(seat, "start")
    assert kinds(facts) == ["ready", "ready", "dealt"]
    assert {fact["seat"] for fact in facts[:2]} == {0, 1}
    state = table.state()
    assert (state["phase"], state["turn"]) == ("curtain", 1)
    assert (state["turn_started_ms"], state["deadline_ms"]) == (None, None)
    assert table.tick(10_000_000) == []
    assert table.state() == state


@pytest.mark.clause("D-4", "SB-68", "SB-64")
def test_the_reveal_starts_the_clock_with_a_fresh_delay() -> None:
    table = shared(deal_of("5|5", "6|6"))
    table.act(0, "start")
    facts = table.act(1, "reveal", after_ms=500_000)
    assert kinds(facts) == ["revealed", "turn_started"]
    assert facts[0]["seat"] == 1
    assert (facts[1]["seat"], facts[1]["kind"], facts[1]["deadline_ms"]) == (1, "opening", table.now_ms + 130_000)
    state = table.state()
    assert (state["phase"], state["turn"], state["turn_started_ms"]) == ("play", 1, table.now_ms)
    assert state["banks_ms"] == [120_000, 120_000]


@pytest.mark.clause("D-4", "D-31")
def test_behind_the_curtain_nobody_sees_a_hand() -> None:
    table = shared(deal_of("5|5", "6|6"))
    table.act(0, "start")
    for viewer in (0, 1, None):
        sight = table.sight(viewer)
        assert sight["held"] == [7, 7]
        assert sight["must_open"] is None
    table.act(1, "reveal")
    assert len(table.sight(1)["held"][1]) == 7
    assert table.sight(1)["must_open"] == "6|6"
    assert table.sight(0)["held"][1] == 7
    table.play("6|6")
    for viewer in (0, 1, None):
        assert table.sight(viewer)["held"] == [7, 6]


@pytest.mark.clause("D-4", "SB-77")
def test_only_the_seat_in_turn_reveals_and_nothing_else_is_done_meanwhile() -> None:
    table = shared(deal_of("5|5", "6|6"))
    table.act(0, "start")
    assert table.legal() == [(1, {"type": "reveal"})]
    assert {seat for seat, _ in table.legal(resign=True)} == {0, 1}
    table.refuse(0, "reveal", error="NotYourTurn")
    table.refuse(1, "play", tile="6|6", site=None, error="WrongPhase")
    table.refuse(1, "draw", error="WrongPhase")
    table.act(1, "reveal")
    table.refuse(1, "reveal")
    assert only(table.act(0, "resign"), "match_over")["winner"] == 1


@pytest.mark.clause("D-4", "D-22")
def test_a_resignation_behind_the_curtain_stops_no_clock() -> None:
    table = shared(deal_of("5|5", "6|6"))
    table.act(0, "start")
    assert kinds(table.act(1, "resign")) == ["match_over"]
    assert (table.state()["phase"], table.state()["turn"]) == ("over", None)


@pytest.mark.clause("D-4")
def test_the_curtain_falls_before_each_turn_of_the_other_seat() -> None:
    table = shared(stored("quiet_13"))
    table.act(0, "start")
    for number, token in enumerate(line("quiet_13").split()):
        seat = number % 2
        assert (table.state()["phase"], table.state()["turn"]) == ("curtain", seat)
        assert kinds(table.act(seat, "reveal")) == ["revealed", "turn_started"]
        facts = table.play(token)
        assert kinds(facts)[:2] == ["clock_stopped", "played"]
        assert "turn_started" not in kinds(facts)
    assert table.state()["phase"] == "ready"


@pytest.mark.clause("D-4")
def test_draws_within_a_turn_meet_no_curtain() -> None:
    table = shared(deal_of("6|6", "0|1 0|2 0|3 0|4 0|5 1|2 1|3", "1|4 2|6"))
    table.act(0, "start")
    reveal_and_play(table, "6|6")
    table.act(1, "reveal")
    assert kinds(table.play("draw")) == ["drew"]
    assert table.state()["phase"] == "play"
    assert table.sight(1)["held"][1] == table.state()["held"][1]


@pytest.mark.clause("D-4", "D-5")
def test_a_forced_pass_of_the_other_needs_no_hand_over() -> None:
    """It is announced and the turn comes back to the one who revealed last."""
    table = shared(stored("pass_apart"))
    table.act(0, "start")
    seen = 0
    for token in line("pass_apart").split():
        if table.state()["phase"] == "curtain":
            table.act(table.state()["turn"], "reveal")
        seat = table.state()["turn"]
        facts = table.play(token)
        if "passed" in kinds(facts) and "drew" not in kinds(facts):
            seen += 1
            assert kinds(facts)[-2:] == ["passed", "turn_started"]
            assert (only(facts, "passed")["seat"], only(facts, "turn_started")["seat"]) == (1 - seat, seat)
            assert (table.state()["phase"], table.state()["turn"]) == ("play", seat)
            assert table.state()["deadline_ms"] == only(facts, "turn_started")["deadline_ms"]
    assert seen == 2


def shared_auction(*deals: list[str], opener: int = 0) -> Table:
    table = shared(stored("quiet_13", opener=opener), *deals)
    table.act(0, "start")
    reveal_and_play(table, line("quiet_13"))
    facts = table.act(1, "continue")
    assert kinds(facts)[:3] == ["ready", "ready", "dealt"]
    return table


@pytest.mark.clause("D-4", "SB-68")
def test_an_auction_is_spoken_from_behind_the_curtain_in_turn() -> None:
    table = shared_auction(deal_of("6|6", "3|6"))
    assert (table.state()["phase"], table.state()["turn"], table.state()["jockey"]) == ("curtain", 1, 0)
    assert only(table.act(1, "reveal"), "turn_started")["kind"] == "auction"
    assert table.state()["phase"] == "auction"
    assert kinds(table.act(1, "bid", amount=15)) == ["clock_stopped", "bid"]
    assert (table.state()["phase"], table.state()["turn"]) == ("curtain", 0)
    assert table.state()["bid"] == {"seat": 1, "amount": 15}
    table.refuse(0, "accept", error="WrongPhase")
    assert only(table.act(0, "reveal"), "turn_started")["kind"] == "auction"
    assert "turn_started" not in kinds(table.act(0, "accept"))
    assert (table.state()["phase"], table.state()["turn"], table.state()["balances"]) == ("curtain", 1, [165, 135])
    assert only(table.act(1, "reveal"), "turn_started")["kind"] == "opening"


@pytest.mark.clause("D-4", "D-7")
def test_a_forced_accept_gives_the_turn_back_without_a_curtain() -> None:
    """The jockey raises beyond what the rival can pay and so opens, having revealed last."""
    table = shared_auction(deal_of("6|6", "3|6"))
    table.act(1, "reveal")
    table.act(1, "bid", amount=15)
    table.act(0, "reveal")
    facts = table.act(0, "raise", amount=160)
    assert kinds(facts) == ["clock_stopped", "raised", "accepted", "transferred", "turn_started"]
    assert (table.state()["phase"], table.state()["turn"]) == ("play", 0)


@pytest.mark.clause("D-4", "D-7")
def test_every_hand_begins_behind_the_curtain_even_after_a_forced_decline() -> None:
    """Seat 1 has 10 points left and cannot bid; seat 0 opens and was the last to reveal."""
    table = shared_auction(stored("quiet_drawn", opener=1), deal_of("5|5", "6|6"), opener=1)
    table.act(0, "reveal")
    table.act(0, "bid", amount=15)
    table.act(1, "reveal")
    table.act(1, "raise", amount=155)
    reveal_and_play(table, line("quiet_drawn"))
    assert (table.state()["balances"], table.state()["jockey"]) == ([290, 10], 0)
    facts = table.act(0, "continue")
    assert kinds(facts) == ["ready", "ready", "dealt", "declined"]
    assert (table.state()["phase"], table.state()["turn"]) == ("curtain", 0)
    assert only(table.act(0, "reveal"), "turn_started")["kind"] == "opening"


@pytest.mark.clause("D-4")
def test_without_a_shared_device_there_is_nothing_to_reveal() -> None:
    table = Table([deal_of("5|5", "6|6")])
    table.deal()
    assert table.state()["phase"] == "play"
    for seat in (0, 1):
        table.refuse(seat, "reveal")


@pytest.mark.clause("D-4", "SB-72")
def test_a_fault_behind_the_curtain_stops_no_clock() -> None:
    table = shared(deal_of("5|5", "6|6"))
    table.act(0, "start")
    assert kinds(table.accept(do="void", at_ms=table.now_ms)["facts"]) == ["match_over"]
