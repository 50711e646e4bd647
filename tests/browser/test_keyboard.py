"""A whole match without a pointer: Tab, Enter, and the keys of the table."""

import re
from collections.abc import Callable

from playwright.sync_api import expect

from games import rules
from tests.browser.hearing import expect_heard
from tests.browser.matches import AUCTIONS, BRIEF, WHOLE, play, seat, until
from tests.browser.player import Player
from tests.browser.script import Step

TABS_LIMIT = 60
# What has the focus, in the words of the design's table of keys.
STOP = """() => {
  const stops = [["#f-opponent", "opponent"], [".ghost", "place"], [".hand-tile", "tile"], [".log", "log"]];
  const found = [...stops, [".panel__foot *", "action"]].find(([part]) => document.activeElement.matches(part));
  return found ? found[1] : "";
}"""


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
        if command.amount == least:
            # An Enter too many leads to the number and bids nothing.
            expect(player.find("#f-prompt")).to_be_focused()
            press(player, "Enter")
            expect(player.find("#bid-amount")).to_be_focused()
        else:
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

    names = (owner.name, taker.name)

    def listen(step: Step) -> None:
        for viewer, player in enumerate(pair):
            expect_heard(player, viewer, step, names)

    play(pair, WHOLE.steps, do=do, after=listen)

    for player in pair:
        tab_to(player, "#lobby")
        press(player, "Enter")
        expect(player.page.get_by_role("heading", name="Play a match")).to_be_visible()


def test_keys_say_and_show(new_player: Callable[..., Player], prepare: Callable[..., None]) -> None:
    """B199: own hand, ends, balances, clocks and last move answer in words. Beside them L, ?, Esc, Home, End and B."""
    prepare(BRIEF)
    pair = (new_player(), new_player())
    seat(pair)
    steps, rest = until(BRIEF, has_a_choice_of_scores)
    opening = next(n for n, step in enumerate(steps) if isinstance(step.command, rules.PlayTile))
    play(pair, steps[:opening])
    press(pair[0], "e")
    expect(pair[0].find("#polite")).to_contain_text("No tile has been played")
    play(pair, steps[opening:])
    step, state = rest[0], rest[0].before
    seat_ = step.command.seat
    player = pair[seat_]
    said = player.find("#polite")

    press(player, "c")
    for points, one in zip(state.balances, pair, strict=True):
        expect(said).to_contain_text(f"{one.name}, 1500?, {points} points, {points // 5} chip")
    expect(said).to_contain_text(re.compile(r"\d:\d\d"))
    press(player, "e")
    terms = " + ".join(str(value) for _tile, value in state.layout.contributions)
    expect(said).to_contain_text(f"{terms} = {state.layout.total}")
    press(player, "h")
    for tile in state.held[seat_]:
        places = sum(1 for play in rules.previews(state) if play.tile == tile)
        fits = "does not fit" if not places else "1 place," if places == 1 else f"{places} places,"
        expect(said).to_contain_text(f"{tile.low}–{tile.high}, {fits}")
    press(player, "m")
    last = next(one.command for one in reversed(steps) if isinstance(one.command, rules.PlayTile | rules.DrawTile))
    expect(said).to_contain_text("You " if last.seat == seat_ else pair[last.seat].name)
    once = said.text_content()
    press(player, "m")
    assert said.text_content() != once  # only what has changed is read, so that it is read again

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
    press(player, str(state.held[seat_].index(command.tile) + 1), "b")
    mine = [play for play in rules.previews(state) if play.tile == command.tile]
    assert player.page.evaluate("() => document.activeElement.dataset.due") == str(max(play.due for play in mine))

    stops = stops_of(player)
    assert stops == ["opponent", *["place"] * len(mine), "tile", *["action"] * stops.count("action"), "log"]
    assert "action" in stops


def has_a_choice_of_scores(step: Step) -> bool:
    """A tile may be laid at places that score differently, and some tile does not fit."""
    command = step.command
    if not isinstance(command, rules.PlayTile):
        return False
    previews = rules.previews(step.before)
    return len({play.due for play in previews if play.tile == command.tile}) > 1


def stops_of(player: Player) -> list[str]:
    """Where Tab stops at the table, from its beginning."""
    player.page.evaluate("() => document.getElementById('table').focus()")
    stops = []
    for _press in range(TABS_LIMIT):
        press(player, "Tab")
        stops.append(player.page.evaluate(STOP))
        if stops[-1] == "log":
            break
    return [stop for stop in stops if stop]


