"""The course of a match: start, opening, play, draw, pass, block, auction, endings."""

from typing import Any

import pytest

from games.rules import (
    AlreadyReady,
    BidStands,
    CancelUnstarted,
    ExpireTime,
    IllegalCommand,
    MatchIsOver,
    MustOpenWith,
    MustPlay,
    MustPlayDrawnTile,
    NoBidStands,
    NoDeal,
    NothingToDraw,
    NotYourTurn,
    SiteNotOpen,
    Start,
    TileDoesNotFit,
    TileNotHeld,
    VariantNotAvailable,
    WrongPhase,
    decide,
    format_tile,
    legal_commands,
    new_match,
    parse_tile,
    previews,
)
from games.rules.hand import split_order
from tests.rules.table import Table, deal, kinds


def refused(table: Table, line: str, refusal: type[IllegalCommand]) -> dict[str, Any]:
    """The detail of a refusal that has left everything as it was."""
    before = table.state
    with pytest.raises(refusal) as caught:
        table.act(line)
    assert table.state is before
    assert caught.value.code == refusal.__name__
    return caught.value.detail


# Start


def test_a_match_begins_with_150_points_each_and_no_hand() -> None:
    """SB-1, SB-2."""
    state = new_match(at_ms=0)
    assert (state.balances, state.banks_ms, state.hand, state.phase) == ((150, 150), (120_000, 120_000), 0, "ready")
    assert (state.held, state.boneyard, state.layout.tiles) == (((), ()), (), ())


def test_both_press_start_and_the_second_press_deals() -> None:
    """D-1, SB-11."""
    table = Table(deal("6|6"))
    assert kinds(table.act("1 start")) == ["ready"]
    assert table.state.ready == (1,)
    assert refused(table, "1 start", AlreadyReady) == {"seat": 1}
    refused(table, "0 continue", WrongPhase)
    assert kinds(table.act("0 start")) == ["ready", "dealt", "turn_started"]
    assert [len(tiles) for tiles in table.state.held] == [7, 7]
    assert (len(table.state.boneyard), table.state.ready, table.state.hand) == (14, (), 1)
    refused(table, "0 start", WrongPhase)


def test_the_press_that_deals_needs_an_order() -> None:
    state = new_match(at_ms=0)
    with pytest.raises(NoDeal) as caught:
        decide(state.but(ready=(1,)), Start(0), arrived_ms=0, now_ms=0)
    assert caught.value.detail == {"hand": 1}


@pytest.mark.parametrize("order", [(), deal()[:27], (*deal()[:27], deal()[0])])
def test_an_order_that_is_not_the_set_is_no_deal(order: Any) -> None:
    """SB-9."""
    with pytest.raises(ValueError, match="28 tiles"):
        split_order(order, seats=2, tiles_per_hand=7)


def test_unknown_variants_and_options_are_refused() -> None:
    with pytest.raises(VariantNotAvailable):
        new_match("goat", at_ms=0)
    with pytest.raises(ValueError, match="unknown variant"):
        new_match("chess", at_ms=0)
    with pytest.raises(ValueError, match="unknown option"):
        new_match(at_ms=0, options={"target": 100})
    with pytest.raises(ValueError, match="true or false"):
        new_match(at_ms=0, options={"shared_device": 1})


# Opening by rank


@pytest.mark.parametrize(
    ("first", "second", "seat", "tile"),
    [
        ("2|2 0|1 0|2 0|3 0|4 1|2 1|3", "5|5 0|5 0|6 1|4 1|5 1|6 2|3", 1, "5|5"),
        ("0|0 0|1 0|2 0|3 0|4 1|2 1|3", "5|6 4|6 3|6 2|6 1|6 0|6 4|5", 0, "0|0"),
        ("3|6 0|1 0|2 0|3 0|4 1|2 1|3", "4|5 1|4 1|5 1|6 2|3 0|5 0|6", 0, "3|6"),
        ("4|6 0|1 0|2 0|3 0|4 1|2 1|3", "3|6 1|4 1|5 1|6 2|3 0|5 0|6", 0, "4|6"),
    ],
)
def test_the_highest_tile_opens(first: str, second: str, seat: int, tile: str) -> None:
    """SB-14, SB-15 and the vectors of the opening."""
    table = Table(deal(first, second)).started()
    assert (table.state.turn, table.state.must_open, table.state.phase) == (seat, parse_tile(tile), "play")
    others = [held for held in table.state.held[seat] if held != parse_tile(tile)]
    assert refused(table, f"{seat} play {format_tile(others[0])}", MustOpenWith) == {"tile": tile}
    refused(table, f"{1 - seat} play {format_tile(table.state.held[1 - seat][0])}", NotYourTurn)
    refused(table, f"{seat} draw", MustPlay)
    facts = table.act(f"{seat} play {tile}")
    assert (facts[1]["site"], facts[1]["join"]) == (None, None)
    assert table.state.turn == 1 - seat


