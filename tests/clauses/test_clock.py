"""Banks, delays and deadlines (1.9, vectors 3.5), and the ends of a match that are not points."""

import pytest

from tests.clauses.driver import Facts, Table, after, at_auction, at_opening, deal_of, kinds, line, only, stored

NO_SIX = "0|1 0|2 0|3 0|4 0|5 1|2 1|3"
ALL_SIXES = "6|6 0|6 1|6 2|6 3|6 4|6 5|6"


def opened() -> Table:
    """Seat 1 is on turn, with tiles that fit, and full banks."""
    table = at_opening(deal_of("6|6 5|6 4|6", "3|6 2|6 1|6"))
    table.play("6|6")
    return table


def spend(table: Table, seat: int, left_ms: int) -> None:
    """Let that seat think until its bank is `left_ms`; both lay a tile on the spinner."""
    bank = table.state()["banks_ms"][seat]
    for token in ("3|6@6|6.line_a", "5|6@6|6.line_b"):
        on_turn = table.state()["turn"]
        table.play(token, after_ms=10_000 + bank - left_ms if on_turn == seat else 1_000)
    assert table.state()["banks_ms"][seat] == left_ms


@pytest.mark.clause("SB-61", "SB-62", "SB-63", "SB-70", "SB-73")
@pytest.mark.parametrize(
    ("elapsed", "bank"),
    [(0, 120_000), (8_000, 120_000), (10_000, 120_000), (10_001, 119_999), (13_000, 117_000), (129_999, 1)],
)
def test_vector_the_bank_runs_only_after_the_delay(elapsed: int, bank: int) -> None:
    table = opened()
    facts = table.play("3|6@6|6.line_a", after_ms=elapsed)
    stopped = only(facts, "clock_stopped")
    assert (stopped["seat"], stopped["elapsed_ms"]) == (1, elapsed)
    assert (stopped["charged_ms"], stopped["bank_ms"]) == (120_000 - bank, bank)
    assert table.state()["banks_ms"] == [120_000, bank]


@pytest.mark.clause("SB-70", "SB-71")
@pytest.mark.parametrize("elapsed", [130_000, 130_001, 999_999])
def test_vector_at_the_deadline_time_is_up(elapsed: int) -> None:
    table = opened()
    deadline = table.now_ms + 130_000
    assert table.state()["deadline_ms"] == deadline
    facts = table.act(1, "play", tile="3|6", site="6|6.line_a", after_ms=elapsed)
    assert kinds(facts) == ["clock_stopped", "match_over"]
    assert {fact["at_ms"] for fact in facts} == {deadline}
    stopped, over = facts
    assert (stopped["seat"], stopped["elapsed_ms"]) == (1, 130_000)
    assert (stopped["charged_ms"], stopped["bank_ms"]) == (120_000, 0)
    assert (over["winner"], over["ending"]) == (0, "time")
    state = table.state()
    assert (state["phase"], state["banks_ms"], state["winner"], state["ending"]) == ("over", [120_000, 0], 0, "time")
    assert state["layout"]["tiles"] == ["6|6"]


@pytest.mark.clause("SB-61", "SB-63", "SB-70")
@pytest.mark.parametrize(("elapsed", "left"), [(12_999, 1), (13_000, None)])
def test_vector_a_bank_of_three_seconds(elapsed: int, left: int | None) -> None:
    table = opened()
    spend(table, 1, 3_000)
    facts = table.play("2|6@6|6.arm_a", after_ms=elapsed)
    assert table.state()["banks_ms"][1] == (left or 0)
    assert (kinds(facts)[-1] == "match_over") is (left is None)


@pytest.mark.clause("SB-61")
def test_the_bank_is_never_refilled_not_even_between_hands() -> None:
    table = Table([stored("quiet_13"), deal_of("", "")])
    table.deal()
    first, second, *rest = line("quiet_13").split()
    table.play(first, after_ms=15_000)
    table.play(second, after_ms=17_000)
    table.play(" ".join(rest))
    assert table.state()["banks_ms"] == [115_000, 113_000]
    started = table.deal(after_ms=500_000)[-1]
    assert table.state()["banks_ms"] == [115_000, 113_000]
    assert started["deadline_ms"] == table.now_ms + 10_000 + 113_000


