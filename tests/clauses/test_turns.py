"""A turn: place, draw or pass; and how a hand ends (1.6, 1.7, vectors 3.2)."""

from itertools import pairwise

import pytest

from tests.clauses.driver import (
    HANDS,
    Facts,
    Table,
    after,
    at_auction,
    at_opening,
    deal_of,
    fits,
    kinds,
    line,
    only,
    pips,
    stored,
)

ALL_SIXES = "6|6 0|6 1|6 2|6 3|6 4|6 5|6"
NO_SIX = "0|1 0|2 0|3 0|4 0|5 1|2 1|3"


def drawing_table(boneyard: str = "1|4 1|5 2|6 3|6") -> Table:
    """Seat 1 is on turn on [6|6] and must draw; the third tile it gets is playable."""
    table = at_opening(deal_of("6|6 5|6", NO_SIX, boneyard))
    table.play("6|6")
    return table


def walk(name: str, *deals: list[str], opener: int = 0, balances: tuple[int, int] = (150, 150)) -> tuple[Table, Facts]:
    """A table at the end of a stored hand, and all the facts of its line."""
    if balances == (150, 150) and opener == 0:
        table = Table([stored(name), *deals])
        table.deal()
    else:
        table = at_opening(stored(name, opener=opener), *deals, opener=opener, balances=balances)
    facts: Facts = []
    for token in line(name).split():
        facts += table.play(token)
    return table, facts


@pytest.mark.clause("SB-33")
def test_who_can_place_must_place() -> None:
    """B037: a forged draw or pass is refused and changes nothing."""
    table = at_opening(deal_of("6|6", "2|6"))
    table.play("6|6")
    assert {command["type"] for command in table.legal(1)} == {"play"}
    table.refuse(1, "draw", error="MustPlay")
    table.refuse(1, "pass", error="MalformedRequest")


@pytest.mark.clause("SB-34", "SB-36", "D-6")
def test_who_cannot_place_draws_one_by_one() -> None:
    table = drawing_table()
    assert table.legal() == [(1, {"type": "draw"})]
    for tile, left in (("1|4", 13), ("1|5", 12)):
        facts = table.play("draw")
        assert kinds(facts) == ["drew"]
        assert (facts[0]["seat"], facts[0]["tile"], facts[0]["left"]) == (1, tile, left)
        assert tile in table.state()["held"][1]
        assert (table.state()["must_play"], table.legal()) == (None, [(1, {"type": "draw"})])
    assert kinds(table.play("draw")) == ["drew"]
    assert table.state()["must_play"] == "2|6"


@pytest.mark.clause("SB-34")
def test_tiles_are_drawn_from_the_top_of_the_boneyard() -> None:
    table = drawing_table("1|4 1|5 2|6")
    order = table.state()["boneyard"]
    assert [table.play("draw")[0]["tile"] for _ in range(3)] == order[:3] == ["1|4", "1|5", "2|6"]
    assert table.state()["boneyard"] == order[3:]


@pytest.mark.clause("SB-34", "SB-77")
def test_a_tile_that_does_not_fit_is_refused_while_drawing() -> None:
    table = drawing_table()
    table.refuse(1, "play", tile="0|1", site="6|6.line_a", error="TileDoesNotFit")
    table.play("draw")
    table.refuse(1, "play", tile="1|4", site="6|6.line_a", error="TileDoesNotFit")
    table.refuse(1, "play", tile="2|6", site="6|6.line_a", error="TileNotHeld")


@pytest.mark.clause("SB-35", "D-39", "D-38")
def test_a_playable_drawn_tile_must_be_played_at_once() -> None:
    table = drawing_table()
    table.play("draw draw draw")
    assert table.state()["must_play"] == "2|6"
    assert table.legal(1) == [
        {"type": "play", "tile": "2|6", "site": "6|6.line_a"},
        {"type": "play", "tile": "2|6", "site": "6|6.line_b"},
    ]
    table.refuse(1, "draw", error="MustPlayDrawnTile")
    table.refuse(1, "play", tile="0|1", site="6|6.line_a", error="MustPlayDrawnTile")
    table.refuse(1, "pass")
    table.play("2|6@6|6.line_b")
    assert table.state()["must_play"] is None
    assert table.state()["layout"]["joins"] == [["6|6.line_b", "2|6.high"]]


