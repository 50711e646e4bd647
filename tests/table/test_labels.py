"""What the table says to those who do not see it, and what it says at all."""

import itertools
import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from games import fragments, rules
from games.fragments import markup
from games.rules import Tile
from games.table import Prefs, Result, TableView
from tests.table.drive import Drive
from tests.table.markup import Element, read


def page_of(view: TableView) -> Element:
    return read("".join(fragments.render_all(view).values()))


def fragment_of(view: TableView, fragment_id: str) -> Element:
    return read(fragments.render_all(view)[fragment_id]).children[0]


def find(wanted: Callable[[Drive], bool]) -> Drive:
    """The first position of random matches for which `wanted` holds."""
    for seed in itertools.count(50):
        match = Drive(seed)
        while not wanted(match):
            if match.step() is None:
                break
        else:
            return match
    raise AssertionError


def my_turn(match: Drive) -> bool:
    return match.state.phase == "play" and match.state.turn == 0


def has_ended(how: str) -> Callable[[Drive], bool]:
    return lambda match: (
        match.state.phase == "ready"
        and any(type(fact) is rules.HandOver and fact.how == how for _seq, fact in match.facts)
    )


def test_a_tile_says_where_it_fits_and_what_it_scores() -> None:
    match = find(lambda match: my_turn(match) and any(preview.due for preview in rules.previews(match.state)))
    view = match.view(0)
    best = max(view.sight.previews, key=lambda preview: preview.due)
    places = [preview for preview in view.sight.previews if preview.tile == best.tile]
    button = fragment_of(view, "f-me").all(data_tile=rules.format_tile(best.tile))[0]
    count = "1 place" if len(places) == 1 else f"{len(places)} places"
    assert button.attributes["aria-label"] == f"{best.tile.low}–{best.tile.high}, {count}, best {best.due}"
    assert button.by_class("tag")[0].words().startswith(f"+{best.due}")


def test_a_tile_that_does_not_fit_says_why() -> None:
    match = find(
        lambda match: (
            my_turn(match)
            and match.state.turn_kind == "turn"
            and match.state.must_play is None
            and 0 < len({preview.tile for preview in rules.previews(match.state)}) < len(match.state.held[0])
        )
    )
    view = match.view(0)
    fitting = {preview.tile for preview in view.sight.previews}
    dead = next(tile for tile in match.state.held[0] if tile not in fitting)
    button = fragment_of(view, "f-me").all(data_tile=rules.format_tile(dead))[0]
    assert button.attributes["aria-label"].endswith("does not fit")
    assert button.attributes["aria-disabled"] == "true"
    assert button.attributes["data-why"].startswith(f"{dead.low}–{dead.high} does not fit: open are ")


def test_hints_can_be_switched_off() -> None:
    match = find(my_turn)
    assert not fragment_of(match.view(0, prefs=Prefs(hints=False)), "f-me").by_class("tag")


def test_places_say_the_move_the_ends_and_the_score() -> None:
    match = find(lambda match: my_turn(match) and any(preview.due for preview in rules.previews(match.state)))
    view = match.view(0)
    for preview in view.sight.previews:
        code, site = rules.format_tile(preview.tile), rules.format_site(preview.site) if preview.site else ""
        ghost = fragment_of(view, "f-cloth").all("g", data_tile=code, data_site=site)[0]
        label = ghost.attributes["aria-label"]
        assert f"= {preview.total}" in label
        assert label.endswith(f"scores {preview.due}" if preview.due else "no score")
        assert ghost.attributes["role"] == "button"


def test_the_cloth_is_a_picture_with_words() -> None:
    match = find(lambda match: len(match.state.layout.tiles) > 8)
    view = match.view(None)
    words = re.sub("<[^>]+>|\u2060", "", fragments.render_all(view)["f-words"])  # no line ends within a tile
    for part in ("Counted contributions: ", "Spinner: ", "Connections: ", "Legal places: "):
        assert part in words
    # Named as everywhere on the page, and not as in the rule texts.
    assert f"Tiles: {', '.join(map(markup.tile_name, match.state.layout.tiles))}." in words
    assert "[" not in words
    pictures = fragment_of(view, "f-cloth").all(role="img")
    assert [picture.attributes["aria-labelledby"] for picture in pictures] == ["f-words"]


