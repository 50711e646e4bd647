"""`./run screens [FOLDER]`: pictures of every page and every state of the table.

Both sizes, both themes, all languages; the files are named state-width-theme-language.png. The
match is a script of the tests, so the pictures of two versions can be laid side by side.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, expect, sync_playwright

from games import rules
from tests.browser.matches import WHOLE, Pair
from tests.browser.people import make_people
from tests.browser.player import DESKTOP, PHONE, Player
from tests.browser.script import Step, write_deals
from tests.chromium import FLAGS, find_chromium
from tests.stack import ROOT, Stack, running_stack

FOLDER = ROOT / "var" / "screens"
SIZES = (PHONE, DESKTOP)
THEMES = ("light", "dark")
LANGUAGES = ("en", "tr", "pl")
NAMES = ("Zeynep", "Przemysław Wiśniewski-Kowalczyk", "Ada", "Szczepan Brzęczyszczykiewicz")
WHOLE_PAGES = ("profile", "rules")
FEW_TILES = 8
# The note on chosen deals is the test site's own, and not of the page.
CLEAR = "theme => { document.documentElement.dataset.theme = theme; document.querySelector('.test-banner')?.remove(); }"
TOO_WIDE = "() => document.scrollingElement.scrollWidth - innerWidth"


@dataclass(frozen=True, slots=True)
class State:
    """A state of the table: whose page it is on, before which step of the script."""

    name: str
    viewer: int
    is_before: Callable[[Step], bool]
    picks: bool = False


def _plays(seat: int, *, fits: bool) -> Callable[[Step], bool]:
    def is_before(step: Step) -> bool:
        state = step.before
        return (
            state.phase == "play"
            and state.turn == seat
            and len(state.layout.tiles) >= FEW_TILES
            and bool(rules.previews(state)) == fits
        )

    return is_before


def _has_two_places(step: Step) -> bool:
    tiles = [play.tile for play in rules.previews(step.before)]
    return (
        _plays(0, fits=True)(step) and isinstance(step.command, rules.PlayTile) and tiles.count(step.command.tile) > 1
    )


STATES = (
    State("start", 0, lambda step: step.before.hand == 0),
    State("opening", 1, lambda step: step.before.turn_kind == "opening" and step.before.turn == 1),
    State("your-turn", 0, _plays(0, fits=True)),
    State("picked", 0, _has_two_places, picks=True),
    State("opponents-turn", 0, _plays(1, fits=True)),
    State("must-draw", 0, _plays(0, fits=False)),
    State("settlement", 0, lambda step: step.before.phase == "ready" and step.before.hand == 1),
    State("auction-first", 0, lambda step: step.before.phase == "auction" and step.before.bid is None),
    State("auction-waiting", 1, lambda step: step.before.phase == "auction" and step.before.bid is None),
    State("auction-answer", 1, lambda step: isinstance(step.command, rules.Raise)),
)


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="./run screens", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    parser.add_argument("--language", action="append", choices=LANGUAGES, help="only this language; may be repeated")
    chosen = parser.parse_args(words)
    chromium = find_chromium()
    if chromium is None:
        print("boneyard: there is no Chromium on PATH.", file=sys.stderr)
        return 1
    chosen.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="by-") as spare, sync_playwright() as driver:
        deals = Path(spare) / "deals.json"
        write_deals(deals, WHOLE.deals, balances=WHOLE.balances)
        browser = driver.chromium.launch(executable_path=chromium, args=list(FLAGS))
        with running_stack(Path(spare), extra_env={"BONEYARD_TEST_DEALS": str(deals)}) as stack:
            camera = Camera(chosen.folder, tuple(chosen.language or LANGUAGES))
            count = sum(1 for _picture in take_all(stack, browser, camera))
        browser.close()
    print(f"{count} pictures in {chosen.folder}")
    return 0


@dataclass(frozen=True, slots=True)
class Camera:
    """Takes the page of a player in every size, theme and language."""

    folder: Path
    languages: tuple[str, ...]

    def take(self, player: Player, name: str, prepare: Callable[[], None] = lambda: None) -> Iterator[Path]:
        """`prepare` brings a page that was loaded afresh into the state that is wanted."""
        page = player.page
        for language in self.languages:
            player.context.add_cookies([{"name": "django_language", "value": language, "url": player.base_url}])
            page.reload()
            page.evaluate("() => document.fonts.ready")
            for size in SIZES:
                page.set_viewport_size(size)
                page.mouse.move(0, 0)
                prepare()
                for theme in THEMES:
                    page.evaluate(CLEAR, theme)
                    path = self.folder / f"{name}-{size['width']}-{theme}-{language}.png"
                    wide = page.evaluate(TOO_WIDE)
                    if wide > 0:
                        print(f"{path.name}: {wide} px wider than the screen")
                    page.screenshot(path=path, full_page=name in WHOLE_PAGES, animations="disabled")
                    yield path
        player.context.clear_cookies(name="django_language")
        page.set_viewport_size(DESKTOP)
        page.reload()


def take_all(stack: Stack, browser: Browser, camera: Camera) -> Iterator[Path]:
    """All pictures, one after the other."""
    sessions = make_people(stack, NAMES)
    players = [Player.at(browser, stack.base_url, name, session=session) for name, session in sessions.items()]
    visitor = Player.at(browser, stack.base_url, "visitor")
    pair = players[0], players[1]
    for player in players[1:]:
        player.offer()
    yield from _pages(camera, visitor, {"lobby-visitor": "/", "sign-up": "/accounts/signup/", "rules": "/rules/"})
    yield from _pages(camera, players[0], {"lobby": "/"})
    yield from _pages(camera, players[2], {"lobby-own-offer": "/"})
    players[0].page.goto("/")
    players[0].accept_offer_of(players[1])
    players[1].wait_for_table()
    yield from _table(camera, pair)
    yield from _pages(camera, pair[0], {"profile": f"/players/{pair[0].name}/"})


def _pages(camera: Camera, player: Player, addresses: dict[str, str]) -> Iterator[Path]:
    for name, address in addresses.items():
        player.page.goto(address)
        yield from camera.take(player, name)


def _table(camera: Camera, taker_and_owner: Pair) -> Iterator[Path]:
    """The states in the order in which the match comes to them."""
    taker, owner = taker_and_owner
    pair = owner, taker  # the one who made the offer has seat 0
    wanted = list(STATES)
    for step in WHOLE.steps:
        for state in [state for state in wanted if state.is_before(step)]:
            wanted.remove(state)
            yield from camera.take(pair[state.viewer], state.name, _picker(pair[state.viewer], state, step))
        pair[step.command.seat].do(step.command)
        for player in pair:
            player.wait_for(step.seq)
    assert not wanted, f"the script does not come to {wanted[0].name}"
    for player, name in zip(pair, ("victory", "defeat"), strict=True):
        yield from camera.take(player, name)


def _picker(player: Player, state: State, step: Step) -> Callable[[], None]:
    command = step.command
    if not state.picks or not isinstance(command, rules.PlayTile):
        return lambda: None

    def pick() -> None:
        player.pick(command.tile)
        expect(player.place(command.tile, command.site)).to_be_visible()

    return pick


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
