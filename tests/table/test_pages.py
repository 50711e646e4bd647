"""The pages around the table: every template is rendered, and the sources keep the house's rules."""

import re
from pathlib import Path

import pytest
from django.template.loader import render_to_string
from django.test import Client, RequestFactory
from django.urls import reverse

from games import fragments
from games.models import Match
from tests import factories
from tests.table.drive import Drive
from tests.table.markup import read

ROOT = Path(__file__).resolve().parents[2]


def page(template: str, **context: object) -> str:
    request = RequestFactory().get("/matches/Ab3xYz90kQ/")
    return render_to_string(template, context, request=request)


def table_page(match: Drive, viewer: int | None) -> str:
    return page("games/match.html", **fragments.page_context(match.view(viewer, csrf="t" * 64)))


def test_the_table_page_holds_every_fragment_once() -> None:
    html = table_page(Drive(1), 0)
    for fragment in fragments.FRAGMENTS:
        assert html.count(f'id="{fragment.id}"') == 1
    for place in ("f-seq", "f-toast", "polite", "assertive"):
        assert html.count(f'id="{place}"') == 1


def test_the_table_page_is_whole_markup() -> None:
    root = read(table_page(Drive(2), 0))
    ids = [element.attributes["id"] for element in root.walk() if "id" in element.attributes]
    assert len(ids) == len(set(ids))
    # The bar heads the page on a phone, the panel on a wide screen.
    assert [heading.text.strip() for heading in root.all("h1")] == ["Spectacular Bid", "Spectacular Bid"]
    assert not [element for element in root.walk() if "style" in element.attributes]
    scripts = root.all("script")
    assert scripts
    assert all("src" in script.attributes and not script.text.strip() for script in scripts)


def test_a_page_without_scripts_looks_again_only_while_it_waits() -> None:
    match = Drive(3)
    match.step()
    match.step()
    turn = match.state.turn
    assert turn is not None
    for mark in ('http-equiv="refresh"', "data-waits"):  # no scripts, or scripts that did not come
        assert mark not in table_page(match, turn)
        assert mark in table_page(match, 1 - turn)
        assert mark in table_page(match, None)


def test_htmx_is_told_to_evaluate_nothing() -> None:
    html = page("base.html")
    assert '"allowEval":false' in html
    assert '"allowScriptTags":false' in html
    assert '"includeIndicatorStyles":false' in html


def test_a_site_with_chosen_deals_says_so_on_every_page() -> None:
    assert "deals of this site are chosen" not in page("base.html")
    assert "deals of this site are chosen" in page("base.html", test_deals=True)


def test_header_and_tabs_lead_to_the_same_pages() -> None:
    root = read(page("base.html"))
    for name in ("nav__link", "tabs__link"):
        assert [link.attributes["href"] for link in root.by_class(name)] == ["/", "/rules/spectacular-bid/"]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_theme_of_the_cookie_is_in_the_page(theme: str) -> None:
    request = RequestFactory().get("/")
    request.COOKIES["theme"] = theme
    assert f'data-theme="{theme}"' in render_to_string("base.html", request=request)


def test_an_unknown_theme_is_left_out() -> None:
    request = RequestFactory().get("/")
    request.COOKIES["theme"] = '"><script>'
    assert "data-theme" not in render_to_string("base.html", request=request)


@pytest.mark.parametrize("template", ["403.html", "403_csrf.html", "404.html", "429.html", "500.html"])
def test_error_pages_show_a_way_on(template: str) -> None:
    html = page(template)
    assert len(read(html).by_class("error-page")) == 1
    assert 'href="/"' in html


def test_the_page_of_a_server_error_needs_no_context() -> None:
    assert "Something broke" in render_to_string("500.html")


@pytest.mark.django_db
def test_an_unknown_page_is_answered_with_the_sites_own() -> None:
    answer = Client().get("/there/is/no/such/page/")
    assert answer.status_code == 404
    assert b"Nothing here" in answer.content


@pytest.mark.django_db(transaction=True)
class TestLeave:
    """The way out before the first deal (D-1)."""

    def test_it_cancels_the_match(self, client: Client) -> None:
        alice, bob = factories.alice(), factories.bob()
        match = factories.make_match([alice, bob])
        client.force_login(alice)
        answer = client.post(reverse("match-leave", args=(match.public_id,)))
        assert answer.status_code == 302
        match.refresh_from_db()
        assert match.status == Match.Status.CANCELLED

    def test_it_refuses_a_stranger(self, client: Client) -> None:
        match = factories.make_match([factories.alice(), factories.bob()])
        client.force_login(factories.charlie())
        answer = client.post(reverse("match-leave", args=(match.public_id,)))
        assert answer.headers["Location"] == reverse("match", args=(match.public_id,))
        match.refresh_from_db()
        assert match.status == Match.Status.WAITING

    def test_it_refuses_after_the_deal(self, client: Client) -> None:
        alice = factories.alice()
        match = factories.make_match([alice, factories.bob()])
        Match.objects.filter(pk=match.pk).update(status=Match.Status.PLAYING)
        client.force_login(alice)
        client.post(reverse("match-leave", args=(match.public_id,)))
        match.refresh_from_db()
        assert match.status == Match.Status.PLAYING

    def test_it_wants_a_post_and_a_match(self, client: Client) -> None:
        client.force_login(factories.alice())
        assert client.get(reverse("match-leave", args=("nothing",))).status_code == 405
        assert client.post(reverse("match-leave", args=("nothing",))).status_code == 404


# The sources of the look.


@pytest.mark.parametrize("path", sorted((ROOT / "static/js").glob("*.js")), ids=lambda path: path.name)
def test_scripts_are_checked_and_harmless(path: Path) -> None:
    text = path.read_text()
    assert text.startswith("// @ts-check\n")
    for forbidden in (
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "new Function",
        "hx-on",
    ):
        assert forbidden not in text


def test_the_clock_is_small() -> None:
    assert len((ROOT / "static/js/clock.js").read_text().splitlines()) < 100


@pytest.mark.parametrize("path", sorted((ROOT / "templates").rglob("*.html")), ids=lambda path: path.name)
def test_templates_hold_no_style_and_no_inline_script(path: Path) -> None:
    text = path.read_text()
    assert not re.search(r"\sstyle=", text)
    assert not re.search(r"\son[a-z]+=", text)
    assert not re.search(r"<script(?![^>]*\ssrc=)", text)


@pytest.mark.parametrize("path", sorted((ROOT / "static/css").glob("*.css")), ids=lambda path: path.name)
def test_style_sheets_take_colours_from_the_tokens(path: Path) -> None:
    text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL)
    assert "!important" not in text
    assert "data:" not in text
    if path.name != "tokens.css":
        assert not re.search(r"#[0-9a-fA-F]{3,8}\b(?=[;\s,)])", text)
