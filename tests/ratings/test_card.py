"""The rating card of a player's page, and words for figures."""

import pytest
from django.template.loader import render_to_string

from ratings.messages import casual_text, pool_name, signed_text
from ratings.service import rating_card

from .conftest import NOW, POOL, give_rating

pytestmark = pytest.mark.django_db


def render(user, **extra) -> str:
    return " ".join(render_to_string("ratings/_card.html", {"card": rating_card(user, POOL, **extra)}).split())


def test_a_new_player_has_no_figure_yet(alice):
    page = render(alice)
    assert "No rated match yet" in page
    assert "1500" not in page


def test_a_provisional_rating_has_its_mark_and_says_how_long(alice, bob, rate):
    rate(alice, bob)
    page = render(alice)
    assert "1510?" in page
    assert "29 more matches until the list" in page
    assert "Bob" in page
    assert "1500? → 1510?" in page
    assert "+10.0" in page
    assert "match result" in page


def test_a_settled_rating_has_no_mark(alice, bob, rate):
    give_rating(alice, 1684)
    rate(alice, bob)
    page = render(alice)
    assert "?" not in page
    assert "until the list" not in page


def test_names_cannot_break_the_page(alice, rate, django_user_model):
    rate(alice, django_user_model.objects.create_user("<b>x</b>"))
    assert "&lt;b&gt;x&lt;/b&gt;" in render(alice)


def test_only_the_last_changes_are_shown(alice, bob, rate):
    for _ in range(4):
        rate(alice, bob, at=NOW)
    assert render(alice, limit=3).count("<tr>") == 4


@pytest.mark.parametrize(
    ("pool", "name"),
    [
        ("spectacular-bid-duel", "Spectacular Bid"),
        ("spectacular-bid-duel-programs", "Spectacular Bid, programs"),
        ("goat-pairs", "Goat, pairs"),
        ("international-duo-duel", "International duo"),
    ],
)
def test_pools_have_names(pool, name):
    assert pool_name(pool) == name


@pytest.mark.parametrize(
    ("delta", "text"), [(0, "0.0"), (4, "0.0"), (5, "+0.1"), (-5, "−0.1"), (919, "+9.2"), (-1_080, "−10.8")]
)
def test_changes_have_a_sign(delta, text):
    assert signed_text(delta) == text


def test_every_casual_reason_has_a_sentence():
    for code in ("same-person", "program", "gap", "day-limit", "week-limit"):
        assert casual_text(code).endswith(".")
