"""`./run screens [WORDS]`: pictures of every page and every state of the table, and one page that shows them in rows.

Each in both themes, four widths and all languages; the files are named state-width-theme-language.png. The states are
those of the kit, the pages those of a site with invented people, and nothing in them depends on the clock or on chance:
so the pictures of two versions can be laid side by side. Words choose some of them, here two pictures of each auction:

    ./run screens 'auction-*' lobby-live 360 light dark pl

A word is a name or a pattern of names, a width, a theme, a language ("pseudo": every text longer), or, with a / in it,
the folder for the pictures. `./run screens --list` has the names.
"""

import base64
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fnmatch import fnmatch
from html import escape
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from tests.browser.kit import LENGTHEN, PSEUDO, SET_THEME, SETTLED, STATES, open_state, resize
from tests.browser.people import make_people
from tests.browser.places import PLACES, Places
from tests.browser.player import Player
from tests.browser.script import deal, write_deals
from tests.chromium import FLAGS, find_chromium
from tests.stack import ROOT, Stack, running_stack

FOLDER = ROOT / "var" / "screens"
HEIGHTS = {320: 640, 360: 780, 768: 1024, 1280: 800, 1920: 1080}
WIDTHS = (360, 768, 1280, 1920)
THEMES = ("light", "dark")
LANGUAGES = ("en", "tr", "pl")
NAMES = (*STATES, *(place.name for place in PLACES))
ROUND = 8  # states that a browser takes one after the other
# In a picture higher than the screen the bar at the bottom would lie in the middle.
TABS_LAST = "() => document.querySelector('.tabs')?.style.setProperty('position', 'static')"
# Nothing blinks, and nothing is on its way from one theme to the other.
STILL = """() => {
  document.documentElement.style.caretColor = "transparent";
  for (const motion of document.getAnimations()) {
    if (Number.isFinite(motion.effect?.getComputedTiming().endTime)) motion.finish();
  }
}"""


class UnknownWord(Exception):
    """A word that chooses nothing."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which pictures are taken, and where they go."""

    names: Sequence[str]
    widths: Sequence[int] = WIDTHS
    themes: Sequence[str] = THEMES
    languages: Sequence[str] = LANGUAGES
    folder: Path = FOLDER

    @classmethod
    def of(cls, words: Sequence[str]) -> "Wanted":
        """What the words of the command choose. Raises UnknownWord."""
        patterns, widths, themes, languages, folder = [], [], [], [], FOLDER
        for word in words:
            if "/" in word:
                folder = Path(word)
            elif word.isdecimal() and int(word) in HEIGHTS:
                widths.append(int(word))
            elif word in THEMES:
                themes.append(word)
            elif word in (*LANGUAGES, PSEUDO):
                languages.append(word)
            elif any(fnmatch(name, word) for name in NAMES):
                patterns.append(word)
            else:
                raise UnknownWord(word)
        names = [name for name in NAMES if not patterns or any(fnmatch(name, pattern) for pattern in patterns)]
        return cls(names, widths or WIDTHS, themes or THEMES, languages or LANGUAGES, folder)


@dataclass(frozen=True, slots=True)
class Camera:
    """Takes what is wanted."""

    wanted: Wanted

    def take_states(self, browser: Browser, base_url: str, session: str, names: Sequence[str]) -> Iterator[Path]:
        """States of the kit, by somebody who may see it."""
        page = Player.at(browser, base_url, "", session=session).page
        open_state(page, names[0])  # the first page of a browser may be drawn a little otherwise
        for name in names:
            for language in self.wanted.languages:
                _speak(page, base_url, language)  # what is fetched beside a state follows the browser
                resize(page, self.wanted.widths[0], HEIGHTS[self.wanted.widths[0]])
                open_state(page, name, language)
                yield from self._expose(page, name, language, whole=False)

    def take_places(self, browser: Browser, stack: Stack) -> Iterator[Path]:
        """The pages around the table."""
        places = Places(browser, stack)
        for place in PLACES:
            if place.name not in self.wanted.names:
                continue
            for language in self.wanted.languages:
                player = places.players[place.who]
                _speak(player.page, player.base_url, language)
                places.open(place)
                player.page.evaluate(SETTLED)
                if language == PSEUDO:
                    player.page.evaluate(LENGTHEN)
                yield from self._expose(player.page, place.name, language, whole=True)
            player.context.clear_cookies(name="django_language")

    def _expose(self, page: Page, name: str, language: str, *, whole: bool) -> Iterator[Path]:
        """The shown page in every size and theme."""
        film = page.context.new_cdp_session(page)
        for width in self.wanted.widths:
            resize(page, width, HEIGHTS[width])
            for theme in self.wanted.themes:
                page.evaluate(SET_THEME, theme)
                if whole:
                    page.evaluate(TABS_LAST)
                page.evaluate(STILL)
                path = self.wanted.folder / f"{name}-{width}-{theme}-{language}.png"
                path.write_bytes(_picture(film, whole=whole))
                yield path


