"""Connections that die quietly, are slow, or never come: the page notices, and play goes on."""

import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from games import rules
from tests.browser.matches import BRIEFEST, WHOLE, play, seat
from tests.browser.player import Player
from tests.stack import Stack

PLACE = 12  # steps: in the middle of the first hand
RECOVERY_LIMIT_MS = 10_000
NOTICE_MS = 17_000  # by then a connection that does not answer is given up
LAG_MS = 1_500
SQUARISH = {"width": 1280, "height": 1000}

# Before a page's own scripts: sockets that can be muted (nothing goes either way any more), deafened (no picture
# comes), cut, slowed or refused.
SOCKETS = """
window.sockets = [];
window.lag = 0;
window.refuse = false;
window.WebSocket = class extends WebSocket {
  constructor(...given) {
    if (window.refuse) given[0] = given[0].replace("/ws/", "/none/");
    super(...given);
    this.isMuted = false;
    this.isDeaf = false;
    window.sockets.push(this);
    super.addEventListener("message", (event) => {
      if (this.isDeaf && !event.data.startsWith("{")) event.stopImmediatePropagation();
      if (this.isMuted || (window.lag && !event.isLate)) event.stopImmediatePropagation();
      if (this.isMuted || !window.lag || event.isLate) return;
      const late = new MessageEvent("message", { data: event.data });
      late.isLate = true;
      setTimeout(() => this.dispatchEvent(late), window.lag);
    });
  }
  send(text) {
    if (this.isMuted) return;
    if (window.lag) setTimeout(() => super.send(text), window.lag);
    else super.send(text);
  }
  cut() {
    this.dispatchEvent(new CloseEvent("close", { code: 1006 }));
    this.onclose = null;
    this.close();
  }
};
"""
IS_OPEN = "() => window.sockets.at(-1)?.readyState === 1"
# What the page takes for the server's time now.
SERVER_NOW = """async () => {
  const names = performance.getEntriesByType("resource").map((entry) => entry.name);
  return (await import(names.find((name) => /servertime/.test(name)))).serverNow();
}"""


def newest(player: Player, what: str) -> None:
    """Do it to the newest socket of the page."""
    player.page.evaluate(f"() => {{ window.sockets.at(-1).{what}; }}")


def ahead_of(page: Page) -> tuple[float, float]:
    """By how many ms the page takes the server's time to be later than it is: at least and at most."""
    before_ms = time.time() * 1000
    shown_ms = page.evaluate(SERVER_NOW)
    return shown_ms - time.time() * 1000, shown_ms - before_ms


@pytest.fixture
def pair(new_player: Callable[..., Player], prepare: Callable[..., None]) -> tuple[Player, Player]:
    """Two people in the middle of a hand, their table of the shape that pages are first drawn for."""
    prepare(WHOLE)
    pair = (new_player(viewport=SQUARISH), new_player(viewport=SQUARISH))
    for player in pair:
        player.context.add_init_script(SOCKETS)
    seat(pair)
    play(pair, WHOLE.steps[:PLACE])
    return pair


def test_what_was_lost_with_the_connection_can_be_sent_again(pair: tuple[Player, Player]) -> None:
    """It was on its way when the socket died, and the next one came so soon that nobody was told."""
    step = WHOLE.steps[PLACE]
    player = pair[step.command.seat]
    newest(player, "isMuted = true")
    player.do(step.command)
    expect(player.find("#main [data-sent]").first).to_be_attached()
    newest(player, "cut()")
    expect(player.find("#main [data-sent]")).to_have_count(0)
    player.page.wait_for_function(f"() => window.sockets.length > 1 && ({IS_OPEN})()")
    assert player.seq == PLACE
    play(pair, [step])


def test_a_connection_that_does_not_answer_is_given_up(
    new_player: Callable[..., Player], prepare: Callable[..., None]
) -> None:
    """B090: nothing says that it is dead. No wrong turn is shown for longer than it takes to ask once."""
    prepare(WHOLE)
    pair = (new_player(), new_player())
    for player in pair:
        player.context.add_init_script(SOCKETS)
    step = WHOLE.steps[PLACE]
    mover, other = pair[step.command.seat], pair[1 - step.command.seat]
    other.page.clock.install()
    seat(pair)
    play(pair, WHOLE.steps[:PLACE])
    newest(other, "isMuted = true")
    mover.do(step.command)
    mover.wait_for(step.seq)
    assert other.seq == PLACE
    other.page.clock.run_for(NOTICE_MS)
    other.wait_for(step.seq)
    other.page.wait_for_function("() => window.sockets.length === 2 && window.sockets[1].readyState === 1")
    expect(other.find("#connection")).to_have_text("Connected again")
    play(pair, WHOLE.steps[PLACE + 1 : PLACE + 3])
    assert other.page.evaluate("() => window.sockets.length") == 2


