"""The match and its points, the deal, and who opens with what (1.1 to 1.3, vectors 3.3)."""

from collections import Counter

import pytest

from tests.clauses.driver import (
    ALL_TILES,
    Table,
    after,
    at_auction,
    at_opening,
    deal_for,
    deal_of,
    kinds,
    line,
    only,
    stored,
)


@pytest.mark.clause("SB-1", "SB-2", "SB-61")
def test_a_new_match_has_two_seats_with_150_points_and_two_minutes_each() -> None:
    state = Table([deal_of("", "")]).state()
    assert state == {
        "hand": 0,
        "phase": "ready",
        "balances": [150, 150],
        "banks_ms": [120_000, 120_000],
        "turn": None,
        "turn_started_ms": None,
        "deadline_ms": None,
        "held": [[], []],
        "boneyard": [],
        "layout": {"tiles": [], "joins": [], "spinner": None, "sites": [], "contributions": []},
        "must_open": None,
        "must_play": None,
        "jockey": None,
        "bid": None,
        "ready": [],
        "winner": None,
        "ending": None,
    }


@pytest.mark.clause("SB-1")
def test_a_match_is_a_sequence_of_hands() -> None:
    table = Table([stored("quiet_13"), stored("quiet_13"), deal_of("", "")])
    for hand in (1, 2):
        assert only(table.deal(), "dealt")["hand"] == table.state()["hand"] == hand
        if hand == 2:
            table.act(1, "decline")
        table.play(line("quiet_13"))
        assert table.state()["phase"] == "ready"
    assert only(table.deal(), "dealt")["hand"] == 3


@pytest.mark.clause("SB-9", "SB-11")
def test_a_deal_is_28_tiles_seven_each_and_fourteen_to_draw() -> None:
    deal = list(reversed(ALL_TILES))
    table = Table([deal])
    dealt = only(table.deal(), "dealt")
    state = table.state()
    assert dealt["order"] == deal
    assert state["held"] == [sorted(deal[:7]), sorted(deal[7:14])]
    assert state["boneyard"] == deal[14:]
    assert "0|0" in state["boneyard"]


@pytest.mark.clause("SB-11")
def test_the_boneyard_may_be_drawn_down_to_nothing() -> None:
    """One seat holds every six, the other draws all fourteen tiles."""
    table = Table([deal_of("6|6 0|6 1|6 2|6 3|6 4|6 5|6", "")])
    table.deal()
    table.play("6|6")
    for left in range(13, -1, -1):
        assert only(table.play("draw"), "drew")["left"] == left
    assert table.state()["boneyard"] == []


@pytest.mark.clause("SB-9", "SB-10")
def test_b003_seeded_deals_are_the_set_once_each_and_a_new_order_every_hand() -> None:
    orders = []
    for number in range(40):
        table = Table(seed=f"seed {number}")
        order = only(table.deal(), "dealt")["order"]
        state = table.state()
        assert Counter(order) == Counter(ALL_TILES)
        assert Counter([*state["held"][0], *state["held"][1], *state["boneyard"]]) == Counter(ALL_TILES)
        assert [len(tiles) for tiles in state["held"]] == [7, 7]
        orders.append(tuple(order))
    assert len(set(orders)) == 40


@pytest.mark.clause("SB-10", "SB-21")
def test_every_hand_starts_from_the_whole_set_and_an_empty_table() -> None:
    second = list(reversed(ALL_TILES))
    table = at_auction(second)
    state = table.state()
    assert (state["held"], state["boneyard"]) == ([sorted(second[:7]), sorted(second[7:14])], second[14:])
    assert state["layout"]["tiles"] == []


@pytest.mark.clause("SB-13", "SB-14", "SB-15", "D-8")
@pytest.mark.parametrize("turned", [False, True], ids=["seat-0", "seat-1"])
@pytest.mark.parametrize(
    ("winner", "loser", "tile"),
    [
        ("5|5 0|1 0|2 0|3 0|4 0|5 0|6", "2|2 1|2 1|3 1|4 1|5 1|6 2|3", "5|5"),
        ("0|0 0|1 0|2 0|3 0|4 0|5 0|6", "5|6 4|6 3|6 2|6 4|5 3|5 2|5", "0|0"),
        ("3|6 0|1 0|2 0|3 0|4 0|5 1|2", "4|5 1|3 1|4 1|5 2|3 2|4 3|4", "3|6"),
        ("4|6 0|1 0|2 0|3 0|4 0|5 1|2", "3|6 1|3 1|4 1|5 2|3 2|4 3|4", "4|6"),
        ("2|4 0|1 0|2 0|3 0|4 1|2 1|3", "3|3 1|1 5|6 1|4 0|5 2|3 1|5", "3|3"),
        ("0|6 0|1 0|2 0|3 0|4 1|2 1|3", "2|4 0|5 1|4 2|3 1|5 1|6 3|4", "1|6"),
    ],
)
def test_the_highest_double_else_the_heaviest_tile_opens(winner: str, loser: str, tile: str, turned: bool) -> None:
    hands = [winner.split(), loser.split()]
    if turned:
        hands.reverse()
    opener = 0 if tile in hands[0] else 1
    rest = [each for each in ALL_TILES if each not in {*hands[0], *hands[1]}]
    table = Table([[*hands[0], *hands[1], *rest]])
    started = table.deal()[-1]
    state = table.state()
    assert (started["type"], started["seat"], started["kind"]) == ("turn_started", opener, "opening")
    assert (state["phase"], state["turn"], state["must_open"]) == ("play", opener, tile)
    assert table.legal() == [(opener, {"type": "play", "tile": tile, "site": None})]
    for other in hands[opener]:
        if other != tile:
            table.refuse(opener, "play", tile=other, site=None, error="MustOpenWith")
    table.refuse(1 - opener, "play", tile=hands[1 - opener][0], site=None, error="NotYourTurn")
    table.play(tile)
    assert (table.state()["must_open"], table.state()["turn"]) == (None, 1 - opener)