@pytest.mark.clause("SB-61", "SB-73")
def test_charges_add_up_over_the_turns() -> None:
    table = opened()
    table.play("3|6@6|6.line_a", after_ms=20_000)
    table.play("5|6@6|6.line_b", after_ms=9_999)
    facts = table.play("2|6@6|6.arm_a", after_ms=30_000)
    assert only(facts, "clock_stopped")["bank_ms"] == 90_000
    assert table.state()["banks_ms"] == [120_000, 90_000]


@pytest.mark.clause("SB-62", "SB-64", "SB-66", "SB-67")
def test_an_accepted_placement_starts_the_others_clock_with_a_fresh_delay() -> None:
    table = opened()
    facts = table.play("2|6@6|6.line_a", after_ms=14_000)
    assert kinds(facts) == ["clock_stopped", "played", "turn_started"]
    started = only(facts, "turn_started")
    assert (started["at_ms"], started["seat"], started["kind"]) == (table.now_ms, 0, "turn")
    assert started["deadline_ms"] == table.now_ms + 130_000
    state = table.state()
    assert (state["turn"], state["turn_started_ms"], state["deadline_ms"]) == (0, table.now_ms, table.now_ms + 130_000)


@pytest.mark.clause("SB-64", "SB-62")
def test_auction_decisions_opening_and_turns_each_have_a_fresh_delay() -> None:
    """Nine seconds each time: no bank is touched."""
    table = at_auction(deal_of("6|6", "3|6"))
    table.act(1, "bid", amount=15, after_ms=9_000)
    table.act(0, "raise", amount=20, after_ms=9_000)
    table.act(1, "accept", after_ms=9_000)
    table.play("6|6", after_ms=9_000)
    table.play("3|6@6|6.line_a", after_ms=9_000)
    assert table.state()["banks_ms"] == [120_000, 120_000]


@pytest.mark.clause("SB-66", "SB-64", "D-40")
@pytest.mark.parametrize(
    ("moves", "last", "next_seat"), [([], ("bid", 15), 0), ([15], ("raise", 20), 1), ([15, 20], ("raise", 25), 0)]
)
def test_a_bid_or_raise_at_six_seconds_gives_the_other_a_fresh_delay(
    moves: list[int], last: tuple[str, int], next_seat: int
) -> None:
    table = at_auction(deal_of("", ""))
    for amount in moves:
        state = table.state()
        table.act(state["turn"], "raise" if state["bid"] else "bid", amount=amount)
    facts = table.act(1 - next_seat, last[0], amount=last[1], after_ms=6_000)
    started = only(facts, "turn_started")
    assert only(facts, "clock_stopped")["charged_ms"] == 0
    assert (started["seat"], started["kind"], started["deadline_ms"]) == (next_seat, "auction", table.now_ms + 130_000)


@pytest.mark.clause("SB-63", "SB-64")
def test_auction_time_is_charged_like_any_other() -> None:
    table = at_auction(deal_of("", ""))
    table.act(1, "bid", amount=15, after_ms=12_000)
    table.act(0, "accept", after_ms=13_000)
    table.play("0|1" if "0|1" in table.state()["held"][1] else table.state()["held"][1][0], after_ms=14_000)
    assert table.state()["banks_ms"] == [117_000, 114_000]


