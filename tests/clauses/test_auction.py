"""Jockey and rival bid for the opening (1.8, vectors 3.4). Seat 0 is jockey unless turned round."""

import pytest

from tests.clauses.driver import Table, at_auction, deal_for, deal_of, kinds, line, only, stored

PLAIN = deal_of("6|6 0|1", "5|5 0|2")
SEATS = pytest.mark.parametrize("jockey", [0, 1], ids=["jockey-0", "jockey-1"])


def auction(jockey: int = 0, own: int = 150, rival: int = 150, *deals: list[str]) -> Table:
    """Balances of jockey and rival, not of seats."""
    balances = (own, rival) if jockey == 0 else (rival, own)
    return at_auction(*(deals or (PLAIN,)), jockey=jockey, balances=balances)


def balances(table: Table, jockey: int) -> tuple[int, int]:
    by_seat = table.state()["balances"]
    return by_seat[jockey], by_seat[1 - jockey]


def amounts(table: Table, seat: int, kind: str) -> list[int]:
    return sorted(command["amount"] for command in table.legal(seat) if command["type"] == kind)


def speak(table: Table, moves: str) -> None:
    """`15` bids or raises, `accept`, `decline`: by whoever is on turn."""
    for move in moves.split():
        state = table.state()
        if move.isdigit():
            table.act(state["turn"], "bid" if state["bid"] is None else "raise", amount=int(move))
        else:
            table.act(state["turn"], move)


@pytest.mark.clause("SB-48", "SB-49", "SB-16")
@SEATS
def test_after_a_domino_the_rival_decides_first_before_any_tile_is_played(jockey: int) -> None:
    """B051: whichever seat is the jockey, and whoever looks."""
    table = auction(jockey)
    state = table.state()
    assert (state["phase"], state["turn"], state["jockey"], state["bid"]) == ("auction", 1 - jockey, jockey, None)
    assert state["layout"]["tiles"] == []
    assert {command["type"] for command in table.legal(1 - jockey)} == {"decline", "bid"}
    assert table.legal(jockey) == []
    for viewer in (0, 1):
        sight = table.sight(viewer)
        assert len(sight["held"][viewer]) == 7
        assert sight["held"][1 - viewer] == 7
    table.refuse(jockey, "play", tile=state["held"][jockey][0], site=None)
    table.refuse(1 - jockey, "play", tile=state["held"][1 - jockey][0], site=None, error="WrongPhase")
    table.refuse(1 - jockey, "draw", error="WrongPhase")


@pytest.mark.clause("SB-49", "SB-77")
@SEATS
def test_the_jockey_does_not_speak_first(jockey: int) -> None:
    table = auction(jockey)
    for kind, values in (("decline", {}), ("accept", {}), ("bid", {"amount": 15}), ("raise", {"amount": 20})):
        table.refuse(jockey, kind, error="NotYourTurn", **values)


VECTORS = [
    # balances of jockey and rival, moves, balances after, who opens (J, R or nobody)
    (150, 150, "decline", 150, 150, "J"),
    (150, 150, "15 accept", 165, 135, "R"),
    (150, 150, "15 20 accept", 145, 155, "J"),
    (150, 150, "15 20 25 accept", 175, 125, "R"),
    (150, 150, "15 165", 0, 300, None),
    (290, 10, "", 290, 10, "J"),
    (285, 15, "15 accept", 300, 0, None),
    (280, 20, "15 20", 275, 25, "J"),
    (5, 295, "15 20 accept", 0, 300, None),
    (5, 295, "20", 25, 275, "R"),
    (285, 15, "15 20", 280, 20, "J"),
    (295, 5, "", 295, 5, "J"),
    (150, 150, "150 accept", 300, 0, None),
    (150, 150, "150 155", 10, 290, "J"),
]


