"""The record of a match as text: write it and read it. The form is docs/record-notation.md.

There is one way to write a record, and only what is written in that way is read; so reading
what was written gives the same record, and the other way round. Whether the rules allow what
a record tells is judged in judging.py.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Final

from games.rules.codec import RULES_VERSION
from games.rules.errors import BadRecord, Refusal
from games.rules.evolution import evolve
from games.rules.facts import Fact, MatchOver
from games.rules.match import new_match
from games.rules.record_lines import event_words, events_of, read_line
from games.rules.state import MatchState
from games.rules.variants import Options, get_variant

FORM: Final = "Boneyard 1"


@dataclass(frozen=True, slots=True)
class DealProof:
    """What shows that a deal was fixed beforehand (docs/rules/dealing.md).

    `commitment` is in hexadecimal digits; `seed` is None as long as it is secret; `nonces` has
    an entry per seat, None where the player sent none.
    """

    hand: int
    commitment: str
    seed: bytes | None
    nonces: tuple[bytes | None, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """A match as recorded, up to its end or to any command.

    `tags` are further names and values for people (who sat where, when, at which site); the
    names are letters and digits. `started_ms` is when the match was made. `start` holds the
    balances and the banks (ms) at the start, a number per seat; None where they are those of
    the rules (SB-2, SB-61), else the match was set up for a trial.
    """

    variant: str
    options: Options
    started_ms: int
    facts: tuple[Fact, ...]
    match_id: str = ""
    tags: tuple[tuple[str, str], ...] = ()
    deals: tuple[DealProof, ...] = ()
    rules_version: str = RULES_VERSION
    start: tuple[tuple[int, ...], tuple[int, ...]] | None = None

    def first_state(self) -> MatchState:
        """The state before the first fact."""
        state = new_match(self.variant, at_ms=self.started_ms, options=asdict(self.options))
        if self.start is None:
            return state
        balances, banks_ms = self.start
        return state.but(balances=balances, banks_ms=banks_ms)


def write_record(record: Record) -> str:
    """The record as text, a line per event.

    Raises BadRecord for facts that are no match, or a tag with a name of its own meaning.
    """
    for name, _ in record.tags:
        if name in _OWN_TAGS or not _TAG_NAME.fullmatch(name):
            raise BadRecord(reason="tag", tag=name)
    lines = [f"[{name} {json.dumps(value, ensure_ascii=False)}]" for name, value in _tags(record)]
    lines.append("")
    state = record.first_state()
    for event in events_of(record.facts):
        before = state
        try:
            for fact in event:
                state = evolve(state, fact)
            words = event_words(event, before)
        except (LookupError, ValueError) as error:
            raise BadRecord(reason="facts", line=len(lines) + 1, error=str(error)) from None
        lines.append(f"{words} = {_holdings(state)}")
    return "\n".join(lines) + "\n"


def read_record(text: str) -> Record:
    """The record that is written so; raises BadRecord, with the line, for any other text."""
    at = 0
    header: list[tuple[str, str]] = []
    facts: list[Fact] = []
    try:
        lines = text.split("\n")
        blank = lines.index("")
        # `at` is for the refusals below.
        for at, line in enumerate(lines[:blank], start=1):  # noqa: B007
            header.append(_read_tag(line))
        # Here, too.
        for at, line in enumerate(lines[blank + 1 : -1], start=blank + 2):  # noqa: B007
            facts += read_line(line)
        at = 0
        record = _record(header, tuple(facts))
        rewritten = write_record(record)
    except (ArithmeticError, LookupError, RecursionError, TypeError, ValueError) as error:
        raise BadRecord(reason="form", line=at, error=str(error)) from None
    except BadRecord:
        raise
    except Refusal as refusal:
        raise BadRecord(reason=refusal.code, line=at) from None
    if rewritten != text:
        raise BadRecord(reason="form", line=_first_difference(text, rewritten))
    return record


_OWN_TAGS: Final = ("Record", "Rules", "Variant", "Options", "Started", "Start", "Match", "Deal", "Result")
_TAG_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9]*")
_TAG_LINE: Final = re.compile(r'\[([A-Za-z][A-Za-z0-9]*) (".*")\]')


def _tags(record: Record) -> Iterator[tuple[str, str]]:
    yield "Record", FORM
    yield "Rules", record.rules_version
    yield "Variant", record.variant
    yield "Options", json.dumps(asdict(record.options), sort_keys=True)
    yield "Started", str(record.started_ms)
    start = _holdings(record.first_state())
    if start != _holdings(replace(record, start=None).first_state()):
        yield "Start", start
    yield "Match", record.match_id
    yield from record.tags
    for deal in record.deals:
        shown = (deal.seed, *deal.nonces)
        yield "Deal", " ".join([str(deal.hand), deal.commitment, *map(_hex, shown)])
    over = record.facts[-1] if record.facts else None
    if isinstance(over, MatchOver):
        yield "Result", f"{'-' if over.winner is None else over.winner} {over.ending}"
    else:
        yield "Result", "*"


def _read_tag(line: str) -> tuple[str, str]:
    match = _TAG_LINE.fullmatch(line)
    if match is None:
        raise ValueError("not a tag")
    value = json.loads(match[2])
    if not isinstance(value, str):
        raise ValueError("the value of a tag is text")
    return match[1], value


def _record(header: Sequence[tuple[str, str]], facts: tuple[Fact, ...]) -> Record:
    own = {name: value for name, value in header if name in _OWN_TAGS}
    if own["Record"] != FORM:
        raise ValueError("not a record of this form")
    if own["Rules"] != RULES_VERSION:
        raise ValueError(f"rules version {own['Rules']}, not {RULES_VERSION}")
    return Record(
        variant=own["Variant"],
        options=get_variant(own["Variant"]).read_options(json.loads(own["Options"])),
        started_ms=int(own["Started"]),
        facts=facts,
        match_id=own["Match"],
        tags=tuple([tag for tag in header if tag[0] not in _OWN_TAGS]),
        deals=tuple([_read_proof(value) for name, value in header if name == "Deal"]),
        rules_version=own["Rules"],
        start=_read_start(own["Start"], get_variant(own["Variant"]).seats) if "Start" in own else None,
    )


def _holdings(state: MatchState) -> str:
    return " ".join(map(str, state.balances + state.banks_ms))


def _read_start(value: str, seats: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    numbers = tuple(map(int, value.split(" ")))
    if len(numbers) != 2 * seats or min(numbers) < 0:
        raise ValueError("not a balance and a bank of each seat")
    return numbers[:seats], numbers[seats:]


def _read_proof(value: str) -> DealProof:
    hand, commitment, seed, *nonces = value.split(" ")
    return DealProof(int(hand), commitment, _unhex(seed), tuple([_unhex(nonce) for nonce in nonces]))


def _first_difference(text: str, rewritten: str) -> int:
    lines, others = text.split("\n"), rewritten.split("\n")
    same = 0
    while same < min(len(lines), len(others)) and lines[same] == others[same]:
        same += 1
    return same + 1


def _hex(value: bytes | None) -> str:
    return "-" if value is None else value.hex()


def _unhex(text: str) -> bytes | None:
    return None if text == "-" else bytes.fromhex(text)
