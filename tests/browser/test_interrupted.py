"""Interrupted in the middle of each kind of decision: the view is right, and nothing is done twice or lost."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games import rules
from tests.browser.matches import WHOLE, Pair, check_offer, play, seat
from tests.browser.player import PHONE, Player
from tests.browser.script import Step, write_match
from tests.browser.test_connection import IS_OPEN, SOCKETS, newest

TOUCH = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
KINDS = {"start", "play, mouse", "play, confirmed", "owed", "draw", "bid", "raise", "accept", "decline", "continue"}
# All of these within three hands.
DECISIONS = write_match([216, 32], balances=(260, 40), auctions=["15 20 accept", "decline"], length=60)
# All that a player goes by.
VIEW = """() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const texts = (selector) => all(selector).map((one) => one.textContent.replace(/\\s+/g, " ").trim());
  const { turn, deadline, banks, phase } = document.getElementById("f-clocks").dataset;
  return {
    seq: document.getElementById("f-seq").dataset.seq,
    clocks: [turn, deadline, banks, phase],
    hand: all("#f-me .hand-tile").map(({ dataset }) => [dataset.tile, dataset.legal ?? ""]),
    offered: all("#main form.command").map(({ dataset }) => dataset.play ?? dataset.command).sort(),
    words: texts("#f-sum, .seat__points, .log__row, #f-sheet .sheet__title"),
    unanswered: all("#main :is([data-sent], [aria-busy])").length,
  };
}"""


def view(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate(VIEW)
    return found


def expect_as_loaded(player: Player) -> None:
    """The page shows what one does that is loaded now."""
    shown = view(player.page)
    loaded = player.context.new_page()
    loaded.goto(player.page.url)
    truth = view(loaded)
    loaded.close()
    assert shown == truth


def kind_of(step: Step) -> str:
    """What somebody has to decide there. Seat 1 plays with a finger and has to confirm."""
    if isinstance(step.command, rules.PlayTile):
        if step.before.must_play is not None:
            return "owed"
        return f"play, {'confirmed' if step.command.seat else 'mouse'}" if step.before.layout.tiles else "opening"
    return step.command.type


def begin(player: Player, step: Step) -> None:
    """Half of the decision: aimed but not played, chosen but not pressed."""
    command = step.command
    if isinstance(command, rules.PlayTile):
        player.pick(command.tile)
        place = player.place(command.tile, command.site)
        if not player.taps:
            place.hover()
        elif player.find("#table[data-confirm-moves]").count() and not player.find("[data-aimed]").count():
            place.tap()
        if not player.taps or player.find("#table[data-confirm-moves]").count():
            expect(player.find("#f-sum[data-preview]")).to_be_visible()
    elif isinstance(command, rules.Bid | rules.Raise):
        player.step_up(command.amount)
    elif isinstance(command, rules.Resign):
        if player.taps:
            player.press(player.find('.bar [data-action="panel"]'))
        player.press(player.find("#resign > summary"))
    else:
        player.find(f"#{command.type}").focus()
    assert player.seq == step.seq - 1


def finish(player: Player, step: Step) -> None:
    command = step.command
    if isinstance(command, rules.PlayTile):
        player.press(player.place(command.tile, command.site))
    elif isinstance(command, rules.Bid | rules.Raise):
        player.press(player.find("#bid"))
    elif isinstance(command, rules.Resign):
        player.press(player.find('#resign [data-command="resign"] button'))
    else:
        player.press(player.find(f"#{command.type}"))


def do(player: Player, step: Step) -> None:
    begin(player, step)
    finish(player, step)


def reload(player: Player, other: Player, step: Step) -> None:
    """And the way back of the browser, every other time."""
    before = view(player.page)
    begin(player, step)
    if step.seq % 2:
        player.page.reload()
    else:
        player.page.goto("/rules/")
        player.page.go_back()
    player.wait_for(step.seq - 1)
    assert view(player.page) == before
    do(player, step)


def offline(player: Player, other: Player, step: Step) -> None:
    """Pressed without a connection: said so at once, not done later, and can be done again."""
    before = view(player.page)
    begin(player, step)
    player.page.evaluate("() => { window.refuse = true; }")
    newest(player, "cut()")
    player.context.set_offline(True)
    finish(player, step)
    expect(player.find("#connection")).to_contain_text("Reconnecting…")
    expect(player.find("#main :is([data-sent], [aria-busy])")).to_have_count(0)
    player.page.evaluate("() => { window.refuse = false; }")
    player.context.set_offline(False)
    player.page.wait_for_function(IS_OPEN)
    expect(player.find("#connection")).not_to_contain_text("Reconnecting…")
    # A place under the pointer, or with the focus, is tried out in the sum.
    player.page.mouse.move(1, 1)
    player.page.evaluate("() => document.activeElement.blur()")
    assert view(player.page) == before
    assert other.seq == step.seq - 1
    if isinstance(step.command, rules.Resign):
        finish(player, step)
    else:
        do(player, step)


def unanswered(player: Player, other: Player, step: Step) -> None:
    """It was done, and the connection broke before the answer came."""
    begin(player, step)
    newest(player, "isDeaf = true")
    finish(player, step)
    other.wait_for(step.seq)
    assert player.seq == step.seq - 1
    newest(player, "cut()")


def second_tab(player: Player, other: Player, step: Step) -> None:
    """Done in a second tab, then in the first, which has not heard of it."""
    begin(player, step)
    newest(player, "isDeaf = true")
    first, player.page = player.page, player.context.new_page()
    player.page.goto(first.url)
    player.wait_for(step.seq - 1)
    do(player, step)
    player.wait_for(step.seq)
    player.page.close()
    player.page = first
    assert player.seq == step.seq - 1
    finish(player, step)
    newest(player, "cut()")


@pytest.mark.parametrize("interruption", [reload, offline, unanswered, second_tab, "second device"])
def test_each_kind_of_decision_survives(
    new_player: Callable[..., Player], prepare: Callable[..., None], interruption: Any
) -> None:
    """Start, a play that is aimed, one to be confirmed, a tile owed, a draw, an auction, Continue, a resignation."""
    prepare(DECISIONS)
    pair: Pair = (new_player(), new_player(**TOUCH))
    pair[1].page.goto("/accounts/settings/")
    pair[1].page.get_by_label("Tap twice to play").check()
    expect(pair[1].find("#saved-confirm_moves")).to_have_text("Saved")
    for player in pair:
        player.context.add_init_script(SOCKETS)
        player.allow("WebSocket connection", "htmx:wsError", r"\[object Event\]", "ERR_INTERNET_DISCONNECTED")
    table = seat(pair)
    devices = [new_player(again=pair[0], **TOUCH), new_player(again=pair[1])]
    if interruption == "second device":
        for device in devices:
            device.page.goto(table)

    def second_device(player: Player, other: Player, step: Step) -> None:
        """Decided half on one, done on another one."""
        begin(player, step)
        device = devices[step.command.seat]
        device.wait_for(step.seq - 1)
        do(device, step)
        device.wait_for(step.seq)
        player.wait_for(step.seq)
        assert view(device.page) == view(player.page)

    interrupt = second_device if interruption == "second device" else interruption

    def decide(step: Step) -> None:
        interrupt(pair[step.command.seat], pair[1 - step.command.seat], step)
        for one in pair:
            one.wait_for(step.seq)
        expect_as_loaded(pair[step.command.seat])

    decided: set[str] = set()
    steps = iter(DECISIONS.steps)
    while decided != KINDS:
        step = next(steps)
        kind = kind_of(step)
        if kind in KINDS - decided:
            decided.add(kind)
            if step.before.phase == "play":
                check_offer(pair[step.command.seat], step)
            decide(step)
        else:
            play(pair, [step], do=do)
    step = next(steps)
    resigned = Step(step.seq, step.before, rules.Resign(0), (), step.after)
    decide(resigned)
    for player, title in zip(pair, ("You lost", "You won"), strict=True):
        expect(player.page.get_by_role("heading", name=title, exact=True)).to_be_visible()


def test_a_double_click_does_it_once(new_player: Callable[..., Player], prepare: Callable[..., None]) -> None:
    """Each place and each button of a match but Draw, which means the next tile the second time. None resigns."""
    prepare(WHOLE)
    pair = (new_player(), new_player())
    seat(pair)

    def twice(player: Player, step: Step) -> None:
        command = step.command
        begin(player, step)
        if isinstance(command, rules.PlayTile):
            player.place(command.tile, command.site).dblclick()
        elif isinstance(command, rules.DrawTile):
            player.find("#draw").click()
        else:
            player.find("#bid" if isinstance(command, rules.Bid | rules.Raise) else f"#{command.type}").dblclick()

    play(pair, WHOLE.steps[:-1], do=twice)
    for player in pair:
        player.find("#resign > summary").dblclick()
        player.page.reload()
    play(pair, WHOLE.steps[-1:], do=twice)
