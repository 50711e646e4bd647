"""The pages of the kit in a browser: how to open one, and what to run in it."""

from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Page

from games.kit.pieces import LETTERS, TROUBLE
from games.kit.states import BESIDE, CASES

_HERE = Path(__file__).parent
STATES = tuple(CASES)
TROUBLES = tuple(TROUBLE)
MAILS = tuple(LETTERS)
# Gives what is wrong with the page as it is drawn now, a line for each fault. Its argument: is it a table.
STRUCTURE = (_HERE / "structure.js").read_text(encoding="utf-8")
# Makes every text two fifths longer.
LENGTHEN = (_HERE / "lengthen.js").read_text(encoding="utf-8")
PSEUDO = "pseudo"
# Until the page has the cloth of its size, is in its state and nothing moves. Without scripts nothing is on its way.
SETTLED = """async () => {
  document.querySelector(".test-banner")?.remove(); // the test site's own
  if (!document.documentElement.classList.contains("js")) return document.fonts.ready.then(() => undefined);
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  await document.fonts.ready;
  await frame();
  await frame();
  const page = document.getElementById("main");
  while (page && "still" in page.dataset && page.dataset.still !== "ready") await frame();
  const moves = document.getAnimations().filter((one) => Number.isFinite(one.effect?.getComputedTiming().endTime));
  await Promise.all(moves.map((one) => one.finished.catch(() => undefined)));
}"""
TRANSLATE = """language => document.getElementById("main").dispatchEvent(
  new CustomEvent("kit:language", { detail: language }))"""
SET_THEME = "theme => { document.documentElement.dataset.theme = theme; }"


def open_state(page: Page, name: str, language: str = "en") -> None:
    """One state, drawn in a language or lengthened."""
    page.goto(f"/kit/{name}/?lang={'en' if language == PSEUDO else language}&theme=light")
    page.evaluate(SETTLED)
    if language == PSEUDO:
        page.evaluate(LENGTHEN)


def translate(page: Page, language: str) -> None:
    """The state that is open, in another language; where more than the table is seen, opened anew."""
    if page.locator("#main").get_attribute("data-act") in BESIDE:
        open_state(page, urlsplit(page.url).path.split("/")[2], language)
        return
    page.evaluate(TRANSLATE, language)
    page.evaluate(SETTLED)


def resize(page: Page, width: int, height: int) -> None:
    """Another screen; the table then asks for another drawing."""
    if page.viewport_size != {"width": width, "height": height}:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(SETTLED)
