"""Who reads a page is spoken to: where others are told a name, they read "you" (the card, the log, what is heard)."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from django.utils.translation import override

from games import rules
from games.fragments import markup, render_all
from games.kit.states import CASES
from games.messages import ending_text
from games.table import SeatCard, TableView
from tests.table.drive import Drive
from tests.table.markup import Element, read

SEATS = (SeatCard(0, 1, "Olek", "1684"), SeatCard(1, 2, "Xenia", "1512?", provisional=True))
LANGUAGES = ("en", "pl", "tr")
LABELS = {"f-me"}  # a seat is called by its name, balance and tiles


def said(html: str) -> Iterator[str]:
    """Every text and every label of a fragment."""
    element: Element
    for element in read(html).walk():
        yield element.text.strip()
        yield element.attributes.get("aria-label", "").strip()


def own_name_in_sentences(view: TableView) -> set[str]:
    """Sentences of a page that name the one who reads it. A name that stands alone is a label."""
    assert view.viewer is not None
    names = {view.seats[view.viewer].name, markup.short_name(view, view.viewer)}
    return {
        text
        for fragment, html in render_all(view).items()
        if fragment not in LABELS
        for text in said(html)
        if text not in names and any(re.search(rf"\b{re.escape(name)}\b", text) for name in names)
    }


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if not case.view().at_device])
def test_no_state_of_the_table_names_its_reader_in_a_sentence(name: str) -> None:
    view = CASES[name].view()
    assert view.viewer is None or own_name_in_sentences(view) == set()


@pytest.mark.parametrize(("seed", "language"), [(0, "en"), (15, "en"), (8, "pl"), (29, "tr")])
def test_no_move_of_a_match_is_told_to_a_player_by_name(seed: int, language: str) -> None:
    """Blocks, auctions, forced answers and payments that fall short are among them."""
    match = Drive(seed)
    while match.step() is not None:
        for viewer in (0, 1):
            assert own_name_in_sentences(match.view(viewer, seats=SEATS, language=language)) == set()


def test_the_jockey_is_told_that_he_opens_free() -> None:
    match = Drive(0)
    while match.state.phase != "auction":
        match.step()
    jockey = match.state.jockey
    assert jockey is not None
    cards = [render_all(match.view(viewer, seats=SEATS))["f-auction"] for viewer in (jockey, 1 - jockey, None)]
    assert "Without one you open free." in cards[0]
    for card in cards[1:]:
        assert f"Without one {SEATS[jockey].name} opens free." in card
    card = render_all(match.view(jockey, seats=SEATS, language="pl"))["f-auction"]
    assert "Bez niej otwierasz za darmo." in card
    card = render_all(match.view(jockey, seats=SEATS, language="tr"))["f-auction"]
    assert "Teklif gelmezse siz bedelsiz açarsınız." in card


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("auction-declined", "cannot afford the lowest bid, so there is none: you open free."),
        ("auction-declined-yours", "You cannot afford the lowest bid, so there is none:"),
        ("auction-accepted", "cannot pay for a higher bid, so this one is accepted: you open."),
        ("auction-accepted-yours", "You cannot pay for a higher bid, so this one is accepted:"),
    ],
)
def test_a_forced_answer_speaks_to_both(name: str, text: str) -> None:
    assert text in render_all(CASES[name].view())["f-auction"]


def test_at_one_device_everybody_has_a_name() -> None:
    """Both read the same page."""
    told = {
        text
        for case in CASES.values()
        if case.view().at_device
        for text in said(render_all(case.view())["f-announce"])
        if text
    }
    assert told
    assert not [text for text in told if re.search(r"\b[Yy]ou\b", text)]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("ending", [rules.Ending.BALANCE, rules.Ending.TIME, rules.Ending.RESIGN])
def test_each_is_told_of_the_end_in_other_words(ending: rules.Ending, language: str) -> None:
    names = tuple(card.name for card in SEATS)
    with override(language):
        told = {you: ending_text(ending, 0, names, you) for you in (0, 1, None)}
    assert len(set(told.values())) == 3
    named = {you: [name for name in names if name in text] for you, text in told.items()}
    assert named == {0: ["Xenia"], 1: ["Olek"], None: ["Olek", "Xenia"]}
