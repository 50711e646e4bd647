"""The list of offers is live: it shows what others do without a reload."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Request, expect

from tests.browser.player import Player
from tests.browser.test_connection import SOCKETS
from tests.browser.test_plain import NO_SOCKETS

GONE_LIMIT_MS = 20_000  # the owner may only be reloading, so the offer stays for a while
LOOKS_AGAIN_MS = 12_000
RECOVERY_LIMIT_MS = 15_000  # it is tried again every 8 s at least
# Waits of the page's own that last this long are over as soon as something was sent.
KEEP_LONG_WAITS = """
window.waits = [];
const wait = window.setTimeout;
window.setTimeout = (end, ms, ...rest) => (ms === 10_000 ? waits.push(() => end(...rest)) : wait(end, ms, ...rest));
addEventListener("submit", () => {
  wait(() => {
    for (const end of waits) end();
    console.info("waits are over");
  });
});
"""
FOUND = [523, 659, 784]  # Hz
LONGEST_DELAY_MS = "Math.max(...Array.from({ length: 100 }, (_, tries) => htmx.config.wsReconnectDelay(tries)))"
# Before a page's own scripts: keeps the pitches of all that sounds, and how many things could sound.
HEARD = """
Object.assign(window, { pitches: [], contexts: 0 });
const wait = window.setTimeout;
// However long a crowded machine takes to begin with sound.
window.setTimeout = (end, ms, ...rest) => wait(end, ms === 3_000 ? 60_000 : ms, ...rest);
window.OscillatorNode = class extends OscillatorNode {
  constructor(context, options) {
    super(context, options);
    pitches.push(options.frequency);
  }
};
window.AudioContext = class extends AudioContext {
  constructor() {
    super();
    contexts += 1;
  }
};
"""


def offer_of(owner: Player, watcher: Player) -> Locator:
    return watcher.page.get_by_role("button", name=f"Accept the offer of {owner.name}")


def test_offers_come_and_go_before_the_eyes_of_others(new_player: Callable[..., Player]) -> None:
    owner, watcher = new_player(), new_player()
    watcher.page.goto("/")
    owner.offer()
    expect(offer_of(owner, watcher)).to_be_visible()
    owner.page.get_by_role("button", name="Cancel the offer").click()
    expect(offer_of(owner, watcher)).to_have_count(0)
    owner.offer(rated=False)
    expect(offer_of(owner, watcher)).to_be_visible()
    owner.page.close()
    expect(offer_of(owner, watcher)).to_have_count(0, timeout=GONE_LIMIT_MS)


@pytest.mark.parametrize("missing", ["lobby", "htmx-2.min", "hx-ws-2.min"])
def test_an_owner_whose_scripts_did_not_come_is_led_to_the_table(
    new_player: Callable[..., Player], prepare: Callable[..., None], missing: str
) -> None:
    """One file is blocked. The page looks again by itself, also where it was opened anew after the offer."""
    prepare()
    owner, taker = new_player(), new_player()
    owner.allow(r"Failed to load resource", r"net::ERR_", r"htmx")
    owner.offer()
    owner.context.route(re.compile(rf"/{re.escape(missing)}(\.[0-9a-f]+)?\.js"), lambda route: route.abort())
    owner.page.goto("/")
    taker.page.goto("/")
    taker.accept_offer_of(owner)
    owner.page.wait_for_url("**/matches/*/", timeout=LOOKS_AGAIN_MS)


def test_an_owner_whose_sockets_fail_is_led_to_the_table(
    new_player: Callable[..., Player], prepare: Callable[..., None]
) -> None:
    prepare()
    owner, taker = new_player(), new_player()
    owner.context.add_init_script(NO_SOCKETS)
    owner.allow(r"^\[object Event\]$")  # what the extension says of a socket that failed
    owner.offer()
    taker.page.goto("/")
    taker.accept_offer_of(owner)
    owner.page.wait_for_url("**/matches/*/", timeout=LOOKS_AGAIN_MS)


def test_who_waited_hears_at_the_table_that_an_opponent_was_found(
    new_player: Callable[..., Player], prepare: Callable[..., None]
) -> None:
    """Once, and not the one who pressed Accept. The press of the offer is what lets the next pages sound."""
    prepare()
    owner, taker = new_player(), new_player()
    for player in (owner, taker):
        player.context.add_init_script(HEARD)
    owner.offer()
    taker.page.goto("/")
    taker.accept_offer_of(owner)
    owner.wait_for_table()
    owner.page.wait_for_function("() => pitches.length === 3")
    assert owner.page.evaluate("pitches") == FOUND
    owner.page.reload()
    owner.page.wait_for_load_state("networkidle")
    for player in (owner, taker):
        assert player.page.evaluate("pitches") == []


def test_who_wants_no_sound_hears_nothing(new_player: Callable[..., Player], prepare: Callable[..., None]) -> None:
    prepare()
    owner, taker = new_player(), new_player()
    owner.context.add_init_script(f"localStorage.setItem('boneyard-sound', '{{\"mode\": \"off\"}}');{HEARD}")
    owner.offer()
    taker.page.goto("/")
    taker.accept_offer_of(owner)
    owner.wait_for_table()
    owner.page.wait_for_function("() => !sessionStorage.getItem('found-match')")
    owner.page.wait_for_load_state("networkidle")
    assert owner.page.evaluate("[pitches, contexts]") == [[], 0]


def test_a_lobby_that_looks_again_calls_off_nothing_that_was_sent(new_player: Callable[..., Player]) -> None:
    """The socket never opens, and the time to look again comes just after an offer was sent."""
    owner = new_player()
    owner.context.add_init_script(NO_SOCKETS + KEEP_LONG_WAITS)
    owner.allow(r"^\[object Event\]$")
    owner.page.goto("/")
    assert owner.page.evaluate("waits.length") == 1
    asked: list[Request] = []
    owner.page.on("request", lambda request: request.is_navigation_request() and asked.append(request))
    with owner.page.expect_console_message(lambda said: said.text == "waits are over"):
        owner.page.get_by_role("button", name="Offer a rated match").click()
    expect(owner.page.get_by_role("button", name="Cancel the offer")).to_be_visible()
    sent, *led = asked
    assert sent.method == "POST"
    assert led
    assert all(request.redirected_from for request in led)


def test_a_lobby_that_is_not_live_says_so_until_it_is(new_player: Callable[..., Player]) -> None:
    owner, watcher = new_player(), new_player()
    watcher.context.add_init_script(SOCKETS)
    watcher.allow(r"WebSocket connection", r"^\[object Event\]$")
    watcher.page.goto("/")
    expect(watcher.find("[data-lobby][data-live]")).to_be_attached()
    told = watcher.page.locator(".lobby__off[role=status]")
    expect(told).to_have_text("")
    watcher.page.evaluate("() => { window.refuse = true; for (const socket of sockets) socket.cut(); }")
    expect(told).to_have_text("Not live: the connection is lost. What you see may have changed.")
    expect(told).to_be_in_viewport()
    owner.offer()
    # Said once, however often it is tried.
    watcher.page.evaluate("() => { window.told = document.querySelector('.lobby__off').firstChild; }")
    watcher.page.wait_for_function("() => sockets.length > 2")
    assert watcher.page.evaluate(LONGEST_DELAY_MS) <= 8_000
    assert watcher.page.evaluate("document.querySelector('.lobby__off').firstChild === told")
    watcher.page.evaluate("window.refuse = false")
    expect(offer_of(owner, watcher)).to_be_visible(timeout=RECOVERY_LIMIT_MS)
    expect(told).to_have_text("")


def test_a_lobby_that_was_closed_on_purpose_looks_again(new_player: Callable[..., Player]) -> None:
    """Signed out in another tab: nothing opens that socket again, so the page is asked for."""
    player = new_player()
    player.page.goto("/")
    expect(player.find("[data-lobby][data-live]")).to_be_attached()
    beside = player.context.new_page()
    beside.goto("/accounts/logout/")
    beside.locator("main").get_by_role("button", name="Sign out").click()
    expect(player.find(".lobby__off")).not_to_have_text("")
    expect(player.find("main").get_by_role("link", name="Sign up to play")).to_be_visible(timeout=LOOKS_AGAIN_MS)
