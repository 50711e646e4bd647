"""What `structure.js` and the checks of the pages around the table tell, by a page with one fault in it."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.kit import STRUCTURE
from tests.browser.test_places import BROKEN, UNEVEN

WIDTH, HEIGHT = 400, 600
PAGE = """<!doctype html><html class="js"><style>
  * {{ box-sizing: border-box; margin: 0; }}
  html {{ font: 16px/1.5 sans-serif; overflow: auto; }}
  body {{ overflow: visible; }}
  button {{ width: 100px; height: 50px; padding: 0; border: 0; font: inherit; }}
  .at {{ position: absolute; }}
  {style}
</style><body><main>{body}</main></body></html>"""
TABLE = '<div id="panel">Panel</div>'
CLOTH = """<div id="felt" class="at"><div id="f-cloth"><svg width="300" height="300">{drawn}</svg></div></div>
<div id="panel" class="at">Panel</div>"""
FELT = """#felt, #f-cloth { left: 20px; top: 20px; width: 300px; height: 300px; }
  svg { display: block; overflow: visible; } #panel { top: 500px; }"""
PLACE = '<g class="ghost" data-shown=""><circle cx="{x}" cy="100" r="{r}"/></g>'

# (what is told, style, body); the page without the fault follows below.
FAULTS_OF_PAGES = {
    "page: 100 px wider": ("div { width: 500px; }", "<div>Text</div>"),
    "text: 10px": ("p { font-size: 10px; }", "<p>Text</p>"),
    "cut: p": ("p { width: 40px; height: 24px; overflow: hidden; white-space: nowrap; }", "<p>A longer sentence</p>"),
    "cut: p.short": (
        "p { width: 40px; overflow: hidden; white-space: nowrap; text-overflow: ellipsis; }",
        '<p class="short">A longer sentence</p>',
    ),
    "cut: a.button": (
        "a { display: inline-block; width: 44px; height: 44px; white-space: nowrap; }",
        '<a class="button" href="/">A longer sentence</a>',
    ),
    "target: button": ("button { height: 30px; }", "<button>Press</button>"),
    "covered: button": (
        ".at { left: 0; top: 0; width: 200px; height: 100px; }",
        '<button>Press</button><div class="at"></div>',
    ),
    "overlap: button": (
        ".at { left: 60px; top: 0; }",
        '<button>Press</button><button class="at">Another</button>',
    ),
}
FAULTS_OF_TABLES = {
    "page: 100 px higher": (".tall { height: 676px; }", f'<div class="tall">Text</div>{TABLE}'),
    "outside: button": (".at { left: 350px; top: 100px; }", f'<button class="at">Press</button>{TABLE}'),
    "panel: no way to it": ("", "<p>Text</p>"),
    "overlap: div.prompt": (
        ".prompt { left: 0; top: 100px; } .yard { left: 10px; top: 110px; }",
        f'<div class="prompt at">Your turn</div><div class="yard at">9 in the boneyard</div>{TABLE}',
    ),
    "overlap: span.seat__name": (
        ".seat__name { left: 0; top: 100px; } .clock { left: 10px; top: 105px; }",
        f'<div id="f-me"><span class="seat__name at">Zeynep</span><div class="clock at">1:48</div></div>{TABLE}',
    ),
    "cloth: g#t-12": (FELT, CLOTH.format(drawn='<g id="t-12"><rect x="280" y="10" width="60" height="30"/></g>')),
    "cloth: g#t-34": (
        f"{FELT} #f-yard {{ left: 20px; top: 280px; }}",
        CLOTH.format(drawn='<g id="t-34"><rect x="0" y="260" width="60" height="30"/></g>')
        + '<div id="f-yard" class="at">9 in the boneyard</div>',
    ),
    "target: a place": (FELT, CLOTH.format(drawn=PLACE.format(x=100, r=15))),
    "overlap: two places": (FELT, CLOTH.format(drawn=PLACE.format(x=100, r=22) + PLACE.format(x=130, r=22))),
}
SOUND_PAGE = ("", '<p>A sentence</p><button>Press</button> <a href="/">a link</a>')
SOUND_TABLE = (
    f"{FELT} .prompt {{ left: 0; top: 340px; }} .yard {{ left: 200px; top: 340px; }}",
    CLOTH.format(
        drawn='<g id="t-12"><rect x="10" y="10" width="60" height="30"/></g>'
        + PLACE.format(x=100, r=22)
        + PLACE.format(x=150, r=22)
    )
    + '<div class="prompt at">Your turn</div><div class="yard at">9 in the boneyard</div>',
)


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": WIDTH, "height": HEIGHT})
    yield context.new_page()
    context.close()


def faults(page: Page, parts: tuple[str, str], *, is_table: bool) -> list[str]:
    style, body = parts
    page.set_content(PAGE.format(style=style, body=body))
    found: list[str] = page.evaluate(STRUCTURE, is_table)
    return found


@pytest.mark.parametrize("told", FAULTS_OF_PAGES)
def test_a_fault_of_a_page_is_told(page: Page, told: str) -> None:
    found = faults(page, FAULTS_OF_PAGES[told], is_table=False)
    assert [line for line in found if line.startswith(told)], found


@pytest.mark.parametrize("told", FAULTS_OF_TABLES)
def test_a_fault_of_a_table_is_told(page: Page, told: str) -> None:
    found = faults(page, FAULTS_OF_TABLES[told], is_table=True)
    assert [line for line in found if line.startswith(told)], found


def test_nothing_is_told_of_a_sound_page(page: Page) -> None:
    assert faults(page, SOUND_PAGE, is_table=False) == []


def test_nothing_is_told_of_a_sound_table(page: Page) -> None:
    assert faults(page, SOUND_TABLE, is_table=True) == []


def test_a_broken_word_of_a_heading_is_told(page: Page) -> None:
    style = "h1 { width: 60px; overflow-wrap: anywhere; }"
    page.set_content(PAGE.format(style=style, body="<h1>An extraordinary try</h1>"))
    assert page.evaluate(BROKEN) == ["extraordinary"]


def test_cards_that_end_on_two_lines_are_told(page: Page) -> None:
    style = ".lobby__side { display: flex; align-items: start; } .card { width: 100px; height: 50px; }"
    cards = '<div class="lobby__side"><div class="card"></div><div class="card" id="second"></div></div>'
    page.set_content(PAGE.format(style=style, body=cards))
    assert page.evaluate(UNEVEN) == 0
    page.set_content(PAGE.format(style=f"{style} #second {{ height: 40px; }}", body=cards))
    assert page.evaluate(UNEVEN) == 1