def test_seats_say_name_rating_points_and_tiles() -> None:
    match = find(my_turn)
    seat = fragment_of(match.view(0), "f-opponent")
    label = seat.attributes["aria-label"]
    points = match.state.balances[1]
    assert label.startswith(
        f"Bob, 1512?, {points} points, {points // 5} chips of five, {len(match.state.held[1])} tile"
    )
    assert seat.by_class("clock")[0].attributes["role"] == "timer"


def test_the_player_on_turn_is_lit() -> None:
    match = find(my_turn)
    page = page_of(match.view(1))
    assert "data-turn" in fragment_of(match.view(1), "f-opponent").attributes
    assert "data-turn" not in fragment_of(match.view(1), "f-me").attributes
    assert page.all(id_="f-prompt")[0].attributes["data-side"] == "far"


def test_nobody_is_lit_while_the_clocks_stand() -> None:
    match = find(has_ended("domino"))
    page = page_of(match.view(0))
    assert not [seat for seat in page.by_class("seat") if "data-turn" in seat.attributes]


def test_the_news_of_a_command_are_sentences() -> None:
    match = find(lambda match: len(match.state.layout.tiles) == 1)
    news = fragment_of(match.view(None), "f-announce")
    lines = [line for line in news.children if line.attributes["data-seq"] == str(match.seq)]
    assert "opened with" in lines[0].words()
    assert news.attributes["data-level"] == "polite"


@pytest.mark.parametrize(("ms", "text"), [(120_000, "2:00"), (20_000, "0:20"), (19_999, "19.9"), (0, "0.0")])
def test_time_left_is_rounded_down(ms: int, text: str) -> None:
    assert markup.duration(ms) == text


def test_clocks_show_the_delay_first() -> None:
    match = Drive(60)
    match.do(rules.Start(0))
    match.do(rules.Start(1))
    turn = match.state.turn
    assert turn is not None
    started = match.state.turn_started_ms or 0
    for elapsed_ms, state, bank in ((3_000, "delay", "2:00"), (10_000, "bank", "2:00"), (25_000, "bank", "1:45")):
        view = match.view(turn, server_now_ms=started + elapsed_ms)
        clock = fragment_of(view, "f-me").by_class("clock")[0]
        assert clock.attributes["data-state"] == state
        assert clock.by_class("clock__bank")[0].text == bank


def test_an_absent_opponent_is_said_to_be_away() -> None:
    match = find(my_turn)
    seat = fragment_of(match.view(0, away=(None, 14_000)), "f-opponent")
    assert "away for 0:14" in seat.words()
    assert "away" not in fragment_of(match.view(0, away=(14_000, None)), "f-me").words()


# The sheets.


def sheet_of(view: TableView) -> Element:
    return fragment_of(view, "f-sheet")


def test_before_start_both_seats_and_the_time_left_are_shown() -> None:
    match = Drive(61)
    match.do(rules.Start(1))
    view = match.view(0, cap_ms=match.now_ms + 42_000, server_now_ms=match.now_ms)
    words = sheet_of(view).words()
    assert "Alice not ready yet" in words
    assert "Bob ready" in words
    assert "0:42" in words
    assert "How this deal can be checked" in words
    assert view.commitment in words
    assert "Waiting for Alice" in sheet_of(match.view(1)).words()


def test_a_block_is_worked_out() -> None:
    match = find(
        lambda match: (
            has_ended("block")(match)
            and any(type(fact) is rules.Transferred and fact.cause == "block" for _seq, fact in match.facts)
        )
    )
    over = next(fact for _seq, fact in match.facts if type(fact) is rules.HandOver)
    paid = next(fact for _seq, fact in match.facts if type(fact) is rules.Transferred and fact.cause == "block")
    winner = over.winner
    assert winner is not None
    words = sheet_of(match.view(winner)).words()
    assert "the lighter hand wins" in words
    assert f"{over.pips[1 - winner]} → {paid.due}" in words
    assert f"You receive {paid.paid} points" in words
    assert f"You pay {paid.paid} points" in sheet_of(match.view(1 - winner)).words()
    assert str(paid.balances[winner] - paid.paid) in words


def test_a_tie_pays_nothing() -> None:
    match = find(
        lambda match: (
            has_ended("block")(match)
            and any(type(fact) is rules.HandOver and fact.winner is None for _seq, fact in match.facts)
        )
    )
    assert "nothing is paid" in sheet_of(match.view(0)).words()


