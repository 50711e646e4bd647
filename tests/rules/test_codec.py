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


@pytest.mark.parametrize("data", [None, 1, "bid", [], [["type", "bid"]]])
def test_what_is_no_object_is_refused(data: Any) -> None:
    for load in (load_state, load_command, load_fact):
        with pytest.raises(ValueError, match=r"."):
            load(data)


def whole_state() -> dict[str, Any]:
    """A state with tiles on the table, and a bid laid beside it."""
    state = next(step.after for step in steps(3) if len(step.after.layout.joins) > 2)
    data: dict[str, Any] = through_json(dump_state(state))
    return data | {"bid": {"seat": 0, "amount": 15}}


@pytest.mark.parametrize("key", sorted(whole_state()))
def test_a_state_without_one_of_its_keys_is_refused(key: str) -> None:
    data = whole_state()
    load_state(data)
    del data[key]
    with pytest.raises(ValueError, match=key.replace("_", ".")):
        load_state(data)
    with pytest.raises(ValueError, match="keys"):
        load_state(whole_state() | {"extra": 1})


@pytest.mark.parametrize("key", sorted(set(whole_state()) - {"variant"}))
@pytest.mark.parametrize("junk", [1.5, "x", True, {"a": 1}, [None], [[1]], [{}], -1])
def test_a_state_of_other_shapes_is_refused(key: str, junk: Any) -> None:
    if key in ("hand", "turn_started_ms", "deadline_ms") and junk == -1:
        return  # a number as good as any other to the codec
    with pytest.raises(ValueError, match=r"."):
        load_state(whole_state() | {key: junk})


@pytest.mark.parametrize(
    ("part", "key"), [("bid", "seat"), ("bid", "amount"), ("layout", "tiles"), ("layout", "joins")]
)
def test_a_part_of_a_state_without_one_of_its_keys_is_refused(part: str, key: str) -> None:
    data = whole_state()
    del data[part][key]
    with pytest.raises(ValueError, match=key):
        load_state(data)


@pytest.mark.parametrize("joins", [None, [1], [["1|4.low"]], ["ab"], [[None, None]]])
def test_joins_of_other_shapes_are_refused(joins: Any) -> None:
    data = whole_state()
    data["layout"]["joins"] = joins
    with pytest.raises(ValueError, match=r"."):
        load_state(data)


@pytest.mark.parametrize("number", range(3))
def test_facts_and_commands_without_one_of_their_keys_are_refused(number: int) -> None:
    seen = set()
    for step in steps(number):
        for load, told in (
            (load_command, dump_command(step.command)),
            *((load_fact, dump_fact(fact)) for fact in step.facts),
        ):
            data = through_json(told)
            if (load, data["type"]) in seen:
                continue
            seen.add((load, data["type"]))
            for key in data.keys() - {"absent"}:
                with pytest.raises(ValueError, match=r"."):
                    load({name: value for name, value in data.items() if name != key})
                for junk in ({}, [[1]], 1.5):
                    with pytest.raises(ValueError, match=r"."):
                        load(data | {key: junk})
    assert len(seen) > 8


def test_amounts_are_numbers_of_any_size() -> None:
    """The auction refuses them, not the codec."""
    assert load_command({"type": "bid", "seat": 0, "amount": 10**12}) == Bid(0, 10**12)