def test_a_long_outage_leaves_one_way_back(new_player: Callable[..., Player], prepare: Callable[..., None]) -> None:
    """However long it lasts, the page does not try more often than at first, and comes back with one socket."""
    prepare(BRIEFEST)
    pair = (new_player(), new_player())
    player = pair[0]
    player.context.add_init_script(SOCKETS)
    player.allow("WebSocket connection", "htmx:wsError", r"\[object Event\]")
    player.page.clock.install()
    seat(pair)
    player.page.evaluate("() => { window.refuse = true; }")
    newest(player, "cut()")
    tried = 0
    for _ in range(150):
        player.page.clock.run_for(1_000)
        tried = player.page.evaluate("() => window.sockets.length")
    assert tried < 75
    player.page.evaluate("() => { window.refuse = false; }")
    player.page.clock.run_for(8_000)
    player.page.wait_for_function(IS_OPEN)
    player.page.clock.run_for(30_000)
    assert player.page.evaluate("() => window.sockets.filter((socket) => socket.readyState < 2).length") == 1


def test_what_a_safe_address_alone_offers_is_not_needed(
    new_player: Callable[..., Player], prepare: Callable[..., None]
) -> None:
    """As a phone sees the site across a home network: http://192.168.…"""
    prepare(BRIEFEST)
    pair = (new_player(), new_player())
    for player in pair:
        player.context.add_init_script("delete Crypto.prototype.randomUUID; delete window.crypto.subtle;")
    seat(pair)
    play(pair, BRIEFEST.steps[:4])


def test_sockets_that_stop_working_leave_a_table_that_plays(
    new_player: Callable[..., Player], prepare: Callable[..., None]
) -> None:
    """B094: plays, bids and draws go by ordinary requests, and the page says that it only looks now and then."""
    prepare(WHOLE)
    pair = (new_player(), new_player())
    player = pair[0]
    player.context.add_init_script(SOCKETS)
    player.allow("WebSocket connection", "htmx:wsError", r"\[object Event\]")
    seat(pair)
    play(pair, WHOLE.steps[:4])
    player.page.evaluate("() => { window.refuse = true; }")
    newest(player, "cut()")
    assert {step.command.type for step in WHOLE.steps[4:] if step.command.seat == 0} >= {"play", "bid", "draw"}
    play(pair, WHOLE.steps[4:])
    banner = player.find("#connection")
    expect(banner).to_have_text(banner.get_attribute("data-polling") or "")


def check_time(player: Player, early_s: float) -> None:
    """The time that is shown is never too late, and so early at most."""
    before_s = time.time()
    shown_s = player.page.evaluate(SERVER_NOW) / 1000
    assert before_s - 0.3 <= shown_s <= time.time() + early_s


@pytest.mark.parametrize("by_s", [18_000, -18_000])
def test_the_clock_of_the_browser_does_not_count(
    new_player: Callable[..., Player], prepare: Callable[..., None], by_s: int
) -> None:
    """B088."""
    prepare(BRIEFEST)
    pair = (new_player(), new_player())
    for player in pair:
        player.context.add_init_script(f"const now = Date.now; Date.now = () => now() + {by_s} * 1000;")
    seat(pair)
    play(pair, BRIEFEST.steps[:3])
    for player in pair:
        check_time(player, 0.5)


def test_a_slow_line_shows_no_time_that_is_not_there(
    new_player: Callable[..., Player], prepare: Callable[..., None]
) -> None:
    """B070: 1.5 s each way; what is shown is never more than 0.3 s on the long side, and errs by the way at most."""
    prepare(BRIEFEST)
    pair = (new_player(), new_player())
    slow = pair[1]
    slow.context.add_init_script(SOCKETS.replace("lag = 0", f"lag = {LAG_MS}"))
    seat(pair)
    slow.page.wait_for_function("() => window.sockets.length > 0 && window.sockets[0].readyState === 1")
    play(pair, BRIEFEST.steps[:3])
    check_time(slow, LAG_MS / 1000 + 0.5)


