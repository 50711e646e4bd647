"""The tree of tiles, its sites, its contributions and the points (1.4, 1.5, vectors 3.1)."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.clauses.driver import Table, after, at_opening, deal_for, deal_of, fits, kinds, only

FIGURES: list[dict[str, Any]] = json.loads((Path(__file__).parent / "figures.json").read_text())

LINE_F09 = "1|4 1|1@1|4.low 4|4@1|4.high 3|4@4|4.line_b 1|2@1|1.line_b 1|5@1|1.arm_a"
FOUR_BRANCHES = "2|2 2|6@2|2.line_a 2|5@2|2.line_b 2|4@2|2.arm_a 2|3@2|2.arm_b"


def score_of(text: str) -> tuple[list[list[Any]], int, int]:
    """Contributions, total and due of the last tile of a freely opened line."""
    before, _, last = text.rpartition(" ")
    table = at_opening(deal_for(text))
    table.play(before)
    played = only(table.play(last), "played")
    return played["contributions"], played["total"], played["due"]


def placements(table: Table) -> set[tuple[str, str | None]]:
    return {(command["tile"], command["site"]) for _, command in table.legal() if command["type"] == "play"}


@pytest.mark.clause(
    "SB-19", "SB-20", "SB-21", "SB-22", "SB-23", "SB-24", "SB-25", "SB-27", "SB-28", "SB-29", "SB-4", "SB-17", "D-13"
)
@pytest.mark.parametrize("figure", FIGURES, ids=[figure["id"] for figure in FIGURES])
def test_figure(figure: dict[str, Any]) -> None:
    """B005: the worked positions, their last placement and what it moves."""
    before, _, last = figure["line"].rpartition(" ")
    table = at_opening(deal_for(figure["line"]))
    table.play(before)
    mover, balances = table.state()["turn"], table.state()["balances"]
    facts = table.play(last)
    played, state = only(facts, "played"), table.state()
    layout = state["layout"]
    assert layout["tiles"] == [token.partition("@")[0] for token in figure["line"].split()]
    assert layout["joins"] == figure["joins"]
    assert layout["spinner"] == figure["spinner"]
    assert layout["sites"] == [site for site, _ in figure["sites"]]
    assert layout["contributions"] == played["contributions"] == figure["contributions"]
    assert (played["total"], played["due"]) == (figure["total"], figure["due"])
    balances[mover] += figure["due"]
    balances[1 - mover] -= figure["due"]
    assert state["balances"] == balances
    moved = [fact["due"] for fact in facts if fact["type"] == "transferred"]
    assert moved == ([figure["due"]] if figure["due"] else [])


@pytest.mark.clause("SB-25", "SB-26")
@pytest.mark.parametrize("figure", FIGURES, ids=[figure["id"] for figure in FIGURES])
def test_what_may_be_placed_is_what_matches_a_site_of_the_figure(figure: dict[str, Any]) -> None:
    """The values of the sites decide, for the tiles that the other seat happens to hold."""
    table = after(figure["line"])
    state = table.state()
    wanted = {
        (tile, site)
        for tile in state["held"][state["turn"]]
        for site, value in figure["sites"]
        if str(value) in (tile[0], tile[2])
    }
    assert placements(table) == wanted
    if not wanted:
        assert table.legal(state["turn"]) == [{"type": "draw"}]


@pytest.mark.clause("SB-28", "SB-29")
@pytest.mark.parametrize(
    ("text", "contributions", "total", "due"),
    [
        pytest.param("5|5", [["5|5", 10]], 10, 10, id="V1"),
        pytest.param(f"{LINE_F09} 5|5@1|5.high", [["1|2", 2], ["3|4", 3], ["5|5", 10]], 15, 15, id="V2"),
        pytest.param(
            "3|3 3|6@3|3.line_a 3|5@3|3.line_b 3|4@3|3.arm_a 1|3@3|3.arm_b "
            "6|6@3|6.high 5|5@3|5.high 4|4@3|4.high 1|5@1|3.low",
            [["1|5", 5], ["4|4", 8], ["5|5", 10], ["6|6", 12]],
            35,
            35,
            id="V3",
        ),
        pytest.param("6|6 3|6@6|6.line_a", [["3|6", 3], ["6|6", 12]], 15, 15, id="V4-two"),
        pytest.param("6|6 3|6@6|6.line_a 1|6@6|6.line_b", [["1|6", 1], ["3|6", 3]], 4, 0, id="V4-three"),
        pytest.param("5|5 0|5@5|5.line_a", [["0|5", 0], ["5|5", 10]], 10, 10, id="V5"),
        pytest.param("1|4 4|4@1|4.high", [["1|4", 1], ["4|4", 8]], 9, 0, id="V6"),
        pytest.param("4|4 4|6@4|4.line_a 1|4@4|4.line_b", [["1|4", 1], ["4|6", 6]], 7, 0, id="V7"),
        pytest.param("0|5", [["0|5", 5], ["0|5", 0]], 5, 5, id="V8-0-5"),
        pytest.param("2|3", [["2|3", 3], ["2|3", 2]], 5, 5, id="V8-2-3"),
        pytest.param("4|6", [["4|6", 6], ["4|6", 4]], 10, 10, id="V8-4-6"),
        pytest.param("1|4", [["1|4", 4], ["1|4", 1]], 5, 5, id="V8-1-4"),
    ],
)
def test_vector(text: str, contributions: list[list[Any]], total: int, due: int) -> None:
    assert score_of(text) == (contributions, total, due)


@pytest.mark.clause("SB-21", "SB-23")
def test_vectors_name_the_sites_and_the_spinner() -> None:
    """V2, V4, V6."""
    assert after(f"{LINE_F09} 5|5@1|5.high").state()["layout"]["sites"] == [
        "1|1.arm_b",
        "1|2.high",
        "3|4.low",
        "5|5.line_b",
    ]
    arms = after("6|6 3|6@6|6.line_a 1|6@6|6.line_b").state()["layout"]["sites"]
    assert arms == ["1|6.low", "3|6.low", "6|6.arm_a", "6|6.arm_b"]
    assert after("1|4 4|4@1|4.high").state()["layout"]["spinner"] == "4|4"


@pytest.mark.clause("SB-5", "SB-6")
def test_vector_v9_a_due_of_twenty_moves_the_last_five_and_ends_the_match() -> None:
    text = "4|4 4|6@4|4.line_a 6|6@4|6.high"
    table = at_opening(deal_for(text), balances=(295, 5))
    facts = table.play(text)
    assert only(facts, "played")["due"] == 20
    moved = only(facts, "transferred")
    assert (moved["payer"], moved["due"], moved["paid"], moved["balances"]) == (1, 20, 5, [300, 0])
    assert (only(facts, "match_over")["winner"], table.state()["ending"]) == (0, "balance")


@pytest.mark.clause("SB-4", "SB-3")
def test_fifteen_on_the_ends_moves_fifteen_points() -> None:
    """The 150-150 example: not divided by five."""
    table = after("3|6 6|6@3|6.high")
    assert table.state()["balances"] == [135, 165]


@pytest.mark.clause("SB-21")
def test_the_first_double_stays_the_spinner() -> None:
    table = at_opening(deal_for("1|4 1|1@1|4.low 4|4@1|4.high 2|4@4|4.line_b 2|2@2|4.low"))
    spinners = []
    for token in ["1|4", "1|1@1|4.low", "4|4@1|4.high", "2|4@4|4.line_b", "2|2@2|4.low"]:
        table.play(token)
        spinners.append(table.state()["layout"]["spinner"])
    assert spinners == [None, "1|1", "1|1", "1|1", "1|1"]


@pytest.mark.clause("SB-21")
def test_the_spinner_is_new_in_every_hand() -> None:
    table = after("4|4")
    assert table.state()["layout"]["spinner"] == "4|4"
    assert at_opening(deal_for("4|6")).state()["layout"] == {
        "tiles": [],
        "joins": [],
        "spinner": None,
        "sites": [],
        "contributions": [],
    }


@pytest.mark.clause("SB-22")
@pytest.mark.parametrize(
    ("text", "join"),
    [
        ("3|6 3|5@3|6.low", ["3|6.low", "3|5.low"]),
        ("3|6 2|3@3|6.low", ["3|6.low", "2|3.high"]),
        ("3|6 3|3@3|6.low", ["3|6.low", "3|3.line_a"]),
        ("6|6 3|6@6|6.line_b", ["6|6.line_b", "3|6.high"]),
    ],
)
def test_the_half_that_matches_joins_and_a_double_joins_by_line_a(text: str, join: list[str]) -> None:
    table = at_opening(deal_for(text))
    played = only(table.play(text), "played")
    assert table.state()["layout"]["joins"] == [join]
    assert played["site"] == join[0]
    assert played["join"] in (join[1], join[1].partition(".")[2])
    assert join[1] not in table.state()["layout"]["sites"]


@pytest.mark.clause("SB-20")
def test_a_used_port_is_no_site_any_more() -> None:
    text = "3|6 3|5@3|6.low"
    table = at_opening(deal_of("3|6 0|6", "3|5 0|3 1|3"))
    table.play(text)
    table.play("0|6@3|6.high")
    for site in ("3|6.low", "3|6.high", "3|5.low"):
        table.refuse(1, "play", tile="0|3", site=site)
    assert table.state()["layout"]["sites"] == ["0|6.low", "3|5.high"]


@pytest.mark.clause("SB-20", "SB-77")
def test_a_tile_needs_a_half_of_the_value_of_its_site() -> None:
    table = at_opening(deal_of("3|6", "1|6 2|4 6|6"))
    table.play("3|6")
    table.refuse(1, "play", tile="1|6", site="3|6.low", error="TileDoesNotFit")
    table.refuse(1, "play", tile="2|4", site="3|6.high", error="TileDoesNotFit")
    table.refuse(1, "play", tile="2|4", site="3|6.low", error="TileDoesNotFit")
    assert kinds(table.play("1|6@3|6.high"))[:2] == ["clock_stopped", "played"]


@pytest.mark.clause("SB-20", "SB-25")
def test_a_site_must_be_on_the_table() -> None:
    table = at_opening(deal_of("3|6 0|6", "1|6 1|5"))
    table.play("3|6")
    table.refuse(1, "play", tile="1|6", site="0|6.high", error="SiteNotOpen")
    table.refuse(1, "play", tile="1|6", site=None)


@pytest.mark.clause("SB-23")
def test_arms_open_only_when_both_line_sides_are_used() -> None:
    """Tried in each state of the spinner, with a tile in hand that would fit an arm."""
    table = at_opening(deal_of("6|6 2|6 0|6", "1|6 3|6"))
    table.play("6|6")
    table.refuse(1, "play", tile="1|6", site="6|6.arm_a", error="SiteNotOpen")
    table.play("1|6@6|6.line_b")
    assert table.state()["layout"]["sites"] == ["1|6.low", "6|6.line_a"]
    table.refuse(0, "play", tile="2|6", site="6|6.arm_a", error="SiteNotOpen")
    table.refuse(0, "play", tile="2|6", site="6|6.arm_b", error="SiteNotOpen")
    table.play("2|6@6|6.line_a")
    assert table.state()["layout"]["sites"] == ["1|6.low", "2|6.low", "6|6.arm_a", "6|6.arm_b"]
    table.play("3|6@6|6.arm_b")
    assert table.state()["layout"]["sites"] == ["1|6.low", "2|6.low", "3|6.low", "6|6.arm_a"]
    table.play("0|6@6|6.arm_a")
    assert table.state()["layout"]["sites"] == ["0|6.low", "1|6.low", "2|6.low", "3|6.low"]


@pytest.mark.clause("SB-23", "SB-21")
def test_a_spinner_on_a_line_opens_its_arms_too() -> None:
    table = after("4|5 4|4@4|5.low 0|4@4|4.line_b")
    assert table.state()["layout"]["sites"] == ["0|4.low", "4|4.arm_a", "4|4.arm_b", "4|5.high"]


@pytest.mark.clause("SB-24")
@pytest.mark.parametrize(
    ("text", "sites"),
    [
        (
            "6|6 5|6@6|6.line_a 1|6@6|6.line_b 5|5@5|6.low 3|5@5|5.line_b",
            ["1|6.low", "3|5.low", "6|6.arm_a", "6|6.arm_b"],
        ),
        (
            "6|6 3|6@6|6.line_a 1|6@6|6.line_b 5|6@6|6.arm_a 2|6@6|6.arm_b 5|5@5|6.low 0|5@5|5.line_b",
            ["0|5.low", "1|6.low", "2|6.low", "3|6.low"],
        ),
    ],
    ids=["on-the-line", "on-an-arm"],
)
def test_a_later_double_never_has_arms(text: str, sites: list[str]) -> None:
    table = after(text)
    assert table.state()["layout"]["sites"] == sites
    seat = table.state()["turn"]
    for command in table.legal(seat):
        assert not command.get("site", "").startswith("5|5")


@pytest.mark.clause("SB-26", "D-12")
@pytest.mark.parametrize("side", ["line_a", "line_b"])
def test_the_named_one_of_two_equal_sites_is_taken(side: str) -> None:
    table = at_opening(deal_of("6|6", "1|6"))
    table.play("6|6")
    sites = {command["site"] for command in table.legal(1) if command.get("tile") == "1|6"}
    assert sites == {"6|6.line_a", "6|6.line_b"}
    table.play(f"1|6@6|6.{side}")
    assert table.state()["layout"]["joins"] == [[f"6|6.{side}", "1|6.high"]]


@pytest.mark.clause("SB-26", "D-12")
@pytest.mark.parametrize("arm", ["arm_a", "arm_b"])
def test_the_named_one_of_two_equal_arms_is_taken(arm: str) -> None:
    table = at_opening(deal_of("6|6 2|6", "1|6 3|6"))
    table.play(f"6|6 1|6@6|6.line_a 2|6@6|6.line_b 3|6@6|6.{arm}")
    assert table.state()["layout"]["joins"][-1] == [f"6|6.{arm}", "3|6.high"]


@pytest.mark.clause("SB-26")
def test_a_tile_may_go_on_every_site_of_either_of_its_values() -> None:
    table = at_opening(deal_of("3|6 2|5", "3|3 6|6 1|6"))
    table.play("3|6")
    assert {("3|3", "3|6.low"), ("6|6", "3|6.high"), ("1|6", "3|6.high")} <= placements(table)
    table.play("1|6@3|6.high")
    assert table.state()["layout"]["sites"] == ["1|6.low", "3|6.low"]
    table = at_opening(deal_of("3|6", "3|5"), opener=0)
    table.play("3|6 3|5@3|6.low")
    assert table.state()["layout"]["sites"] == ["3|5.high", "3|6.high"]
    table = at_opening(deal_of("3|6 5|6", "3|5 4|4"))
    table.play("3|6 3|5@3|6.low")
    assert {("5|6", "3|5.high"), ("5|6", "3|6.high")} <= placements(table)


@pytest.mark.clause("SB-27")
def test_sites_and_contributions_stand_in_the_order_of_tiles_then_ports() -> None:
    """The tiles are played in another order than the canonical one."""
    layout = after("5|5 2|5@5|5.line_b 3|5@5|5.line_a 0|5@5|5.arm_b").state()["layout"]
    assert layout["sites"] == ["0|5.low", "2|5.low", "3|5.low", "5|5.arm_a"]
    assert [tile for tile, _ in layout["contributions"]] == ["0|5", "2|5", "3|5"]
    assert layout["tiles"] == ["5|5", "2|5", "3|5", "0|5"]
    assert layout["joins"] == [["5|5.line_b", "2|5.high"], ["5|5.line_a", "3|5.high"], ["5|5.arm_b", "0|5.high"]]
    assert after("1|4").state()["layout"]["contributions"] == [["1|4", 4], ["1|4", 1]]


@pytest.mark.clause("SB-27")
def test_held_tiles_and_sites_are_listed_in_canonical_order() -> None:
    table = at_opening(deal_of("6|6 0|3 2|2 0|0 1|5 0|6 4|4", "5|5"))
    assert table.state()["held"][0] == ["0|0", "0|3", "0|6", "1|5", "2|2", "4|4", "6|6"]


@pytest.mark.clause("SB-28")
@pytest.mark.parametrize(
    ("text", "contributions"),
    [
        # a: both ends of a lone non-double; one end of each of two.
        ("3|4", [["3|4", 4], ["3|4", 3]]),
        ("3|4 3|5@3|4.low", [["3|4", 4], ["3|5", 5]]),
        # b: any double with a free line side counts once, with both halves.
        ("6|6", [["6|6", 12]]),
        ("6|6 2|6@6|6.line_b", [["2|6", 2], ["6|6", 12]]),
        ("2|6 2|2@2|6.low 6|6@2|6.high", [["2|2", 4], ["6|6", 12]]),
        # c, d: covered doubles and arms that wait count nothing.
        ("6|6 2|6@6|6.line_b 4|6@6|6.line_a", [["2|6", 2], ["4|6", 4]]),
        ("6|6 2|6@6|6.line_b 4|6@6|6.line_a 3|6@6|6.arm_b", [["2|6", 2], ["3|6", 3], ["4|6", 4]]),
        # e: an arm counts by its last tile, a double there with both halves.
        (
            "6|6 2|6@6|6.line_b 4|6@6|6.line_a 3|6@6|6.arm_b 3|3@3|6.low",
            [["2|6", 2], ["3|3", 6], ["4|6", 4]],
        ),
        (
            "6|6 2|6@6|6.line_b 4|6@6|6.line_a 3|6@6|6.arm_b 3|3@3|6.low 1|3@3|3.line_b",
            [["1|3", 1], ["2|6", 2], ["4|6", 4]],
        ),
        # f: blanks are listed.
        ("0|0", [["0|0", 0]]),
        ("0|6", [["0|6", 6], ["0|6", 0]]),
        ("0|6 0|0@0|6.low", [["0|0", 0], ["0|6", 6]]),
    ],
)
def test_contributions(text: str, contributions: list[list[Any]]) -> None:
    counted, total, _ = score_of(text)
    assert counted == contributions
    assert total == sum(value for _, value in contributions)


@pytest.mark.clause("SB-29")
@pytest.mark.parametrize(
    ("text", "due"),
    [("0|0", 0), ("2|2", 0), ("5|6", 0), ("3|6", 0), ("5|5", 10), ("2|3", 5), ("3|6 6|6@3|6.high", 15)],
)
def test_a_positive_multiple_of_five_is_due_and_nothing_else(text: str, due: int) -> None:
    table = after(text)
    placer = (len(text.split()) - 1) % 2
    balances = table.state()["balances"]
    assert balances[placer] - 150 == due
    assert sum(balances) == 300


@pytest.mark.clause("SB-29")
def test_zero_after_the_opening_moves_nothing() -> None:
    """B013: [0|0] opens, counts 0 and is as legal as any tile; so is a site of value 0."""
    table = at_opening(deal_of("0|0", "0|5 0|1"))
    facts = table.play("0|0")
    assert kinds(facts) == ["clock_stopped", "played", "turn_started"]
    assert (only(facts, "played")["total"], only(facts, "played")["due"]) == (0, 0)
    assert table.state()["balances"] == [150, 150]
    facts = table.play("0|5@0|0.line_a")
    assert (only(facts, "played")["total"], only(facts, "transferred")["paid"]) == (5, 5)


@pytest.mark.clause("SB-30", "SB-74")
def test_a_score_is_paid_once_and_to_the_placer_alone() -> None:
    """The total stands at 5 through an opponent's draws; nobody is paid for that."""
    table = at_opening(deal_of("2|3", "0|1 0|4 0|5 0|6 1|1 1|4 1|5", "1|6 4|4 0|0 2|6"))
    facts = table.play("2|3")
    assert only(facts, "transferred")["paid"] == 5
    for _ in range(3):
        assert kinds(table.play("draw")) == ["drew"]
    assert table.state()["balances"] == [155, 145]
    table.play("draw")
    facts = table.play("2|6@2|3.low")
    assert (only(facts, "played")["total"], table.state()["balances"]) == (9, [155, 145])


