"""What a newcomer reads: why a sum scored, what an answer of an auction leads to, what a result is made of."""

import itertools
import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from django.utils.translation import override

from games import fragments, rules
from games.fragments import markup, rows
from games.rules.auction import net_price
from games.table import Reckoning, Result, TableView, Totals
from ratings.elo import expected
from tests.table.drive import Drive
from tests.table.markup import Element, read

LANGUAGES = ("en", "tr", "pl")
COMMANDS = 200


def find(wanted: Callable[[Drive], bool], seed: int = 70) -> Drive:
    """The first position of random matches for which `wanted` holds."""
    for number in itertools.count(seed):
        match = Drive(number)
        while not wanted(match):
            if match.step() is None:
                break
        else:
            return match
    raise AssertionError


def fragment_of(view: TableView, fragment_id: str) -> Element:
    return read(fragments.render_all(view)[fragment_id]).children[0]


def log_of(view: TableView) -> Element:
    """The rows of the log as they stand below each other."""
    drawn = fragments.render_all(view)
    return read("".join(drawn[f"f-log-{part}"] for part in range(rows.PARTS)))


def explained(view: TableView) -> list[tuple[str, str]]:
    """Each row that opens, and what it says then."""
    opened = log_of(view).all("details")
    return [(row.by_class("log__row")[0].words(), row.by_class("log__why")[0].words()) for row in opened]


# The log.


def test_each_placement_tells_its_ends_and_why_it_scored() -> None:
    match = find(lambda match: len(match.state.layout.tiles) > 12)
    placed = [fact for _seq, fact in match.facts if type(fact) is rules.TilePlayed]
    told = [why for row, why in explained(match.view(None)) if " = " in row]
    assert len(told) == len(placed)
    for fact, why in zip(placed, told, strict=True):
        terms = " + ".join(f"{value} ({tile.low}–{tile.high})" for tile, value in fact.contributions)
        assert f"{terms} = {fact.total}" in why
        if fact.due:
            assert f"A multiple of five: {('Bob', 'Alice')[fact.seat]} pays {fact.due}," in why
        else:
            assert f"{fact.total} is not a multiple of five" in why or fact.total == 0


def test_a_capped_payment_says_why_it_is_less() -> None:
    match = find(
        lambda match: (
            match.state.phase == "over"
            and any(type(fact) is rules.Transferred and fact.paid < fact.due for _seq, fact in match.facts)
        )
    )
    paid = next(fact for _seq, fact in match.facts if type(fact) is rules.Transferred and fact.paid < fact.due)
    row, why = explained(match.view(0))[-1]
    if paid.cause == "placement":
        assert f"{paid.due} earned, {paid.paid} paid" in row
    assert "had no more" in why


def test_a_part_of_the_log_is_drawn_again_only_while_it_grows() -> None:
    match = Drive(71)
    keys: dict = {}
    most = 0
    for _ in range(COMMANDS):
        if match.step() is None:
            break
        changed, keys = fragments.render_changed(match.view(0), keys)
        if keys and match.state.phase == "play" and match.state.layout.tiles:
            most = max(most, sum(name.startswith("f-log-") for name in changed))
    assert most <= 3


def test_rows_are_told_apart_by_hand() -> None:
    """An open row stays open when its part is drawn again, and no row of the next hand opens for it."""
    match = find(lambda match: match.state.hand == 2 and len(match.state.layout.tiles) > 3)
    named = [row.attributes["id"] for row in log_of(match.view(0)).all("details")]
    assert len(named) == len(set(named))
    assert all(name.startswith("row2.") for name in named)


# The sum and the boneyard.


def test_the_sum_says_why_it_scored_or_did_not() -> None:
    for scores in (True, False):
        match = find(lambda match, scores=scores: _last_due(match) is not None and bool(_last_due(match)) == scores)
        sum_text = fragment_of(match.view(1), "f-sum").by_class("help__text")[0].words()
        assert ("A multiple of five:" in sum_text) == scores
        assert ("is not a multiple of five" in sum_text or "add up to nothing" in sum_text) == (not scores)
        assert "A tile scores when the ends add up to a multiple of five." in sum_text


