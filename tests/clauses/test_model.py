"""Whole matches, move by move against the second reading of the rules in model.py."""

import random
from typing import Any

import pytest

from tests.clauses.driver import Table
from tests.clauses.model import ALL_TILES, Match, RefusedError, Tile, tile_name

KEYS: dict[str, set[str]] = {
    "ready": {"seat"},
    "dealt": {"hand", "order"},
    "turn_started": {"seat", "kind", "deadline_ms"},
    "clock_stopped": {"seat", "elapsed_ms", "charged_ms", "bank_ms"},
    "declined": {"seat"},
    "bid": {"seat", "amount", "net"},
    "raised": {"seat", "amount", "net"},
    "accepted": {"seat", "bidder", "amount", "net"},
    "played": {"seat", "tile", "site", "join", "contributions", "total", "due"},
    "transferred": {"payer", "due", "paid", "cause", "balances"},
    "drew": {"seat", "tile", "left"},
    "passed": {"seat"},
    "hand_over": {"how", "winner", "pips"},
    "match_over": {"winner", "ending"},
}


def told(facts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The facts with the keys that the protocol promises."""
    return [{key: fact[key] for key in KEYS[fact["type"]] | {"type", "at_ms"}} for fact in facts]


def frozen(moves: list[Any]) -> set[tuple[int, tuple[tuple[str, object], ...]]]:
    return {(seat, tuple(sorted(command.items()))) for seat, command in moves}


def assert_same(table: Table, match: Match) -> None:
    state, expected = table.state(), match.state()
    if match.phase == "over":
        state.pop("jockey")
        expected.pop("jockey")
    assert state == expected
    assert frozen(table.legal(resign=True)) == frozen(list(match.moves()))
    assert sum(state["balances"]) == 300
    assert all(balance >= 0 and balance % 5 == 0 for balance in state["balances"])
    if match.phase in ("auction", "play"):
        assert all(state["balances"])
        assert all(bank > 0 for bank in state["banks_ms"])
    if match.hand:
        everywhere = [*state["layout"]["tiles"], *state["held"][0], *state["held"][1], *state["boneyard"]]
        assert sorted(everywhere) == [tile_name(tile) for tile in ALL_TILES]
    layout = state["layout"]
    if layout["tiles"]:
        spinner = layout["spinner"]
        covered = {f"{spinner}.line_a", f"{spinner}.line_b"} <= {port for join in layout["joins"] for port in join}
        assert len(layout["sites"]) == (4 if covered else 2)
        assert sum(value for _, value in layout["contributions"]) <= 36


def choose(rng: random.Random, match: Match) -> tuple[int, dict[str, object]]:
    """Any move but a resignation; bids mostly small, or a match would be one auction long."""
    moves = [move for move in match.moves() if move[1]["type"] != "resign"]
    kind = rng.choice(sorted({str(move[1]["type"]) for move in moves}))
    moves = [move for move in moves if move[1]["type"] == kind]
    return rng.choice(moves[:4] if kind in ("bid", "raise") and rng.random() < 0.9 else moves)


def bogus(rng: random.Random, match: Match) -> tuple[int, dict[str, object]]:
    """A well-formed command, very likely illegal just now."""
    seat, tile = rng.randrange(2), rng.choice(ALL_TILES)
    port = rng.choice(["line_a", "line_b", "arm_a", "arm_b"] if tile[0] == tile[1] else ["low", "high"])
    own = rng.choice(match.held[seat]) if match.held[seat] else tile
    site = rng.choice([f"{tile_name(tile)}.{port}", *match.state()["layout"]["sites"]])
    return seat, rng.choice(
        [
            {"type": "start"},
            {"type": "continue"},
            {"type": "draw"},
            {"type": "accept"},
            {"type": "decline"},
            {"type": "bid", "amount": rng.randrange(-5, 330)},
            {"type": "raise", "amount": rng.randrange(0, 66) * 5},
            {"type": "play", "tile": tile_name(own), "site": site},
            {"type": "play", "tile": tile_name(own), "site": None},
            {"type": "play", "tile": tile_name(tile), "site": site},
        ]
    )


def attempt(table: Table, match: Match, seat: int, command: dict[str, object], at_ms: int) -> None:
    """One command at both; they agree on it or refuse it both."""
    answer = table.ask(do="command", seat=seat, at_ms=at_ms, command=command)
    late = match.deadline_ms is not None and at_ms >= match.deadline_ms
    try:
        facts = match.act(seat, command, at_ms)
    except RefusedError:
        assert (answer["ok"], late) == (False, False), (command, answer)
    else:
        assert answer["ok"], (command, answer)
        assert told(answer["facts"]) == facts
        table.now_ms = at_ms


def thinking_ms(rng: random.Random) -> int:
    """Mostly within the delay; now and then some seconds of the bank."""
    return rng.randrange(11_000, 26_000) if rng.random() < 0.01 else rng.randrange(0, 10_001)


@pytest.mark.parametrize("number", range(24))
def test_random_matches_go_as_the_second_reading_says(number: int) -> None:
    rng = random.Random(number)
    deals: list[list[Tile]] = [rng.sample(ALL_TILES, len(ALL_TILES)) for _ in range(60)]
    table = Table([[tile_name(tile) for tile in deal] for deal in deals])
    match = Match(deals)
    last = 0
    for _ in range(900):
        if match.phase == "over" or (match.phase == "ready" and match.hand == 60):
            break
        assert_same(table, match)
        at_ms = last + thinking_ms(rng)
        if rng.random() < 0.1:
            attempt(table, match, *bogus(rng, match), at_ms=last)
            continue
        attempt(table, match, *choose(rng, match), at_ms=at_ms)
        last = at_ms
    assert_same(table, match)


@pytest.mark.parametrize("number", range(6))
def test_random_matches_end_as_the_second_reading_says(number: int) -> None:
    """Cut off after some moves by a resignation or by time."""
    rng = random.Random(1_000 + number)
    deals: list[list[Tile]] = [rng.sample(ALL_TILES, len(ALL_TILES)) for _ in range(10)]
    table = Table([[tile_name(tile) for tile in deal] for deal in deals])
    match = Match(deals)
    last = 0
    for _ in range(rng.randrange(3, 120)):
        if match.phase == "over":
            break
        last += rng.randrange(0, 9_000)
        attempt(table, match, *choose(rng, match), at_ms=last)
    last += 4_000
    if number % 2:
        attempt(table, match, rng.randrange(2), {"type": "resign"}, last)
    elif match.deadline_ms is not None:
        last = match.deadline_ms + rng.randrange(0, 3_000)
        attempt(table, match, rng.randrange(2), {"type": "draw"}, last)
    assert_same(table, match)
