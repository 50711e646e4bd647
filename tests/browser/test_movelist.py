"""A whole match by the list of moves alone, by setting and at 400 %; nothing is lost when the page is magnified."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from games import rules
from tests.browser.hearing import expect_heard
from tests.browser.matches import BRIEF, WHOLE, play, seat, until
from tests.browser.player import Player
from tests.browser.script import Step
from tests.browser.test_accessibility import check

# A desktop of 1280 x 800 at 200 % and at 400 %.
TWICE, FOUR_TIMES = {"width": 640, "height": 400}, {"width": 320, "height": 200}
NARROW = {"width": 320, "height": 640}
# What may not be hidden, cut off or covered, wherever one has to scroll for it.
SHOWN = (
    "#f-opponent .seat__points",
    "#f-opponent .clock",
    "#f-me .seat__points",
    "#f-me .clock",
    ".sum__total",
    "#f-yard",
)
# By scrolling what a person can scroll: a script also scrolls what is hidden.
IS_REACHED = """element => {
  element.scrollIntoView({ block: "center", inline: "center" });
  for (let at = element.parentElement; at; at = at.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(at);
    if (overflowX === "hidden") at.scrollLeft = 0;
    if (overflowY === "hidden") at.scrollTop = 0;
  }
  const box = element.getBoundingClientRect();
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  const hit = document.elementFromPoint(x, y);
  const isWhole = box.left >= -1 && box.right <= innerWidth + 1;
  return isWhole && hit !== null && (element.contains(hit) || hit.contains(element));
}"""


def by_list(player: Player, step: Step) -> None:
    """The command by its button in the list; Start and Continue are no moves."""
    command = step.command
    moves = player.page.get_by_role("group", name="Your moves")
    match command:
        case rules.PlayTile():
            site = rules.format_site(command.site) if command.site else ""
            due = next(p.due for p in rules.previews(step.before) if (p.tile, p.site) == (command.tile, command.site))
            form = moves.locator(f'form[data-play="{rules.format_tile(command.tile)}@{site}"]')
            expect(form).to_contain_text(f"+{due}" if due else "0")
        case rules.Bid() | rules.Raise():
            form = moves.locator(f'form[data-command="{command.type}"]:has([name="amount"][value="{command.amount}"])')
        case rules.DrawTile() | rules.Accept() | rules.Decline():
            form = moves.locator(f'form[data-command="{command.type}"]')
        case _:
            player.do(command)
            return
    form.get_by_role("button").click()


def by_narrow_list(player: Player, step: Step) -> None:
    """Without the setting: plays from the list, draws and bids where they are."""
    if isinstance(step.command, rules.PlayTile):
        by_list(player, step)
    else:
        player.do(step.command)


def test_a_match_by_the_list_alone(new_player: Callable[..., Player], prepare: Callable[..., None]) -> None:
    prepare(WHOLE)
    chosen, narrow = pair = (new_player(), new_player(viewport=NARROW))
    chosen.page.goto("/accounts/settings/")
    chosen.page.get_by_label("List of moves").check()
    expect(chosen.find("#saved-move_list")).to_have_text("Saved")
    seat(pair)
    names = (chosen.name, narrow.name)
    checked: set[str] = set()

    def do(player: Player, step: Step) -> None:
        kind = f"{step.before.phase} {step.command.type}"
        if player is chosen and kind not in checked:
            checked.add(kind)
            check(player, f"list of moves, {kind}")
        (by_list if player is chosen else by_narrow_list)(player, step)

    def listen(step: Step) -> None:
        for viewer, player in enumerate(pair):
            expect_heard(player, viewer, step, names)

    play(pair, WHOLE.steps, do=do, after=listen)
    assert {"play play", "play draw"} <= checked
    assert any(kind.startswith("auction ") for kind in checked)
    for player in pair:
        expect(player.find("#f-sheet .sheet__title")).to_be_visible()


@pytest.mark.parametrize("size", [TWICE, FOUR_TIMES], ids=["200 %", "400 %"])
def test_nothing_is_lost_when_magnified(
    new_player: Callable[..., Player], prepare: Callable[..., None], size: dict[str, int]
) -> None:
    """B203: the zoom is free, and everything can be reached by scrolling."""
    prepare(BRIEF)
    pair = (new_player(), new_player())
    seat(pair)
    steps, rest = until(
        BRIEF, lambda step: isinstance(step.command, rules.PlayTile) and len(step.before.layout.tiles) > 1
    )
    play(pair, steps)
    step = rest[0]
    player = pair[step.command.seat]
    player.page.set_viewport_size(size)
    zoom = player.find('meta[name="viewport"]').get_attribute("content") or ""
    assert "user-scalable" not in zoom
    assert "maximum-scale" not in zoom
    check(player, str(size))
    for selector in SHOWN:
        assert player.find(selector).first.evaluate(IS_REACHED), f"{selector} at {size}"
    controls = player.find(".moves__button" if size is FOUR_TIMES else ".hand-tile").all()
    assert controls
    for control in controls:
        assert control.evaluate(IS_REACHED), f"a move at {size}"
    player.find('[data-action="panel"]').click()
    for selector in (".log__row >> nth=-1", "#resign summary"):
        assert player.find(selector).evaluate(IS_REACHED), f"{selector} at {size}"
    player.find(".panel__close").click()
    (by_narrow_list if size is FOUR_TIMES else lambda player, step: player.do(step.command))(player, step)
    for one in pair:
        one.wait_for(step.seq)