def _speak(page: Page, base_url: str, language: str) -> None:
    """Has this browser ask for a language."""
    value = "en" if language == PSEUDO else language
    page.context.add_cookies([{"name": "django_language", "value": value, "url": base_url}])


def _picture(film: CDPSession, *, whole: bool) -> bytes:
    """A PNG of the screen, or of the page to its end; three times as fast as Playwright's own, which packs it more."""
    asked: dict[str, Any] = {"format": "png", "optimizeForSpeed": True}
    if whole:
        size = film.send("Page.getLayoutMetrics")["cssContentSize"]
        asked |= {"captureBeyondViewport": True, "clip": {**size, "scale": 1}}
    return base64.b64decode(film.send("Page.captureScreenshot", asked)["data"])


def main(words: list[str]) -> int:
    if "--list" in words:
        print("\n".join(NAMES))
        return 0
    try:
        wanted = Wanted.of(words)
    except UnknownWord as error:
        print(
            f"boneyard: {error} is no state, page, width, theme or language; see ./run screens --list", file=sys.stderr
        )
        return 2
    if find_chromium() is None:
        print("boneyard: there is no Chromium on PATH.", file=sys.stderr)
        return 1
    wanted.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="by-") as spare:
        deals = Path(spare) / "deals.json"
        write_deals(deals, [deal(0)])
        with running_stack(Path(spare), extra_env={"BONEYARD_TEST_DEALS": str(deals)}) as stack:
            paths = take(wanted, stack)
    _write_index(wanted.folder, paths)
    print(f"{len(paths)} pictures; look at {wanted.folder / 'index.html'}")
    return 0


def take(wanted: Wanted, stack: Stack) -> list[Path]:
    """All pictures, by as many browsers side by side as there are processors."""
    states = [name for name in STATES if name in wanted.names]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        rounds = []
        if len(states) < len(wanted.names):
            rounds.append(pool.submit(_take_places, wanted, stack))
        if states:
            (session,) = make_people(stack, ("Designer",), staff=True).values()
        for first in range(0, len(states), ROUND):
            names = states[first : first + ROUND]
            rounds.append(pool.submit(_take_states, wanted, stack.base_url, session, names))
        return [path for taken in (*rounds[1:], *rounds[:1]) for path in taken.result()]


def _take_states(wanted: Wanted, base_url: str, session: str, names: Sequence[str]) -> list[Path]:
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=find_chromium(), args=list(FLAGS))
        return list(Camera(wanted).take_states(browser, base_url, session, names))


def _take_places(wanted: Wanted, stack: Stack) -> list[Path]:
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=find_chromium(), args=list(FLAGS))
        return list(Camera(wanted).take_places(browser, stack))


STYLE = """
body { margin: 1rem; font: 14px system-ui, sans-serif; background: #777; color: #fff; }
h2 { margin: 1.5rem 0 .5rem; font-size: 1rem; }
div { display: flex; gap: .75rem; align-items: start; overflow-x: auto; }
a { color: inherit; font-size: 12px; text-decoration: none; }
img { display: block; block-size: 22rem; margin-block-start: .25rem; }
"""


def _write_index(folder: Path, paths: Sequence[Path]) -> None:
    """A page of its own with a row of pictures for each state and language."""
    rows: dict[str, list[str]] = {}
    for path in paths:
        name, width, theme, language = path.stem.rsplit("-", 3)
        picture = (
            f'<a href="{escape(path.name)}">{width} {theme}<img src="{escape(path.name)}" loading="lazy" alt=""></a>'
        )
        rows.setdefault(f"{name} · {language}", []).append(picture)
    body = "".join(f"<h2>{escape(title)}</h2><div>{''.join(row)}</div>" for title, row in rows.items())
    page = f'<!doctype html><meta charset="utf-8"><title>Screens</title><style>{STYLE}</style>{body}'
    (folder / "index.html").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
