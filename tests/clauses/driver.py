"""Plays matches through the referee's lines of JSON, and builds the deals they need.

A line of play is text: tokens apart by spaces, `6|6` for an opening tile, `3|6@6|6.line_a`
for a tile put on a site, `draw`. Who acts is whoever is on turn. Every act takes one
second unless told otherwise, so that no bank is touched by accident.
"""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from games.rules.referee import Referee

Facts = list[dict[str, Any]]

ALL_TILES = tuple(f"{low}|{high}" for low in range(7) for high in range(low, 7))
HANDS: dict[str, dict[str, str]] = json.loads((Path(__file__).parent / "hands.json").read_text())


class Table:
    """One match at the referee, with the hand of a clock that the tests move."""

    def __init__(
        self,
        deals: Iterable[Sequence[str]] | None = None,
        *,
        seed: str | None = None,
        options: dict[str, object] | None = None,
        at_ms: int = 0,
    ) -> None:
        self.referee = Referee()
        self.now_ms = at_ms
        request: dict[str, object] = {"do": "new", "variant": "spectacular-bid", "at_ms": at_ms}
        if seed is None:
            request["deals"] = [list(deal) for deal in deals or ()]
        else:
            request["seed"] = seed
        if options is not None:
            request["options"] = options
        assert self.ask(**request) == {"ok": True, "facts": []}

    def ask(self, **request: object) -> dict[str, Any]:
        """The answer to a request, whatever it is."""
        answer = self.referee.answer(json.dumps(request))
        assert "\n" not in answer
        parsed: dict[str, Any] = json.loads(answer)
        return parsed

    def accept(self, **request: object) -> dict[str, Any]:
        answer = self.ask(**request)
        assert answer["ok"] is True, (request, answer)
        return answer

    def act(self, seat: int, kind: str, *, after_ms: int = 1_000, **values: object) -> Facts:
        """The facts of an accepted command that arrives `after_ms` after the last one."""
        self.now_ms += after_ms
        command = {"type": kind, **values}
        facts: Facts = self.accept(do="command", seat=seat, at_ms=self.now_ms, command=command)["facts"]
        return facts

    def refuse(self, seat: int, kind: str, *, after_ms: int = 0, error: str | None = None, **values: object) -> str:
        """The error code of a refused command; nothing at all may have changed."""
        before = self.everything()
        request = {"do": "command", "seat": seat, "at_ms": self.now_ms + after_ms, "command": {"type": kind, **values}}
        answer = self.ask(**request)
        assert answer["ok"] is False, (request, answer)
        assert answer.keys() == {"ok", "error", "detail"}
        assert self.everything() == before
        assert error in (None, answer["error"]), answer
        code: str = answer["error"]
        return code

    def tick(self, after_ms: int) -> Facts:
        self.now_ms += after_ms
        facts: Facts = self.accept(do="tick", at_ms=self.now_ms)["facts"]
        return facts

    def state(self) -> dict[str, Any]:
        state: dict[str, Any] = self.accept(do="state")["state"]
        return state

    def sight(self, viewer: int | None) -> dict[str, Any]:
        sight: dict[str, Any] = self.accept(do="sight", viewer=viewer)["sight"]
        return sight

    def legal(self, seat: int | None = None, *, resign: bool = False) -> list[Any]:
        """Legal commands, of one seat or as (seat, command); resignations only when asked for."""
        entries = self.accept(do="legal")["legal"]
        wanted = [entry for entry in entries if resign or entry["command"]["type"] != "resign"]
        if seat is None:
            return [(entry["seat"], entry["command"]) for entry in wanted]
        return [entry["command"] for entry in wanted if entry["seat"] == seat]

    def record(self) -> str:
        record: str = self.accept(do="record")["record"]
        return record

    def everything(self) -> tuple[object, ...]:
        return self.state(), self.legal(resign=True), self.record(), [self.sight(viewer) for viewer in (0, 1, None)]

    def deal(self, *, after_ms: int = 1_000) -> Facts:
        """Both press Start or Continue; the facts of both presses."""
        kind = "start" if self.state()["hand"] == 0 else "continue"
        return self.act(0, kind, after_ms=after_ms) + self.act(1, kind, after_ms=0)

    def play(self, line: str, *, after_ms: int = 1_000) -> Facts:
        """Play tokens by whoever is on turn; the facts of the last one."""
        facts: Facts = []
        for token in line.split():
            facts = self.step(token, after_ms=after_ms)
        return facts

    def step(self, token: str, *, after_ms: int = 1_000) -> Facts:
        seat = self.state()["turn"]
        if token == "draw":
            return self.act(seat, "draw", after_ms=after_ms)
        tile, _, site = token.partition("@")
        return self.act(seat, "play", tile=tile, site=site or None, after_ms=after_ms)


