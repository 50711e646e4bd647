"""Every state of the table at every size, theme and language: nothing is cut, covered, too small or out of sight.

No picture is compared with another, since no two machines draw letters alike. Where something is wrong, the picture of
it is in var/faults/.
"""

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from tests.browser.kit import (
    LENGTHEN,
    PSEUDO,
    SET_THEME,
    SETTLED,
    STATES,
    STRUCTURE,
    TROUBLES,
    open_state,
    resize,
    translate,
)
from tests.browser.people import make_people
from tests.browser.player import Player
from tests.stack import ROOT, Stack

FAULTS = ROOT / "var" / "faults"
SMALLEST, PHONE, TABLET, DESKTOP, WIDE = (360, 640), (360, 780), (768, 1024), (1280, 800), (1920, 1080)
ON_ITS_SIDE = (1024, 768)  # a tablet
SIZES = (WIDE, DESKTOP, ON_ITS_SIDE, TABLET, PHONE, SMALLEST)
FEW_SIZES = (DESKTOP, PHONE)
LANGUAGES = (PSEUDO, "tr", "pl")
AXE = Axe().axe_script
RUN_AXE = """async (rules) => {
  const chosen = rules.length ? { runOnly: { type: "rule", values: rules } } : {};
  // What lies over the table hides parts of it, which axe does not see: then it is looked at alone.
  const shown = document.querySelector("dialog:modal, :popover-open") ?? document;
  const { violations } = await axe.run(shown, { resultTypes: ["violations"], ...chosen });
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `axe: ${id}: ${node.target}`));
}"""
ONLY_COLOURS = ["color-contrast"]
PAGES = ("/", "/rules/", "/accounts/settings/", "/accounts/signup/", "/accounts/login/", "/accounts/password/reset/")


class Eye:
    """Looks at one page after the other and keeps what is wrong."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.found: list[str] = []

    @property
    def page(self) -> Page:
        return self.player.page

    def look(self, name: str, what: str, script: str, argument: object) -> None:
        """Runs a check; a fault has to be there twice, since a crowded machine may draw late."""
        if not self.page.evaluate(script, argument):
            return
        self.page.evaluate(SETTLED)
        for fault in self.page.evaluate(script, argument):
            self.found.append(f"{what}: {fault}")
        if self.found:
            FAULTS.mkdir(parents=True, exist_ok=True)
            self.page.screenshot(path=FAULTS / f"{name}-{what}.png")

    def look_at_layout(self, name: str, size: tuple[int, int], language: str, *, is_table: bool = True) -> None:
        resize(self.page, *size)
        self.look(name, f"{size[0]}x{size[1]}-{language}", STRUCTURE, is_table)

    def ask_axe(self, name: str) -> None:
        """All rules in the light, in the dark what can be otherwise there."""
        self.page.evaluate(AXE)
        for theme, rules in (("light", []), ("dark", ONLY_COLOURS)):
            self.page.evaluate(SET_THEME, theme)
            self.look(name, f"axe-{theme}", RUN_AXE, rules)
        self.page.evaluate(SET_THEME, "light")

    def verdict(self) -> None:
        """Fails with everything that was found."""
        found = [*self.found, *self.player.faults]
        self.found.clear()
        self.player.faults.clear()
        assert not found, "\n".join(found)


@pytest.fixture(scope="module")
def eye(browser: Browser, stack: Stack) -> Iterator[Eye]:
    """A designer's browser, one page for all."""
    ((name, session),) = make_people(stack, ["Designer"], staff=True).items()
    player = Player.at(browser, stack.base_url, name, session=session)
    yield Eye(player)
    player.close()


@pytest.mark.parametrize("name", STATES)
def test_a_state_of_the_table(eye: Eye, name: str) -> None:
    resize(eye.page, *SIZES[0])
    open_state(eye.page, name)
    for size in SIZES:
        eye.look_at_layout(name, size, "en")
    eye.ask_axe(name)
    for language in LANGUAGES:
        if language == PSEUDO:
            eye.page.evaluate(LENGTHEN)
        else:
            translate(eye.page, language)
        for size in FEW_SIZES:
            eye.look_at_layout(name, size, language)
    eye.verdict()


@pytest.mark.parametrize("address", [*PAGES, *(f"/kit/{name}/" for name in TROUBLES), "/kit/"])
def test_a_page_around_it(eye: Eye, address: str) -> None:
    name = address.strip("/").replace("/", "-") or "lobby"
    eye.page.goto(address)
    eye.page.evaluate(SETTLED)
    for size in SIZES:
        eye.look_at_layout(name, size, "en", is_table=False)
    eye.ask_axe(name)
    if address != "/kit/":  # which is in English only
        eye.page.evaluate(LENGTHEN)
        for size in FEW_SIZES:
            eye.look_at_layout(name, size, PSEUDO, is_table=False)
    eye.verdict()
