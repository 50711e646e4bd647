"""A clock runs out while no browser is open: only the sweep is there to see it."""

import urllib.request
from collections.abc import Callable

from playwright.sync_api import expect

from games.rules.clock import DELAY_MS
from tests.browser.matches import BRIEF, play, seat
from tests.browser.player import Player
from tests.stack import wait_until

BANK_MS, LONG_MS = 200, 120_000
LIMIT_S = DELAY_MS / 1000 + 5


def test_a_match_ends_by_time_with_both_browsers_closed(
    new_player: Callable[..., Player], prepare: Callable[..., None]
) -> None:
    *_, last = steps = BRIEF.steps[:3]
    loser = last.after.turn
    assert loser is not None
    assert loser == 1 - last.command.seat, "it has not been its turn before, however slowly the pages are played"
    prepare(BRIEF, banks_ms=(LONG_MS, BANK_MS) if loser else (BANK_MS, LONG_MS))
    pair = (new_player(), new_player())
    table = seat(pair)
    play(pair, steps)
    for player in pair:
        player.context.close()

    def is_over() -> bool:
        with urllib.request.urlopen(table, timeout=5) as page:
            return b'data-kind="result"' in page.read()

    wait_until(is_over, limit_s=LIMIT_S)

    for seat_, player in enumerate(pair):
        again = new_player(again=player)
        again.page.goto(table)
        title = "You lost" if seat_ == loser else "You won"
        expect(again.page.get_by_role("heading", name=title, exact=True)).to_be_visible()
        expect(again.find(".sheet__subtitle")).to_contain_text("ran out in hand 1")
        expect(again.find(".sheet__rating")).to_have_count(2)
        again.page.goto(f"/players/{player.name}/")
        expect(again.find(".rating-card__value")).to_have_text("1490?" if seat_ == loser else "1510?")
