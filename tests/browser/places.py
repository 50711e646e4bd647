"""The pages around the table: their addresses, who opens each, and what is done there before it is looked at.

They are those of a real site in which the people of `town` live. First it is quiet there, then somebody offers a
match, then matches are running; a page belongs to one of these times.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from playwright.sync_api import Browser, Page, expect

from tests.browser import town
from tests.browser.kit import MAILS, TROUBLES
from tests.browser.player import Player
from tests.stack import Stack

Who = Literal["plain", "known", "careful", "busy", "staff", "visitor", "guest", "stranded", "unscripted"]
Time = Literal["quiet", "offer", "crowd"]
TIMES: tuple[Time, ...] = ("quiet", "offer", "crowd")
NAMES: Mapping[Who, str] = {
    "plain": town.PLAIN,
    "known": town.KNOWN,
    "careful": town.CAREFUL,
    "busy": town.BUSY,
    "staff": town.STAFF,
    "visitor": "",
    "guest": "",  # somebody else without an account
    "stranded": "",  # in whose browser time stands still
    "unscripted": town.STAFF,  # whose browser runs no scripts
}
NO_TIME = "window.setInterval = () => 0"
# Sent as it is: what a browser itself would find wrong in it is what is to be seen.
FILL = """([selector, values]) => {
  const form = document.querySelector(selector);
  for (const [name, value] of Object.entries(values)) {
    for (const field of form.querySelectorAll(`[name="${name}"]`)) {
      if (field.type === "radio") field.checked = false;
      field.type = "text";
      field.value = value;
    }
  }
  HTMLFormElement.prototype.submit.call(form);
}"""
GONE = """() => {
  const form = document.querySelector('form[action$="/take/"]');
  form.action = "/offers/zzzzzzzzzz/take/";
  form.submit();
}"""
# In whatever language they are.
MAKE, CANCEL = '#lobby-make [name="rated"][value="1"]', '#lobby-make form[action$="/cancel/"] button'
UNSAVED = """() => document.querySelector('.settings [name="volume"]').dispatchEvent(
  new CustomEvent("htmx:sendError", { bubbles: true }))"""
OPEN = "selector => document.querySelectorAll(selector).forEach((details) => details.setAttribute('open', ''))"


def as_it_is(page: Page) -> None:
    """Does nothing."""


@dataclass(frozen=True, slots=True)
class Place:
    """A page. `address` may name one of the addresses of the town as "{confirm}"; `then` is done once it is open."""

    name: str
    address: str
    who: Who = "visitor"
    time: Time = "quiet"
    then: Callable[[Page], None] = as_it_is


def _answer(script: str, argument: object = None) -> Callable[[Page], None]:
    """Runs a script that leads to another page."""

    def answer(page: Page) -> None:
        with page.expect_navigation():
            page.evaluate(script, argument)

    return answer


def _filled(form: str, **values: str) -> Callable[[Page], None]:
    return _answer(FILL, [form, values])


def _evaluated(script: str) -> Callable[[Page], None]:
    return lambda page: page.evaluate(script)


def _opened(details: str) -> Callable[[Page], None]:
    return lambda page: page.evaluate(OPEN, details)


def _sit_down(page: Page) -> None:
    """Two guests at this browser, who then look at the page from which they came."""
    if not page.locator("#return").count():
        _filled(".narrow form", first="Ömer", second="Jadwiga")(page)
        page.goto("/device/")


SIGN_UP, SIGN_IN, DEVICE = "/accounts/signup/", "/accounts/login/", "/device/"
RESET = "/accounts/password/reset/"
# Tables without scripts, and the states of the kit that they are in.
UNSCRIPTED = {
    "table": "your-turn",
    "spectator": "spectator",
    "auction": "auction-raise",
    "settlement": "settlement-out",
    "result": "victory-chips",
}
PLACES = (
    Place("lobby-visitor", "/"),
    Place("lobby-empty", "/", "plain"),
    Place("lobby-figures", "/", "plain", then=_opened(".seeks-why")),
    Place("profile", f"/players/{town.PLAIN}/", "plain"),
    Place("profile-rated", f"/players/{town.KNOWN}/"),
    Place("profile-long", f"/players/{town.LONG}/"),
    Place("settings", "/accounts/settings/", "plain"),
    Place("settings-not-saved", "/accounts/settings/", "plain", then=_evaluated(UNSAVED)),
    Place("settings-refused", "/accounts/settings/", "plain", then=_filled(".settings", theme="purple", volume="101")),
    Place("password-set", "/accounts/password/set/", "plain"),
    Place("password-change", "/accounts/password/change/", "careful"),
    Place("reauthenticate", "/accounts/reauthenticate/", "careful"),
    Place("e-mail", "/accounts/email/", "plain"),
    Place("e-mail-waiting", "/accounts/email/", "careful"),
    Place("log-out", "/accounts/logout/", "plain"),
    Place("rules", "/rules/"),
    Place("rules-running", "/rules/spectacular-bid/?table=aaaaaaaaaa"),
    Place("rules-described", "/rules/", then=_opened(".figure__words")),
    Place("menu-language", SIGN_IN, then=_opened(".top .menu:has([lang])")),
    Place("menu-account", "/accounts/settings/", "plain", then=_opened(".top .menu:not(:has([lang]))")),
    Place("sign-up", SIGN_UP),
    Place(
        "sign-up-refused",
        SIGN_UP,
        then=_filled(".narrow form", username=town.KNOWN, email="przemyslaw", password1="12345"),
    ),
    Place("log-in", SIGN_IN),
    Place("log-in-refused", SIGN_IN, then=_filled(".narrow form", login="Nobody at all", password="12345")),
    Place("password-reset", RESET),
    Place("password-reset-refused", RESET, then=_filled(".narrow form", email="przemyslaw")),
    Place("password-reset-done", f"{RESET}done/"),
    Place("reset-from-key", "{reset}"),
    Place("reset-from-key-refused", "{reset}", then=_filled(".narrow form", password1="12345")),
    Place("reset-from-key-old", f"{RESET}key/1-old/"),
    Place("reset-from-key-done", f"{RESET}key/done/"),
    Place("verification-sent", "/accounts/confirm-email/"),
    Place("e-mail-confirm", "{confirm}"),
    Place("e-mail-confirm-old", "/accounts/confirm-email/old/"),
    Place("device", DEVICE),
    Place("device-refused", DEVICE, then=_filled(".narrow form", first="Ömer", second="Ömer")),
    Place("device-running", DEVICE, "guest", then=_sit_down),
    Place("lobby-device", "/", "guest"),
    Place("offline", "/offline/", "stranded"),
    Place("kit", "/kit/", "staff"),
    *(Place(name, f"/kit/{name}/", "staff") for name in (*TROUBLES, *MAILS)),
    *(Place(f"unscripted-{name}", f"/kit/{state}/", "unscripted") for name, state in UNSCRIPTED.items()),
    Place("lobby-searching", "/", "plain", "offer"),
    # Which looks again by itself after a while.
    Place("unscripted-lobby", "/", "unscripted", "offer", _evaluated("() => stop()")),
    Place("lobby-offers", "/", "known", "offer"),
    Place("offer-gone", "/", "known", "offer", _answer(GONE)),
    Place("lobby-live", "/", time="crowd"),
    Place("lobby-running", "/", "busy", "crowd"),
)


class Places:
    """The town in a site of its own, and a browser for everybody who looks at it."""

    def __init__(self, browser: Browser, stack: Stack) -> None:
        self._stack = stack
        found = town.settle(stack)
        self._addresses = found["addresses"]
        self._time: Time = "quiet"
        self.players = {
            who: Player.at(
                browser,
                stack.base_url,
                name,
                session=found["sessions"].get(name, ""),
                java_script_enabled=who != "unscripted",
            )
            for who, name in NAMES.items()
        }
        self.players["stranded"].context.add_init_script(NO_TIME)

    def open(self, place: Place) -> Player:
        """Somebody's browser with this page in it. Times go on and never back."""
        self._wait_for(place.time)
        player = self.players[place.who]
        player.page.goto(place.address.format_map(self._addresses))
        place.then(player.page)
        return player

    def close(self) -> None:
        for player in self.players.values():
            player.close()

    def _wait_for(self, time: Time) -> None:
        assert TIMES.index(time) >= TIMES.index(self._time), "this is over"
        if time == self._time:
            return
        page = self.players["plain"].page
        make, cancel = page.locator(MAKE), page.locator(CANCEL)
        if self._time == "offer" or time == "offer":
            page.goto("/")
            first, then = (make, cancel) if time == "offer" else (cancel, make)
            first.click()
            expect(then).to_be_visible()
        if time == "crowd":
            town.crowd(self._stack)
        self._time = time
