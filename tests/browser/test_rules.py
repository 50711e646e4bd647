"""The rules: read on their own page, and beside a running match without stopping it (SB-78)."""

from collections.abc import Callable

from playwright.sync_api import Locator, expect

from games import rules
from tests.browser.matches import BRIEF, play, seat, until
from tests.browser.player import PHONE, Player
from tests.browser.script import Step
from tests.browser.test_accessibility import check
from tests.browser.test_keyboard import press, tab_to

TABS = 25
# Of each list of examples, of each example: where its figures begin.
COLUMNS = """() => Array.from(document.querySelectorAll(".worked"), (list) =>
  Array.from(list.querySelectorAll(".worked__figures"), (figures) =>
    Array.from(figures.children, (figure) => Math.round(figure.getBoundingClientRect().x)).join()))"""

# Of each example, of each of its figures: where the middle of its name lies, if that is seen, and of its value.
LINES = """() => Array.from(document.querySelectorAll(".worked__figures"), (figures) =>
  Array.from(figures.children, (figure) => ["dt", "dd"].map((part) => {
    const range = document.createRange();
    range.selectNodeContents(figure.querySelector(part));
    const { top, bottom } = range.getBoundingClientRect();
    return Math.round((top + bottom) / 2);
  }).join()))"""


def is_played(step: Step) -> bool:
    return isinstance(step.command, rules.PlayTile) and bool(step.before.layout.tiles)


def has_focus(player: Player, selector: str) -> bool:
    inside: bool = player.page.evaluate("selector => Boolean(document.activeElement.closest(selector))", selector)
    return inside


def is_outside(player: Player) -> bool:
    """Whether a control of the table has the focus; between two rounds of Tab the browser itself has it."""
    outside: bool = player.page.evaluate(
        "() => document.activeElement !== document.body && !document.activeElement.closest('#rules-sheet')"
    )
    return outside


def clock_of(player: Player, seat_number: int) -> Locator:
    return player.find(f'#rules-sheet [data-reads="{seat_number}"] [role="timer"]')


def test_the_rules_lie_beside_a_running_match(new_player: Callable[..., Player], prepare: Callable[..., None]) -> None:
    """By keyboard: open, read, hear what the other does, come back to where one was."""
    prepare(BRIEF)
    pair = (new_player(), new_player(viewport=PHONE, color_scheme="dark", has_touch=True))
    seat(pair)
    before, rest = until(BRIEF, is_played)
    play(pair, before)
    step = rest[0]
    mover = step.command.seat
    reader, other = pair[1 - mover], pair[mover]
    sheet = reader.find("#rules-sheet")
    open_rules(reader)
    expect(sheet).to_be_visible()
    assert has_focus(reader, "#rules-sheet")
    expect(sheet.locator(".figure__board")).to_have_count(11)
    expect(sheet.locator(".rules-sheet__state")).to_have_text("The clock keeps running while you read.")

    # The clock of who thinks goes on before one's eyes.
    running = clock_of(reader, mover)
    shown = running.inner_text()
    expect(running).not_to_have_text(shown)

    # The focus stays inside, and the keys of the table mean nothing here.
    for _press in range(TABS):
        press(reader, "Tab")
        assert not is_outside(reader)
    press(reader, "1", "b", "d", "l")
    assert reader.find('.hand-tile[aria-pressed="true"]').count() == 0
    check(reader, "rules beside the match")

    # A part of the rules is reached by its name.
    tab_to(reader, '#rules-sheet [href="#rule-auction"]')
    press(reader, "Enter")
    expect(sheet.locator("#rule-auction")).to_be_focused()
    expect(sheet.locator("#rule-auction")).to_be_in_viewport()
    assert "#" not in reader.page.url

    # What happens meanwhile is said here, and one's own clock is seen to start.
    assert isinstance(step.command, rules.PlayTile)
    other.do(step.command)
    reader.wait_for(step.seq)
    expect(sheet.get_by_role("status")).to_contain_text(other.name)
    assert step.after.turn == 1 - mover
    own = clock_of(reader, 1 - mover)
    expect(own).not_to_have_text(own.inner_text())

    press(reader, "Escape")
    expect(sheet).to_be_hidden()
    expect(reader.find("#rules-link")).to_be_focused()
    assert reader.seq == step.seq

    # The other one, on the other kind of screen, in the other theme.
    open_rules(other)
    expect(other.find("#rules-sheet .figure__board")).to_have_count(11)
    check(other, "rules beside the match")
    other.page.get_by_role("dialog").get_by_role("button", name="Close").click()
    expect(other.find("#rules-sheet")).to_be_hidden()
    expect(other.find("#rules-link")).to_be_focused()

    # Without the sheet the link leads to the page, which says the same.
    address = reader.find("#rules-link").get_attribute("href") or ""
    reader.page.goto(address)
    expect(reader.page.get_by_role("note").filter(has_text="clock keeps running")).to_be_visible()
    reader.page.get_by_role("link", name="Back to the table").click()
    reader.wait_for_table()


def open_rules(player: Player) -> None:
    """By keys alone; on a phone by the sheet of the log, where the link is."""
    if not player.find("#rules-link").is_visible():
        tab_to(player, '[data-action="panel"]')
        press(player, "Enter")
    tab_to(player, "#rules-link")
    press(player, "Enter")


def test_the_page_in_the_dark_with_every_word_open(new_player: Callable[..., Player]) -> None:
    visitor = new_player("A visitor", viewport=PHONE, color_scheme="dark")
    visitor.page.goto("/rules/")
    for summary in visitor.find(".figure__words > summary").all():
        summary.click()
    check(visitor, "rules")
    visitor.find('.contents [href="#rule-clock"]').click()
    expect(visitor.find("#rule-clock")).to_be_in_viewport()
    expect(visitor.find('.contents [href="#rule-clock"]')).to_have_attribute("aria-current", "true")


def test_the_figures_of_examples_stand_in_columns(new_player: Callable[..., Player]) -> None:
    """On a phone, in a language with long words."""
    visitor = new_player("A visitor", viewport=PHONE)
    visitor.context.add_cookies([{"name": "django_language", "value": "tr", "url": visitor.base_url}])
    visitor.page.goto("/rules/")
    lists = visitor.page.evaluate(COLUMNS)
    assert lists
    for cases in lists:
        assert len(cases) > 1
        assert len(set(cases)) == 1, cases


def test_the_figures_of_an_example_stand_on_one_line(new_player: Callable[..., Player]) -> None:
    visitor = new_player("A visitor")
    visitor.page.goto("/rules/")
    examples = visitor.page.evaluate(LINES)
    assert examples
    for figures in examples:
        assert len(set(figures)) == 1, figures