@pytest.mark.clause("SB-15")
def test_total_and_higher_half_tell_all_tiles_apart() -> None:
    """Each non-double beats exactly those below it, tried pair by pair."""
    singles = [tile for tile in ALL_TILES if tile[0] != tile[2]]
    ranked = sorted(singles, key=lambda tile: (int(tile[0]) + int(tile[2]), tile[2]))
    for at in range(13, len(ranked)):
        lower = ranked[at - 13 : at]
        doubles = [tile for tile in ALL_TILES if tile[0] == tile[2]]
        rest = [tile for tile in singles if tile not in {*lower, ranked[at]}]
        table = Table([[*lower[-6:], ranked[at], *lower[:7], *doubles, *rest]])
        table.deal()
        assert (table.state()["must_open"], table.state()["turn"]) == (ranked[at], 0)


@pytest.mark.clause("D-37", "SB-77")
def test_nobody_else_opens_when_the_rank_opener_does_not() -> None:
    table = Table([deal_of("5|5", "2|2")])
    table.deal()
    table.refuse(0, "play", tile="0|1", site=None, error="MustOpenWith")
    table.refuse(0, "draw")
    table.refuse(1, "play", tile="2|2", site=None, error="NotYourTurn")
    facts = table.tick(130_000)
    assert (only(facts, "match_over")["winner"], only(facts, "match_over")["ending"]) == (1, "time")


@pytest.mark.clause("D-37", "D-22")
def test_the_rank_opener_may_resign_instead() -> None:
    table = Table([deal_of("5|5", "2|2")])
    table.deal()
    assert only(table.act(0, "resign"), "match_over")["winner"] == 1


@pytest.mark.clause("D-8", "SB-62")
def test_the_forced_opening_waits_for_its_player_under_the_clock() -> None:
    table = Table([deal_of("5|5", "2|2")])
    facts = table.deal()
    assert kinds(facts) == ["ready", "ready", "dealt", "turn_started"]
    assert facts[-1]["deadline_ms"] == table.now_ms + 130_000
    assert table.state()["layout"]["tiles"] == []
    assert only(table.play("5|5", after_ms=12_000), "clock_stopped")["charged_ms"] == 2_000


@pytest.mark.clause("D-8")
def test_a_single_legal_placement_is_not_made_by_itself() -> None:
    table = at_opening(deal_of("6|6", "2|6 0|1 0|2 0|3 0|4 0|5 1|2"))
    table.play("6|6")
    table.play("2|6@6|6.line_a")
    table = at_opening(deal_of("3|4 6|6 5|6 2|6 2|5 5|5 2|2", "1|3 0|1 0|2 0|5 0|6 1|2 1|1"))
    facts = table.play("3|4")
    assert only(facts, "turn_started")["seat"] == 1
    assert table.legal() == [(1, {"type": "play", "tile": "1|3", "site": "3|4.low"})]
    assert table.state()["turn"] == 1


@pytest.mark.clause("SB-16", "SB-50", "D-9")
def test_after_a_domino_the_opener_may_play_any_tile() -> None:
    """A lower double and light tiles in hand, the rank tile on either side."""
    table = at_opening(deal_of("0|1 0|0 6|6 2|3", "5|5 1|1"))
    assert table.state()["must_open"] is None
    assert {command["tile"] for command in table.legal(0)} == set(table.state()["held"][0])
    assert all(command["site"] is None for command in table.legal(0))
    table.play("0|1")
    assert table.state()["layout"]["tiles"] == ["0|1"]


@pytest.mark.clause("SB-16", "SB-53")
def test_a_bought_opening_is_free_too() -> None:
    table = at_auction(deal_of("6|6", "0|1 2|3 1|1"))
    table.act(1, "bid", amount=15)
    table.act(0, "accept")
    assert {command["tile"] for command in table.legal(1)} == set(table.state()["held"][1])
    assert table.state()["must_open"] is None


@pytest.mark.clause("SB-17")
@pytest.mark.parametrize(("tile", "points"), [("5|5", 10), ("4|6", 10), ("1|4", 5), ("6|6", 0), ("5|6", 0)])
def test_the_opening_tile_scores_like_any_other(tile: str, points: int) -> None:
    assert after(tile).state()["balances"] == [150 + points, 150 - points]