@pytest.mark.clause("SB-50", "SB-53", "SB-54", "SB-55", "SB-56", "SB-57", "SB-59", "SB-3", "D-7", "D-21")
@SEATS
@pytest.mark.parametrize(
    ("own", "rival", "moves", "own_after", "rival_after", "opener"),
    VECTORS,
    ids=[f"{own}-{rival}-{moves.replace(' ', '-') or 'forced'}" for own, rival, moves, *_ in VECTORS],
)
def test_vector(
    own: int, rival: int, moves: str, own_after: int, rival_after: int, opener: str | None, jockey: int
) -> None:
    table = auction(jockey, own, rival)
    speak(table, moves)
    state = table.state()
    assert balances(table, jockey) == (own_after, rival_after)
    assert state["bid"] is None
    if opener is None:
        winner = jockey if rival_after == 0 else 1 - jockey
        assert (state["phase"], state["winner"], state["ending"]) == ("over", winner, "balance")
        assert (state["turn"], state["deadline_ms"], state["layout"]["tiles"]) == (None, None, [])
        return
    seat = jockey if opener == "J" else 1 - jockey
    assert (state["phase"], state["turn"], state["must_open"], state["jockey"]) == ("play", seat, None, None)
    assert {command["tile"] for command in table.legal(seat)} == set(state["held"][seat])


@pytest.mark.clause("SB-55", "SB-51", "SB-77")
@pytest.mark.parametrize("amount", [10, 12, 17, 155, 0, -15, 5, 16, 10**12])
def test_a_first_bid_must_be_a_payable_multiple_of_five_from_fifteen(amount: int) -> None:
    """B043, for all that is a whole number."""
    table = auction()
    table.refuse(1, "bid", amount=amount)
    assert table.state()["bid"] is None


@pytest.mark.clause("SB-51", "SB-55")
@pytest.mark.parametrize(
    ("amount", "error"),
    [(10, "BidTooLow"), (17, "BidNotMultipleOfFive"), (155, "BidUnaffordable"), (0, "BidTooLow"), (-15, "BidTooLow")],
)
def test_the_refusal_of_a_bid_says_why(amount: int, error: str) -> None:
    auction().refuse(1, "bid", amount=amount, error=error)


@pytest.mark.clause("SB-51", "SB-52", "SB-77")
@pytest.mark.parametrize("amount", [15, 18, 10, 0, 22, 170, 175])
def test_a_raise_must_be_a_payable_multiple_of_five_above_the_standing_bid(amount: int) -> None:
    table = auction()
    table.act(1, "bid", amount=15)
    table.refuse(0, "raise", amount=amount)
    assert table.state()["bid"] == {"seat": 1, "amount": 15}


@pytest.mark.clause("SB-51", "SB-55")
def test_the_refusal_of_a_raise_says_why() -> None:
    table = auction()
    table.act(1, "bid", amount=15)
    table.refuse(0, "raise", amount=15, error="BidTooLow")
    table.refuse(0, "raise", amount=22, error="BidNotMultipleOfFive")
    table.refuse(0, "raise", amount=170, error="BidUnaffordable")


@pytest.mark.clause("SB-51", "SB-54", "SB-55")
@SEATS
@pytest.mark.parametrize(("own", "rival"), [(150, 150), (5, 295), (100, 200), (280, 20), (145, 155)])
def test_the_legal_bids_reach_from_the_minimum_to_what_can_be_paid(own: int, rival: int, jockey: int) -> None:
    """R up to the whole balance, J fifteen further: J pays the discount less."""
    table = auction(jockey, own, rival)
    assert amounts(table, 1 - jockey, "bid") == list(range(15, rival + 1, 5))
    table.act(1 - jockey, "bid", amount=15)
    assert amounts(table, jockey, "raise") == list(range(20, own + 15 + 1, 5))
    table.act(jockey, "raise", amount=20)
    if table.state()["phase"] == "auction":
        assert amounts(table, 1 - jockey, "raise") == list(range(25, rival + 1, 5))


@pytest.mark.clause("SB-51")
def test_jumps_are_allowed() -> None:
    table = auction()
    speak(table, "40 100 145")
    assert table.state()["bid"] == {"seat": 1, "amount": 145}
    assert amounts(table, 0, "raise") == [150, 155, 160, 165]