def test_an_opening_names_no_site_and_a_later_play_does() -> None:
    """D-14."""
    table = Table(deal("6|6", "3|6")).started()
    assert refused(table, "0 play 6|6@6|6.line_a", SiteNotOpen) == {"site": "6|6.line_a"}
    table.act("0 play 6|6")
    assert refused(table, "1 play 3|6", SiteNotOpen) == {"site": None}


# Play


def test_a_placement_scores_from_the_new_position() -> None:
    """SB-29, SB-4: 3 + 12 = 15."""
    table = Table(deal("6|6", "3|6")).started()
    table.act("0 play 6|6")
    facts = table.act("1 play 3|6@6|6.line_b")
    assert kinds(facts) == ["clock_stopped", "played", "transferred", "turn_started"]
    assert facts[1] == {
        "type": "played",
        "at_ms": table.now_ms,
        "seat": 1,
        "tile": "3|6",
        "site": "6|6.line_b",
        "join": "high",
        "contributions": [["3|6", 3], ["6|6", 12]],
        "total": 15,
        "due": 15,
    }
    assert table.state.balances == (135, 165)


def test_a_play_is_refused_for_what_is_wrong_with_it() -> None:
    table = Table(deal("6|6 1|6", "3|6 0|1")).started()
    table.act("0 play 6|6")
    assert refused(table, "1 play 2|6@6|6.line_a", TileNotHeld) == {"tile": "2|6"}
    assert refused(table, "1 play 3|6@6|6.arm_a", SiteNotOpen) == {"site": "6|6.arm_a"}
    assert refused(table, "1 play 0|1@6|6.line_a", TileDoesNotFit) == {"tile": "0|1", "site": "6|6.line_a"}
    refused(table, "1 draw", MustPlay)
    refused(table, "0 play 1|6@6|6.line_a", NotYourTurn)
    refused(table, "1 bid 15", WrongPhase)
    refused(table, "1 reveal", WrongPhase)


def test_previews_are_what_the_plays_then_give() -> None:
    table = Table(deal("6|6", "3|6 2|6")).started()
    table.act("0 play 6|6")
    shown = previews(table.state)
    assert [(command.tile, command.site) for command in legal_commands(table.state)[:-2]] == [
        (preview.tile, preview.site) for preview in shown
    ]
    for preview in shown:
        after = Table()
        after.state = table.state
        played = after.give(legal_commands(table.state)[shown.index(preview)])[1]
        assert (preview.total, preview.due, preview.join) == (played["total"], played["due"], played["join"])


def test_only_a_drawn_tile_that_fits_must_be_played() -> None:
    """SB-34 to SB-36."""
    table = Table(deal("6|6", "0|1 0|2 0|3 0|4 0|5 1|1 1|2", "1|3 3|6 1|4")).started()
    table.act("0 play 6|6")
    assert [command.type for command in legal_commands(table.state)] == ["draw", "resign", "resign"]
    assert table.act("1 draw") == [{"type": "drew", "at_ms": table.now_ms, "seat": 1, "tile": "1|3", "left": 13}]
    assert table.state.must_play is None
    table.act("1 draw")
    assert table.state.must_play == (3, 6)
    assert refused(table, "1 draw", MustPlayDrawnTile) == {"tile": "3|6"}
    assert refused(table, "1 play 1|3@6|6.line_a", MustPlayDrawnTile) == {"tile": "3|6"}
    table.act("1 play 3|6@6|6.line_a")
    assert table.state.must_play is None


