"""Without JavaScript, and with JavaScript but without sockets."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from games import rules
from tests.browser.matches import ALL_IN, BRIEF, BRIEFEST, play, seat, until
from tests.browser.player import Player
from tests.browser.script import Step

LOOKS_AGAIN_MS = 12_000
AGAIN_MS = 15_000
# Before a page's own scripts: every socket fails, as behind a proxy that knows none.
NO_SOCKETS = """
window.WebSocket = class extends EventTarget {
  static CLOSED = 3;
  readyState = 0;
  constructor() {
    super();
    setTimeout(() => {
      this.readyState = 3;
      for (const event of [new Event("error"), new CloseEvent("close", { code: 1006 })]) {
        this["on" + event.type]?.(event);
        this.dispatchEvent(event);
      }
    }, 5);
  }
  close() {}
  send() { throw new Error("not open"); }
};
"""


def by_forms(player: Player, step: Step) -> None:
    """The command by the plain form that stands on the page."""
    command = step.command
    if isinstance(command, rules.PlayTile):
        site = rules.format_site(command.site) if command.site else ""
        player.find(f'form[data-play="{rules.format_tile(command.tile)}@{site}"] button').click()
    elif isinstance(command, rules.Bid | rules.Raise):
        if command.amount > int(player.find("#bid-amount").get_attribute("max") or 0):
            player.find(".all-in summary").click()
            player.page.get_by_role("button", name=f"Bid {command.amount} all the same").click()
        else:
            player.find("#bid-amount").fill(str(command.amount))
            player.find("#bid").click()
    else:
        player.find(f"#{command.type}").click()


def do_against_live(plain: Player, live: Player, step: Step) -> None:
    """The step, by seat 0 without scripts or by seat 1 with them; both show it then."""
    if step.command.seat == 0:
        by_forms(plain, step)
    else:
        live.do(step.command)
    live.wait_for(step.seq)
    if step.command.seat == 1:
        plain.page.reload()  # what it does by itself in four seconds; a whole match would wait for minutes
    plain.wait_for(step.seq)


def test_a_match_without_scripts(new_player: Callable[..., Player], prepare: Callable[..., None]) -> None:
    """Forms and links do everything; a page that waits looks again by itself."""
    prepare(BRIEFEST)
    pair = (new_player(java_script_enabled=False), new_player(java_script_enabled=False))
    seat(pair)
    play(pair, BRIEFEST.steps, do=by_forms)
    for player, title in zip(pair, ("You won all the chips", "You lost all your chips"), strict=True):
        expect(player.page.get_by_role("heading", name=title)).to_be_visible()
        expect(player.find(".sheet__rating")).to_have_count(2)


def test_who_thinks_without_scripts_says_that_somebody_is_there(
    new_player: Callable[..., Player], prepare: Callable[..., None]
) -> None:
    """A frame asks again and again; the page around it keeps what is half typed."""
    prepare(ALL_IN)
    plain, live = pair = (new_player(java_script_enabled=False), new_player())
    seat(pair)
    steps, rest = until(ALL_IN, lambda step: step.command.seat == 0 and step.before.phase == "auction")
    for step in steps:
        do_against_live(plain, live, step)
    expect(plain.find("#bid")).to_have_text(re.compile(r"(Bid|Raise)$"), use_inner_text=True)  # for any amount
    amount = plain.page.get_by_label("Your bid, in fives")
    amount.fill("25")
    for _ in range(2):
        with plain.page.expect_response("**/here/", timeout=AGAIN_MS) as asked:
            pass
        assert asked.value.status == 200
    expect(amount).to_have_value("25")
    expect(live.find("#f-opponent .seat__away")).to_have_count(0)
    by_forms(plain, rest[0])
    live.wait_for(rest[0].seq)
    expect(plain.find("iframe")).to_have_count(0)


def test_an_auction_without_scripts(new_player: Callable[..., Player], prepare: Callable[..., None]) -> None:
    """Against somebody whose page is live. A bid of everything is asked for twice (SB-57, D-21)."""
    prepare(ALL_IN)
    plain, live = pair = (new_player(java_script_enabled=False), new_player())
    seat(pair)
    for step in ALL_IN.steps:
        do_against_live(plain, live, step)
    expect(plain.page.get_by_role("heading", name="You lost all your chips")).to_be_visible()


def test_a_match_without_sockets(new_player: Callable[..., Player], prepare: Callable[..., None]) -> None:
    """The page says so, asks over HTTP, and sends over HTTP. The opponent notices nothing of it."""
    prepare(BRIEF)
    live, cut_off = pair = (new_player(), new_player())
    cut_off.context.add_init_script(NO_SOCKETS)
    cut_off.allow(r"^\[object Event\]$")  # what the extension says of a socket that failed
    seat(pair)
    banner = cut_off.find("#connection")
    expect(banner).to_be_visible()
    expect(banner).to_have_text(banner.get_attribute("data-polling") or "")
    play(pair, BRIEF.steps[:-1])
    expect(live.find("#connection")).to_be_hidden()
    expect(live.find("#f-opponent .seat__away")).to_have_count(0)
    play(pair, BRIEF.steps[-1:])
    for player in pair:
        expect(player.find(".sheet__rating")).to_have_count(2)


@pytest.mark.parametrize("missing", ["table", "keys", "htmx-2.min", "hx-ws-2.min"])
def test_a_page_whose_scripts_did_not_come_looks_again(
    new_player: Callable[..., Player], prepare: Callable[..., None], missing: str
) -> None:
    """One file is blocked: a module of the table, or what opens its socket. The page that waits goes on by itself."""
    prepare(BRIEFEST)
    pair = (new_player(), new_player())
    broken = pair[0]
    broken.allow(r"Failed to load resource", r"net::ERR_", r"htmx")
    seat(pair)
    broken.context.route(re.compile(rf"/{re.escape(missing)}(\.[0-9a-f]+)?\.js"), lambda route: route.abort())
    broken.page.reload()
    steps = BRIEFEST.steps[:4]
    assert {step.command.seat for step in steps} == {0, 1}
    for step in steps:
        player = pair[step.command.seat]
        if player is broken and missing in ("table", "keys"):
            by_forms(player, step)
        else:
            player.do(step.command)
        for one in pair:
            one.wait_for(step.seq, limit_ms=LOOKS_AGAIN_MS)
