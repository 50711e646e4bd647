"""The pages of the rules: whole without scripts, the engine's numbers in every language, and light."""

import gzip
import re
from collections import Counter
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils.translation import gettext, ngettext, override

from config import messages
from games.rules import TILES, VARIANTS
from games.rules.auction import DISCOUNT, MIN_BID, STEP, highest_bid, net_price
from games.rules.clock import BANK_MS, DELAY_MS
from games.rules.scoring import CHIP, block_due
from tests.table.markup import Element, read

PAGE_LIMIT = 60_000  # bytes, compressed
LANGUAGES = ("en", "tr", "pl")
START = VARIANTS["spectacular-bid"].start_balance
HELD = VARIANTS["spectacular-bid"].tiles_per_hand
BANK_S, DELAY_S = BANK_MS // 1000, DELAY_MS // 1000
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|\{\w*\}")
# A number that is spelled would not follow the engine.
SPELLED = {
    "en": re.compile(r"\b(five|seven|ten|fourteen|fifteen|twenty|thirty|hundred)\b", re.IGNORECASE),
    "tr": re.compile(r"\b(beş|yedi|on|yirmi|otuz|yüz)\b", re.IGNORECASE),
    "pl": re.compile(r"\b(pięć|siedem|dziesięć|czternaście|piętnaście|trzydzieści|sto)\b", re.IGNORECASE),
}

each_language = pytest.mark.parametrize("language", LANGUAGES)
pytestmark = pytest.mark.django_db


def rules_page(language: str = "en", **query: str) -> str:
    answer = Client().get(reverse("rules"), query, headers={"accept-language": language})
    assert answer.status_code == 200
    return answer.content.decode()


def sections(html: str) -> dict[str, Element]:
    """The parts of the page by the anchor of their heading."""
    return {section.attributes["aria-labelledby"]: section for section in read(html).all("section")}


def numbers(section: Element) -> Counter[int]:
    """Every number that is written in a part, its figures and legend aside."""
    found: Counter[int] = Counter()

    def gather(element: Element) -> None:
        if element.tag in ("figure", "svg") or "legend" in element.attributes.get("class", ""):
            return
        found.update(int(number) for number in re.findall(r"\d+", element.text))
        for child in element.children:
            gather(child)

    gather(section)
    return found