@pytest.mark.clause("SB-35")
def test_no_other_tile_stands_in_for_the_drawn_one_even_if_it_came_in_the_same_turn() -> None:
    """Held tiles cannot fit then, so the refusal names the drawn tile, not the fit."""
    table = drawing_table("1|4 2|6")
    table.play("draw draw")
    for tile in table.state()["held"][1]:
        if tile != "2|6":
            table.refuse(1, "play", tile=tile, site="6|6.line_b", error="MustPlayDrawnTile")


@pytest.mark.clause("SB-38", "SB-32")
def test_draws_and_the_placement_are_one_turn() -> None:
    table = drawing_table()
    started = table.state()["turn_started_ms"]
    for token in ("draw", "draw", "draw"):
        table.play(token)
        assert (table.state()["turn"], table.state()["turn_started_ms"]) == (1, started)
    facts = table.play("2|6@6|6.line_a")
    assert kinds(facts) == ["clock_stopped", "played", "turn_started"]
    assert facts[0]["elapsed_ms"] == table.now_ms - started == 4_000


@pytest.mark.clause("SB-39", "D-31", "SB-12")
def test_the_other_side_sees_that_a_tile_was_drawn_and_not_which() -> None:
    table = drawing_table()
    for count in (8, 9, 10):
        table.play("draw")
        for viewer in (0, None):
            sight = table.sight(viewer)
            assert (sight["held"][1], sight["boneyard"]) == (count, 21 - count)
            assert sight["must_play"] is None
    assert table.sight(1)["must_play"] == "2|6"


@pytest.mark.clause("SB-37", "D-5", "D-6", "SB-75")
def test_the_pass_comes_by_itself_when_the_last_tile_drawn_does_not_fit() -> None:
    table = Table([deal_of(ALL_SIXES, NO_SIX)])
    table.deal()
    table.play("6|6")
    table.play(" ".join(["draw"] * 13))
    assert (table.state()["turn"], len(table.state()["boneyard"])) == (1, 1)
    facts = table.play("draw")
    assert kinds(facts) == ["drew", "clock_stopped", "passed", "turn_started"]
    assert (facts[2]["seat"], facts[3]["seat"], facts[3]["kind"]) == (1, 0, "turn")
    assert (len(table.state()["held"][1]), table.state()["turn"]) == (21, 0)


@pytest.mark.clause("SB-37", "SB-36")
def test_there_is_no_pass_while_a_draw_is_possible() -> None:
    table = Table([deal_of(ALL_SIXES, NO_SIX)])
    table.deal()
    facts = table.play("6|6")
    for _ in range(13):
        facts += table.play("draw")
    assert "passed" not in kinds(facts)


@pytest.mark.clause("SB-37", "D-5", "SB-75")
def test_a_placement_that_leaves_the_other_nothing_brings_its_pass_along() -> None:
    """With an empty boneyard: placement, pass of the other, and the turn is back, all at once."""
    table = Table([stored("pass_apart")])
    table.deal()
    seen = 0
    for token in line("pass_apart").split():
        facts = table.play(token)
        if kinds(facts)[-2:] != ["passed", "turn_started"] or "drew" in kinds(facts):
            continue
        seen += 1
        played, passed, started = only(facts, "played"), only(facts, "passed"), only(facts, "turn_started")
        assert kinds(facts)[:2] == ["clock_stopped", "played"]
        assert passed["seat"] == 1 - played["seat"] == 1 - started["seat"]
        assert passed["at_ms"] == started["at_ms"] == table.now_ms
        assert started["deadline_ms"] == table.now_ms + 10_000 + table.state()["banks_ms"][started["seat"]]
    assert seen == 2


