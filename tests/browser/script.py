"""Whole matches written down beforehand: deals, balances and every command, worked out by the rules.

A browser test prepares the deals by the documented test setting and then does by hand what the
script says; the script knows what both pages must offer and show on the way.
"""

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from games import rules

START_BALANCES = (150, 150)  # SB-2
STEPS_LIMIT = 300


@dataclass(frozen=True, slots=True)
class Step:
    """One command: what was before it, and the version and state behind it."""

    seq: int
    before: rules.MatchState
    command: rules.PlayerCommand
    facts: tuple[rules.Fact, ...]
    after: rules.MatchState


@dataclass(frozen=True, slots=True)
class Script:
    """A match from Start to its end. `balances` are those at the start; seat 0 is who made the offer."""

    deals: tuple[tuple[rules.Tile, ...], ...]
    balances: tuple[int, int]
    steps: tuple[Step, ...]

    @property
    def end(self) -> rules.MatchState:
        return self.steps[-1].after

    def state_at(self, seq: int) -> rules.MatchState:
        """The whole truth after `seq` commands."""
        return self.steps[seq - 1].after if seq else self.steps[0].before

    def kinds(self) -> set[str]:
        """The types of all facts that happen in it."""
        return {fact.type for step in self.steps for fact in step.facts}


def deal(number: int) -> tuple[rules.Tile, ...]:
    """The 28 tiles in an order that only depends on `number`."""
    return rules.deal_order(hashlib.sha256(b"%d" % number).digest(), "browser", 1, (None, None))


def write_match(
    numbers: Sequence[int],
    *,
    balances: tuple[int, int] = START_BALANCES,
    auctions: Sequence[str] = (),
    length: int | None = None,
    shared_device: bool = False,
) -> Script:
    """The script of the match with these deals in which both always play what scores most.

    `auctions` has the answers of each auction as words: "15 20 accept", "decline"; an auction beyond
    them is declined. `length`: only so many steps, when the test ends the match in another way.
    With `shared_device` the two sit before one screen and reveal in turn (D-4).
    """
    deals = tuple(deal(number) for number in numbers)
    origin = rules.new_match(at_ms=0, options={"shared_device": True} if shared_device else None)
    steps = _steps(deals, origin.but(balances=balances), [words.split() for words in auctions])
    return Script(deals, balances, tuple(islice(steps, length)))


def write_deals(
    path: Path,
    deals: Sequence[Sequence[rules.Tile]],
    *,
    balances: Sequence[int] | None = None,
    banks_ms: Sequence[int] | None = None,
) -> None:
    """The file of the test setting; a site that runs with it deals this from the next match on."""
    content: dict[str, Any] = {"deals": [[rules.format_tile(tile) for tile in tiles] for tiles in deals]}
    if balances is not None:
        content["balances"] = list(balances)
    if banks_ms is not None:
        content["banks_ms"] = list(banks_ms)
    fresh = path.with_suffix(".new")
    fresh.write_text(json.dumps(content))
    os.replace(fresh, path)


def best_play(state: rules.MatchState) -> rules.PlayerCommand:
    """The first of the plays that score most; a draw where nothing fits."""
    shown = rules.previews(state)
    if not shown:
        return rules.legal_commands(state)[0]
    best = max(shown, key=lambda play: play.due)
    assert state.turn is not None
    return rules.PlayTile(state.turn, best.tile, best.site)


def _steps(
    deals: Sequence[tuple[rules.Tile, ...]], state: rules.MatchState, auctions: list[list[str]]
) -> Iterator[Step]:
    seq = 0
    said: list[str] = []
    while state.phase != "over":
        assert seq < STEPS_LIMIT, "the same deals again and again lead nowhere"
        if state.phase in ("ready", "curtain"):
            command: rules.PlayerCommand = rules.legal_commands(state)[0]
        elif state.phase == "auction":
            if state.bid is None:
                said = auctions.pop(0) if auctions else []
            command = _answer(state, said.pop(0) if said else "")
        else:
            command = best_play(state)
        order = deals[state.hand % len(deals)] if rules.needs_order(state, command) else None
        facts = rules.decide(state, command, arrived_ms=seq, now_ms=seq, order=order)
        before, state = state, rules.fold(state, facts)
        seq += 1
        yield Step(seq, before, command, facts, state)


def _answer(state: rules.MatchState, word: str) -> rules.PlayerCommand:
    assert state.turn is not None
    if word.isdecimal():
        kind = rules.Bid if state.bid is None else rules.Raise
        return kind(state.turn, int(word))
    return rules.Decline(state.turn) if state.bid is None else rules.Accept(state.turn)
