"""The rules engine on a pipe: JSON lines in, JSON lines out (docs/rules/referee.md).

    python -m games.rules.referee

Deterministic: the same input gives the same output. It plays one match at a time; `new` begins
another.
"""

import hashlib
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, BinaryIO, Final

from games.rules.codec import dump_command, dump_fact, load_command, parse_tiles, state_data
from games.rules.commands import (
    CancelUnstarted,
    Command,
    ExpireTime,
    PlayerCommand,
    VoidForFault,
)
from games.rules.dealing import deal_order
from games.rules.errors import MalformedRequest, NoMatch, Refusal, TimeRunsBackwards
from games.rules.facts import Fact
from games.rules.match import decide, fold, legal_commands, needs_order, new_match
from games.rules.notation import Record, write_record
from games.rules.sight import sight, sight_data
from games.rules.state import MatchState
from games.rules.tiles import TILES, Tile

MAX_LINE_BYTES: Final = 64 * 1024
MAX_TIME_MS: Final = 2**53 - 1  # What every reader of JSON can take.

Request = Mapping[str, Any]
Deals = Callable[[int], tuple[Tile, ...] | None]


class Referee:
    """One match and the answers to requests about it."""

    def __init__(self) -> None:
        self._state: MatchState | None = None
        self._deals: Deals = lambda hand: None
        self._started_ms = 0
        self._last_ms = 0
        self._facts: list[Fact] = []
        self._begun: MatchState | None = None

    def answer(self, line: str) -> str:
        """One line of JSON in answer to one; never raises, a refusal changes nothing."""
        try:
            answer = self._answer(_read_request(line))
        except Refusal as refusal:
            answer = {"ok": False, "error": refusal.code, "detail": refusal.detail}
        return json.dumps(answer, separators=(",", ":"))

    def _answer(self, request: Request) -> dict[str, Any]:
        word = request.get("do")
        known = _REQUESTS.get(word) if isinstance(word, str) else None
        if known is None:
            raise MalformedRequest(reason="unknown request")
        required, optional, answer = known
        keys = set(request) - {"do"}
        if not required <= keys or not keys <= required | optional:
            raise MalformedRequest(
                reason="wrong keys", missing=sorted(required - keys), unknown=sorted(keys - required - optional)
            )
        try:
            return {"ok": True, **answer(self, request)}
        except ValueError as error:
            raise MalformedRequest(reason=str(error)) from None

    def _new(self, request: Request) -> dict[str, Any]:
        at_ms = _time(request)
        if ("deals" in request) == ("seed" in request):
            raise ValueError("either deals or a seed")
        deals = _listed_deals(request["deals"]) if "deals" in request else _seeded_deals(request["seed"])
        options = request.get("options", {})
        if not isinstance(options, dict):
            raise ValueError("options are an object")
        state = new_match(request["variant"], at_ms=at_ms, options=options)
        self._state, self._deals = state, deals
        self._started_ms = self._last_ms = at_ms
        self._facts = []
        return {"facts": []}

    def _command(self, request: Request) -> dict[str, Any]:
        state = self._running()
        given = request["command"]
        if not isinstance(given, dict) or "seat" in given:
            raise ValueError("a command is an object without a seat")
        seat = _seat(request["seat"], state)
        command = load_command({**given, "seat": seat})
        if not isinstance(command, PlayerCommand):
            raise ValueError("not a player's command")
        return self._submit(command, request)

    def _tick(self, request: Request) -> dict[str, Any]:
        return self._submit(ExpireTime(), request)

    def _cancel(self, request: Request) -> dict[str, Any]:
        state = self._running()
        absent = tuple(seat for seat in range(len(state.banks_ms)) if seat not in state.ready)
        return self._submit(CancelUnstarted(absent), request)

    def _void(self, request: Request) -> dict[str, Any]:
        return self._submit(VoidForFault(), request)

    def _submit(self, command: Command, request: Request) -> dict[str, Any]:
        state = self._running()
        at_ms = _time(request)
        if at_ms < self._last_ms:
            raise TimeRunsBackwards(at_ms=at_ms, last_ms=self._last_ms)
        order = self._deals(state.hand + 1) if needs_order(state, command) else None
        facts = decide(state, command, arrived_ms=at_ms, now_ms=at_ms, order=order)
        self._state = fold(state, facts)
        self._last_ms = at_ms
        self._facts += facts
        return {"facts": [dump_fact(fact) for fact in facts]}

    def _show_state(self, request: Request) -> dict[str, Any]:
        return {"state": state_data(self._running())}

    def _show_sight(self, request: Request) -> dict[str, Any]:
        state = self._running()
        viewer = request["viewer"]
        return {"sight": sight_data(sight(state, None if viewer is None else _seat(viewer, state)))}

    def _show_legal(self, request: Request) -> dict[str, Any]:
        state = self._running()
        legal = []
        for command in legal_commands(state):
            if needs_order(state, command) and self._deals(state.hand + 1) is None:
                continue  # It would be refused: there is nothing left to deal.
            shown = dump_command(command)
            legal.append({"seat": shown.pop("seat"), "command": shown})
        return {"legal": legal}

    def _show_record(self, request: Request) -> dict[str, Any]:
        state = self._running()
        record = Record(
            variant=state.variant, options=state.options, started_ms=self._started_ms, facts=tuple(self._facts)
        )
        return {"record": write_record(record)}

    def _running(self) -> MatchState:
        if self._state is None:
            raise NoMatch
        return self._state