def _last_due(match: Drive) -> int | None:
    placed = [fact.due for _seq, fact in match.facts if type(fact) is rules.TilePlayed]
    return placed[-1] if placed and match.state.phase == "play" else None


def test_who_must_draw_reads_how_many_are_left() -> None:
    match = find(
        lambda match: any(command.type == "draw" for command in rules.legal_commands(match.state)) and bool(match.facts)
    )
    seat = match.state.turn
    assert f"nothing fits: draw, {len(match.state.boneyard)} " in fragment_of(match.view(seat), "f-prompt").words()


# The auction (scenario B047).


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("has_bid", "is_jockey"), [(True, True), (True, False), (False, False)])
def test_each_button_names_who_will_open_and_who_pays(language: str, has_bid: bool, is_jockey: bool) -> None:
    """B047: beforehand, with the number, in each language."""
    match = find(
        lambda match: (
            match.state.phase == "auction"
            and (match.state.bid is not None) == has_bid
            and (match.state.turn == match.state.jockey) == is_jockey
        )
    )
    seat, bid = match.state.turn, match.state.bid
    assert seat is not None
    other = ("Alice", "Bob")[1 - seat]
    card = fragment_of(match.view(seat, language=language), "f-auction")
    if bid is None:
        assert other in card.all("button", id_="decline")[0].words()
    else:
        text = card.all("button", id_="accept")[0].words()
        paid = net_price(bid.amount, is_jockey=not is_jockey)
        assert other in text
        assert {str(bid.amount), str(paid)} <= set(re.findall(r"\d+", text))
    more = card.all("button", id_="bid")[0]
    least = int(card.all("input", id_="bid-amount")[0].attributes["value"])
    net = more.all(data_step="net")[0].words()
    assert net == str(net_price(least, is_jockey=is_jockey))
    assert str(least) in more.children[0].words()


@pytest.mark.parametrize("kind", ["declined", "accepted"])
def test_the_log_says_the_same_as_the_button(kind: str) -> None:
    match = find(lambda match: any(fact.type == kind for _seq, fact in match.facts))
    fact = next(fact for _seq, fact in match.facts if fact.type == kind)
    names = ("Alice", "Bob")
    told = log_of(match.view(0)).words()
    if isinstance(fact, rules.Accepted):
        assert f"accepts {fact.amount}: {names[fact.bidder]} pays {fact.net} and opens" in told
    else:
        assert isinstance(fact, rules.Declined)
        assert f"no bid: {names[1 - fact.seat]} opens free" in told


# Who is here.


def test_an_absent_player_s_time_is_up_at_the_latest() -> None:
    match = find(lambda match: match.state.phase == "play" and match.state.turn == 1)
    view = match.view(0, away=(None, 14_000))
    prompt = fragment_of(view, "f-prompt")
    assert "Bob is away" in prompt.words()
    assert prompt.all(data_until=str(match.state.deadline_ms))
    assert "away for 0:14" in fragment_of(view, "f-opponent").words()
    # Nobody is told so of himself, nor of who is not on turn.
    assert "is away" not in fragment_of(match.view(1, away=(14_000, 14_000)), "f-prompt").words()


def test_low_time_is_in_the_markup_before_any_script() -> None:
    match = find(lambda match: match.state.phase == "play" and match.state.turn == 0)
    assert match.state.deadline_ms is not None
    view = match.view(0, server_now_ms=match.state.deadline_ms - 8_400)
    for name in ("f-prompt", "f-me"):
        assert "data-low" in fragment_of(view, name).attributes
        assert "data-low" not in fragment_of(match.view(0), name).attributes


