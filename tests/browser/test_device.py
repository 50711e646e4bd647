"""Two people before one screen, guests without an account: whole matches, and what the browser is told on the way."""

import json
from collections.abc import Callable

from playwright.sync_api import expect

from games import rules
from tests.browser.modules import served
from tests.browser.player import PHONE, Player, version_of
from tests.browser.script import Script, Step, write_match
from tests.browser.secrets import known_to, tiles_in
from tests.browser.test_accessibility import check
from tests.browser.test_connection import SOCKETS, newest
from tests.browser.test_plain import by_forms

# Out in the first hand, with draws and a pass; an auction that the jockey wins; all chips gone in the second hand.
WHOLE = write_match([216, 336], balances=(260, 40), auctions=["15 20 accept"], shared_device=True)
BRIEF = write_match([2099], balances=(290, 10), shared_device=True)

# A hand that is drawn while the curtain is down, were it for the time of one swap.
WATCH_CURTAIN = """
window.flashes = [];
new MutationObserver(() => {
  if (!document.querySelector("#f-curtain:not([hidden])")) return;
  const shown = document.querySelector("#f-me .hand-tile, #f-cloth .ghost, #f-auction form");
  if (shown) window.flashes.push(shown.outerHTML);
}).observe(document, { childList: true, subtree: true });
"""
KEPT = """async () => JSON.stringify([
  { ...localStorage }, { ...sessionStorage }, document.cookie, history.state,
  (await indexedDB.databases()).map((one) => one.name),
  await (async () => {
    if (!window.caches) return [];
    const texts = [];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) if (request.url.includes("/matches/")) texts.push(request.url);
    }
    return texts;
  })(),
])"""


# The page as it is when it has been left: this is asked after the page's own scripts.
KEEP_LEFT = "() => addEventListener('pagehide', () => sessionStorage.setItem('left', document.body.outerHTML))"


def viewer_of(state: rules.MatchState) -> int | None:
    """Whose tiles the device may show."""
    return state.turn if state.phase in ("auction", "play") else None


def sit_down(player: Player, first: str, second: str) -> None:
    """From the lobby to the table."""
    player.page.goto("/")
    player.page.get_by_role("link", name="Two players, one device").click()
    player.page.get_by_label("First player").fill(first)
    player.page.get_by_label("Second player").fill(second)
    player.page.get_by_role("button", name="To the table").click()
    player.wait_for_table()


def hold_a_tile(player: Player) -> None:
    """Takes a tile out of the hand and lets it hang in the air."""
    box = player.find('.hand-tile[data-legal="yes"]').first.bounding_box()
    assert box is not None
    mouse = player.page.mouse
    mouse.move(box["x"] + 5, box["y"] + 5)
    player.page.evaluate(served("() => import('/static/js/drag.js')"))
    mouse.down()
    mouse.move(box["x"] + 40, box["y"] - 40, steps=4)
    expect(player.find(".flyer[data-tile]")).to_be_visible()


def check_shown(player: Player, step: Step) -> None:
    """The document and all that the browser keeps, as they are now."""
    state = step.after
    known = known_to(viewer_of(state), state)
    assert tiles_in(player.page.content()) <= known, (step.seq, state.phase)
    if state.phase == "curtain":
        expect(player.find("#f-curtain")).to_be_visible()
        assert not player.held()


def check_kept(player: Player) -> None:
    """No storage holds a tile, no cache a page of the match."""
    kept = json.loads(player.page.evaluate(KEPT))
    assert not tiles_in(json.dumps(kept, ensure_ascii=False)), kept
    assert kept[-1] == []


def check_received(player: Player, script: Script) -> None:
    """No answer and no frame named a tile that was hidden in its version."""
    texts = player.received()
    assert texts
    for text in texts:
        version, named = version_of(text), tiles_in(text)
        if version is None:
            assert not named, text
            continue
        state = script.state_at(version)
        assert named <= known_to(viewer_of(state), state), (version, state.phase, text)


def test_a_whole_match_of_two_guests_on_a_phone(
    new_player: Callable[..., Player], prepare: Callable[..., None]
) -> None:
    """Hand-overs, an auction, forced draws and a pass; each with its motion, since that must not show a hand either."""
    prepare(WHOLE)
    assert {"revealed", "drew", "passed", "bid", "accepted", "hand_over"} <= WHOLE.kinds()
    device = new_player("Two guests", viewport=PHONE, reduced_motion="no-preference")
    device.context.add_init_script(WATCH_CURTAIN)
    device.keep_all()
    sit_down(device, "Zeynep Karahanoğlu", "Przemysław Wiśniewski-Kowalczyk")
    names = ("Zeynep", "Przemysław")
    checked: set[str] = set()
    for step in WHOLE.steps:
        state, command = step.before, step.command
        if isinstance(command, rules.Reveal):
            expect(device.find("#curtain-title")).to_have_text(f"Pass the device to {names[command.seat]}")
            expect(device.find("#reveal")).to_be_focused()
            expect(device.find("#f-clocks")).to_have_attribute("data-turn", "")
            device.page.keyboard.press("Enter")
        else:
            if state.phase == "play":
                assert device.held() == {rules.format_tile(tile) for tile in state.held[command.seat]}
                expect(device.find("#f-me")).to_have_attribute("data-seat", str(command.seat))
            device.do(command)
        device.wait_for(step.seq)
        check_shown(device, step)
        kind = f"{step.after.phase} {step.after.hand > 0}"
        if kind not in checked:
            checked.add(kind)
            device.page.wait_for_function("() => document.getAnimations().length === 0")
            check(device, kind)
            check_kept(device)
    assert len(checked) >= 5
    assert device.page.evaluate("() => window.flashes") == []
    check_kept(device)
    check_received(device, WHOLE)
    winner = names[WHOLE.end.winner or 0]
    expect(device.page.get_by_role("heading", name=f"{winner} won")).to_be_visible()
    expect(device.find(".sheet__rating")).to_have_count(0)
    device.find("#lobby").click()
    expect(device.page.get_by_role("link", name="Two players, one device")).to_be_visible()


