"""One person at a browser of their own: does what the page offers, and keeps all that the browser was told."""

import re
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Locator, Page, Response, WebSocket, expect

from games import rules

# What a policy of the page forbade is an error of the page.
WATCH_POLICY = """
document.addEventListener("securitypolicyviolation", (event) =>
  console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`));
"""
PHONE = {"width": 360, "height": 780}
TABLET = {"width": 768, "height": 1024}
DESKTOP = {"width": 1280, "height": 800}
_SEQ = re.compile(r'id="f-seq"[^>]*data-seq="(\d+)"|data-seq="(\d+)"[^>]*id="f-seq"')


@dataclass
class Player:
    """A person with a browser context. `faults` collects what no page of ours may cause."""

    name: str
    context: BrowserContext
    base_url: str
    page: Page
    session: str = ""
    taps: bool = False  # with a finger, in place of a mouse
    faults: list[str] = field(default_factory=list)
    allowed: list[re.Pattern[str]] = field(default_factory=list)
    _answers: list[Response] = field(default_factory=list)
    _frames: list[str] = field(default_factory=list)

    @classmethod
    def at(cls, browser: Browser, base_url: str, name: str, *, session: str = "", **options: Any) -> "Player":
        """A browser for `name`, signed in when `session` is the key of a session. `options`: of the context."""
        options.setdefault("viewport", DESKTOP)
        options.setdefault("reduced_motion", "reduce")
        options.setdefault("locale", "en-GB")
        context = browser.new_context(base_url=base_url, **options)
        context.add_init_script(WATCH_POLICY)
        if session:
            context.add_cookies([{"name": "sessionid", "value": session, "url": base_url}])
        taps = bool(options.get("is_mobile"))
        player = cls(name, context, base_url, context.new_page(), session, taps)
        context.on("weberror", lambda error: player._fault(f"error: {error.error}"))
        context.on("console", lambda line: line.type in ("error", "warning") and player._fault(line.text))
        return player

    def keep_all(self) -> None:
        """From now on every answer about matches and every frame is kept.

        Not by routing the requests: a page that Playwright delivers may not open a socket to this machine.
        """
        self.page.on("response", lambda response: "/matches/" in response.url and self._answers.append(response))
        self.page.on("websocket", self._keep_frames)

    def received(self) -> list[str]:
        """All of it. To be asked before the page goes on: a body is kept no longer."""
        whole = [answer for answer in self._answers if not 300 <= answer.status < 400]
        return [f"{answer.headers}{answer.text()}" for answer in whole] + self._frames

    def allow(self, *patterns: str) -> None:
        """From now on these faults are what the test provokes."""
        self.allowed += [re.compile(pattern) for pattern in patterns]

    def close(self) -> None:
        self.context.close()

    def find(self, selector: str, **options: Any) -> Locator:
        return self.page.locator(selector, **options)

    # Outside of the table.

    def sign_up(self, password: str) -> None:
        """Through the page, from the lobby."""
        self.page.goto("/")
        self.page.get_by_role("link", name="Sign up to play").click()
        self.page.get_by_label("Name", exact=True).fill(self.name)
        self.page.get_by_label("E-mail address").fill(f"{self.name}@example.org")
        self.page.get_by_label("Password", exact=True).fill(password)
        self.page.get_by_role("button", name="Sign up").click()
        expect(self.page.get_by_role("button", name="Offer a rated match")).to_be_visible()

    def offer(self, *, rated: bool = True) -> None:
        """A match in the lobby."""
        self.page.goto("/")
        self.page.get_by_role("button", name="Offer a rated match" if rated else "Casual").click()
        expect(self.page.get_by_role("button", name="Cancel the offer")).to_be_visible()

    def accept_offer_of(self, other: "Player") -> None:
        self.page.get_by_role("button", name=f"Accept the offer of {other.name}").click()
        self.wait_for_table()

    def wait_for_table(self) -> None:
        self.page.wait_for_url("**/matches/*/")

    # At the table.

    @property
    def seq(self) -> int:
        """The version this page shows."""
        return int(self.find("#f-seq").get_attribute("data-seq") or 0)

    def wait_for(self, seq: int, *, limit_ms: int = 5_000) -> None:
        """Until the page shows this version, and its scripts have run: a page that is loaded anew shows it before."""
        expect(self.find("#f-seq")).to_have_attribute("data-seq", str(seq), timeout=limit_ms)
        self.page.wait_for_load_state()

    def do(self, command: rules.PlayerCommand) -> None:
        """The command by clicking what the page offers for it."""
        if isinstance(command, rules.PlayTile):
            self.pick(command.tile)
            self.press(self.place(command.tile, command.site))
        elif isinstance(command, rules.Bid | rules.Raise):
            self.bid(command.amount)
        else:
            self.press(self.find(f"#{command.type}"))

    def press(self, target: Locator) -> None:
        """By a click or a tap."""
        if self.taps:
            target.tap()
        else:
            target.click()

    def pick(self, tile: rules.Tile) -> None:
        """By a click, unless it is picked: a drawn tile that must be played is, at once."""
        button = self.find(f'.hand-tile[data-tile="{rules.format_tile(tile)}"]')
        if button.get_attribute("aria-pressed") != "true":
            self.press(button)
            expect(button).to_have_attribute("aria-pressed", "true")  # a tap is told of its click a moment later

    def place(self, tile: rules.Tile, site: rules.Site | None) -> Locator:
        """Where the picked tile may go: what can be hit of it."""
        named = rules.format_site(site) if site else ""
        place = self.find(f'.ghost[data-shown][data-tile="{rules.format_tile(tile)}"][data-site="{named}"]')
        return place.locator("circle:visible").last

    def bid(self, amount: int) -> None:
        self.step_up(amount)
        self.press(self.find("#bid"))

    def step_up(self, amount: int) -> None:
        """The stepper to this bid, press by press."""
        field_ = self.find("#bid-amount")
        for shown in range(int(field_.input_value()) + 5, amount + 1, 5):
            self.press(self.find('[data-action="step-up"]'))
            expect(field_).to_have_value(str(shown))

    def lifted(self) -> set[str]:
        """The own tiles that the page offers."""
        return self._told('.hand-tile[data-legal="yes"]', "data-tile")

    def held(self) -> set[str]:
        return self._told(".hand-tile", "data-tile")

    def shown_places(self) -> set[str]:
        """The sites at which the picked tile is offered."""
        return self._told(".ghost[data-shown]", "data-site")

    def _told(self, selector: str, attribute: str) -> set[str]:
        return {element.get_attribute(attribute) or "" for element in self.find(selector).all()}

    # What the browser was told.

    def _fault(self, text: str) -> None:
        if not any(pattern.search(text) for pattern in self.allowed):
            self.faults.append(text)

    def _keep_frames(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda payload: self._frames.append(str(payload)))


def version_of(text: str) -> int | None:
    """The version that a page or a frame says it was drawn for."""
    found = _SEQ.search(text)
    return int(found[1] or found[2]) if found else None