def test_watchers_are_counted() -> None:
    match = find(lambda match: match.state.phase == "play")
    for count, text in ((1, "1 watching"), (14, "14 watching")):
        view = match.view(None, watchers=count)
        assert text in fragment_of(view, "f-log").words()
        assert fragment_of(view, "f-bar").all(aria_label=text)
    assert "watching" not in fragment_of(match.view(0), "f-log").words()
    view = match.view(None)
    assert "you are watching" in fragment_of(view, "f-prompt").words()
    assert "You are watching." in fragment_of(view, "f-actions").words()


# Sheets.


def resigned() -> Drive:
    match = Drive(72)
    for command in (rules.Start(0), rules.Start(1), rules.Resign(1)):
        match.do(command)
    return match


RATED = Result(
    0,
    "resign",
    (("1684", "1697"), ("1512?", "1499?")),
    reckonings=(Reckoning(0.3598, 20, 1280), Reckoning(0.6402, 40, -2561)),
    totals=Totals((5, 2), (205, 95), (35, 20)),
)


def test_the_result_says_why_the_ratings_moved() -> None:
    sheet = fragment_of(resigned().view(0, result=RATED), "f-sheet").words()
    assert "You were expected to score 0.360; K 20 20 × (1 − 0.360) ≈ +12.8" in sheet
    assert "Bob was expected to score 0.640; K 40 40 × (0 − 0.640) ≈ −25.6" in sheet


@pytest.mark.parametrize("k", [10, 20, 40])
@pytest.mark.parametrize("difference", [7, 68, 133, 388])
def test_a_reader_works_out_the_change_that_is_shown(k: int, difference: int) -> None:
    score = expected(150_000, 150_000 + 100 * difference)
    gain_centi = round(100 * k * (1 - score))
    reckonings = (Reckoning(score, k, gain_centi), Reckoning(1 - score, k, -gain_centi))
    sheet = fragment_of(resigned().view(0, result=replace(RATED, reckonings=reckonings)), "f-sheet").words()
    found = re.search(r"(\d+) × \(1 − ([\d.]+)\) ≈ \+([\d.]+)", sheet)
    assert found
    shown_k, shown_score, shown = map(float, found.groups())
    assert abs(shown_k * (1 - shown_score) - shown) <= 0.07  # 0.05 of the change as it is shown, 0.02 of the score


@pytest.mark.parametrize(("language", "shown"), [("en", "8.4"), ("tr", "8,4"), ("pl", "8,4")])
def test_tenths_of_a_second_are_written_as_the_language_does(language: str, shown: str) -> None:
    with override(language):
        assert markup.duration(8_450) == shown


def test_a_gain_that_was_cut_says_so() -> None:
    cut = (Reckoning(0.3598, 20, 640, farming_factor=0.5), Reckoning(0.6402, 40, -100, is_floored=True))
    sheet = fragment_of(resigned().view(0, result=replace(RATED, reckonings=cut)), "f-sheet").words()
    assert "many wins in a row over the same player" in sheet
    assert "20 × (1 − 0.360) × 0.5 ≈ +6.4" in sheet
    assert "Stopped at the least rating there is." in sheet


def test_the_totals_stand_near_side_first() -> None:
    match = resigned()
    near = fragment_of(match.view(0, result=RATED), "f-sheet").words()
    assert "Hands won 5 – 2" in near
    assert "Points scored at the table 205 – 95" in near
    assert "Auctions paid 35 – 20" in near
    assert "Hands won 2 – 5" in fragment_of(match.view(1, result=RATED), "f-sheet").words()


def test_who_is_ready_to_go_on_is_marked() -> None:
    match = find(lambda match: match.state.phase == "ready" and match.state.hand > 0)
    assert len(fragment_of(match.view(0), "f-sheet").by_class("sheet__side")) == 2
    if not match.state.ready:
        match.do(rules.Continue(1))
    ready = match.state.ready[0]
    sides = fragment_of(match.view(0), "f-sheet").by_class("sheet__side")
    assert ["ready" in side.words().split() for side in sides] == [seat == ready for seat in (0, 1)]