@pytest.mark.clause("SB-52", "SB-77")
def test_a_bid_is_answered_by_accepting_or_raising_only() -> None:
    table = auction()
    table.refuse(1, "accept")
    table.refuse(1, "raise", amount=20)
    table.act(1, "bid", amount=15)
    assert {command["type"] for command in table.legal(0)} == {"accept", "raise"}
    table.refuse(0, "decline")
    table.refuse(0, "bid", amount=20)
    table.refuse(1, "accept", error="NotYourTurn")
    table.refuse(1, "raise", amount=20, error="NotYourTurn")
    table.act(0, "raise", amount=20)
    table.refuse(1, "decline")
    assert {command["type"] for command in table.legal(1)} == {"accept", "raise"}


@pytest.mark.clause("SB-52", "SB-55")
def test_the_two_alternate_and_nothing_moves_before_a_bid_is_accepted() -> None:
    """B041 too: a bid that was topped adds nothing to what can be spent."""
    table = auction()
    for amount, seat in zip(range(15, 100, 5), [1, 0] * 9, strict=False):
        assert table.state()["turn"] == seat
        speak(table, str(amount))
        assert table.state()["bid"] == {"seat": seat, "amount": amount}
        assert table.state()["balances"] == [150, 150]
    assert amounts(table, 0, "raise")[-1] == 165


@pytest.mark.clause("SB-55", "SB-56", "D-7")
def test_b041_a_rival_with_twenty_accepts_the_jockeys_twenty_by_force() -> None:
    table = auction(0, 280, 20)
    table.act(1, "bid", amount=15)
    facts = table.act(0, "raise", amount=20)
    assert kinds(facts) == ["clock_stopped", "raised", "accepted", "transferred", "turn_started"]
    assert {fact["at_ms"] for fact in facts} == {table.now_ms}
    accepted, moved = facts[2], facts[3]
    assert (accepted["seat"], accepted["bidder"], accepted["amount"], accepted["net"]) == (1, 0, 20, 5)
    assert (moved["payer"], moved["due"], moved["paid"], moved["cause"]) == (0, 5, 5, "bid")
    assert (facts[4]["seat"], facts[4]["kind"]) == (0, "opening")


@pytest.mark.clause("D-7", "SB-56")
@SEATS
@pytest.mark.parametrize("rival", [5, 10])
def test_a_rival_who_cannot_bid_declines_by_itself(rival: int, jockey: int) -> None:
    """B053: the automatic decision is a fact of its own, without a clock."""
    poor = (300 - rival, rival) if jockey == 0 else (rival, 300 - rival)
    payer = 1 - jockey
    table = Table([stored("quiet_13", opener=payer), stored("quiet_drawn", opener=payer), PLAIN])
    table.deal()
    table.play(line("quiet_13"))
    table.deal()
    table.act(jockey, "bid", amount=15)
    table.act(payer, "raise", amount=165 - rival)
    assert table.state()["phase"] == "play"
    table.play(line("quiet_drawn"))
    assert (table.state()["balances"], table.state()["jockey"]) == (list(poor), jockey)
    banks = table.state()["banks_ms"]
    table.now_ms += 50_000
    facts = table.deal()
    assert kinds(facts) == ["ready", "ready", "dealt", "declined", "turn_started"]
    assert facts[3]["seat"] == 1 - jockey
    assert (facts[4]["seat"], facts[4]["kind"]) == (jockey, "opening")
    assert table.state()["banks_ms"] == banks


@pytest.mark.clause("SB-56")
def test_a_jockey_who_cannot_raise_accepts_by_itself() -> None:
    """5/295: facing 20 the jockey cannot reach 25."""
    table = auction(0, 5, 295)
    facts = table.act(1, "bid", amount=20)
    assert kinds(facts) == ["clock_stopped", "bid", "accepted", "transferred", "turn_started"]
    assert (facts[2]["seat"], facts[2]["bidder"], facts[2]["net"]) == (0, 1, 20)
    assert (facts[4]["seat"], table.state()["balances"]) == (1, [25, 275])