@pytest.mark.clause("SB-65", "SB-38", "SB-63")
def test_vector_draws_do_not_restart_the_delay() -> None:
    """Draws at 4, 8 and 12 s, placement at 15 s: 5 s in all."""
    table = at_opening(deal_of("6|6", NO_SIX, "1|4 1|5 2|6"))
    table.play("6|6")
    deadline = table.state()["deadline_ms"]
    for _ in range(3):
        assert kinds(table.play("draw", after_ms=4_000)) == ["drew"]
        assert table.state()["deadline_ms"] == deadline
        assert table.state()["banks_ms"] == [120_000, 120_000]
    facts = table.play("2|6@6|6.line_a", after_ms=3_000)
    assert only(facts, "clock_stopped")["charged_ms"] == 5_000
    assert table.state()["banks_ms"] == [120_000, 115_000]


@pytest.mark.clause("SB-38", "D-5", "SB-65")
def test_vector_two_draws_and_the_forced_pass_are_charged_to_the_last_draw() -> None:
    table = Table([stored("two_draws_pass")])
    table.deal()
    *tokens, _, _ = line("two_draws_pass").split()
    table.play(" ".join(tokens))
    seat, banks = table.state()["turn"], table.state()["banks_ms"]
    assert len(table.state()["boneyard"]) == 2
    assert kinds(table.play("draw", after_ms=5_000)) == ["drew"]
    facts = table.play("draw", after_ms=7_000)
    assert kinds(facts) == ["drew", "clock_stopped", "passed", "turn_started"]
    stopped = facts[1]
    assert (stopped["seat"], stopped["elapsed_ms"], stopped["charged_ms"]) == (seat, 12_000, 2_000)
    assert table.state()["banks_ms"][seat] == banks[seat] - 2_000
    assert facts[3]["deadline_ms"] == table.now_ms + 10_000 + banks[1 - seat]


@pytest.mark.clause("D-5", "D-7")
def test_what_happens_by_itself_costs_nothing() -> None:
    """A pass after the other's placement: no clock pair, no charge."""
    table = Table([stored("pass_apart")])
    table.deal()
    for token in line("pass_apart").split():
        facts = table.play(token, after_ms=3_000)
        assert kinds(facts).count("clock_stopped") == (0 if kinds(facts) == ["drew"] else 1)


@pytest.mark.clause("SB-65", "SB-69", "SB-77")
def test_vector_a_rejected_request_and_a_reload_change_nothing() -> None:
    table = opened()
    begun = table.now_ms
    before = table.state()
    table.refuse(1, "draw", after_ms=9_000)
    for viewer in (0, 1, None):
        table.sight(viewer)
    assert table.state() == before
    table.now_ms = begun
    facts = table.play("3|6@6|6.line_a", after_ms=13_000)
    assert only(facts, "clock_stopped")["charged_ms"] == 3_000


@pytest.mark.clause("SB-69", "SB-65")
def test_an_idle_look_at_the_clock_changes_nothing() -> None:
    table = opened()
    before = table.state()
    for _ in range(3):
        assert table.tick(11_000) == []
        assert table.state() == before
    assert only(table.play("3|6@6|6.line_a", after_ms=0), "clock_stopped")["elapsed_ms"] == 33_000


@pytest.mark.clause("SB-68")
def test_the_clocks_stand_until_both_have_started() -> None:
    table = Table([deal_of("5|5", "6|6")])
    assert table.tick(10_000_000) == []
    table.act(0, "start", after_ms=1_000)
    state = table.state()
    assert (state["ready"], state["turn"], state["turn_started_ms"], state["deadline_ms"]) == ([0], None, None, None)
    assert table.tick(10_000_000) == []
    facts = table.act(1, "start", after_ms=5_000)
    assert kinds(facts) == ["ready", "dealt", "turn_started"]
    state = table.state()
    assert (state["turn"], state["turn_started_ms"], state["deadline_ms"]) == (1, table.now_ms, table.now_ms + 130_000)
    assert state["banks_ms"] == [120_000, 120_000]


@pytest.mark.clause("SB-68")
def test_the_clocks_stand_between_hands() -> None:
    table = at_opening(stored("quiet_13"), deal_of("", ""))
    table.play(line("quiet_13"))
    state = table.state()
    assert (state["turn"], state["turn_started_ms"], state["deadline_ms"]) == (None, None, None)
    assert table.tick(10_000_000) == []
    table.act(1, "continue")
    assert table.tick(10_000_000) == []
    started = table.act(0, "continue")[-1]
    assert (started["seat"], started["kind"], started["deadline_ms"]) == (1, "auction", table.now_ms + 130_000)
    assert table.state()["banks_ms"] == [120_000, 120_000]