def test_some_turns_without_scripts(new_player: Callable[..., Player], prepare: Callable[..., None]) -> None:
    prepare(BRIEF)
    device = new_player("Two more guests", viewport=PHONE, java_script_enabled=False)
    sit_down(device, "Ada", "Bob")
    curtains = 0
    for step in BRIEF.steps[:14]:
        curtains += isinstance(step.command, rules.Reveal)
        by_forms(device, step)
        device.wait_for(step.seq)
        check_shown(device, step)
    assert curtains >= 4


def test_a_hand_over_survives_each_interruption(
    new_player: Callable[..., Player], prepare: Callable[..., None]
) -> None:
    """A reload, no connection, a lost answer, a second tab: the curtain stays until it is lifted, and lifts for one."""
    prepare(BRIEF)
    device = new_player("Some more guests")
    device.context.add_init_script(WATCH_CURTAIN)
    device.context.add_init_script(SOCKETS)
    device.allow("WebSocket connection", "htmx:wsError", r"\[object Event\]", "ERR_INTERNET_DISCONNECTED")
    sit_down(device, "Ada", "Bob")
    steps = iter(BRIEF.steps)

    def until_curtain() -> Step:
        while not isinstance((step := next(steps)).command, rules.Reveal):
            device.do(step.command)
            device.wait_for(step.seq)
            check_shown(device, step)
        return step

    def lift(step: Step) -> None:
        device.do(step.command)
        device.wait_for(step.seq)
        assert device.held() == {rules.format_tile(tile) for tile in step.after.held[step.command.seat]}

    step = until_curtain()
    device.page.reload()
    expect(device.find("#reveal")).to_be_focused()
    assert not device.held()
    lift(step)

    step = until_curtain()
    device.page.evaluate("() => { window.refuse = true; }")
    newest(device, "cut()")
    device.context.set_offline(True)
    device.find("#reveal").click()
    expect(device.find("#connection")).to_contain_text("Reconnecting…")
    assert not device.held()
    device.page.evaluate("() => { window.refuse = false; }")
    device.context.set_offline(False)
    device.page.wait_for_function("() => window.sockets.at(-1).readyState === 1")
    expect(device.find("#connection")).not_to_contain_text("Reconnecting…")
    assert device.seq == step.seq - 1
    assert not device.held()
    lift(step)

    step = until_curtain()
    newest(device, "isDeaf = true")
    device.find("#reveal").click()
    assert not device.held()
    newest(device, "cut()")
    device.wait_for(step.seq)

    step = until_curtain()
    newest(device, "isDeaf = true")
    first, device.page = device.page, device.context.new_page()
    device.page.goto(first.url)
    lift(step)
    late = until_curtain()  # for the other of the two
    assert late.command.seat != step.command.seat
    device.page.close()
    device.page = first
    device.find("#reveal").click()  # of the one before
    newest(device, "cut()")
    device.wait_for(late.seq - 1)
    expect(device.find("#f-curtain")).to_be_visible()
    assert not device.held()
    lift(late)
    assert device.page.evaluate("() => window.flashes") == []


def test_the_way_back_shows_no_hand_and_two_tabs_are_one_table(
    new_player: Callable[..., Player], prepare: Callable[..., None]
) -> None:
    """What one player left is not what the other finds; the table is not lost with a tab, or by signing out."""
    prepare(BRIEF)
    device = new_player()  # somebody who is signed in
    device.context.add_init_script(WATCH_CURTAIN)
    sit_down(device, "Ada", "Bob")
    start, reveal, first, second = BRIEF.steps[:4]
    for step in (start, reveal):
        device.do(step.command)
        device.wait_for(step.seq)
    page = device.page
    page.evaluate(KEEP_LEFT)
    hold_a_tile(device)
    page.goto("/rules/")
    left = page.evaluate("() => sessionStorage.getItem('left')")
    assert 'id="table"' in left
    assert tiles_in(left) <= known_to(None, first.before)
    page.mouse.up()
    other = device.context.new_page()
    other.goto("/")
    other.get_by_role("link", name="Return").click()
    device.page = other
    device.wait_for_table()
    device.do(first.command)
    device.wait_for(first.seq)
    device.page = page
    page.go_back()
    device.wait_for(first.seq)
    check_shown(device, first)
    # The one tab reveals, both show it; signed out, both go on.
    device.do(second.command)
    device.wait_for(second.seq)
    device.page = other
    device.wait_for(second.seq)
    assert device.held()
    device.context.clear_cookies(name="sessionid")
    device.do(BRIEF.steps[4].command)
    device.wait_for(BRIEF.steps[4].seq)
    page.reload()
    device.page = page
    check_shown(device, BRIEF.steps[4])
    stranger = new_player()
    stranger.allow("404")
    answer = stranger.page.goto(page.url)
    assert answer is not None
    assert answer.status == 404
