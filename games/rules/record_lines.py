"""The lines of a record: what each event is told as, and how it is read back."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, Literal, NamedTuple

from games.rules.facts import (
    Accepted,
    BidMade,
    Cause,
    ClockStopped,
    Dealt,
    Declined,
    Fact,
    HandOver,
    MatchOver,
    Passed,
    Raised,
    Readied,
    Revealed,
    TileDrawn,
    TilePlayed,
    Transferred,
    TurnKind,
    TurnStarted,
)
from games.rules.layout import Contribution, format_site, parse_site
from games.rules.outcome import Ending
from games.rules.state import MatchState
from games.rules.tiles import format_tile, parse_tile


def events_of(facts: Sequence[Fact]) -> Iterator[tuple[Fact, ...]]:
    """The facts in groups of a line each: an event, the clock it stopped, the points it moved."""
    at = 0
    while at < len(facts):
        end = at + 1
        if isinstance(facts[at], ClockStopped) and end < len(facts) and isinstance(facts[end], _STOPS_CLOCK):
            end += 1
        if end < len(facts) and isinstance(facts[end], Transferred):
            end += 1
        yield tuple(facts[at:end])
        at = end


_STOPS_CLOCK: Final = (Accepted, BidMade, Declined, Passed, Raised, TilePlayed)


def event_words(event: tuple[Fact, ...], before: MatchState) -> str:
    """The line of an event, up to its balances; `before` is the state that it met."""
    stopped = event[0] if isinstance(event[0], ClockStopped) and len(event) > 1 else None
    fact = event[0] if stopped is None else event[1]
    transferred = event[-1] if isinstance(event[-1], Transferred) and event[-1] is not fact else None
    words = [str(fact.at_ms), str(getattr(fact, "seat", "-")), *_WRITERS[type(fact)](fact, before)]
    if transferred is not None:
        words += [f"due={transferred.due}"] if isinstance(fact, HandOver) else []
        words.append(f"paid={transferred.paid}")
    if stopped is not None:
        words += _clock_words(stopped)
    return " ".join(words)


def _clock_words(stopped: ClockStopped) -> list[str]:
    return [f"used={stopped.elapsed_ms}", f"charged={stopped.charged_ms}"]


def _deal_words(fact: Dealt, before: MatchState) -> list[str]:
    return ["deal", str(fact.hand), *map(format_tile, fact.order)]


def _turn_words(fact: TurnStarted, before: MatchState) -> list[str]:
    return ["turn", fact.kind, f"until={fact.deadline_ms}"]


def _accept_words(fact: Accepted, before: MatchState) -> list[str]:
    return ["accept", str(fact.amount), f"bidder={fact.bidder}", f"net={fact.net}"]


def _play_words(fact: TilePlayed, before: MatchState) -> list[str]:
    if fact.site is None:
        words = ["open", format_tile(fact.tile), "by=free" if before.must_open is None else "by=rank"]
    else:
        words = ["play", f"{format_tile(fact.tile)}@{format_site(fact.site)}", f"join={fact.join}"]
    ends = ",".join(f"{format_tile(tile)}:{value}" for tile, value in fact.contributions)
    return [*words, f"ends={ends}", f"total={fact.total}", f"due={fact.due}"]


def _hand_words(fact: HandOver, before: MatchState) -> list[str]:
    return ["hand", fact.how, f"winner={_dash(fact.winner)}", f"pips={':'.join(map(str, fact.pips))}"]


def _over_words(fact: MatchOver, before: MatchState) -> list[str]:
    words = ["over", fact.ending, f"winner={_dash(fact.winner)}"]
    return [*words, f"absent={','.join(map(str, fact.absent))}"] if fact.absent else words


_WRITERS: Final[dict[type[Any], Callable[[Any, MatchState], list[str]]]] = {
    Accepted: _accept_words,
    BidMade: lambda fact, before: ["bid", str(fact.amount), f"net={fact.net}"],
    ClockStopped: lambda fact, before: ["stop", *_clock_words(fact)],
    Dealt: _deal_words,
    Declined: lambda fact, before: ["decline"],
    HandOver: _hand_words,
    MatchOver: _over_words,
    Passed: lambda fact, before: ["pass"],
    Raised: lambda fact, before: ["raise", str(fact.amount), f"net={fact.net}"],
    Readied: lambda fact, before: ["ready"],
    Revealed: lambda fact, before: ["reveal"],
    TileDrawn: lambda fact, before: ["draw", format_tile(fact.tile), f"left={fact.left}"],
    TilePlayed: _play_words,
    TurnStarted: _turn_words,
}


class _Line(NamedTuple):
    """A line taken apart: words behind the verb, named values, balances and banks after it."""

    at_ms: int
    seat: int
    words: list[str]
    named: dict[str, str]
    balances: tuple[int, ...]
    banks_ms: tuple[int, ...]

    def number(self, name: str) -> int:
        return int(self.named[name])

    def seat_or_none(self, name: str) -> int | None:
        text = self.named[name]
        return None if text == "-" else _read_seat(text, len(self.balances))


def read_line(line: str) -> list[Fact]:
    """The facts that a line tells; ValueError or LookupError for anything else."""
    told, after = line.split(" = ")
    numbers = [int(number) for number in after.split(" ")]
    at_ms, seat, verb, *rest = told.split(" ")
    words = [word for word in rest if "=" not in word]
    named = dict(word.split("=", 1) for word in rest if "=" in word)
    seats = len(numbers) // 2
    parts = _Line(
        at_ms=int(at_ms),
        seat=-1 if seat == "-" else _read_seat(seat, seats),
        words=words,
        named=named,
        balances=tuple(numbers[:seats]),
        banks_ms=tuple(numbers[seats:]),
    )
    fact = _READERS[verb](parts)
    facts: list[Fact] = []
    if "used" in named and verb != "stop":
        facts.append(_read_stop(parts))
    facts.append(fact)
    if "paid" in named:
        payer, cause = _payer(fact)
        facts.append(Transferred(parts.at_ms, payer, _due(fact, parts), parts.number("paid"), cause, parts.balances))
    return facts


def _payer(fact: Fact) -> tuple[int, Cause]:
    if isinstance(fact, Accepted):
        return fact.bidder, "bid"
    if isinstance(fact, TilePlayed):
        return 1 - fact.seat, "placement"
    if isinstance(fact, HandOver) and fact.winner is not None:
        return 1 - fact.winner, "block"
    raise ValueError("nothing to pay for")


def _due(fact: Fact, line: _Line) -> int:
    return fact.net if isinstance(fact, Accepted) else line.number("due")


def _read_stop(line: _Line) -> ClockStopped:
    return ClockStopped(line.at_ms, line.seat, line.number("used"), line.number("charged"), line.banks_ms[line.seat])


def _read_deal(line: _Line) -> Dealt:
    hand, *order = line.words
    return Dealt(line.at_ms, int(hand), tuple([parse_tile(tile) for tile in order]))


def _read_turn(line: _Line) -> TurnStarted:
    (kind,) = line.words
    return TurnStarted(line.at_ms, line.seat, _TURN_KINDS[kind], line.number("until"))


def _read_bid(line: _Line) -> BidMade:
    return BidMade(line.at_ms, line.seat, int(line.words[0]), line.number("net"))


def _read_raise(line: _Line) -> Raised:
    return Raised(line.at_ms, line.seat, int(line.words[0]), line.number("net"))


def _read_accept(line: _Line) -> Accepted:
    bidder = _read_seat(line.named["bidder"], len(line.balances))
    return Accepted(line.at_ms, line.seat, bidder, int(line.words[0]), line.number("net"))


def _read_play(line: _Line) -> TilePlayed:
    tile, _, site = line.words[0].partition("@")
    return TilePlayed(
        line.at_ms,
        line.seat,
        parse_tile(tile),
        parse_site(site) if site else None,
        # Any word: whether it is the port, judging.py asks.
        line.named.get("join"),  # type: ignore[arg-type]
        _read_contributions(line.named["ends"]),
        line.number("total"),
        line.number("due"),
    )


def _read_contributions(text: str) -> tuple[Contribution, ...]:
    pairs = [pair.split(":") for pair in text.split(",")]
    return tuple([(parse_tile(tile), int(value)) for tile, value in pairs])


def _read_draw(line: _Line) -> TileDrawn:
    return TileDrawn(line.at_ms, line.seat, parse_tile(line.words[0]), line.number("left"))


def _read_hand(line: _Line) -> HandOver:
    pips = tuple([int(number) for number in line.named["pips"].split(":")])
    return HandOver(line.at_ms, _HOW[line.words[0]], line.seat_or_none("winner"), pips)


def _read_over(line: _Line) -> MatchOver:
    absent = tuple([int(seat) for seat in line.named["absent"].split(",")]) if "absent" in line.named else ()
    return MatchOver(line.at_ms, line.seat_or_none("winner"), Ending(line.words[0]), absent)


def _dash(seat: int | None) -> str:
    return "-" if seat is None else str(seat)


def _read_seat(text: str, seats: int) -> int:
    seat = int(text)
    if not 0 <= seat < seats:
        raise ValueError(f"no such seat: {text}")
    return seat


_TURN_KINDS: Final[dict[str, TurnKind]] = {"auction": "auction", "opening": "opening", "turn": "turn"}
_HOW: Final[dict[str, Literal["domino", "block"]]] = {"domino": "domino", "block": "block"}
# A word that does not belong is found when the record is written again and compared.
_READERS: Final[dict[str, Callable[[_Line], Fact]]] = {
    "accept": _read_accept,
    "bid": _read_bid,
    "deal": _read_deal,
    "decline": lambda line: Declined(line.at_ms, line.seat),
    "draw": _read_draw,
    "hand": _read_hand,
    "open": _read_play,
    "over": _read_over,
    "pass": lambda line: Passed(line.at_ms, line.seat),
    "play": _read_play,
    "raise": _read_raise,
    "ready": lambda line: Readied(line.at_ms, line.seat),
    "reveal": lambda line: Revealed(line.at_ms, line.seat),
    "stop": _read_stop,
    "turn": _read_turn,
}
