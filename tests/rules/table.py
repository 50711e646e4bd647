"""A match played by lines of text, for tests that tell a story.

table = Table(deal("6|6 3|6", "5|5")).started()
table.act("0 play 6|6")
"""

from collections.abc import Sequence
from typing import Any

from games.rules import (
    TILES,
    Fact,
    MatchState,
    Tile,
    decide,
    dump_fact,
    fold,
    load_command,
    needs_order,
    new_match,
    parse_tile,
)


def deal(first: str = "", second: str = "", yard: str = "") -> tuple[Tile, ...]:
    """An order that gives the seats these tiles, and the boneyard these to begin with.

    What is left open is filled with the tiles nobody asked for, in canonical order.
    """
    asked = [[parse_tile(text) for text in part.split()] for part in (first, second, yard)]
    rest = iter([tile for tile in TILES if not any(tile in part for part in asked)])
    hands = [part + [next(rest) for _ in range(7 - len(part))] for part in asked[:2]]
    return (*hands[0], *hands[1], *asked[2], *rest)


class Table:
    """A match with its clock; `act` takes `seat word [tile[@site] | amount]`."""

    def __init__(self, *deals: Sequence[Tile], options: dict[str, Any] | None = None, **state: Any) -> None:
        self.deals = list(deals)
        self.state: MatchState = new_match(at_ms=0, options=options).but(**state)
        self.now_ms = 0
        self.facts: list[Fact] = []

    def started(self) -> "Table":
        """After Start, or Continue, of both."""
        word = "start" if self.state.hand == 0 else "continue"
        for seat in range(1 if self.state.options.shared_device else 2):
            self.act(f"{seat} {word}")
        return self

    def act(self, line: str, *, after_ms: int = 1_000, applied_ms: int = 0) -> list[dict[str, Any]]:
        """The facts of a command that arrives so long after the last one was applied."""
        seat, word, *rest = line.split()
        command: dict[str, Any] = {"type": word, "seat": int(seat)}
        if word == "play":
            tile, _, site = rest[0].partition("@")
            command |= {"tile": tile, "site": site or None}
        elif rest:
            command["amount"] = int(rest[0])
        return self.give(load_command(command), after_ms=after_ms, applied_ms=applied_ms)

    def give(self, command: Any, *, after_ms: int = 1_000, applied_ms: int = 0) -> list[dict[str, Any]]:
        """The same for a command as a value."""
        arrived_ms = self.now_ms + after_ms
        order = self.deals[self.state.hand] if needs_order(self.state, command) else None
        facts = decide(self.state, command, arrived_ms=arrived_ms, now_ms=arrived_ms + applied_ms, order=order)
        self.now_ms = arrived_ms + applied_ms
        self.state = fold(self.state, facts)
        self.facts += facts
        return [dump_fact(fact) for fact in facts]


def kinds(facts: Sequence[dict[str, Any]]) -> list[str]:
    """The types of facts."""
    return [fact["type"] for fact in facts]
