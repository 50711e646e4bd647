"""What holds for every match: legal is accepted, refused changes nothing, facts are the state."""

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules import (
    TILES,
    Accept,
    Bid,
    Command,
    Continue,
    Decline,
    DrawTile,
    IllegalCommand,
    MatchState,
    PlayTile,
    Raise,
    Resign,
    Reveal,
    Start,
    decide,
    dump_state,
    fold,
    legal_commands,
    needs_order,
    new_match,
    parse_site,
)
from games.rules.layout import _SITES as EVERY_SITE
from tests.rules.play import steps

BARE = (Start, Continue, Decline, Accept, DrawTile, Resign, Reveal)


def universe(state: MatchState) -> Iterator[Command]:
    """Commands of both seats, legal and not: every kind, amount and tile, the sites near and far."""
    sites = {*state.layout.sites, *(site for join in state.layout.joins for site in join)}
    sites |= {parse_site("6|6.arm_a"), parse_site("0|0.line_a"), parse_site("0|1.low")}
    for seat in (0, 1):
        yield from (kind(seat) for kind in BARE)
        for amount in (-15, 0, 1, 10, *range(14, 31), 150, 155, 165, 170, 300, 315, 10**12):
            yield Bid(seat, amount)
            yield Raise(seat, amount)
        for tile in TILES:
            yield PlayTile(seat, tile, None)
            for site in sites:
                yield PlayTile(seat, tile, site)


def check_legal_is_accepted(state: MatchState, at_ms: int) -> None:
    """legal_commands lists exactly what decide accepts, and a refusal leaves the state equal."""
    legal = legal_commands(state)
    assert len(set(legal)) == len(legal)
    before = dump_state(state)
    accepted = set()
    for command in {*universe(state), *legal}:
        order = TILES if needs_order(state, command) else None
        try:
            facts = decide(state, command, arrived_ms=at_ms, now_ms=at_ms, order=order)
        except IllegalCommand:
            assert command not in legal
        else:
            assert facts
            accepted.add(command)
    assert accepted == set(legal)
    assert dump_state(state) == before


@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 2**32), shared=st.booleans())
def test_legal_commands_are_exactly_the_accepted_ones(seed: int, shared: bool) -> None:
    """In all phases, for a universe of commands legal and not (B037, B123)."""
    rng = Random(seed)
    check_legal_is_accepted(new_match(at_ms=0, options={"shared_device": shared}), 0)
    for step in steps(seed, options={"shared_device": shared}, slow=0.01):
        # Each phase is looked at, and a sample of the many turns.
        if step.after.phase in ("auction", "ready", "over") or rng.random() < 0.08:
            check_legal_is_accepted(step.after, step.now_ms)


def test_every_site_of_every_tile_is_tried_in_one_position() -> None:
    step = next(step for step in steps(3) if len(step.after.layout.tiles) > 6 and step.after.phase == "play")
    state = step.after
    legal = set(legal_commands(state))
    for site in EVERY_SITE.values():
        for tile in TILES:
            for seat in (0, 1):
                command = PlayTile(seat, tile, site)
                try:
                    decide(state, command, arrived_ms=step.now_ms, now_ms=step.now_ms)
                except IllegalCommand:
                    assert command not in legal
                else:
                    assert command in legal


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32), shared=st.booleans())
def test_the_facts_alone_give_the_state(seed: int, shared: bool) -> None:
    """Fold of all facts from the beginning, after every command of a stretch."""
    state = first = new_match(at_ms=0, options={"shared_device": shared})
    facts = []
    for step in steps(seed, options={"shared_device": shared}, resign=0.002):
        facts += step.facts
        state = step.after
    assert fold(first, facts) == state


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_an_order_of_facts_is_kept(seed: int) -> None:
    """clock_stopped, the command's own fact, transferred, then one of the ends (referee)."""
    ends = ("match_over", "hand_over", "turn_started")
    for step in steps(seed, resign=0.001):
        types = [fact.type for fact in step.facts]
        assert types.count("clock_stopped") <= 1
        assert all(fact.at_ms == step.now_ms for fact in step.facts) or types == ["clock_stopped", "match_over"]
        assert sum(types.count(end) for end in ends) <= 2
        if step.command.type in ("play", "bid", "raise", "accept", "decline") and len(types) > 2:
            assert types[0] == "clock_stopped"
        if types.count("passed") == 2:
            assert types[types.index("passed") : types.index("hand_over") + 1] == ["passed", "passed", "hand_over"]
        if "transferred" in types and "hand_over" in types and types.count("passed") < 2:
            assert types.index("transferred") < types.index("hand_over")


def test_a_state_cannot_be_changed_from_outside() -> None:
    state = new_match(at_ms=0)
    with pytest.raises(AttributeError):
        state.hand = 1
    with pytest.raises(AttributeError):
        del state.hand