# For each request the keys it must and may have beside `do`, and what answers it.
_REQUESTS: Final[dict[str, tuple[frozenset[str], frozenset[str], Callable[[Referee, Request], dict[str, Any]]]]] = {
    "new": (frozenset({"variant", "at_ms"}), frozenset({"deals", "seed", "options"}), Referee._new),
    "command": (frozenset({"seat", "at_ms", "command"}), frozenset(), Referee._command),
    "tick": (frozenset({"at_ms"}), frozenset(), Referee._tick),
    "state": (frozenset(), frozenset(), Referee._show_state),
    "sight": (frozenset({"viewer"}), frozenset(), Referee._show_sight),
    "legal": (frozenset(), frozenset(), Referee._show_legal),
    "record": (frozenset(), frozenset(), Referee._show_record),
    "cancel": (frozenset({"at_ms"}), frozenset(), Referee._cancel),
    "void": (frozenset({"at_ms"}), frozenset(), Referee._void),
}


def main(requests: BinaryIO | None = None, answers: BinaryIO | None = None) -> None:
    """Answer each line of standard input on standard output, until it ends."""
    requests = requests or sys.stdin.buffer
    answers = answers or sys.stdout.buffer
    referee = Referee()
    for line in _lines(requests):
        answers.write(referee.answer(line).encode() + b"\n")
        answers.flush()


def _lines(requests: BinaryIO) -> Iterator[str]:
    # A line that is too long is given cut, one byte over the limit, and never held whole. What
    # is not UTF-8 becomes a character that no request may have outside of text.
    while line := requests.readline(MAX_LINE_BYTES + 1):
        if not line.endswith(b"\n"):
            while (rest := requests.readline(MAX_LINE_BYTES)) and not rest.endswith(b"\n"):
                pass
        yield line.removesuffix(b"\n").decode(errors="surrogateescape")


def _read_request(line: str) -> Request:
    try:
        if len(line.encode(errors="surrogateescape")) > MAX_LINE_BYTES:
            raise MalformedRequest(reason="too long", limit_bytes=MAX_LINE_BYTES)
        line.encode()  # UTF-8 all through, or a text could not be answered.
        request = json.loads(line, parse_constant=_refuse_constant)
        json.dumps(request, ensure_ascii=False).encode()  # No half of a surrogate pair either.
    except (ValueError, RecursionError):
        raise MalformedRequest(reason="not JSON") from None
    if not isinstance(request, dict):
        raise MalformedRequest(reason="not an object")
    return request


def _refuse_constant(word: str) -> None:
    raise ValueError(f"{word} is not JSON")


def _time(request: Request) -> int:
    at_ms = request["at_ms"]
    if type(at_ms) is not int or abs(at_ms) > MAX_TIME_MS:
        raise ValueError("at_ms is a whole number")
    return at_ms


def _seat(seat: Any, state: MatchState) -> int:
    if type(seat) is not int or not 0 <= seat < len(state.banks_ms):
        raise ValueError("no such seat")
    return seat


def _listed_deals(deals: Any) -> Deals:
    if not isinstance(deals, list):
        raise ValueError("deals are a list")
    orders: Sequence[tuple[Tile, ...]] = [parse_tiles(deal) for deal in deals]
    if any(sorted(order) != list(TILES) for order in orders):
        raise ValueError("a deal holds each of the 28 tiles once")
    return lambda hand: orders[hand - 1] if hand <= len(orders) else None


def _seeded_deals(seed: Any) -> Deals:
    if not isinstance(seed, str):
        raise ValueError("a seed is a text")
    digest = hashlib.sha256(seed.encode()).digest()
    return lambda hand: deal_order(digest, "referee", hand, (None, None))


if __name__ == "__main__":
    main()
