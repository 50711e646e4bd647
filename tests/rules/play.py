"""Random matches for the tests and the benchmark of the rules."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from games.rules import (
    TILES,
    Command,
    Fact,
    MatchState,
    PlayerCommand,
    decide,
    evolve,
    legal_commands,
    needs_order,
    new_match,
)

RESIGNATIONS = 2


@dataclass(frozen=True, slots=True)
class Step:
    """One accepted command of a match and what it led to."""

    before: MatchState
    command: Command
    arrived_ms: int
    now_ms: int
    facts: tuple[Fact, ...]
    after: MatchState


def choose(state: MatchState, rng: Random) -> PlayerCommand:
    """A random legal command that is no resignation; low bids are likelier, so that matches last."""
    legal = legal_commands(state)
    open_to_choice = len(legal) - RESIGNATIONS
    if state.phase == "auction":
        open_to_choice = min(open_to_choice, 4)
    return legal[int(rng.random() * open_to_choice)]


def steps(
    seed: int, *, options: Mapping[str, Any] | None = None, resign: float = 0.0, slow: float = 0.05
) -> Iterator[Step]:
    """A random match, command by command.

    A share `slow` of the turns takes up to 30 s, so that banks shrink and some matches end on
    time; a share `resign` of the commands gives the match up.
    """
    rng = Random(seed)
    state = new_match(at_ms=0, options=options)
    tiles = list(TILES)
    now_ms = 0
    while state.phase != "over":
        command = choose(state, rng)
        if resign and rng.random() < resign:
            command = legal_commands(state)[-1 - int(rng.random() * RESIGNATIONS)]
        arrived_ms = now_ms + int(rng.random() * (30_000 if rng.random() < slow else 3_000))
        now_ms = arrived_ms + int(rng.random() * 20)
        order = None
        if needs_order(state, command):
            rng.shuffle(tiles)
            order = tuple(tiles)
        facts = decide(state, command, arrived_ms=arrived_ms, now_ms=now_ms, order=order)
        after = state
        for fact in facts:
            after = evolve(after, fact)
        yield Step(state, command, arrived_ms, now_ms, facts, after)
        state = after


def match_facts(seed: int, **how: Any) -> tuple[MatchState, tuple[Fact, ...]]:
    """A whole random match: its last state and all its facts."""
    facts: list[Fact] = []
    state = new_match(at_ms=0, options=how.get("options"))
    for step in steps(seed, **how):
        facts += step.facts
        state = step.after
    return state, tuple(facts)