def test_letters_can_be_switched_off(new_player: Callable[..., Player], prepare: Callable[..., None]) -> None:
    """WCAG 2.1.4: then only keys that nobody types or says by accident do something."""
    prepare(BRIEF)
    pair = (new_player(), new_player())
    player = pair[1]
    player.page.goto("/accounts/settings/")
    tab_to(player, '[name="letter_keys"]')
    press(player, " ")
    expect(player.find("#saved-letter_keys")).to_have_text("Saved")
    expect(player.find('[name="letter_keys"]')).to_be_focused()
    seat(pair)
    steps, rest = until(BRIEF, lambda step: step.command.seat == 1 and isinstance(step.command, rules.PlayTile))
    play(pair, steps)
    step = rest[0]
    command = step.command
    assert isinstance(command, rules.PlayTile)
    said = player.find("#polite").text_content()

    press(player, *"1234567abcdehlmn?")
    expect(player.find('.hand-tile[aria-pressed="true"]')).to_have_count(0)
    expect(player.find("#keys")).to_be_hidden()
    expect(player.find("#polite")).to_have_text(said or "")

    wanted = f'.hand-tile[data-tile="{rules.format_tile(command.tile)}"]'
    press(player, "Home")
    for _press in range(len(step.before.held[1])):
        if player.page.evaluate("selector => document.activeElement.matches(selector)", wanted):
            break
        press(player, "ArrowRight")
    press(player, "Enter")
    expect(player.find(wanted)).to_have_attribute("aria-pressed", "true")
    press(player, "ArrowRight", "Enter")
    for one in pair:
        one.wait_for(step.seq)
    # The tile and the place are gone, the focus is not.
    expect(player.find("#f-prompt")).to_be_focused()


def test_updates_leave_what_has_the_focus(new_player: Callable[..., Player], prepare: Callable[..., None]) -> None:
    """B197: the same element keeps it while others are drawn anew around it, with its caret and what is half typed."""
    prepare(AUCTIONS)
    pair = (new_player(), new_player())
    table = seat(pair)
    steps, rest = until(AUCTIONS, lambda step: step.before.phase == "auction")
    opened = next(n for n, step in enumerate(steps) if step.before.layout.tiles)
    play(pair, steps[:opened])
    for step in steps[opened : opened + 4]:
        waiting = pair[1 - step.command.seat]
        hold(waiting, ".hand-tile:last-of-type" if waiting is pair[0] else ".log")
        play(pair, [step])
        assert holds(waiting)
    play(pair, steps[opened + 4 :])

    player, other = pair[rest[0].command.seat], pair[1 - rest[0].command.seat]
    hold(player, "#bid-amount")
    press(player, "ControlOrMeta+a", "2")
    other.page.goto("/")
    expect(player.find(".seat__away")).to_be_visible()
    other.page.goto(table)
    expect(player.find(".seat__away")).to_have_count(0)
    player.page.evaluate(REFUSED)
    expect(player.find("#f-toast")).to_be_visible()
    assert holds(player)
    press(player, "0", "c", "e")
    expect(player.find("#bid-amount")).to_have_value("20")
    expect(player.find("#bid")).to_contain_text("20")
    seq = player.seq
    press(player, "Enter")
    player.wait_for(seq + 1)
    expect(player.find("#f-prompt")).to_be_focused()
    expect(player.find(".ladder__bid")).to_contain_text("20")


# A command that is not possible now: the answer is the whole table, drawn anew.
REFUSED = """() => {
  const form = document.querySelector("#bid-amount").form.cloneNode(true);
  form.querySelector("[name=type]").value = "draw";
  for (const field of form.querySelectorAll("[name=amount]")) field.remove();
  document.getElementById("table").append(form);
  form.requestSubmit();
  form.remove();
}"""


def hold(player: Player, selector: str) -> None:
    """Gives something the focus and remembers the very element."""
    player.find(selector).focus()
    player.page.evaluate("() => { window.held = document.activeElement; }")


def holds(player: Player) -> bool:
    return bool(player.page.evaluate("() => document.activeElement === window.held && window.held.isConnected"))


def test_a_dialog_gives_the_focus_back_to_what_is_seen(
    new_player: Callable[..., Player], prepare: Callable[..., None]
) -> None:
    """While it was open the hand was drawn afresh, then a result came over the table: the focus is never behind it."""
    prepare(BRIEF)
    pair = (new_player(), new_player())
    seat(pair)
    before, rest = until(
        BRIEF, lambda step: isinstance(step.command, rules.PlayTile) and bool(step.before.layout.tiles)
    )
    play(pair, before)
    mover = rest[0].command.seat
    reader, other = pair[1 - mover], pair[mover]

    reader.find(".hand-tile").first.focus()
    press(reader, "?")
    expect(reader.find("#keys")).to_be_visible()
    other.do(rest[0].command)
    reader.wait_for(rest[0].seq)
    press(reader, "Escape")
    expect(reader.find("#keys")).to_be_hidden()
    # A dialog is told of its end a moment after it is hidden.
    reader.page.wait_for_function("() => document.activeElement.closest('#table')")

    press(reader, "?")
    other.find("#resign > summary").click()
    other.find('#resign [data-command="resign"] button').click()
    expect(reader.find(".sheet__title")).to_be_visible()
    press(reader, "Escape")
    expect(reader.find(".sheet__title")).to_be_focused()