def test_a_draw_from_an_empty_boneyard_is_refused() -> None:
    table = Table(deal("6|6", "0|1 0|2 0|3 0|4 0|5 1|1 1|2")).started()
    table.act("0 play 6|6")
    table.state = table.state.but(boneyard=())
    refused(table, "1 draw", NothingToDraw)


def test_a_forced_pass_costs_nothing_and_gives_the_turn_back() -> None:
    """SB-37, D-5."""
    table = Table(deal("6|6 2|6", "0|1 0|2 0|3 0|4 0|5 1|1 1|2")).started()
    table.state = table.state.but(boneyard=())
    facts = table.act("0 play 6|6")
    assert kinds(facts) == ["clock_stopped", "played", "passed", "turn_started"]
    assert (facts[2]["seat"], facts[3]["seat"]) == (1, 0)


def blocked_table(**state: Any) -> Table:
    """Seat 0 is about to open with 6|6, after which nobody can play or draw."""
    table = Table(deal("6|6 0|0 1|3", "0|1 0|2 0|3 0|4 0|5 1|1 1|2"), deal("5|5"), deal("5|5"), **state).started()
    held = ((parse_tile("0|0"), parse_tile("1|3"), parse_tile("6|6")), table.state.held[1])
    table.state = table.state.but(boneyard=(), held=held)
    return table


def test_two_passes_in_a_row_end_the_hand_and_the_lower_hand_is_paid() -> None:
    """SB-42, SB-43, SB-47: 4 against 20 pips."""
    table = blocked_table()
    facts = table.act("0 play 6|6")
    assert kinds(facts) == ["clock_stopped", "played", "passed", "passed", "hand_over", "transferred"]
    assert facts[4]["how"] == "block"
    assert (facts[4]["winner"], facts[4]["pips"]) == (0, [4, 20])
    assert table.state.balances == (170, 130)
    assert (table.state.phase, table.state.jockey, table.state.turn) == ("ready", None, None)
    table.started()
    assert (table.state.phase, table.state.must_open) == ("play", parse_tile("5|5"))


def test_a_block_settlement_can_end_the_match() -> None:
    """D-18."""
    table = blocked_table(balances=(285, 15))
    facts = table.act("0 play 6|6")
    assert kinds(facts)[-3:] == ["hand_over", "transferred", "match_over"]
    assert (facts[-2]["due"], facts[-2]["paid"]) == (20, 15)
    assert (table.state.winner, table.state.ending, table.state.balances) == (0, "balance", (300, 0))


def test_a_tied_block_pays_nobody() -> None:
    """SB-44, D-19 (B015)."""
    table = blocked_table()
    table.state = table.state.but(held=(table.state.held[0], (parse_tile("0|4"),)))
    facts = table.act("0 play 6|6")
    assert kinds(facts)[-1] == "hand_over"
    assert (facts[-1]["winner"], facts[-1]["pips"]) == (None, [4, 4])
    assert table.state.balances == (150, 150)


def test_the_last_tile_scores_first_and_then_makes_a_jockey() -> None:
    """SB-40, SB-41, SB-47 (B039)."""
    table = domino_table()
    facts = table.act("1 play 3|6@6|6.line_a")
    assert kinds(facts) == ["clock_stopped", "played", "transferred", "hand_over"]
    assert (facts[3]["how"], facts[3]["winner"]) == ("domino", 1)
    assert facts[3]["pips"][1] == 0
    assert (table.state.phase, table.state.jockey, table.state.balances) == ("ready", 1, (135, 165))
    refused(table, "1 draw", WrongPhase)
    refused(table, "0 start", WrongPhase)