@pytest.mark.clause("SB-55", "SB-56")
def test_a_jockey_with_five_may_still_raise_fifteen_to_twenty() -> None:
    table = auction(0, 5, 295)
    table.act(1, "bid", amount=15)
    assert {command["type"] for command in table.legal(0)} == {"accept", "raise"}
    assert amounts(table, 0, "raise") == [20]
    table.refuse(0, "raise", amount=25, error="BidUnaffordable")


@pytest.mark.clause("SB-54", "SB-59")
@SEATS
def test_the_discount_is_for_the_jockeys_own_accepted_bid_only(jockey: int) -> None:
    table = auction(jockey)
    speak(table, "15 20 40")
    facts = table.act(jockey, "accept")
    accepted, moved = only(facts, "accepted"), only(facts, "transferred")
    assert (accepted["amount"], accepted["net"], moved["paid"], moved["payer"]) == (40, 40, 40, 1 - jockey)
    table = auction(jockey)
    speak(table, "15 40")
    facts = table.act(1 - jockey, "accept")
    accepted, moved = only(facts, "accepted"), only(facts, "transferred")
    assert (accepted["amount"], accepted["net"], moved["paid"], moved["payer"]) == (40, 25, 25, jockey)
    assert balances(table, jockey) == (125, 175)


@pytest.mark.clause("SB-54")
def test_bids_and_raises_name_their_net_price() -> None:
    table = auction()
    fact = only(table.act(1, "bid", amount=15), "bid")
    assert (fact["seat"], fact["amount"], fact["net"]) == (1, 15, 15)
    fact = only(table.act(0, "raise", amount=35), "raised")
    assert (fact["seat"], fact["amount"], fact["net"]) == (0, 35, 20)
    fact = only(table.act(1, "raise", amount=40), "raised")
    assert (fact["seat"], fact["amount"], fact["net"]) == (1, 40, 40)


@pytest.mark.clause("SB-50")
def test_a_declined_auction_costs_nobody_anything() -> None:
    table = auction()
    facts = table.act(1, "decline")
    assert kinds(facts) == ["clock_stopped", "declined", "turn_started"]
    assert (facts[1]["seat"], facts[2]["seat"], facts[2]["kind"]) == (1, 0, "opening")
    assert table.state()["balances"] == [150, 150]


@pytest.mark.clause("SB-53", "SB-66", "SB-64", "D-35")
@SEATS
@pytest.mark.parametrize(
    ("moves", "opener"), [("decline", "J"), ("15 accept", "R"), ("15 20 accept", "J"), ("15 20 25 accept", "R")]
)
def test_b045_the_opener_is_the_one_who_did_not_speak_last_with_a_fresh_delay(
    moves: str, opener: str, jockey: int
) -> None:
    table = auction(jockey)
    seat = jockey if opener == "J" else 1 - jockey
    *before, last = moves.split()
    speak(table, " ".join(before))
    assert table.state()["turn"] == 1 - seat
    facts = table.act(1 - seat, last, after_ms=9_000)
    started = only(facts, "turn_started")
    assert (started["seat"], started["kind"]) == (seat, "opening")
    assert started["deadline_ms"] == table.now_ms + 130_000
    assert (table.state()["turn"], table.state()["turn_started_ms"]) == (seat, table.now_ms)
    table.refuse(1 - seat, "play", tile=table.state()["held"][1 - seat][0], site=None, error="NotYourTurn")


