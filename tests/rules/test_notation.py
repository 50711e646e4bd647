"""Records: what is written is read again, and the rules can judge it."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules import (
    BadRecord,
    CancelUnstarted,
    DealProof,
    Dealt,
    ExpireTime,
    Options,
    Record,
    VoidForFault,
    check_deals,
    commitment,
    deal_order,
    judge_record,
    read_record,
    write_record,
)
from tests.rules.play import match_facts
from tests.rules.table import Table, deal


def record_of(table: Table, **more: object) -> Record:
    return Record("spectacular-bid", table.state.options, 0, tuple(table.facts), **more)


def lines_of(table: Table) -> list[str]:
    """The events of a record, without its tags."""
    return write_record(record_of(table)).split("\n\n", 1)[1].splitlines()


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32), shared=st.booleans(), data=st.data())
def test_a_record_is_read_as_it_was_written(seed: int, shared: bool, data: st.DataObject) -> None:
    """Whole matches and every beginning of one, judged to the same state."""
    state, facts = match_facts(seed, options={"shared_device": shared}, resign=0.001)
    record = Record("spectacular-bid", Options(shared_device=shared), 0, facts, match_id="abc")
    text = write_record(record)
    assert read_record(text) == record
    assert judge_record(record) == state
    part = replace(record, facts=facts[: data.draw(st.integers(0, len(facts)))])
    assert read_record(write_record(part)) == part


@settings(max_examples=60, deadline=None)
@given(
    tags=st.lists(
        st.tuples(st.from_regex(r"Seat[0-9]|Site|Date", fullmatch=True), st.text(st.characters(codec="utf-8")))
    ),
    match_id=st.text(st.characters(codec="utf-8")),
)
def test_tags_may_hold_any_text(tags: list[tuple[str, str]], match_id: str) -> None:
    record = Record("spectacular-bid", Options(), 12, (), match_id=match_id, tags=tuple(tags))
    assert read_record(write_record(record)) == record


def test_a_record_tells_each_event_in_a_line() -> None:
    """The worked example of docs/record-notation.md."""
    table = Table(deal("6|6 1|6", "3|6 0|1 0|2 0|3 0|4 0|5 1|1", "1|2 2|6"), deal("6|6", "3|6"), options=None).started()
    table.act("0 play 6|6", after_ms=12_000)
    table.act("1 play 3|6@6|6.line_a", after_ms=4_000, applied_ms=15)
    assert lines_of(table)[3:] == [
        "2000 0 turn opening until=132000 = 150 150 120000 120000",
        "14000 0 open 6|6 by=rank ends=6|6:12 total=12 due=0 used=12000 charged=2000 = 150 150 118000 120000",
        "14000 1 turn turn until=144000 = 150 150 118000 120000",
        "18015 1 play 3|6@6|6.line_a join=high ends=3|6:3,6|6:12 total=15 due=15 paid=15 used=4000 charged=0"
        " = 135 165 118000 120000",
        "18015 0 turn turn until=146015 = 135 165 118000 120000",
    ]


def test_due_and_paid_are_told_apart() -> None:
    """D-33, SB-5."""
    table = Table(deal("6|6", "3|6")).started()
    table.act("0 play 6|6")
    before = table.state
    table.state = before.but(balances=(10, 290))
    (line,) = [fact for fact in table.act("1 play 3|6@6|6.line_a") if fact["type"] == "transferred"]
    assert (line["due"], line["paid"]) == (15, 10)
    assert "due=15 paid=10" in lines_of(table)[-2]


@pytest.mark.parametrize("command", [ExpireTime(), VoidForFault()])
def test_endings_with_a_running_clock_are_judged(command: object) -> None:
    table = Table(deal("6|6")).started()
    table.give(command, after_ms=200_000)
    assert judge_record(read_record(write_record(record_of(table)))) == table.state
    table.give(VoidForFault()) if isinstance(command, ExpireTime) else None
    assert judge_record(record_of(table)) == table.state


def test_a_cancelled_match_tells_who_was_absent() -> None:
    table = Table()
    table.act("1 start")
    table.give(CancelUnstarted((0,)))
    assert lines_of(table)[-1] == "2000 - over cancelled winner=- absent=0 = 150 150 120000 120000"
    assert judge_record(read_record(write_record(record_of(table)))) == table.state


def test_the_result_stands_in_the_header() -> None:
    running = Table(deal("6|6")).started()
    assert '[Result "*"]' in write_record(record_of(running))
    running.act("0 resign")
    assert '[Result "1 resign"]' in write_record(record_of(running))


@pytest.fixture
def text() -> str:
    table = Table(deal("6|6 1|6", "3|6")).started()
    table.act("0 play 6|6")
    table.act("1 play 3|6@6|6.line_a")
    return write_record(record_of(table))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Boneyard 1", "Boneyard 2"),
        ('[Rules "1"]', '[Rules "2"]'),
        ("spectacular-bid", "goat"),
        ("spectacular-bid", "chess"),
        ('[Result "*"]', '[Result "0 balance"]'),
        ('[Result "*"]\n', ""),
        ("135 165", "140 160"),
        (" 120000 120000", " 120000 12000"),
        ("1000 0 ready", "01000 0 ready"),
        ("1000 0 ready", "1000  0 ready"),
        ("1000 0 ready", "1000 5 ready"),
        ("1000 0 ready", "1000 0 ready x=1"),
        ("1000 0 ready", "1000 0 sleep"),
        ("1000 0 ready", "１000 0 ready"),
        ("3|6@6|6.line_a", "3|6@6|6.line_c"),
        ("3|6@6|6.line_a", "6|3@6|6.line_a"),
        ("by=rank", "by=free"),
        ("turn opening", "turn nap"),
        ("\n\n", "\n"),
        ("\n", "\r\n"),
    ],
)
def test_a_record_that_was_not_written_so_is_refused(text: str, old: str, new: str) -> None:
    assert old in text
    with pytest.raises(BadRecord):
        read_record(text.replace(old, new, 1))


@pytest.mark.parametrize("cut", ["", "\n", "[", '[Record "Boneyard 1"]', '[Record "Boneyard 1"]\n\n'])
def test_a_fragment_is_refused(cut: str) -> None:
    with pytest.raises(BadRecord):
        read_record(cut)


@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_a_damaged_record_is_refused_or_is_another_record(data: st.DataObject) -> None:
    """Whatever is read is written again as it was."""
    table = Table(deal("6|6 1|6", "3|6")).started()
    table.act("0 play 6|6")
    table.act("1 play 3|6@6|6.line_a")
    whole = write_record(record_of(table))
    at = data.draw(st.integers(0, len(whole) - 1))
    damaged = whole[:at] + data.draw(st.sampled_from(["", "0", "9", " ", "=", "|", "\n", "-", "x"])) + whole[at + 1 :]
    try:
        record = read_record(damaged)
    except BadRecord:
        return
    assert write_record(record) == damaged


def test_the_rules_refuse_a_record_of_what_they_do_not_allow() -> None:
    """Well written, and still not what the rules say."""
    table = Table(deal("6|6 1|6", "3|6")).started()
    table.act("0 play 6|6", after_ms=12_000)
    record = record_of(table)
    stopped, *_ = [at for at, fact in enumerate(record.facts) if fact.type == "clock_stopped"]
    facts = list(record.facts)
    facts[stopped] = replace(facts[stopped], charged_ms=0, bank_ms=120_000)
    cheated = replace(record, facts=tuple(facts))
    with pytest.raises(BadRecord) as caught:
        judge_record(cheated)
    assert caught.value.detail["fact"] == stopped

    text = write_record(record)
    assert "due=0" in text
    with pytest.raises(BadRecord):
        judge_record(read_record(text.replace("due=0", "due=5")))

    skipped = replace(record, facts=record.facts[1:])
    with pytest.raises(BadRecord):
        judge_record(skipped)

    other_tile = deal("1|6 6|6", "3|6")
    facts = [replace(fact, order=other_tile) if isinstance(fact, Dealt) else fact for fact in record.facts]
    assert judge_record(replace(record, facts=tuple(facts))) == judge_record(record)


def test_a_tag_of_the_form_cannot_be_given_twice() -> None:
    with pytest.raises(BadRecord):
        write_record(Record("spectacular-bid", Options(), 0, (), tags=(("Result", "1 time"),)))


def test_a_match_that_began_with_other_holdings_is_judged_from_there() -> None:
    table = Table(deal("6|6 1|6", "3|6"), balances=(290, 10), banks_ms=(120_000, 5_000))
    start = (table.state.balances, table.state.banks_ms)
    table = table.started()
    record = record_of(table, start=start)
    text = write_record(record)
    assert '[Start "290 10 120000 5000"]\n' in text
    assert read_record(text) == record
    assert judge_record(record) == table.state


@pytest.mark.parametrize(
    "start",
    ["150 150 120000 120000", "290 10 120000", "290 10 120000 -5", "290 10 120000 +5000", "290 10 120000 x", ""],
)
def test_a_start_is_told_in_one_way_and_only_where_there_is_need(start: str) -> None:
    text = write_record(Record("spectacular-bid", Options(), 0, ()))
    assert "[Start " not in text
    with pytest.raises(BadRecord):
        read_record(text.replace("[Match ", f'[Start "{start}"]\n[Match '))


def test_revealed_seeds_prove_the_deals() -> None:
    """D-32: commitment, seed, nonces and order must agree."""
    seed, nonces = bytes(range(32)), (bytes(16), None)
    table = Table(deal_order(seed, "abc", 1, nonces)).started()
    proof = DealProof(1, commitment(seed), seed, nonces)
    record = record_of(table, match_id="abc", deals=(proof,))
    assert read_record(write_record(record)) == record
    check_deals(record)
    hidden = replace(record, deals=(replace(proof, seed=None),))
    assert read_record(write_record(hidden)) == hidden
    check_deals(hidden)
    for wrong in (
        replace(record, match_id="abd"),
        replace(record, deals=(replace(proof, nonces=(None, None)),)),
        replace(record, deals=(replace(proof, seed=bytes(32)),)),
        replace(record, deals=(replace(proof, seed=bytes(31), commitment=commitment(bytes(31))),)),
    ):
        with pytest.raises(BadRecord):
            check_deals(wrong)