@pytest.mark.clause("SB-68")
def test_no_clock_runs_when_the_match_is_over() -> None:
    table = opened()
    table.act(0, "resign")
    before = table.state()
    assert (before["turn"], before["turn_started_ms"], before["deadline_ms"]) == (None, None, None)
    assert table.tick(10_000_000) == []
    assert table.state() == before


@pytest.mark.clause("SB-71")
def test_a_tick_at_the_deadline_ends_the_match_and_one_before_does_not() -> None:
    table = opened()
    assert table.tick(129_999) == []
    facts = table.tick(1)
    assert kinds(facts) == ["clock_stopped", "match_over"]
    assert (only(facts, "match_over")["winner"], table.state()["banks_ms"]) == (0, [120_000, 0])


@pytest.mark.clause("SB-71", "SB-70", "D-16")
@pytest.mark.parametrize("phase", ["auction", "answer", "opening", "turn", "draw"])
@pytest.mark.parametrize("jockey", [0, 1])
def test_b011_who_runs_out_of_time_loses_in_every_phase(phase: str, jockey: int) -> None:
    table = at_auction(deal_of("6|6", NO_SIX), jockey=jockey)
    rival, loser = 1 - jockey, 1 - jockey
    if phase == "answer":
        table.act(rival, "bid", amount=15)
        loser = jockey
    elif phase != "auction":
        table.act(rival, "decline")
        loser = jockey
        if phase != "opening":
            table.play("6|6" if jockey == 0 else "1|3")
            loser = rival
        if phase == "draw" and jockey == 0:
            table.play("draw")
    assert table.state()["turn"] == loser
    deadline = table.state()["deadline_ms"]
    facts = table.tick(deadline - table.now_ms + 40_000)
    assert kinds(facts) == ["clock_stopped", "match_over"]
    assert {fact["at_ms"] for fact in facts} == {deadline}
    assert (facts[0]["seat"], facts[1]["winner"], facts[1]["ending"]) == (loser, 1 - loser, "time")
    state = table.state()
    assert (state["winner"], state["ending"], state["bid"], state["banks_ms"][loser]) == (1 - loser, "time", None, 0)


@pytest.mark.clause("SB-71", "SB-7")
def test_the_balances_do_not_matter_when_time_is_up() -> None:
    table = at_opening(deal_of("6|6", "3|6"), balances=(295, 5))
    table.tick(130_000)
    assert (table.state()["winner"], table.state()["balances"]) == (1, [295, 5])


@pytest.mark.clause("SB-70", "D-16", "D-27")
@pytest.mark.parametrize(
    "command", [(0, "resign"), (0, "draw"), (1, "resign"), (1, "draw"), (0, "continue"), (1, "accept")]
)
def test_any_command_at_the_deadline_ends_the_match_on_time(command: tuple[int, str]) -> None:
    seat, kind = command
    table = opened()
    facts = table.act(seat, kind, after_ms=130_000)
    assert kinds(facts) == ["clock_stopped", "match_over"]
    assert (facts[1]["winner"], facts[1]["ending"]) == (0, "time")


@pytest.mark.clause("SB-70", "SB-73")
def test_a_command_in_the_last_millisecond_counts_and_leaves_a_bank() -> None:
    table = opened()
    table.play("3|6@6|6.line_a", after_ms=129_999)
    assert table.state()["banks_ms"] == [120_000, 1]
    table.play("5|6@6|6.line_b")
    facts: Facts = table.play("2|6@6|6.arm_a", after_ms=10_000)
    assert only(facts, "clock_stopped")["charged_ms"] == 0
    assert table.state()["banks_ms"][1] == 1