def test_who_went_out_is_jockey() -> None:
    match = find(has_ended("domino"))
    over = next(fact for _seq, fact in match.facts if type(fact) is rules.HandOver)
    assert over.winner is not None
    assert "You are the jockey of the next auction" in sheet_of(match.view(over.winner)).words()
    assert "decision is yours" in sheet_of(match.view(1 - over.winner)).words()


@pytest.mark.parametrize(
    ("ending", "winner", "viewer", "title", "cause"),
    [
        ("resign", 1, 0, "You lost", "You resigned in hand 1."),
        ("resign", 1, 1, "You won", "Alice resigned in hand 1."),
        ("resign", 1, None, "Bob won", "Alice resigned in hand 1."),
    ],
)
def test_the_result_names_its_cause(ending: str, winner: int, viewer: int | None, title: str, cause: str) -> None:
    match = Drive(62)
    for command in (rules.Start(0), rules.Start(1), rules.Resign(0)):
        match.do(command)
    result = Result(winner, ending, (("1684", "1676"), ("1512?", "1520?")))
    words = sheet_of(match.view(viewer, result=result)).words()
    assert title in words
    assert cause in words
    assert "1676 −8 was 1684" in words
    assert "1520? +8 was 1512?" in words


@pytest.mark.parametrize(
    ("viewer", "cause"),
    [(0, "You resigned before the first deal."), (1, "Alice resigned before the first deal.")],
)
def test_a_resignation_before_the_deal_names_no_hand(viewer: int, cause: str) -> None:
    match = Drive(62)
    match.do(rules.Resign(0))
    words = sheet_of(match.view(viewer, result=Result(1, "resign"))).words()
    assert cause in words
    assert "This match was not rated." in words
    assert "hand 0" not in words


def test_a_cancelled_match_has_no_result() -> None:
    match = Drive(63)
    match.do(rules.CancelUnstarted((0,)))
    words = sheet_of(match.view(0, result=Result(None, "cancelled"))).words()
    assert "No result" in words
    assert "Ratings are unchanged" in words


def test_a_fault_of_the_service_gives_a_reference() -> None:
    match = Drive(64)
    for command in (rules.Start(0), rules.Start(1), rules.VoidForFault()):
        match.do(command)
    words = sheet_of(match.view(0, result=Result(None, "service_fault", None, "Ab3x"))).words()
    assert "Reference: Ab3x" in words


def test_unrated_matches_say_so() -> None:
    match = Drive(65)
    for command in (rules.Start(0), rules.Start(1), rules.Resign(0)):
        match.do(command)
    assert (
        "Casual match: ratings unchanged." in sheet_of(match.view(0, result=Result(1, "resign"), rated=False)).words()
    )


def test_banks_of_a_result_are_written_alike() -> None:
    """Tenths are for a clock that runs."""
    match = Drive(65)
    for command in (rules.Start(0), rules.Start(1), rules.Resign(0)):
        match.do(command)
    view = match.view(0, result=Result(1, "time"))
    spent = replace(view, sight=replace(view.sight, banks_ms=(8_450, 93_000)))
    assert "0:08 – 1:33" in sheet_of(spent).words()


def test_who_resigns_is_told_what_is_lost() -> None:
    match = Drive(65)
    for command in (rules.Start(0), rules.Start(1)):
        match.do(command)
    assert "rating points" in fragment_of(match.view(0, rated=True), "f-actions").words()
    casual = fragment_of(match.view(0, rated=False), "f-actions").words()
    assert "You will lose this match." in casual
    assert "rating" not in casual


def test_capped_payments_are_told_in_the_log() -> None:
    view = Drive(66).view(0)
    played = {
        "type": "played",
        "seat": 0,
        "tile": "5|5",
        "site": None,
        "contributions": [["5|5", 10]],
        "total": 10,
        "due": 10,
        "seq": 3,
    }
    paid = {
        "type": "transferred",
        "payer": 1,
        "due": 10,
        "paid": 5,
        "cause": "placement",
        "balances": [300, 0],
        "seq": 3,
    }
    words = fragment_of(replace(view, log=(played, paid)), "f-log-0").words()
    assert "10 earned, 5 paid" in words
    assert "+5" in words
    assert "+10" not in words


def test_tiles_are_named_lower_half_first() -> None:
    assert markup.tile_name(Tile(0, 5)) == "0–5"