@pytest.mark.clause("D-10", "SB-42")
@pytest.mark.parametrize("name", ["pass_apart", "pass_swapped"])
def test_passes_with_a_placement_between_do_not_add_up(name: str) -> None:
    """B029: the hand goes on after them and ends by domino."""
    _, facts = walk(name)
    passes = [at for at, kind in enumerate(kinds(facts)) if kind == "passed"]
    assert len(passes) >= 2
    for first, second in pairwise(passes):
        assert "played" in kinds(facts)[first:second]
    assert only(facts, "hand_over")["how"] == "domino"


@pytest.mark.clause("D-10", "SB-42")
def test_b029_a_pass_of_an_earlier_hand_counts_for_nothing() -> None:
    """Hand 1 ends with passes on its record; one pass in hand 2 does not end it."""
    table, facts = walk("block_6_6", stored("pass_apart"))
    assert kinds(facts)[-3:] == ["passed", "passed", "hand_over"]
    table.deal()
    table.play(line("pass_apart"))
    assert table.state()["jockey"] is not None


@pytest.mark.clause("SB-42", "SB-37", "SB-47", "D-5")
def test_two_passes_on_end_end_the_hand() -> None:
    table, _ = walk("block_4_18")
    table = Table([stored("block_4_18")])
    table.deal()
    *tokens, last = line("block_4_18").split()
    for token in tokens:
        assert "hand_over" not in kinds(table.play(token))
    facts = table.play(last)
    listed = [kind for kind in kinds(facts) if kind not in ("drew", "clock_stopped", "played")]
    listed = listed[1:] if listed[0] == "transferred" else listed
    assert listed == ["passed", "passed", "hand_over", "transferred"]
    first, second = (fact["seat"] for fact in facts if fact["type"] == "passed")
    assert first == 1 - second
    state = table.state()
    assert (state["phase"], state["turn"], state["boneyard"], state["deadline_ms"]) == ("ready", None, [], None)
    for tiles in state["held"]:
        assert not any(fits(tile, site) for tile in tiles for site in state["layout"]["sites"])


@pytest.mark.clause("D-11", "SB-34")
def test_a_dead_end_is_drawn_to_the_bottom_before_it_is_a_block() -> None:
    """No tile off the table fits any site, and two are still in the boneyard."""
    table = Table([stored("dead_end")])
    table.deal()
    *tokens, _, last = line("dead_end").split()
    table.play(" ".join(tokens))
    state = table.state()
    off_table = [*state["held"][0], *state["held"][1], *state["boneyard"]]
    assert len(state["boneyard"]) == 2
    assert not any(fits(tile, site) for tile in off_table for site in state["layout"]["sites"])
    assert (state["phase"], table.legal()) == ("play", [(state["turn"], {"type": "draw"})])
    assert kinds(table.play("draw")) == ["drew"]
    facts = table.play(last)
    assert kinds(facts)[:5] == ["drew", "clock_stopped", "passed", "passed", "hand_over"]


@pytest.mark.clause("SB-40", "SB-47", "SB-8")
def test_the_last_tile_is_paid_before_the_hand_ends() -> None:
    """B039: score first, then the hand ends, the one who went out is jockey."""
    *_, last = line("domino_scores_10").split()
    table = at_opening(stored("domino_scores_10"))
    table.play(line("domino_scores_10").removesuffix(last))
    facts = table.play(last)
    assert kinds(facts) == ["clock_stopped", "played", "transferred", "hand_over"]
    assert facts[2]["balances"] == table.state()["balances"] == [160, 140]
    over = facts[3]
    assert (over["how"], over["winner"], over["pips"]) == ("domino", 0, [0, pips(table.state()["held"][1])])
    assert over["pips"][1] > 0
    for seat in (0, 1):
        table.refuse(seat, "draw")
        table.refuse(seat, "play", tile=table.state()["held"][1][0], site=table.state()["layout"]["sites"][0])