def only(facts: Facts, kind: str) -> dict[str, Any]:
    """The one fact of that type."""
    found = [fact for fact in facts if fact["type"] == kind]
    assert len(found) == 1, (kind, facts)
    return found[0]


def kinds(facts: Facts) -> list[str]:
    return [fact["type"] for fact in facts]


def pips(tiles: Iterable[str]) -> int:
    return sum(int(tile[0]) + int(tile[2]) for tile in tiles)


def fits(tile: str, site: str) -> bool:
    """Whether the tile has a half of the site's value."""
    low, high, port = site[0], site[2], site[4:]
    return (high if port == "high" else low) in (tile[0], tile[2])


# Deals.


def deal_of(first: str, second: str, boneyard: str = "") -> list[str]:
    """A deal in which the seats hold at least these tiles and the boneyard begins with those.

    What is missing is filled up from the remaining tiles, light non-doubles first, so
    that no hand gets a double while there is anything else.
    """
    hands, top = [first.split(), second.split()], boneyard.split()
    rest = [tile for tile in ALL_TILES if tile not in {*hands[0], *hands[1], *top}]
    rest.sort(key=lambda tile: (tile[0] == tile[2], pips([tile])))
    for hand in hands:
        missing = 7 - len(hand)
        hand += rest[:missing]
        rest = rest[missing:]
    deal = [*hands[0], *hands[1], *top, *rest]
    assert sorted(deal) == sorted(ALL_TILES)
    return deal


def deal_for(line: str, opener: int = 0) -> list[str]:
    """A deal for a line without draws, in which the seats lay alternately."""
    tiles = [token.partition("@")[0] for token in line.split()]
    halves = [" ".join(tiles[0::2]), " ".join(tiles[1::2])]
    return deal_of(halves[opener], halves[1 - opener])


def stored(name: str, *, opener: int = 0) -> list[str]:
    """The deal of hands.json, turned round where seat 1 is to open."""
    deal = HANDS[name]["deal"].split()
    return deal if opener == 0 else deal[7:14] + deal[:7] + deal[14:]


def line(name: str) -> str:
    return HANDS[name]["line"]


# Matches that have come some way.


def at_auction(
    *deals: Sequence[str],
    jockey: int = 0,
    balances: tuple[int, int] = (150, 150),
    options: dict[str, object] | None = None,
) -> Table:
    """A match whose next hand, `deals[0]`, has just been dealt after a domino by `jockey`.

    Other balances come from an auction in a hand before: the seat that is to have less
    was jockey there and bought the opening for the difference.
    """
    poor = 0 if balances[0] < 150 else 1
    price = 150 - balances[poor]
    if price == 0:
        table = Table([stored("quiet_13", opener=jockey), *deals], options=options)
    else:
        name = "quiet_13" if jockey == poor else "quiet_drawn"
        table = Table([stored("quiet_13", opener=poor), stored(name, opener=poor), *deals], options=options)
    table.deal()
    table.play(line("quiet_13"))
    if price:
        table.deal()
        table.act(1 - poor, "bid", amount=15)
        table.act(poor, "raise", amount=price + 15)
        if table.state()["phase"] == "auction":
            table.act(1 - poor, "accept")
        table.play(line(name))
    state = table.state()
    assert (state["jockey"], state["balances"], state["phase"]) == (jockey, list(balances), "ready")
    table.deal()
    return table


def at_opening(*deals: Sequence[str], opener: int = 0, balances: tuple[int, int] = (150, 150)) -> Table:
    """The same, and `opener` is about to open `deals[0]` free of charge with any tile."""
    table = at_auction(*deals, jockey=opener, balances=balances)
    if table.state()["phase"] == "auction":
        table.act(1 - opener, "decline")
    assert (table.state()["phase"], table.state()["turn"]) == ("play", opener)
    return table


def after(text: str, *more: Sequence[str], opener: int = 0, balances: tuple[int, int] = (150, 150)) -> Table:
    """A match after this line without draws, opened free of charge."""
    table = at_opening(deal_for(text, opener), *more, opener=opener, balances=balances)
    table.play(text)
    return table