@pytest.mark.clause("SB-73")
def test_one_clock_runs_at_most() -> None:
    """Every `turn_started` but the first of a hand is preceded by the stop of the other clock."""
    table = Table([stored("two_draws_pass")])
    running = False
    for fact in [*table.deal(), *(fact for token in line("two_draws_pass").split() for fact in table.play(token))]:
        if fact["type"] == "turn_started":
            assert not running
            running = True
        elif fact["type"] == "clock_stopped":
            assert running
            running = False


# Ends that are not points.


@pytest.mark.clause("D-22", "SB-7")
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("phase", ["ready", "auction", "opening", "turn", "interlude"])
def test_either_seat_may_resign_at_any_time(phase: str, seat: int) -> None:
    if phase == "ready":
        table = Table([deal_of("", "")])
    elif phase == "interlude":
        table = at_opening(stored("quiet_13"), deal_of("", ""))
        table.play(line("quiet_13"))
    else:
        table = at_auction(deal_of("6|6", "3|6"))
        if phase != "auction":
            table.act(1, "decline")
        if phase == "turn":
            table.play("6|6")
    running = table.state()["turn"]
    assert (seat, {"type": "resign"}) in table.legal(resign=True)
    facts = table.act(seat, "resign", after_ms=11_000)
    assert kinds(facts) == (["match_over"] if running is None else ["clock_stopped", "match_over"])
    if running is not None:
        assert (facts[0]["seat"], facts[0]["elapsed_ms"], facts[0]["charged_ms"]) == (running, 11_000, 1_000)
    assert (facts[-1]["winner"], facts[-1]["ending"]) == (1 - seat, "resign")
    state = table.state()
    assert (state["phase"], state["winner"], state["ending"]) == ("over", 1 - seat, "resign")
    assert (state["turn"], state["ready"], state["bid"], state["must_open"], state["must_play"]) == (
        None,
        [],
        None,
        None,
        None,
    )
    assert table.legal(resign=True) == []
    table.refuse(seat, "resign", error="MatchIsOver")


@pytest.mark.clause("D-22", "SB-7")
def test_there_is_no_draw_no_take_back_and_no_pause_to_ask_for() -> None:
    table = opened()
    before = table.everything()
    for word in ("offer_draw", "take_back", "pause", "give_time", "abort"):
        assert (
            table.ask(do="command", seat=1, at_ms=table.now_ms, command={"type": word})["error"] == "MalformedRequest"
        )
    assert table.everything() == before


@pytest.mark.clause("SB-72")
@pytest.mark.parametrize("phase", ["before", "play", "interlude"])
def test_a_fault_of_the_service_ends_the_match_without_a_winner(phase: str) -> None:
    if phase == "before":
        table = Table([deal_of("", "")])
    elif phase == "play":
        table = opened()
    else:
        table = at_opening(stored("quiet_13"), deal_of("", ""))
        table.play(line("quiet_13"))
    running = table.state()["turn"]
    facts = table.accept(do="void", at_ms=table.now_ms + 12_000)["facts"]
    assert kinds(facts) == (["match_over"] if running is None else ["clock_stopped", "match_over"])
    assert (facts[-1]["winner"], facts[-1]["ending"]) == (None, "service_fault")
    state = table.state()
    assert (state["phase"], state["winner"], state["ending"], state["turn"]) == ("over", None, "service_fault", None)
    assert table.ask(do="void", at_ms=table.now_ms + 13_000)["error"] == "MatchIsOver"