@pytest.mark.clause("SB-41", "SB-16")
@pytest.mark.parametrize(
    ("name", "opener", "jockey"), [("quiet_13", 0, 0), ("quiet_13", 1, 1), ("quiet_drawn", 0, 1), ("quiet_drawn", 1, 0)]
)
def test_who_went_out_is_the_jockey_of_the_next_hand(name: str, opener: int, jockey: int) -> None:
    table, facts = walk(name, deal_of("", ""), opener=opener)
    assert only(facts, "hand_over")["winner"] == jockey
    assert table.state()["jockey"] == jockey
    started = table.deal()[-1]
    assert (started["seat"], started["kind"]) == (1 - jockey, "auction")


BLOCKS = [
    # own total and opponent's total; what the lower total is due.
    ("block_4_18", 0, (4, 18), 20),
    ("block_4_18", 1, (18, 4), 20),
    ("block_5_17", 0, (5, 17), 15),
    ("block_6_6", 0, (6, 6), 0),
    ("block_0_2", 0, (0, 2), 0),
    ("block_2_8", 0, (2, 8), 10),
    ("block_1_7", 0, (1, 7), 5),
    ("block_5_23", 0, (5, 23), 25),
    ("block_2_22", 0, (2, 22), 20),
    ("block_4_14", 0, (4, 14), 15),
    ("block_0_16", 0, (0, 16), 15),
    ("block_0_20", 0, (0, 20), 20),
    ("block_3_3", 0, (3, 3), 0),
]


@pytest.mark.clause("SB-43", "SB-44", "SB-46", "SB-47", "D-19", "D-36")
@pytest.mark.parametrize(
    ("name", "opener", "totals", "due"), BLOCKS, ids=[f"{own}-{other}" for *_, (own, other), _ in BLOCKS]
)
def test_block_settlement(name: str, opener: int, totals: tuple[int, int], due: int) -> None:
    """Vectors 3.2 as far as play can reach them.

    In a block every half that somebody holds is closed on the table, so each value
    occurs an even number of times among the held non-doubles, and the two totals add up
    to an even number: (4,17), (0,1), (0,3), (2,7) and (5,22) cannot come about. The same
    totals of the loser are tried against another winner where there is one.
    """
    table, facts = walk(name, opener=opener)
    over = only(facts, "hand_over")
    winner = None if totals[0] == totals[1] else 0 if totals[0] < totals[1] else 1
    assert (over["how"], over["winner"], over["pips"]) == ("block", winner, list(totals))
    assert [pips(tiles) for tiles in table.state()["held"]] == list(totals)
    end = facts[facts.index(over) :]
    assert kinds(end) == (["hand_over", "transferred"] if due else ["hand_over"])
    if due:
        moved = end[1]
        assert (moved["payer"], moved["due"], moved["paid"], moved["cause"]) == (1 - (winner or 0), due, due, "block")
        assert moved["balances"] == table.state()["balances"]
    assert sum(table.state()["balances"]) == 300
    assert table.state()["jockey"] is None


@pytest.mark.clause("SB-5", "D-18", "SB-43", "SB-47")
def test_a_block_that_bankrupts_moves_what_is_left_and_ends_the_match() -> None:
    """(4,18) with the loser holding 15 points: the hand brings its 10 points to 15 first."""
    table = at_opening(stored("block_4_18"), deal_of("", ""), balances=(290, 10))
    *tokens, last = line("block_4_18").split()
    table.play(" ".join(tokens))
    facts = table.play(last)
    assert kinds(facts)[-5:] == ["passed", "passed", "hand_over", "transferred", "match_over"]
    moved, over = facts[-2:]
    assert (moved["payer"], moved["due"], moved["paid"], moved["balances"]) == (1, 20, 15, [300, 0])
    assert (over["winner"], over["ending"]) == (0, "balance")
    assert (table.state()["phase"], table.legal(resign=True)) == ("over", [])
    table.refuse(0, "continue", error="MatchIsOver")


