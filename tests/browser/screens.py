"""`./run screens [FOLDER]`: pictures of every page and every state of the table, and one page that shows them in rows.

Each in both themes, four widths and all languages; the files are named state-width-theme-language.png. The states are
those of the kit, so the pictures of two versions can be laid side by side. To see only some:

    ./run screens --state 'auction-*' --width 360 --theme dark --language pl
"""

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from html import escape
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.kit import LENGTHEN, PSEUDO, SET_THEME, SETTLED, STATES, TROUBLES, open_state, resize
from tests.browser.people import make_people
from tests.browser.player import Player
from tests.chromium import FLAGS, find_chromium
from tests.stack import ROOT, running_stack

FOLDER = ROOT / "var" / "screens"
HEIGHTS = {320: 640, 360: 780, 768: 1024, 1280: 800, 1920: 1080}
WIDTHS = (360, 768, 1280, 1920)
THEMES = ("light", "dark")
LANGUAGES = ("en", "tr", "pl")
OWNER, OTHER = "Zeynep", "Przemysław Wiśniewski"
# In a picture higher than the screen the bar at the bottom would lie in the middle.
TABS_LAST = "() => document.querySelector('.tabs')?.style.setProperty('position', 'static')"
Who = str  # "owner", "other", "visitor", "designer"


@dataclass(frozen=True, slots=True)
class Place:
    """A page that is not of the kit: its address, who opens it, and what happens before."""

    name: str
    address: str
    who: Who = "visitor"
    before: Callable[["Camera"], None] = lambda camera: None


def _offer(camera: "Camera") -> None:
    camera.players["owner"].offer()


def _cancel(camera: "Camera") -> None:
    page = camera.players["owner"].page
    page.goto("/")
    page.get_by_role("button", name="Cancel the offer").click()


PLACES = (
    Place("lobby-visitor", "/"),
    Place("lobby-empty", "/", "owner"),
    Place("lobby-searching", "/", "owner", _offer),
    Place("lobby-offers", "/", "other"),
    Place("profile", f"/players/{OWNER}/", "owner", _cancel),
    Place("settings", "/accounts/settings/", "owner"),
    Place("password-change", "/accounts/password/change/", "owner"),
    Place("e-mail", "/accounts/email/", "owner"),
    Place("log-out", "/accounts/logout/", "owner"),
    Place("rules", "/rules/"),
    Place("sign-up", "/accounts/signup/"),
    Place("log-in", "/accounts/login/"),
    Place("password-reset", "/accounts/password/reset/"),
    Place("password-reset-done", "/accounts/password/reset/done/"),
    Place("kit", "/kit/", "designer"),
    *(Place(name, f"/kit/{name}/", "designer") for name in TROUBLES),
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which pictures are taken."""

    states: Sequence[str]
    widths: Sequence[int]
    themes: Sequence[str]
    languages: Sequence[str]

    def has(self, name: str) -> bool:
        """Whether pictures of a state are wanted; patterns as of a shell."""
        return any(fnmatch(name, pattern) for pattern in self.states)


@dataclass(frozen=True, slots=True)
class Camera:
    """The browsers of some people, and the folder for what they see."""

    folder: Path
    wanted: Wanted
    players: dict[Who, Player]

    def take_all(self) -> Iterator[Path]:
        """All pictures, one after the other."""
        for name in STATES:
            if self.wanted.has(name):
                yield from self._take_state(name)
        for place in PLACES:
            # What happens there is what the next ones start from.
            if self.wanted.has(place.name) or place.before in (_offer, _cancel):
                place.before(self)
            if self.wanted.has(place.name):
                yield from self._take_place(place)

    def _take_state(self, name: str) -> Iterator[Path]:
        page = self.players["designer"].page
        for language in self.wanted.languages:
            resize(page, self.wanted.widths[0], HEIGHTS[self.wanted.widths[0]])
            open_state(page, name, language)
            yield from self._expose(page, name, language, whole=False)

    def _take_place(self, place: Place) -> Iterator[Path]:
        player = self.players[place.who]
        for language in self.wanted.languages:
            cookie = {"name": "django_language", "value": "en" if language == PSEUDO else language}
            player.context.add_cookies([{**cookie, "url": player.base_url}])
            player.page.goto(place.address)
            player.page.evaluate(SETTLED)
            if language == PSEUDO:
                player.page.evaluate(LENGTHEN)
            yield from self._expose(player.page, place.name, language, whole=True)
        player.context.clear_cookies(name="django_language")

    def _expose(self, page: Page, name: str, language: str, *, whole: bool) -> Iterator[Path]:
        """The shown page in every size and theme."""
        for width in self.wanted.widths:
            resize(page, width, HEIGHTS[width])
            for theme in self.wanted.themes:
                page.evaluate(SET_THEME, theme)
                if whole:
                    page.evaluate(TABS_LAST)
                path = self.folder / f"{name}-{width}-{theme}-{language}.png"
                page.screenshot(path=path, full_page=whole, animations="disabled")
                yield path


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="./run screens", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    parser.add_argument(
        "--state", action="append", help="only this one, or those that fit; may be repeated, as all may"
    )
    parser.add_argument("--width", action="append", type=int, choices=HEIGHTS)
    parser.add_argument("--theme", action="append", choices=THEMES)
    parser.add_argument("--language", action="append", choices=(*LANGUAGES, PSEUDO))
    parser.add_argument("--list", action="store_true", help="the names of all, and no picture")
    chosen = parser.parse_args(words)
    if chosen.list:
        print("\n".join([*STATES, *(place.name for place in PLACES)]))
        return 0
    chromium = find_chromium()
    if chromium is None:
        print("boneyard: there is no Chromium on PATH.", file=sys.stderr)
        return 1
    wanted = Wanted(
        chosen.state or ("*",), chosen.width or WIDTHS, chosen.theme or THEMES, chosen.language or LANGUAGES
    )
    chosen.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="by-") as spare, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=list(FLAGS))
        with running_stack(Path(spare)) as stack:
            sessions = {
                **make_people(stack, (OWNER, OTHER)),
                **make_people(stack, ("Designer",), staff=True),
            }
            camera = Camera(chosen.folder, wanted, _players(browser, stack.base_url, sessions))
            paths = list(camera.take_all())
        browser.close()
    _write_index(chosen.folder, wanted, paths)
    print(f"{len(paths)} pictures; look at {chosen.folder / 'index.html'}")
    return 0


def _players(browser: Browser, base_url: str, sessions: dict[str, str]) -> dict[Who, Player]:
    names = {"owner": OWNER, "other": OTHER, "designer": "Designer", "visitor": ""}
    return {who: Player.at(browser, base_url, name, session=sessions.get(name, "")) for who, name in names.items()}


STYLE = """
body { margin: 1rem; font: 14px system-ui, sans-serif; background: #777; color: #fff; }
h2 { margin: 1.5rem 0 .5rem; font-size: 1rem; }
div { display: flex; gap: .75rem; align-items: start; overflow-x: auto; }
a { color: inherit; font-size: 12px; text-decoration: none; }
img { display: block; block-size: 22rem; margin-block-start: .25rem; }
"""


def _write_index(folder: Path, wanted: Wanted, paths: Sequence[Path]) -> None:
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