@pytest.mark.clause("SB-17", "SB-13")
def test_an_opening_by_rank_scores_too() -> None:
    table = Table([deal_of("5|5", "2|2")])
    table.deal()
    assert only(table.play("5|5"), "transferred")["balances"] == [160, 140]


@pytest.mark.clause("SB-18")
@pytest.mark.parametrize("opener", [0, 1])
def test_after_the_opening_the_other_seat_is_on_turn(opener: int) -> None:
    table = at_opening(deal_for("6|6", opener), opener=opener)
    started = only(table.play("6|6"), "turn_started")
    assert (started["seat"], started["kind"]) == (1 - opener, "turn")


@pytest.mark.clause("D-14")
def test_the_opening_takes_no_site() -> None:
    table = at_opening(deal_of("6|6 3|6", "5|5"))
    assert all(command["site"] is None for command in table.legal(0))
    table.refuse(0, "play", tile="3|6", site="6|6.line_a")
    table.refuse(0, "play", tile="3|6", site="3|6.low")
    fact = only(table.play("3|6"), "played")
    assert (fact["site"], fact["join"]) == (None, None)
    assert table.state()["layout"]["joins"] == []


@pytest.mark.clause("SB-13", "SB-45", "D-19")
@pytest.mark.parametrize("name", ["block_4_18", "block_6_6"], ids=["settled", "tied"])
def test_the_hand_after_a_block_is_opened_by_rank(name: str) -> None:
    table = Table([stored(name), deal_of("2|2 0|1", "4|4 5|6")])
    table.deal()
    facts = table.play(line(name))
    assert only(facts, "hand_over")["how"] == "block"
    assert table.state()["jockey"] is None
    facts = table.deal()
    assert kinds(facts) == ["ready", "ready", "dealt", "turn_started"]
    assert (facts[-1]["seat"], facts[-1]["kind"]) == (1, "opening")
    assert (table.state()["must_open"], table.state()["jockey"], table.state()["phase"]) == ("4|4", None, "play")


@pytest.mark.clause("SB-13")
def test_the_first_hand_has_no_auction() -> None:
    table = Table([deal_of("5|5", "2|2")])
    assert "turn_started" in kinds(table.deal())
    assert (table.state()["phase"], table.state()["jockey"]) == ("play", None)
    for seat in (0, 1):
        table.refuse(seat, "decline")
        table.refuse(seat, "bid", amount=15)


@pytest.mark.clause("SB-3", "SB-8", "SB-58")
def test_winning_the_opening_and_going_out_create_no_points() -> None:
    """A quiet hand by domino, a free opening and a quiet hand again: nothing has moved."""
    table = at_opening(stored("quiet_13"), deal_of("", ""))
    facts = table.play(line("quiet_13"))
    assert kinds(facts) == ["clock_stopped", "played", "hand_over"]
    assert sum(only(facts, "hand_over")["pips"]) > 0
    assert table.state()["balances"] == [150, 150]


@pytest.mark.clause("D-3")
def test_the_deal_is_made_when_the_interlude_ends_and_the_old_hand_stays_till_then() -> None:
    table = at_opening(stored("quiet_13"), deal_of("5|5", "6|6"))
    table.play(line("quiet_13"))
    over = table.state()
    assert (over["phase"], over["hand"]) == ("ready", 2)
    assert len(over["layout"]["tiles"]) == 13
    assert kinds(table.act(1, "continue")) == ["ready"]
    waiting = table.state()
    assert waiting["ready"] == [1]
    assert {**waiting, "ready": []} == over
    facts = table.act(0, "continue")
    assert kinds(facts) == ["ready", "dealt", "turn_started"]
    assert {fact["at_ms"] for fact in facts} == {table.now_ms}
    assert (table.state()["hand"], table.state()["ready"]) == (3, [])


@pytest.mark.clause("SB-68", "D-3")
def test_start_belongs_to_the_first_hand_and_continue_to_the_later_ones() -> None:
    table = Table([stored("quiet_13"), deal_of("", "")])
    for seat in (0, 1):
        table.refuse(seat, "continue")
    table.act(0, "start")
    table.refuse(0, "start", error="AlreadyReady")
    table.act(1, "start")
    table.refuse(0, "start")
    table.refuse(0, "continue")
    table.play(line("quiet_13"))
    table.refuse(0, "start")
    table.act(1, "continue")
    table.refuse(1, "continue", error="AlreadyReady")
    assert table.legal() == [(0, {"type": "continue"})]


@pytest.mark.clause("SB-10")
def test_without_a_further_deal_the_press_that_needs_it_is_refused() -> None:
    table = Table([])
    table.act(1, "start")
    table.refuse(0, "start", error="NoDeal")
    table = Table([stored("quiet_13")])
    table.deal()
    table.play(line("quiet_13"))
    table.act(0, "continue")
    table.refuse(1, "continue", error="NoDeal")
    assert table.legal(1, resign=True) == [{"type": "resign"}]
