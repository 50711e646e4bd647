"""Shape at the doors: what is a command and what is not."""

from typing import Any

import pytest
from django.http import QueryDict

from games import rules, wire
from games.errors import MalformedCommand

BID = {"type": "bid", "amount": 15, "seq": 4, "id": "a-1"}
PLAY = {"type": "play", "tile": "1|4", "site": "1|4.low", "seq": 41, "hand": 3, "id": "c.7", "nonce": "0f" * 16}


def test_a_play_names_tile_site_and_what_it_was_made_for() -> None:
    envelope = wire.parse_frame(PLAY)
    tile = rules.parse_tile("1|4")
    assert envelope.command(1) == rules.PlayTile(1, tile, rules.parse_site("1|4.low"))
    assert (envelope.seq, envelope.hand, envelope.command_id, envelope.nonce) == (41, 3, "c.7", b"\x0f" * 16)


@pytest.mark.parametrize("site", [None, ""])
def test_an_opening_names_no_site(site: str | None) -> None:
    assert wire.parse_frame({**PLAY, "site": site}).command(0) == rules.PlayTile(0, rules.parse_tile("1|4"), None)
    without = {key: value for key, value in PLAY.items() if key != "site"}
    assert wire.parse_frame(without).command(0) == rules.PlayTile(0, rules.parse_tile("1|4"), None)


@pytest.mark.parametrize(
    ("kind", "command"),
    [
        ("start", rules.Start),
        ("continue", rules.Continue),
        ("reveal", rules.Reveal),
        ("resign", rules.Resign),
        ("decline", rules.Decline),
        ("accept", rules.Accept),
        ("draw", rules.DrawTile),
    ],
)
def test_commands_without_values(kind: str, command: Any) -> None:
    frame = {"type": kind, "id": "x", ("hand" if kind in wire.NAMES_THE_HAND else "seq"): 0}
    assert wire.parse_frame(frame).command(1) == command(1)


def test_a_form_says_the_same_as_a_frame() -> None:
    form = QueryDict("type=bid&amount=15&seq=4&id=a-1&hand=&nonce=&csrfmiddlewaretoken=abc")
    parsed, framed = wire.parse_form(form), wire.parse_frame(BID)
    assert parsed.command(0) == framed.command(0) == rules.Bid(0, 15)
    assert (parsed.seq, parsed.hand, parsed.nonce) == (4, None, None)


def test_a_field_that_comes_twice_is_refused() -> None:
    with pytest.raises(MalformedCommand) as refused:
        wire.parse_form(QueryDict("type=bid&amount=15&amount=20&seq=4&id=a-1"))
    assert refused.value.detail == {"field": "amount", "reason": "repeated"}


def test_what_htmx_adds_is_not_looked_at() -> None:
    assert wire.parse_frame({**BID, "HEADERS": {"HX-Request": "true"}}).command(0) == rules.Bid(0, 15)


@pytest.mark.parametrize("amount", [10, 16, 17, 0, "15", 999_999])
def test_plain_whole_numbers_reach_the_rules(amount: int | str) -> None:
    """B043: which of them is a bid, the rules say."""
    assert wire.parse_frame({**BID, "amount": amount}).command(0) == rules.Bid(0, int(amount))


@pytest.mark.parametrize(
    "amount",
    [
        *(-15, 15.0, 15.5, 1e2, float("nan"), float("inf"), 10**12, 10**30, True, None, [15], {"a": 15}),
        *("-15", "15.5", "1e2", "015", "00", "+15", " 15", "15 ", "1_5", "", "0x0f", str(10**12), "9" * 5_000),
        *("１５", "١٥", "²"),
    ],
)
def test_everything_else_is_no_amount(amount: Any) -> None:
    """B043."""
    with pytest.raises(MalformedCommand) as refused:
        wire.parse_frame({**BID, "amount": amount})
    assert refused.value.detail["field"] == "amount"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"type": "pass"}, "type"),
        ({"type": "expire_time"}, "type"),
        ({"type": "void_for_fault"}, "type"),
        ({"type": None}, "type"),
        ({"type": ["play"]}, "type"),
        ({"tile": "4|1"}, "tile"),
        ({"tile": "1-4"}, "tile"),
        ({"tile": "7|7"}, "tile"),
        ({"tile": None}, "tile"),
        ({"tile": ["1|4"]}, "tile"),
        ({"site": "1|4"}, "site"),
        ({"site": "1|4.line_a"}, "site"),
        ({"site": "1|1.low"}, "site"),
        ({"site": "1|4.LOW"}, "site"),
        ({"site": 0}, "site"),
        ({"site": {"tile": "1|4"}}, "site"),
        ({"seq": None}, "seq"),
        ({"seq": -1}, "seq"),
        ({"seq": 2**31}, "seq"),
        ({"seq": "041"}, "seq"),
        ({"seq": True}, "seq"),
        ({"hand": "third"}, "hand"),
        ({"id": None}, "id"),
        ({"id": ""}, "id"),
        ({"id": 7}, "id"),
        ({"id": "x" * 65}, "id"),
        ({"id": "a b"}, "id"),
        ({"id": "ä"}, "id"),
        ({"nonce": "0f"}, "nonce"),
        ({"nonce": "zz" * 16}, "nonce"),
        ({"nonce": 15}, "nonce"),
        ({"seat": 1}, "seat"),
        ({"amount": 15}, "amount"),
        ({"arrived_ms": 1}, "arrived_ms"),
    ],
)
def test_it_refuses_what_is_not_of_that_shape(change: dict[str, Any], field: str) -> None:
    with pytest.raises(MalformedCommand) as refused:
        wire.parse_frame({**PLAY, **change})
    assert refused.value.detail["field"] == field


@pytest.mark.parametrize("frame", [None, 1, "play", [], [PLAY], True])
def test_a_frame_is_an_object(frame: Any) -> None:
    with pytest.raises(MalformedCommand):
        wire.parse_frame(frame)


def test_a_command_that_names_its_hand_needs_it() -> None:
    with pytest.raises(MalformedCommand) as refused:
        wire.parse_frame({"type": "continue", "seq": 4, "id": "x"})
    assert refused.value.detail == {"field": "hand", "reason": "missing"}


def test_a_nonce_does_not_show_in_a_repr() -> None:
    assert "0f0f" not in repr(wire.parse_frame(PLAY))


@pytest.mark.parametrize(
    "command",
    [
        rules.PlayTile(0, rules.parse_tile("1|4"), rules.parse_site("1|1.arm_b")),
        rules.PlayTile(0, rules.parse_tile("0|0"), None),
        rules.Bid(0, 15),
        rules.Raise(0, 165),
        rules.Accept(0),
    ],
)
def test_form_fields_lead_back_to_the_command(command: rules.PlayerCommand) -> None:
    fields = wire.form_fields(command)
    assert wire.parse_frame({**fields, "seq": "0", "id": "x"}).command(0) == command