@pytest.mark.clause("SB-72")
def test_a_loss_on_time_can_be_voided_and_nothing_else_that_is_over() -> None:
    table = opened()
    table.tick(130_000)
    facts = table.accept(do="void", at_ms=table.now_ms + 1_000)["facts"]
    assert (facts[-1]["type"], facts[-1]["winner"], facts[-1]["ending"]) == ("match_over", None, "service_fault")
    assert (table.state()["winner"], table.state()["ending"]) == (None, "service_fault")
    for end in ("resign", "balance", "cancelled"):
        table = after("4|4 4|6@4|4.line_a 6|6@4|6.high", balances=(290, 10)) if end == "balance" else opened()
        if end == "resign":
            table.act(0, "resign")
        if end == "cancelled":
            table = Table([deal_of("", "")])
            table.accept(do="cancel", at_ms=table.now_ms)
        before = table.everything()
        assert before[0]["ending"] == end
        answer = table.ask(do="void", at_ms=table.now_ms + 1_000)
        assert (answer["ok"], answer["error"]) == (False, "MatchIsOver")
        assert table.everything() == before


@pytest.mark.clause("D-1")
def test_a_match_that_nobody_started_is_cancelled_without_a_winner() -> None:
    table = Table([deal_of("", "")])
    table.act(0, "start")
    facts = table.accept(do="cancel", at_ms=60_000)["facts"]
    assert kinds(facts) == ["match_over"]
    assert (facts[0]["winner"], facts[0]["ending"]) == (None, "cancelled")
    assert (table.state()["phase"], table.state()["ready"]) == ("over", [])


@pytest.mark.clause("D-1")
def test_what_is_over_is_not_cancelled() -> None:
    for end in ("resign", "cancel"):
        table = Table([deal_of("", "")])
        if end == "resign":
            table.act(0, "resign")
        else:
            table.accept(do="cancel", at_ms=table.now_ms)
        before = table.everything()
        assert table.ask(do="cancel", at_ms=table.now_ms)["error"] == "MatchIsOver"
        assert table.everything() == before


@pytest.mark.clause("SB-72", "SB-73")
def test_a_fault_found_after_the_deadline_leaves_no_bank_below_zero() -> None:
    table = opened()
    facts = table.accept(do="void", at_ms=table.now_ms + 400_000)["facts"]
    assert kinds(facts) == ["clock_stopped", "match_over"]
    assert (facts[0]["charged_ms"], facts[0]["bank_ms"]) == (120_000, 0)
    assert (facts[1]["winner"], facts[1]["ending"]) == (None, "service_fault")
    assert table.state()["banks_ms"] == [120_000, 0]


@pytest.mark.clause("D-1")
def test_after_the_first_deal_nothing_is_cancelled() -> None:
    for table in (opened(), Table([deal_of("", "")])):
        if table.state()["hand"] == 0:
            table.deal()
        before = table.everything()
        assert table.ask(do="cancel", at_ms=table.now_ms)["ok"] is False
        assert table.everything() == before


@pytest.mark.clause("SB-7", "SB-6")
def test_b011_every_end_names_its_winner_for_each_seat() -> None:
    """Score, block, auction payment, time, resignation: the other seat each time."""
    text = "4|4 4|6@4|4.line_a 6|6@4|6.high"
    for seat in (0, 1):
        rich: tuple[int, int] = (290, 10) if seat == 0 else (10, 290)
        assert after(text, opener=seat, balances=rich).state()["winner"] == seat
        table = at_opening(stored("block_4_18", opener=seat), opener=seat, balances=rich)
        table.play(line("block_4_18"))
        assert (table.state()["winner"], table.state()["ending"]) == (seat, "balance")
        table = at_auction(deal_of("", ""), jockey=seat)
        table.act(1 - seat, "bid", amount=150)
        table.act(seat, "accept")
        assert (table.state()["winner"], table.state()["ending"]) == (seat, "balance")


@pytest.mark.clause("D-23")
def test_the_number_of_hands_has_no_cap() -> None:
    """The rival buys each opening back for 15 and goes out, two hours and longer."""
    deals = [stored("quiet_13", opener=number % 2) for number in range(120)]
    table = Table(deals)
    for number in range(120):
        table.deal(after_ms=60_000)
        if number:
            table.act(number % 2, "bid", amount=15)
            table.act(1 - number % 2, "accept")
        table.play(line("quiet_13"))
    assert (table.state()["hand"], table.state()["phase"]) == (120, "ready")
