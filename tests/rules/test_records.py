"""The corpus of match records: each is read, judged and written again as it stands."""

from pathlib import Path

import pytest

from games.rules import judge_record, read_record, write_record

RECORDS = sorted((Path(__file__).parent / "records").glob("*.txt"))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_kept_record_is_still_what_the_rules_say(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    record = read_record(text)
    state = judge_record(record)
    assert f'[Result "{"*" if state.ending is None else f"{state.winner} {state.ending}"}"]' in text
    assert write_record(record) == text


def test_there_are_records() -> None:
    assert RECORDS
