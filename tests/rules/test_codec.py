"""JSON data: what is dumped is loaded again, and nothing else is."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules import (
    Bid,
    CancelAbandoned,
    CancelUnstarted,
    Ending,
    ExpireTime,
    MatchOver,
    PlayTile,
    VoidForFault,
    dump_command,
    dump_fact,
    dump_state,
    load_command,
    load_fact,
    load_state,
    new_match,
    parse_site,
    parse_tile,
)
from tests.rules.play import steps


def through_json(data: Any) -> Any:
    return json.loads(json.dumps(data))


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32), shared=st.booleans())
def test_states_commands_and_facts_come_back_as_they_were(seed: int, shared: bool) -> None:
    for step in steps(seed, options={"shared_device": shared}, resign=0.001):
        assert load_state(through_json(dump_state(step.after))) == step.after
        assert load_command(through_json(dump_command(step.command))) == step.command
        for fact in step.facts:
            assert load_fact(through_json(dump_fact(fact))) == fact


@pytest.mark.parametrize(
    "command", [ExpireTime(), VoidForFault(), CancelUnstarted(), CancelUnstarted((0, 1)), CancelAbandoned()]
)
def test_commands_of_the_service_come_back_too(command: Any) -> None:
    assert load_command(through_json(dump_command(command))) == command


def test_the_dumped_words() -> None:
    play = PlayTile(0, parse_tile("1|4"), parse_site("1|1.arm_b"))
    assert dump_command(play) == {"type": "play", "seat": 0, "tile": "1|4", "site": "1|1.arm_b"}
    assert dump_command(PlayTile(1, parse_tile("0|0"), None))["site"] is None
    assert dump_fact(MatchOver(5, 0, Ending.TIME)) == {
        "type": "match_over",
        "at_ms": 5,
        "winner": 0,
        "ending": "time",
    }
    assert dump_fact(MatchOver(5, None, Ending.CANCELLED, (1,)))["absent"] == [1]


def test_a_state_of_other_rules_is_refused() -> None:
    data = dump_state(new_match(at_ms=0)) | {"rules_version": "0"}
    with pytest.raises(ValueError, match="rules version"):
        load_state(data)


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"type": None},
        {"type": ["bid"]},
        {"type": "bribe", "seat": 0},
        {"type": "bid", "seat": 0},
        {"type": "bid", "seat": 0, "amount": 15, "tile": "1|4"},
        {"type": "bid", "seat": 0, "amount": 15.0},
        {"type": "bid", "seat": 0, "amount": "15"},
        {"type": "bid", "seat": 0, "amount": True},
        {"type": "bid", "seat": 0, "amount": None},
        {"type": "bid", "seat": False, "amount": 15},
        {"type": "bid", "seat": -1, "amount": 15},
        {"type": "play", "seat": 0, "tile": "4|1", "site": None},
        {"type": "play", "seat": 0, "tile": ["1|4"], "site": None},
        {"type": "play", "seat": 0, "tile": "1|4", "site": "1|4"},
        {"type": "play", "seat": 0, "tile": "1|4", "site": ""},
        {"type": "play", "seat": 0, "tile": "1|4", "site": "1|4.arm_a"},
        {"type": "play", "seat": 0, "tile": "1|4"},
        {"type": "cancel_unstarted", "absent": "01"},
    ],
)
def test_what_is_no_command_is_refused(data: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"."):
        load_command(data)


@pytest.mark.parametrize(
    "changes",
    [{"ending": "boredom"}, {"winner": "0"}, {"winner": -1}, {"at_ms": 1.5}, {"extra": 1}, {"absent": [True]}],
)
def test_what_is_no_fact_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"."):
        load_fact(dump_fact(MatchOver(5, 0, Ending.TIME)) | changes)


def test_amounts_are_numbers_of_any_size() -> None:
    """The auction refuses them, not the codec."""
    assert load_command({"type": "bid", "seat": 0, "amount": 10**12}) == Bid(0, 10**12)
