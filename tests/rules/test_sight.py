"""What a viewer may see: nothing hidden, in any phase, for anybody (D-31)."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules import (
    MatchState,
    Sight,
    Tile,
    TileDrawn,
    dump_command,
    dump_fact,
    format_tile,
    legal_commands,
    new_match,
    parse_tile,
    previews,
    sight,
    sight_data,
    sight_fact,
)
from games.rules.codec import state_data
from tests.rules.play import steps
from tests.rules.table import Table, deal

VIEWERS = (0, 1, None)


def may_see(state: MatchState, viewer: int | None) -> set[Tile]:
    """The tiles that D-31 shows to a viewer, found without the code under test."""
    seen = set(state.layout.tiles)
    for seat, held in enumerate(state.held):
        if state.phase in ("ready", "over") or (seat == viewer and state.phase != "curtain"):
            seen.update(held)
    return seen


def everything_in(shown: Sight) -> str:
    """All that a sight holds, as text."""
    return json.dumps(
        [
            sight_data(shown),
            [dump_command(command) for command in shown.legal],
            [format_tile(preview.tile) for preview in shown.previews],
            repr(shown),
        ]
    )


def mentions(text: str, tile: Tile) -> bool:
    return format_tile(tile) in text or repr(tile) in text


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 2**32), shared=st.booleans())
def test_no_sight_and_no_fact_holds_a_hidden_tile(seed: int, shared: bool) -> None:
    for number, step in enumerate(steps(seed, options={"shared_device": shared}, resign=0.001)):
        if number > 250:
            break
        state = step.after
        hidden = {tile for tiles in (*state.held, state.boneyard) for tile in tiles}
        for viewer in VIEWERS:
            shown = everything_in(sight(state, viewer))
            seen = may_see(state, viewer)
            assert not [tile for tile in hidden - seen if mentions(shown, tile)]
            facts = json.dumps([sight_fact(fact, viewer) for fact in step.facts])
            drawn = {fact.tile for fact in step.facts if isinstance(fact, TileDrawn) and fact.seat == viewer}
            seen_before = seen | may_see(step.before, viewer) | drawn
            assert not [tile for tile in hidden - seen_before if mentions(facts, tile)]


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_the_obligation_to_open_or_to_play_is_its_holders_secret(seed: int) -> None:
    for step in steps(seed):
        state = step.after
        for viewer in VIEWERS:
            shown = sight(state, viewer)
            is_holder = viewer is not None and viewer == state.turn
            assert shown.must_open == (state.must_open if is_holder else None)
            assert shown.must_play == (state.must_play if is_holder else None)


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32), shared=st.booleans())
def test_a_sight_has_the_keys_of_the_state_and_the_viewers_own_choices(seed: int, shared: bool) -> None:
    for step in steps(seed, options={"shared_device": shared}):
        state = step.after
        whole = state_data(state)
        legal = legal_commands(state)
        for viewer in VIEWERS:
            shown = sight(state, viewer)
            data = sight_data(shown)
            assert list(data) == list(whole)
            hidden = {"held", "boneyard", "must_open", "must_play"}
            assert {key: data[key] for key in data.keys() - hidden} == {
                key: whole[key] for key in whole.keys() - hidden
            }
            assert data["boneyard"] == len(state.boneyard)
            assert shown.legal == tuple(command for command in legal if command.seat == viewer)
            is_on_turn = viewer is not None and viewer == state.turn
            assert shown.previews == (previews(state) if is_on_turn else ())


def test_hands_open_when_the_hand_or_the_match_is_over() -> None:
    """D-3, D-31."""
    table = Table(deal("6|6")).started()
    assert sight(table.state, None).held == (7, 7)
    assert sight(table.state, 0).held == (table.state.held[0], 7)
    table.state = table.state.but(held=((parse_tile("6|6"),), table.state.held[1]))
    table.act("0 play 6|6")
    assert table.state.phase == "ready"
    for viewer in VIEWERS:
        assert sight(table.state, viewer).held == table.state.held

    resigned = Table(deal("6|6")).started()
    resigned.act("1 resign")
    for viewer in VIEWERS:
        assert sight(resigned.state, viewer).held == resigned.state.held


def test_a_match_before_its_deal_shows_empty_hands() -> None:
    data = sight_data(sight(new_match(at_ms=0), None))
    assert (data["held"], data["boneyard"], data["phase"]) == ([[], []], 0, "ready")


@pytest.mark.parametrize(("viewer", "tile"), [(0, None), (1, "1|3"), (None, None)])
def test_a_drawn_tile_is_shown_to_who_drew_it(viewer: int | None, tile: str | None) -> None:
    """SB-39."""
    table = Table(deal("6|6", "0|1 0|2 0|3 0|4 0|5 1|1 1|2", "1|3")).started()
    table.act("0 play 6|6")
    table.act("1 draw")
    shown = sight_fact(table.facts[-1], viewer)
    assert shown == {"type": "drew", "at_ms": table.now_ms, "seat": 1, "tile": tile, "left": 13}


@pytest.mark.parametrize("viewer", VIEWERS)
def test_the_order_of_a_deal_is_shown_to_nobody(viewer: int | None) -> None:
    table = Table(deal("6|6")).started()
    dealt: dict[str, Any] = sight_fact(table.facts[2], viewer)
    assert dealt == {"type": "dealt", "at_ms": table.now_ms, "hand": 1, "order": None}


def test_public_facts_are_shown_as_they_are() -> None:
    table = Table(deal("6|6")).started()
    table.act("0 play 6|6")
    for fact in table.facts:
        if fact.type != "dealt":
            assert [sight_fact(fact, viewer) for viewer in VIEWERS] == [dump_fact(fact)] * 3