@pytest.mark.clause("SB-30", "SB-76")
def test_nobody_claims_points() -> None:
    table = after("2|3")
    offered = {command["type"] for _, command in table.legal(resign=True)}
    assert offered <= {"play", "draw", "resign"}
    before = table.everything()
    for word in ("claim", "score", "muggins", "penalty", "knock", "pass"):
        answer = table.ask(do="command", seat=1, at_ms=table.now_ms, command={"type": word})
        assert (answer["ok"], answer["error"]) == (False, "MalformedRequest")
    assert table.everything() == before


@pytest.mark.clause("SB-31")
def test_the_largest_total_is_thirty_six_and_scores_nothing() -> None:
    text = f"{FOUR_BRANCHES} 6|6@2|6.high 5|5@2|5.high 4|4@2|4.high 3|3@2|3.high"
    counted, total, due = score_of(text)
    assert counted == [["3|3", 6], ["4|4", 8], ["5|5", 10], ["6|6", 12]]
    assert (total, due) == (36, 0)


@pytest.mark.clause("SB-32", "SB-18")
def test_the_turn_passes_after_a_double_and_after_a_score() -> None:
    table = at_opening(deal_of("5|5 2|5", "0|5 0|1"))
    for token, scored in (("5|5", True), ("0|5@5|5.line_a", True), ("2|5@5|5.line_b", False)):
        mover = table.state()["turn"]
        facts = table.play(token)
        assert ("transferred" in kinds(facts)) is scored
        assert only(facts, "turn_started")["seat"] == table.state()["turn"] == 1 - mover


