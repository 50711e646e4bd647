"""The record of a match as text (docs/record-notation.md): write, read, judge again."""

from dataclasses import dataclass

from games.rules.facts import Fact
from games.rules.variants import Options


@dataclass(frozen=True, slots=True)
class Record:
    """A match as recorded."""

    variant: str
    options: Options
    started_ms: int
    facts: tuple[Fact, ...]


def write_record(record: Record) -> str:
    """The record as text."""
    raise NotImplementedError