def expected() -> dict[str, Counter[int]]:
    """Every number of the page, from the constants of the engine alone."""
    everything, most = 2 * START, highest_bid(START, is_jockey=True)
    first, second, third = MIN_BID, MIN_BID + STEP, MIN_BID + 2 * STEP
    price = net_price(second, is_jockey=True)
    capped, left = 4 * CHIP, CHIP
    points = [
        *(START, START // CHIP, CHIP, everything),
        *(3 * CHIP, 3 * CHIP, 3),
        *(3 * CHIP, 3 * CHIP, 3 * CHIP, START, START + 3 * CHIP, START, START - 3 * CHIP),
        *(capped, left, capped, left, everything - left, everything, left, 0),
    ]
    blocks: list[int] = []
    for low, high in ((4, 18), (4, 17), (0, 2)):
        below = high - high % CHIP
        blocks += [high, below, below + CHIP, block_due(high), low, high, block_due(high), block_due(high)]
    blocks += [6, 6, 0, 0]
    blocks += [3 * CHIP, 4, 18, block_due(18), 3 * CHIP]
    auction = [
        *(MIN_BID, STEP, DISCOUNT),
        *(0, START, START),
        *(first, first, START, START + first, START, START - first),
        *(first, second, second, DISCOUNT, price, START, START - price, START, START + price),
        *(first, second, third, third, START, START + third, START, START - third),
        *(first, most, most, DISCOUNT, START, START, 0, START, everything),
    ]
    clock = [BANK_S, DELAY_S, settings.CONTINUE_CAP_MS // 1000]
    for over in (-2, 3, 5, BANK_S):
        clock += [DELAY_S + over, max(0, over), BANK_S - max(0, over)]
    numbers_of = {
        "rule-points": points,
        "rule-deal": [len(TILES), HELD, len(TILES) - 2 * HELD],
        "rule-turns": [],
        "rule-ends": [CHIP, 2 * CHIP, 3 * CHIP],
        "rule-doubles": [],
        "rule-arms": [],
        "rule-over": [CHIP, *blocks],
        "rule-auction": auction,
        "rule-clock": clock,
        "rule-match": [settings.START_CAP_MS // 1000],
        "rule-keys": [1, 9, 0],  # the digits as keys
    }
    return {anchor: Counter(found) for anchor, found in numbers_of.items()}


@each_language
def test_every_number_is_the_engines(language: str) -> None:
    """B009."""
    written = {anchor: numbers(section) for anchor, section in sections(rules_page(language)).items()}
    assert written == expected()


def test_the_numbers_are_those_of_the_rules() -> None:
    """SB-2, SB-11, SB-49, SB-51, SB-54, SB-61, SB-62, as the text of the rules has them."""
    constants = (START, HELD, len(TILES) - 2 * HELD, MIN_BID, STEP, DISCOUNT, BANK_S, DELAY_S)
    assert constants == (150, 7, 14, 15, 5, 15, 120, 10)


def test_no_number_is_written_by_hand() -> None:
    """B009: neither in the sentences nor in their translations, as digits or as words."""
    seen = 0
    for message in messages.extract_messages():
        places = [name for name, _line in message.locations]
        if not any(name.startswith(("games/rulebook/", "templates/games/rules")) for name in places):
            continue
        seen += 1
        forms = [message.id] if isinstance(message.id, str) else list(message.id)
        for language in LANGUAGES:
            with override(language):
                said = [ngettext(*forms, n) for n in (1, 2, 5)] if len(forms) > 1 else [gettext(forms[0])]
            for form in said if message.context is None else forms:
                text = PLACEHOLDER.sub("", form)
                assert not re.search(r"\d", text), form
                assert not SPELLED[language].search(text), form
    assert seen > 60


@each_language
def test_the_page_is_whole_markup(language: str) -> None:
    html = rules_page(language)
    root = read(html)
    ids = [element.attributes["id"] for element in root.walk() if "id" in element.attributes]
    assert len(ids) == len(set(ids))
    assert [element.tag for element in root.all("h1")] == ["h1"]
    assert not [element for element in root.walk() if "style" in element.attributes]
    used = {use.attributes["href"].removeprefix("#") for use in root.all("use")}
    assert used <= set(ids), "a piece that no definition draws"
    assert html.count('class="defs"') == 1
    assert "Christopher" in root.words()
    assert len(gzip.compress(html.encode())) < PAGE_LIMIT


def test_the_contents_lead_to_every_part() -> None:
    root = read(rules_page())
    (contents,) = root.by_class("contents")
    links = [link.attributes["href"].removeprefix("#") for link in contents.all("a")]
    headings = [heading.attributes["id"] for heading in root.all("h2")]
    assert links == headings == list(sections(rules_page()))


def test_eleven_figures_are_shown_with_their_words() -> None:
    figures = read(rules_page()).all("figure")
    assert [figure.attributes["id"] for figure in figures] == [f"figure-F{number:02}" for number in range(1, 12)]
    for figure in figures:
        (picture,) = figure.by_class("figure__board")
        (words,) = figure.all("details")
        facts = [fact.words() for fact in words.all("li")]
        assert picture.attributes["aria-label"] == " ".join(facts)


def test_the_pictures_are_said_to_assume_a_payer_who_can_pay() -> None:
    """SB-82."""
    assert "assume that whoever pays can pay in full" in read(rules_page()).words()


def test_the_game_is_credited() -> None:
    """SB-79."""
    credit = read(rules_page()).by_class("rules__credit")[0].words()
    assert credit == "An automatic digital adaptation of Christopher Haviland’s Spectacular Bid."


def test_from_a_table_the_page_says_that_the_clock_runs() -> None:
    """SB-78."""
    assert "clock keeps running while you read" not in rules_page()
    root = read(rules_page(table="aB3dE6gH9k"))
    (note,) = root.by_class("rules__running")
    assert "The clock keeps running while you read." in note.words()
    assert [link.attributes["href"] for link in note.all("a")] == ["/matches/aB3dE6gH9k/"]


@pytest.mark.parametrize("name", ["../admin", "a b", "x" * 40, '"><script>'])
def test_a_table_that_cannot_be_is_passed_over(name: str) -> None:
    assert not read(rules_page(table=name)).by_class("rules__running")


def test_the_rules_of_the_only_game_are_found_at_the_old_address() -> None:
    answer = Client().get("/rules/")
    assert (answer.status_code, answer["Location"]) == (302, "/rules/spectacular-bid/")


@each_language
def test_the_sheet_has_the_same_parts_and_nothing_around_them(language: str) -> None:
    answer = Client().get(reverse("rules-sheet"), headers={"accept-language": language})
    sheet = answer.content.decode()
    assert list(sections(sheet)) == list(sections(rules_page(language)))
    assert [child.tag for child in read(sheet).children] == ["div"]
    assert not read(sheet).all("script")
    for anchor, section in sections(sheet).items():
        assert section.words() == sections(rules_page(language))[anchor].words()


def test_the_tables_ids_are_not_the_sheets() -> None:
    """Whatever lies over the table may not take a name that is looked for there."""
    sheet = read(Client().get(reverse("rules-sheet")).content.decode())
    ids = {element.attributes["id"] for element in sheet.walk() if "id" in element.attributes}
    assert all(re.fullmatch(r"rule-\w+|figure-F\d\d", name) for name in ids)


def test_the_rules_can_be_printed() -> None:
    style = (Path(__file__).parents[2] / "static/css/rules.css").read_text()
    printed = style.partition("@media print")[2]
    assert ".contents" in printed
    assert "break-inside: avoid" in printed