@pytest.mark.clause("SB-20")
def test_the_layout_is_a_tree_through_whole_hands() -> None:
    """Tiles less one connections, every port used once at most (3.6)."""
    table = after("6|6 3|6@6|6.line_a 1|6@6|6.line_b 5|6@6|6.arm_a 2|6@6|6.arm_b 5|5@5|6.low 0|5@5|5.line_b")
    layout = table.state()["layout"]
    ports = [port for join in layout["joins"] for port in join]
    assert len(layout["joins"]) == len(layout["tiles"]) - 1
    assert len(set(ports)) == len(ports)
    for first, second in layout["joins"]:
        assert fits(second[:3], first)


@pytest.mark.clause("SB-23", "SB-28", "SB-29")
def test_b001_the_fourth_arm_stays_open_until_it_is_used() -> None:
    table = at_opening(deal_of("6|6 1|6 2|6 1|2 1|4 4|5", "4|6 5|6 0|6 3|6"))
    moved = []
    for token in ("6|6", "4|6@6|6.line_a", "1|6@6|6.line_b", "5|6@6|6.arm_a"):
        facts = table.play(token)
        moved.append((only(facts, "played")["total"], only(facts, "played")["due"]))
    assert moved == [(12, 0), (16, 0), (5, 5), (10, 10)]
    assert table.state()["balances"] == [145, 155]
    assert table.state()["layout"]["sites"] == ["1|6.low", "4|6.low", "5|6.low", "6|6.arm_b"]
    reach = {site for tile, site in placements(table)}
    assert ("2|6", "6|6.arm_b") in placements(table)
    assert reach == {"1|6.low", "4|6.low", "5|6.low", "6|6.arm_b"}
    table.play("1|2@1|6.low")
    assert "6|6.arm_b" in table.state()["layout"]["sites"]
    table.play("3|6@6|6.arm_b")
    assert "6|6.arm_b" not in table.state()["layout"]["sites"]
