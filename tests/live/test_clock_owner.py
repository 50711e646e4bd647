"""Whose clock runs, after everything that can happen in a match: as stored, and as every page shows it."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator

import pytest

from games import clock_source, rules
from games.consumers import DEFAULT_FORMAT, table_view
from games.fragments.prompt import clocks
from games.live import LiveMatch
from games.loading import load_match
from games.rules.clock import DELAY_MS
from games.table import Prefs
from tests.drivers import ManualClock, Table

pytestmark = pytest.mark.django_db

THINKING_MS = 13_000
OFTEN = 4  # each kind of thing is looked at so many times
EVERYTHING = {
    *("ready", "dealt", "declined", "bid", "raised", "accepted", "played"),
    *("drew", "passed", "transferred", "hand_over", "match_over"),
}


@pytest.fixture
def clock() -> Iterator[ManualClock]:
    manual = ManualClock()
    with clock_source.use_source(manual):
        yield manual


def who_decides(state: rules.MatchState) -> set[int]:
    """Everybody who can do more than give the match up."""
    return {command.seat for command in rules.legal_commands(state) if not isinstance(command, rules.Resign)}


def check(table: Table) -> None:
    row, state = table.refresh(), table.state
    live = LiveMatch(load_match(table.public_id))
    running = who_decides(state) if state.phase not in ("ready", "over") else set()
    assert len(running) == (state.phase not in ("ready", "over"))
    owner = running.pop() if running else None
    assert row.turn_seat == owner
    deadline_ms = None if owner is None else table.clock() + DELAY_MS + state.banks_ms[owner]
    if owner is not None:
        assert row.deadline_ms == deadline_ms
    for viewer in (0, 1, None):
        view = table_view(live, viewer, language="en", table_format=DEFAULT_FORMAT, prefs=Prefs(), csrf="")
        told = dict(re.findall(r'data-([a-z]+)="([^"]*)"', clocks(view)))
        assert told["turn"] == ("" if owner is None else str(owner))
        assert told["deadline"] == ("" if deadline_ms is None else str(deadline_ms))


def test_the_clock_is_that_of_who_has_to_decide(clock: ManualClock) -> None:
    """B072: with a fresh delay each time, except for a draw within a turn; nobody's while the clocks stand."""
    seen: Counter[str] = Counter()
    rng = random.Random(72)
    while any(seen[kind] < OFTEN for kind in EVERYTHING - {"match_over"}) or not seen["match_over"]:
        table = Table.new(clock)
        check(table)
        while table.state.phase != "over":
            clock.move(THINKING_MS if rng.random() < 0.02 else 100)
            before = table.state
            applied = table.both_press() if before.phase == "ready" else table.step(rng)
            kinds = {fact.type for fact in applied.facts}
            is_new = any(seen[kind] < OFTEN for kind in kinds & EVERYTHING)
            seen.update(kinds)
            if table.state.turn is not None and table.state.turn_started_ms != clock():
                assert isinstance(applied.command, rules.DrawTile)
                assert table.state.deadline_ms == before.deadline_ms
                assert table.state.turn == before.turn
            elif is_new:
                check(table)
