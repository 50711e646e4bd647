"""Reloading, second tabs, leaving, coming back, and a web process that dies."""

import time
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from games import rules
from tests.browser.matches import BRIEF, WHOLE, check_offer, play, seat
from tests.browser.player import Player
from tests.stack import Stack

RECOVERY_LIMIT_S = 10.0
AWAY_LIMIT_MS = 15_000
# Not by the banner: of a service that is back at once it says nothing.
COUNT_OPENED = """() => {
  window.opened = 0;
  document.getElementById("main").addEventListener("htmx:wsOpen", () => { window.opened += 1; });
}"""
PLACE = 7  # steps: in the middle of the first hand


@pytest.fixture
def pair(new_player: Callable[..., Player], prepare: Callable[..., None]) -> tuple[Player, Player]:
    """Two people in the middle of a hand."""
    prepare(WHOLE)
    pair = (new_player(), new_player())
    seat(pair)
    play(pair, WHOLE.steps[:PLACE])
    return pair


def test_a_reload_shows_the_same(pair: tuple[Player, Player]) -> None:
    """D-38, SB-65: the running turn, the tiles and the deadline are what they were."""
    for player in pair:
        before = (player.find("#f-clocks").get_attribute("data-deadline"), player.held(), player.lifted())
        player.page.reload()
        player.wait_for(PLACE)
        after = (player.find("#f-clocks").get_attribute("data-deadline"), player.held(), player.lifted())
        assert before == after
    play(pair, WHOLE.steps[PLACE : PLACE + 2])


def test_a_drawn_tile_is_still_owed_after_a_reload(
    new_player: Callable[..., Player], prepare: Callable[..., None]
) -> None:
    """D-39."""
    number = next(n for n, step in enumerate(BRIEF.steps) if step.before.must_play is not None)
    prepare(BRIEF)
    pair = (new_player(), new_player())
    seat(pair)
    play(pair, BRIEF.steps[:number])
    step = BRIEF.steps[number]
    player = pair[step.command.seat]
    player.page.reload()
    check_offer(player, step)
    assert step.before.must_play is not None
    assert player.lifted() == {rules.format_tile(step.before.must_play)}
    play(pair, [step])


def test_a_second_tab_plays_too(pair: tuple[Player, Player]) -> None:
    step, other = WHOLE.steps[PLACE], pair[1 - WHOLE.steps[PLACE].command.seat]
    player = pair[step.command.seat]
    first = player.page
    player.page = player.context.new_page()
    player.page.goto(first.url)
    player.wait_for(PLACE)
    play(pair, [step])
    expect(first.locator("#f-seq")).to_have_attribute("data-seq", str(step.seq))
    player.page.close()
    player.page = first
    expect(other.find(".seat__away")).to_have_count(0)
    play(pair, WHOLE.steps[PLACE + 1 : PLACE + 3])


def test_who_leaves_is_away_until_coming_back(pair: tuple[Player, Player]) -> None:
    step = WHOLE.steps[PLACE]
    leaver, other = pair[step.command.seat], pair[1 - step.command.seat]
    leaver.page.goto("/")
    expect(leaver.page.get_by_text(f"against {other.name}")).to_be_visible()
    expect(other.find("#f-opponent .seat__away")).to_be_visible(timeout=AWAY_LIMIT_MS)
    leaver.page.get_by_role("link", name="Return").click()
    leaver.wait_for_table()
    expect(other.find("#f-opponent .seat__away")).to_have_count(0, timeout=AWAY_LIMIT_MS)
    play(pair, [step])


def test_play_goes_on_after_the_web_process_dies(pair: tuple[Player, Player], stack: Stack) -> None:
    """The supervisor starts another one, and the pages find it by themselves."""
    for player in pair:
        player.allow(r"WebSocket connection", r"net::ERR_", r"Failed to load resource", r"htmx:wsError")
        # Its socket answers: one that waits to be taken is kept for the next process, and nothing would be broken off.
        expect(player.find("#trip")).to_contain_text(" ms")
        player.page.evaluate(COUNT_OPENED)
    killed_s = time.monotonic()
    stack.wait_for_another("web", stack.kill("web"))
    for player in pair:
        left_s = killed_s + RECOVERY_LIMIT_S - time.monotonic()
        player.page.wait_for_function("() => opened > 0", timeout=left_s * 1000)
    play(pair, WHOLE.steps[PLACE : PLACE + 4])
