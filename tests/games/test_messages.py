"""Sentences for codes and facts."""

from __future__ import annotations

import inspect
import random
from typing import Any

import pytest

from games import errors, messages, rules

NAMES = ("Ayşe", "Jan")
PLAYED = {
    "type": "played",
    "at_ms": 0,
    "seat": 0,
    "tile": "1|2",
    "site": "2|2.line_a",
    "join": "high",
    "contributions": [["1|2", 1]],
    "total": 20,
    "due": 20,
}
MOVED = {"type": "transferred", "at_ms": 0, "payer": 1, "due": 20, "paid": 20, "cause": "placement"}


def codes(module: Any, base: type) -> list[str]:
    found = [value for _name, value in inspect.getmembers(module, inspect.isclass)]
    return [value.__name__ for value in found if issubclass(value, base) and value is not base]


@pytest.mark.parametrize("code", codes(errors, errors.GameError) + codes(rules, rules.IllegalCommand))
def test_every_refusal_has_a_sentence_of_its_own(code: str) -> None:
    text = messages.error_text(code, {})
    assert text.endswith(".")
    assert code == "NoSuchCode" or text != messages.error_text("NoSuchCode")


def test_a_bound_is_named_where_there_is_one() -> None:
    assert messages.error_text("BidTooLow", {"amount": 10, "lowest": 15}) == "That bid is too low: at least 15."
    assert "at most 40" in messages.error_text("BidUnaffordable", {"amount": 45, "highest": 40})
    assert "plain digits" in messages.error_text("MalformedCommand", {"field": "amount", "reason": "value"})


def test_a_play_and_what_it_brought() -> None:
    facts = [PLAYED, {**MOVED, "balances": [135, 165]}]
    assert messages.news_text(facts, NAMES) == "Ayşe played 1–2 on line A of 2–2: 20. 4 chips to Ayşe. 135 to 165."


def test_one_chip_is_one_chip() -> None:
    fact = {**MOVED, "due": 5, "paid": 5, "balances": [155, 145]}
    assert messages.fact_text(fact, NAMES) == "1 chip to Ayşe. 155 to 145."


def test_a_payment_that_falls_short_says_so() -> None:
    fact = {**MOVED, "due": 20, "paid": 5, "balances": [300, 0]}
    assert messages.fact_text(fact, NAMES) == "1 chip to Ayşe: 20 were due, but Jan had no more. 300 to 0."


@pytest.mark.parametrize(
    ("site", "text"),
    [("1|4.low", "the 1 of 1–4"), ("1|4.high", "the 4 of 1–4"), ("5|5.arm_b", "arm B of 5–5"), (None, None)],
)
def test_a_place_is_named(site: str | None, text: str | None) -> None:
    told = messages.fact_text({**PLAYED, "site": site}, NAMES)
    assert told == ("Ayşe opened with 1–2: 20." if text is None else f"Ayşe played 1–2 on {text}: 20.")


def test_a_tied_block_says_that_nothing_is_paid() -> None:
    fact = {"type": "hand_over", "at_ms": 0, "how": "block", "winner": None, "pips": [6, 6]}
    assert messages.fact_text(fact, NAMES) == "The hand is blocked: Ayşe holds 6, Jan 6. A tie: nothing is paid."


@pytest.mark.parametrize("ending", list(rules.Ending))
def test_every_ending_has_its_sentence(ending: rules.Ending) -> None:
    winner = None if ending in ("cancelled", "service_fault") else 1
    text = messages.ending_text(ending, winner, NAMES)
    assert ("Jan wins" in text) == (winner == 1)


def test_a_whole_match_can_be_told_and_hides_what_is_hidden() -> None:
    rng = random.Random(6)
    state = rules.new_match(at_ms=0)
    told_types = set()
    while state.phase != "over":
        moves = [command for command in rules.legal_commands(state) if not isinstance(command, rules.Resign)]
        command = rng.choice(moves[:3] if state.phase == "auction" else moves)
        order = rng.sample(rules.TILES, 28) if rules.needs_order(state, command) else None
        facts = rules.decide(state, command, arrived_ms=0, now_ms=0, order=order)
        state = rules.fold(state, facts)
        for fact in facts:
            for viewer in (0, 1, None):
                text = messages.fact_text(rules.sight_fact(fact, viewer), NAMES)
                assert (text == "") == isinstance(fact, rules.ClockStopped)
                if isinstance(fact, rules.TileDrawn):
                    assert (messages.tile_text(rules.format_tile(fact.tile)) in text) == (viewer == fact.seat)
            told_types.add(fact.type)
    assert {"played", "drew", "transferred", "hand_over", "match_over", "turn_started"} <= told_types
