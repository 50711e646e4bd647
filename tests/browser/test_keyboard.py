"""A whole match without a pointer: Tab, Enter, and the keys of the table."""

from collections.abc import Callable

from playwright.sync_api import expect

from games import rules
from tests.browser.matches import BRIEF, WHOLE, play, seat
from tests.browser.player import Player
from tests.browser.script import Step

TABS_LIMIT = 60


def tab_to(player: Player, selector: str) -> None:
    """Tab until what the selector names has the focus."""
    for _press in range(TABS_LIMIT):
        if player.page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
        player.page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not reach {selector}")


def press(player: Player, *keys: str) -> None:
    for key in keys:
        player.page.keyboard.press(key)


def do(player: Player, step: Step) -> None:
    """The command by keys alone."""
    command = step.command
    if isinstance(command, rules.PlayTile):
        pick_and_place(player, step.before, command)
    elif isinstance(command, rules.DrawTile):
        press(player, "d")
    elif isinstance(command, rules.Accept):
        press(player, "a")
    elif isinstance(command, rules.Bid | rules.Raise):
        least = int(player.find("#bid-amount").get_attribute("min") or 0)
        press(player, *["ArrowUp"] * ((command.amount - least) // 5 + 1), "ArrowDown")
        expect(player.find("#bid-amount")).to_have_value(str(command.amount))
        press(player, "Enter")
    else:
        tab_to(player, f"#{command.type}")
        press(player, "Enter")


def pick_and_place(player: Player, state: rules.MatchState, command: rules.PlayTile) -> None:
    tile = rules.format_tile(command.tile)
    site = rules.format_site(command.site) if command.site else ""
    if state.must_play is None:  # a drawn tile that must be played is picked already
        press(player, str((state.held[command.seat].index(command.tile) + 1) % 10))
    places = player.find(f'.ghost[data-shown][data-tile="{tile}"]')
    legal = [play for play in rules.previews(state) if play.tile == command.tile]
    expect(places).to_have_count(len(legal))
    wanted = f'.ghost[data-site="{site}"]'
    for _press in range(len(legal) + 1):
        if player.page.evaluate("selector => document.activeElement.matches(selector)", wanted):
            break
        press(player, "ArrowRight")
    press(player, "Enter")


def test_a_match_by_keyboard(new_player: Callable[..., Player], prepare: Callable[..., None]) -> None:
    prepare(WHOLE)
    owner, taker = pair = (new_player(), new_player())
    owner.page.goto("/")
    tab_to(owner, 'button[name="rated"][value="1"]')
    press(owner, "Enter")
    expect(owner.page.get_by_role("button", name="Cancel the offer")).to_be_visible()
    taker.page.goto("/")
    tab_to(taker, f'[aria-label="Accept the offer of {owner.name}"]')
    press(taker, "Enter")
    for player in pair:
        player.wait_for_table()

    play(pair, WHOLE.steps, do=do)

    for player in pair:
        tab_to(player, "#lobby")
        press(player, "Enter")
        expect(player.page.get_by_role("heading", name="Play a match")).to_be_visible()


def test_keys_say_and_show(new_player: Callable[..., Player], prepare: Callable[..., None]) -> None:
    """C, E, L, ?, Esc, Home, End and B."""
    prepare(BRIEF)
    pair = (new_player(), new_player())
    seat(pair)
    steps = BRIEF.steps
    number = next(
        n
        for n, step in enumerate(steps)
        if isinstance(step.command, rules.PlayTile)
        and len({play.due for play in rules.previews(step.before) if play.tile == step.command.tile}) > 1
    )
    play(pair, steps[:number])
    step = steps[number]
    player = pair[step.command.seat]
    said = player.find("#polite")

    press(player, "c")
    expect(said).to_contain_text("points")
    press(player, "e")
    expect(said).to_contain_text("=")
    press(player, "?")
    expect(player.find("#keys")).to_be_visible()
    press(player, "Escape")
    expect(player.find("#keys")).to_be_hidden()
    press(player, "l")
    expect(player.find(".log")).to_be_focused()
    press(player, "Escape")
    expect(player.find("#f-prompt")).to_be_focused()

    press(player, "Home")
    first = player.find('.hand-tile[data-legal="yes"]').first
    expect(first).to_be_focused()
    press(player, "End")
    expect(player.find('.hand-tile[data-legal="yes"]').last).to_be_focused()
    press(player, "Home", "Enter")
    expect(first).to_have_attribute("aria-pressed", "true")
    press(player, "Escape")
    expect(first).to_have_attribute("aria-pressed", "false")

    command = step.command
    assert isinstance(command, rules.PlayTile)
    press(player, str(step.before.held[command.seat].index(command.tile) + 1), "b")
    assert player.page.evaluate("() => document.activeElement.dataset.due") == str(
        max(play.due for play in rules.previews(step.before) if play.tile == command.tile)
    )