def test_a_last_tile_that_takes_all_is_the_end_and_no_end_of_hand() -> None:
    """SB-6, D-15 (B007)."""
    table = domino_table(balances=(10, 290))
    facts = table.act("1 play 3|6@6|6.line_a")
    assert kinds(facts) == ["clock_stopped", "played", "transferred", "match_over"]
    assert (facts[2]["due"], facts[2]["paid"]) == (15, 10)
    assert (table.state.winner, table.state.ending, table.state.jockey) == (1, "balance", None)
    for line in ("0 continue", "1 resign", "0 draw", "0 play 6|6"):
        refused(table, line, MatchIsOver)
    assert legal_commands(table.state) == ()


def domino_table(**state: Any) -> Table:
    """Seat 1 is on turn with 3|6 as its last tile and 6|6 on the table."""
    table = Table(deal("6|6", "3|6"), deal("6|6", "3|6"), **state).started()
    table.act("0 play 6|6")
    table.state = table.state.but(held=(table.state.held[0], (parse_tile("3|6"),)))
    return table


# Auction


def auction_table(jockey: int = 0, balances: tuple[int, int] = (150, 150)) -> Table:
    """The auction of a hand that follows a domino of `jockey`; balances are jockey's, rival's."""
    ordered = balances if jockey == 0 else balances[::-1]
    table = Table((), deal("6|6", "5|5"), hand=1, jockey=jockey, balances=ordered)
    return table.started()


def test_the_rival_decides_first_and_may_not_play() -> None:
    """SB-48, SB-49."""
    table = auction_table()
    assert (table.state.phase, table.state.turn, table.state.must_open) == ("auction", 1, None)
    refused(table, "1 play 5|5", WrongPhase)
    refused(table, "0 bid 15", NotYourTurn)
    refused(table, "0 decline", NotYourTurn)
    refused(table, "1 accept", NoBidStands)
    refused(table, "1 raise 20", NoBidStands)


@pytest.mark.parametrize("jockey", [0, 1])
@pytest.mark.parametrize(
    ("own", "rival", "lines", "after", "opener"),
    [
        (150, 150, "R decline", (150, 150), "J"),
        (150, 150, "R bid 15, J accept", (165, 135), "R"),
        (150, 150, "R bid 15, J raise 20, R accept", (145, 155), "J"),
        (150, 150, "R bid 15, J raise 20, R raise 25, J accept", (175, 125), "R"),
        (150, 150, "R bid 15, J raise 165", (0, 300), None),
        (290, 10, "", (290, 10), "J"),
        (285, 15, "R bid 15, J accept", (300, 0), None),
        (280, 20, "R bid 15, J raise 20", (275, 25), "J"),
        (5, 295, "R bid 15, J raise 20, R accept", (0, 300), None),
        (5, 295, "R bid 20", (25, 275), "R"),
    ],
)
def test_an_auction_goes_as_the_table_says(
    own: int, rival: int, lines: str, after: tuple[int, int], opener: str | None, jockey: int
) -> None:
    """The vectors of the auction, either seat as jockey (B045, B049, B051)."""
    table = auction_table(jockey, (own, rival))
    seats = {"J": str(jockey), "R": str(1 - jockey)}
    for line in filter(None, lines.split(", ")):
        begun = table.now_ms
        table.act(seats[line[0]] + line[1:], after_ms=6_000)
        if table.state.phase != "over":
            assert table.state.deadline_ms == begun + 6_000 + 130_000  # SB-64: a fresh delay.
    assert table.state.balances == (after if jockey == 0 else after[::-1])
    assert table.state.bid is None
    if opener is None:
        assert (table.state.phase, table.state.ending, table.state.turn) == ("over", "balance", None)
        assert table.state.winner == (jockey if after[0] else 1 - jockey)
        assert not table.state.layout.tiles
    else:
        seat = int(seats[opener])
        assert (table.state.phase, table.state.turn, table.state.jockey) == ("play", seat, None)
        assert {command.tile for command in legal_commands(table.state) if command.type == "play"} == set(
            table.state.held[seat]
        )


def test_a_standing_bid_can_be_accepted_or_raised_only() -> None:
    """SB-52."""
    table = auction_table()
    table.act("1 bid 15")
    refused(table, "0 decline", BidStands)
    refused(table, "0 bid 20", BidStands)
    refused(table, "1 raise 20", NotYourTurn)


