"""Whole random matches and what must hold at every step: 500 of them, 5,000 with BONEYARD_SOAK."""

import os
from collections import Counter

import pytest

from games.rules import TILES, ClockStopped, Ending, HandOver, MatchState, Passed, Site, Transferred
from tests.rules.play import Step, steps

MATCHES = 5_000 if os.environ.get("BONEYARD_SOAK") else 500
SHARES = 10


def check_state(state: MatchState) -> None:
    """The invariants of the rules' section on random play."""
    balances = state.balances
    assert sum(balances) == 300
    assert not any(balance % 5 for balance in balances)
    if state.phase != "over":
        assert min(balances) > 0
        assert min(state.banks_ms) > 0
    layout = state.layout
    if state.hand:
        where = (*layout.tiles, *state.held[0], *state.held[1], *state.boneyard)
        assert len(where) == 28
        assert set(where) == set(TILES)
    assert (state.turn is None) == (state.phase in ("ready", "over"))
    assert (state.deadline_ms is None) == (state.phase in ("ready", "over", "curtain"))
    if layout.tiles:
        assert len(layout.joins) == len(layout.tiles) - 1
        used = {end for join in layout.joins for end in join}
        assert len(used) == 2 * len(layout.joins)
        spinner = layout.spinner
        is_closed = spinner is not None and {Site(spinner, "line_a"), Site(spinner, "line_b")} <= used
        assert len(layout.sites) == (4 if is_closed else 2)
        if not is_closed:
            assert not any(port in ("arm_a", "arm_b") for _, port in used)
        assert layout.total <= 36


def check_step(step: Step) -> None:
    """What one command may bring about."""
    facts = step.facts
    for fact in facts:
        if isinstance(fact, ClockStopped):
            assert fact.bank_ms == step.before.banks_ms[fact.seat] - fact.charged_ms
        elif isinstance(fact, Transferred):
            assert 0 < fact.paid <= fact.due
            assert fact.paid == fact.due or fact.balances[fact.payer] == 0
        elif isinstance(fact, HandOver) and fact.how == "block":
            # SB-42: only passes stand before it, and a block needs an empty boneyard.
            passes = [other.seat for other in facts if isinstance(other, Passed)]
            assert sorted(passes) == [0, 1]
            assert not step.after.boneyard
    if step.after.turn is not None and step.after.turn_started_ms is not None:
        assert step.after.deadline_ms == step.after.turn_started_ms + 10_000 + step.after.banks_ms[step.after.turn]


@pytest.mark.parametrize("share", range(SHARES))
def test_random_matches_keep_what_must_hold(share: int) -> None:
    endings: Counter[str] = Counter()
    commands = 0
    for seed in range(share, MATCHES, SHARES):
        last = None
        shared = seed % 5 == 0
        for last in steps(seed, options={"shared_device": shared}, resign=0.0002, slow=0.02):
            check_state(last.after)
            check_step(last)
            commands += 1
        assert last is not None
        over = last.after
        assert over.ending is not None
        assert over.winner in (0, 1)
        loser = 1 - (over.winner or 0)
        endings[over.ending] += 1
        if over.ending == Ending.BALANCE:
            assert over.balances[loser] == 0
        elif over.ending == Ending.TIME:
            assert over.banks_ms[loser] == 0
    assert endings[Ending.BALANCE] > 10
    assert commands > 1_000