@pytest.mark.clause("SB-44", "D-19")
def test_b015_a_tied_block_moves_nothing_and_gives_no_jockey() -> None:
    table, facts = walk("block_6_6", deal_of("5|5", "6|6"))
    before = next(fact["balances"] for fact in reversed(facts) if fact["type"] == "transferred")
    assert (only(facts, "hand_over")["winner"], table.state()["balances"]) == (None, before)
    started = table.deal()[-1]
    assert (started["kind"], started["seat"], table.state()["must_open"]) == ("opening", 1, "6|6")


@pytest.mark.clause("SB-45")
def test_after_a_block_nobody_has_a_discount() -> None:
    table, _ = walk("block_4_18", deal_of("5|5", "6|6"))
    table.deal()
    assert (table.state()["phase"], table.state()["jockey"], table.state()["bid"]) == ("play", None, None)
    for seat in (0, 1):
        table.refuse(seat, "bid", amount=15, error="WrongPhase" if seat == 1 else None)


@pytest.mark.clause("SB-6", "SB-47", "D-15")
def test_the_last_tile_that_takes_the_last_points_ends_the_match_and_no_hand() -> None:
    table = at_opening(stored("domino_scores_20"), deal_of("", ""), balances=(285, 15))
    facts = table.play(line("domino_scores_20"))
    assert kinds(facts) == ["clock_stopped", "played", "transferred", "match_over"]
    assert (facts[2]["due"], facts[2]["paid"], facts[2]["balances"]) == (20, 15, [300, 0])
    state = table.state()
    assert (state["phase"], state["winner"], state["ending"], state["jockey"]) == ("over", 0, "balance", None)
    assert state["held"][0] == []
    table.refuse(0, "continue", error="MatchIsOver")


@pytest.mark.clause("SB-6", "SB-47")
@pytest.mark.parametrize("opener", [0, 1])
def test_b007_a_score_that_empties_the_other_ends_the_match_in_the_middle_of_a_hand(opener: int) -> None:
    text = "4|4 4|6@4|4.line_a 6|6@4|6.high"
    balances = (280, 20) if opener == 0 else (20, 280)
    table = after(text, opener=opener, balances=balances)
    state = table.state()
    assert (state["phase"], state["winner"], state["balances"][1 - opener]) == ("over", opener, 0)
    assert (state["turn"], state["deadline_ms"], table.legal(resign=True)) == (None, None, [])
    for seat in (0, 1):
        table.refuse(seat, "draw", error="MatchIsOver")
        table.refuse(seat, "resign", error="MatchIsOver")
        table.refuse(seat, "continue", error="MatchIsOver")
    assert table.tick(1_000_000) == []


@pytest.mark.clause("SB-3", "D-17", "D-36", "SB-46")
@pytest.mark.parametrize("name", sorted(HANDS))
def test_points_only_move(name: str) -> None:
    """Every transfer of the stored hands, one side down and the other up by as much."""
    _, facts = walk(name)
    balances = [150, 150]
    for fact in facts:
        if fact["type"] == "transferred":
            balances[fact["payer"]] -= fact["paid"]
            balances[1 - fact["payer"]] += fact["paid"]
            assert fact["balances"] == balances
            assert all(balance >= 0 and balance % 5 == 0 for balance in balances)


@pytest.mark.clause("D-20", "SB-41")
def test_an_opening_bought_by_the_rival_makes_nobody_jockey() -> None:
    """The next jockey is whoever goes out in this very hand."""
    table = at_auction(stored("quiet_drawn", opener=1), deal_of("", ""))
    table.act(1, "bid", amount=15)
    table.act(0, "accept")
    assert table.state()["jockey"] is None
    table.play(line("quiet_drawn"))
    assert table.state()["jockey"] == 0
    assert table.deal()[-1]["seat"] == 1