def test_decisions_with_one_choice_are_recorded_without_a_clock() -> None:
    """D-7, SB-56 (B053)."""
    poor = auction_table(0, (290, 10))
    assert [fact.type for fact in poor.facts] == ["ready", "ready", "dealt", "declined", "turn_started"]
    forced = auction_table(0, (280, 20))
    forced.act("1 bid 15")
    facts = forced.act("0 raise 20")
    assert kinds(facts) == ["clock_stopped", "raised", "accepted", "transferred", "turn_started"]
    assert facts[2] == {
        "type": "accepted",
        "at_ms": forced.now_ms,
        "seat": 1,
        "bidder": 0,
        "amount": 20,
        "net": 5,
    }


def test_a_bid_accepted_by_itself_gives_the_turn_back_with_the_bank_just_charged() -> None:
    """SB-70: the deadline of the opening is that of the bank after the bid."""
    table = auction_table(0, (5, 295))
    facts = table.act("1 bid 20", after_ms=40_000)
    assert kinds(facts) == ["clock_stopped", "bid", "accepted", "transferred", "turn_started"]
    assert facts[0]["bank_ms"] == 90_000
    assert (facts[4]["seat"], facts[4]["deadline_ms"]) == (1, table.now_ms + 100_000)


def test_the_discount_does_not_outlive_its_auction() -> None:
    """SB-45, SB-58 (B055): a block follows the hand of a jockey; the next is opened by rank."""
    table = auction_table()
    table.act("1 decline")
    assert table.state.jockey is None
    held = ((parse_tile("6|6"), parse_tile("0|0")), (parse_tile("0|1"),))
    table.state = table.state.but(boneyard=(), held=held)
    assert kinds(table.act("0 play 6|6"))[-1] == "hand_over"
    table.deals.append(deal("6|6"))
    table.started()
    assert (table.state.phase, table.state.must_open) == ("play", parse_tile("6|6"))


# Endings


@pytest.mark.parametrize("seat", [0, 1])
def test_a_resignation_stops_the_running_clock_first(seat: int) -> None:
    """D-22."""
    table = Table(deal("6|6")).started()
    facts = table.act(f"{seat} resign", after_ms=12_000)
    assert kinds(facts) == ["clock_stopped", "match_over"]
    assert (facts[0]["seat"], facts[0]["charged_ms"]) == (0, 2_000)
    assert (table.state.winner, table.state.ending) == (1 - seat, "resign")


def test_a_resignation_between_hands_has_no_clock_to_stop() -> None:
    table = domino_table()
    table.act("1 play 3|6@6|6.line_a")
    assert kinds(table.act("1 resign")) == ["match_over"]
    assert table.state.winner == 0


def test_a_match_is_cancelled_before_the_first_deal_only() -> None:
    """D-1."""
    table = Table(deal("6|6"))
    table.act("0 start")
    assert table.give(CancelUnstarted((1,))) == [
        {"type": "match_over", "at_ms": table.now_ms, "winner": None, "ending": "cancelled", "absent": [1]}
    ]
    assert (table.state.phase, table.state.ready) == ("over", ())
    with pytest.raises(MatchIsOver):
        table.give(CancelUnstarted())
    with pytest.raises(WrongPhase):
        Table(deal("6|6")).started().give(CancelUnstarted())


@pytest.mark.parametrize("seat", [0, 1])
def test_every_ending_names_the_same_winner_from_either_seat(seat: int) -> None:
    """B011."""
    on_time = Table(deal(*(("6|6", "3|6") if seat == 0 else ("3|6", "6|6")))).started()
    assert on_time.state.turn == seat
    on_time.give(ExpireTime(), after_ms=130_000)
    assert on_time.state.winner == 1 - seat

    scored = Table(
        deal(*(("6|6", "3|6") if seat == 0 else ("3|6", "6|6"))), balances=(5, 295) if seat == 0 else (295, 5)
    ).started()
    scored.act(f"{seat} play 6|6")
    facts = scored.act(f"{1 - seat} play 3|6@6|6.line_a")
    assert facts[-1]["winner"] == scored.state.winner == 1 - seat
    assert scored.state.balances[seat] == 0