@pytest.mark.clause("SB-57", "SB-6", "D-21")
def test_b049_a_price_of_the_whole_balance_is_paid_and_loses_before_the_opening() -> None:
    table = auction(0, 5, 295)
    speak(table, "15 20")
    facts = table.act(1, "accept")
    assert kinds(facts) == ["clock_stopped", "accepted", "transferred", "match_over"]
    assert (facts[2]["payer"], facts[2]["paid"], facts[2]["balances"]) == (0, 5, [0, 300])
    assert (facts[3]["winner"], facts[3]["ending"]) == (1, "balance")
    state = table.state()
    assert (state["phase"], state["turn"], state["turn_started_ms"], state["layout"]["tiles"]) == (
        "over",
        None,
        None,
        [],
    )
    assert table.legal(resign=True) == []


@pytest.mark.clause("SB-57", "D-21")
def test_a_suicidal_bid_is_legal_and_harmless_while_it_is_not_accepted() -> None:
    table = auction()
    table.act(1, "bid", amount=150)
    table.act(0, "raise", amount=165)
    table = auction(0, 285, 15)
    table.act(1, "bid", amount=15)
    facts = table.act(0, "accept")
    assert kinds(facts)[-1] == "match_over"
    assert (table.state()["winner"], table.state()["balances"]) == (0, [300, 0])


@pytest.mark.clause("SB-57", "SB-56", "D-7")
def test_a_forced_accept_of_a_suicidal_raise_ends_the_match_at_once() -> None:
    table = auction()
    table.act(1, "bid", amount=15)
    facts = table.act(0, "raise", amount=165)
    assert kinds(facts) == ["clock_stopped", "raised", "accepted", "transferred", "match_over"]
    assert (facts[-1]["winner"], table.state()["balances"]) == (1, [0, 300])


@pytest.mark.clause("SB-58")
@SEATS
@pytest.mark.parametrize("moves", ["decline", "15 accept", "15 20 accept"])
def test_the_discount_ends_with_the_opening(moves: str, jockey: int) -> None:
    """Never paid out, and the next auction knows only its own jockey."""
    opener = 1 - jockey if moves == "15 accept" else jockey
    table = auction(jockey, 150, 150, stored("quiet_drawn", opener=opener), PLAIN)
    speak(table, moves)
    after_auction = table.state()["balances"]
    assert table.state()["jockey"] is None
    table.play(line("quiet_drawn"))
    assert table.state()["balances"] == after_auction
    new_jockey = 1 - opener
    assert table.state()["jockey"] == new_jockey
    table.deal()
    rival = 1 - new_jockey
    assert amounts(table, rival, "bid")[-1] == after_auction[rival]
    table.act(rival, "bid", amount=15)
    assert amounts(table, new_jockey, "raise")[-1] == after_auction[new_jockey] + 15


@pytest.mark.clause("SB-45", "SB-58")
def test_b055_a_discount_that_was_lost_does_not_come_back_after_a_block() -> None:
    """Seat 0 goes out, loses the auction, the hand blocks; the next has neither."""
    table = at_auction(stored("block_4_18", opener=1), deal_of("5|5", "6|6"))
    table.act(1, "bid", amount=15)
    table.act(0, "accept")
    table.play(line("block_4_18"))
    state = table.state()
    assert (state["phase"], state["jockey"], sum(state["balances"])) == ("ready", None, 300)
    facts = table.deal()
    assert kinds(facts) == ["ready", "ready", "dealt", "turn_started"]
    assert (facts[-1]["kind"], table.state()["balances"]) == ("opening", state["balances"])


@pytest.mark.clause("SB-60")
def test_the_longest_auction_has_thirty_bids() -> None:
    table = auction(0, 145, 155)
    bids = 0
    amount = 15
    while table.state()["phase"] == "auction":
        speak(table, str(amount))
        bids, amount = bids + 1, amount + 5
    assert bids == 30
    assert (table.state()["phase"], table.state()["balances"]) == ("over", [0, 300])


@pytest.mark.clause("SB-16", "SB-17", "SB-58")
def test_a_bought_opening_scores_as_usual() -> None:
    table = auction(0, 150, 150, deal_for("5|5", 1))
    speak(table, "15 accept")
    facts = table.play("5|5")
    assert only(facts, "transferred")["balances"] == [155, 145]
