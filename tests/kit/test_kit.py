"""The page for designers: who may see it, and that every state on it is a position that the rules know."""

import pytest
from django.urls import reverse
from django.utils.html import escape
from django.utils.translation import override

from games import rules
from games.fragments import render_all
from games.kit.pieces import LETTERS, TROUBLE, letter
from games.kit.states import CASES, Case
from tests.factories import make_user
from tests.test_languages import english_in

HOLD_MS = 1_500  # as long as turn.js shows it

every_state = pytest.mark.parametrize("name", CASES)


@pytest.fixture
def designer(client):
    """The browser of somebody who works on the site."""
    user = make_user("Designer")
    user.is_staff = True
    user.save(update_fields=["is_staff"])
    client.force_login(user)
    return client


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/kit/", "/kit/your-turn/", "/kit/error-500/"])
def test_it_is_there_for_staff_and_nobody_else(client, settings, address: str) -> None:
    assert client.get(address).status_code == 404
    user = make_user("Alice")
    client.force_login(user)
    assert client.get(address).status_code == 404
    user.is_staff = True
    user.save(update_fields=["is_staff"])
    assert client.get(address).status_code == 200
    client.logout()
    settings.DEBUG = True
    assert client.get(address).status_code == 200


@pytest.mark.django_db
def test_an_unknown_state_is_not_found(designer) -> None:
    assert designer.get("/kit/no-such-state/").status_code == 404


@pytest.mark.django_db
def test_the_index_leads_to_every_state_with_the_words_of_its_address(designer) -> None:
    page = designer.get("/kit/?lang=pl&theme=dark").content.decode()
    for name in CASES:
        assert f'href="{reverse("kit-state", args=[name])}?lang=pl&amp;theme=dark"' in page
    for name in (*TROUBLE, *LETTERS):
        assert f'href="/kit/{name}/"' in page


@pytest.mark.django_db
def test_the_words_of_an_address_choose_how_it_is_drawn(designer) -> None:
    page = designer.get("/kit/your-turn/?lang=tr&theme=dark&tiles=ebony&dir=rtl&format=strip").content.decode()
    assert '<html lang="tr" dir="rtl" data-theme="dark" data-tiles="ebony"' in page
    assert 'data-format="strip"' in page
    page = designer.get("/kit/your-turn/?lang=xx&theme=pink&tiles=gold&dir=up&format=round").content.decode()
    assert '<html lang="en" dir="ltr">' in page


@pytest.mark.django_db
@every_state
@pytest.mark.parametrize("language", ["pl", "tr"])
def test_a_state_asks_nothing_of_the_server_and_is_in_one_language(designer, name: str, language: str) -> None:
    answer = designer.get(f"/kit/{name}/?lang={language}")
    assert answer.status_code == 200
    page = answer.content.decode()
    main = page[page.index("<main") : page.index("</main>")]
    assert "ws-connect" not in page
    assert 'method="post"' not in main
    assert english_in(page, language) == []


@every_state
def test_a_state_is_a_position_with_all_tiles_and_points(name: str) -> None:
    state = _state(CASES[name])
    if state.hand:
        tiles = [*state.layout.tiles, *state.boneyard, *(tile for held in state.held for tile in held)]
        assert sorted(tiles) == sorted(rules.TILES)
    assert sum(state.balances) == 300
    assert not any(balance % 5 for balance in state.balances)
    assert state == rules.load_state(rules.dump_state(state))


def _state(case: Case) -> rules.MatchState:
    return case.place().state


@every_state
def test_an_answer_that_was_forced_is_what_the_state_shows(name: str) -> None:
    """D-7: its card stands there for a moment only, and the state is that moment."""
    case = CASES[name]
    card = render_all(case.view())["f-auction"]
    assert ("data-forced" in card) == (case.act == "forced")
    assert case.act != "forced" or case.after_ms < HOLD_MS


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["pl", "tr"])
@pytest.mark.parametrize("name", LETTERS)
def test_a_letter_is_shown_as_it_is_sent_and_in_one_language(designer, name: str, language: str) -> None:
    page = designer.get(f"/kit/{name}/?lang={language}").content.decode()
    with override(language):
        subject, text = letter(name)
    assert subject in page
    assert escape(text) in page
    assert "boneyard.example.org" in text
    assert english_in(page, language) == []


def test_the_sums_of_a_result_are_those_of_its_match() -> None:
    """What a hand brought stands above: nobody can have won seven hands in the first one."""
    for name, case in CASES.items():
        view = case.view()
        totals = view.result.totals if view.result is not None else None
        if totals is not None:
            assert sum(totals.hands_won) <= view.sight.hand, name
            earned = sum(fact["due"] for fact in view.log if fact["type"] == "played")
            assert sum(totals.scored) >= earned, name
            assert view.sight.hand > 1 or sum(totals.scored) == earned, name