def test_a_restart_gives_nobody_time(pair: tuple[Player, Player], stack: Stack) -> None:
    """B080, B090: three more tabs are open. All come back by themselves and show the deadline that was running."""
    for player in pair:
        player.allow(r"WebSocket connection", r"net::ERR_", r"Failed to load resource", r"htmx:wsError")
    pages = [player.page for player in pair]
    for player in (pair[0], pair[0], pair[1]):
        pages.append(player.context.new_page())
        pages[-1].goto(pages[0].url)
    for page in pages:
        # A connection that waits to be taken is kept for the next process, and nothing would be broken off.
        page.wait_for_function(IS_OPEN)
    deadline = pair[0].find("#f-clocks").get_attribute("data-deadline") or ""
    stack.wait_for_another("web", stack.kill("web"))
    stack.wait_until_ready()
    for page in pages:
        page.wait_for_function(f"() => window.sockets.length > 1 && ({IS_OPEN})()", timeout=RECOVERY_LIMIT_MS)
        expect(page.locator("#f-clocks")).to_have_attribute("data-deadline", deadline)
    ahead = [ahead_of(page) for page in pages]
    assert max(least for least, _most in ahead) - min(most for _least, most in ahead) < 500
    play(pair, WHOLE.steps[PLACE : PLACE + 2])


def test_the_result_stands_without_the_live_table(
    new_player: Callable[..., Player], prepare: Callable[..., None], stack: Stack
) -> None:
    """B100: the service was restarted since; every way out of the result leads somewhere."""
    prepare(BRIEFEST)
    pair = (new_player(), new_player())
    seat(pair)
    play(pair, BRIEFEST.steps)
    player = pair[0]
    for one in pair:
        one.allow(r"WebSocket connection", r"net::ERR_", r"Failed to load resource", r"htmx:wsError")
    stack.wait_for_another("web", stack.kill("web"))
    stack.wait_until_ready()
    table = player.page.url
    links = [link.get_attribute("href") or "" for link in player.find("#f-sheet a[href]").all()]
    assert "/" in links
    for link in links:
        answer = player.page.goto(link)
        assert answer is not None
        assert answer.ok
        player.page.goto(table)
        expect(player.find(".sheet__rating")).to_have_count(2)
    for button in player.find("#f-sheet button:visible").all():
        button.click()


def test_a_key_that_is_held_plays_no_tile(pair: tuple[Player, Player]) -> None:
    """Enter picks a tile with one place; only another press plays it (D-8)."""
    step = WHOLE.steps[PLACE]
    player = pair[step.command.seat]
    legal = [play.tile for play in rules.previews(step.before)]
    only = next(tile for tile in legal if legal.count(tile) == 1)
    tile = f'.hand-tile[data-tile="{rules.format_tile(only)}"]'
    player.find(tile).focus()
    for _ in range(4):
        player.page.keyboard.down("Enter")
    player.page.keyboard.up("Enter")
    expect(player.find(tile)).to_have_attribute("aria-pressed", "true")
    expect(player.find("#main [data-sent]")).to_have_count(0)
    assert player.seq == PLACE


def test_the_banner_says_whether_a_clock_was_running(
    new_player: Callable[..., Player], prepare: Callable[..., None]
) -> None:
    """Before Start and after the match nothing runs, and nobody is told that something does."""
    prepare(BRIEFEST)
    pair = (new_player(), new_player())
    player = pair[0]
    player.context.add_init_script(SOCKETS)
    player.allow("WebSocket connection", "htmx:wsError", r"\[object Event\]", "Failed to load resource")

    def lose() -> str:
        # Nothing is answered over HTTP either, or the page would soon say that it looks again by that way.
        player.page.route("**/fragments/**", lambda route: route.abort())
        player.page.evaluate("() => { window.refuse = true; }")
        newest(player, "cut()")
        banner = player.find("#connection")
        expect(banner).to_contain_text("Reconnecting…")
        told = banner.inner_text().removesuffix(" · your device is offline")
        player.page.unroute("**/fragments/**")
        player.page.reload()
        player.page.wait_for_function(IS_OPEN)
        return told

    seat(pair)
    assert lose() == "Reconnecting… both clocks were stopped"
    play(pair, BRIEFEST.steps[:3])
    assert lose() == "Reconnecting… the clock keeps running"
    play(pair, BRIEFEST.steps[3:])
    assert lose() == "Reconnecting… the match is over"
