"""The record of a match (D-33): a line for each thing that happened, with balances and banks."""

import re

import pytest

from games.rules import read_record, write_record
from tests.clauses.driver import Table, after, at_auction, at_opening, deal_of, line, stored

MONEY = re.compile(r" = (\d+) (\d+) (\d+) (\d+)$")


def events(table: Table) -> list[str]:
    """The lines below the header."""
    return [each for each in table.record().splitlines() if each and not each.startswith("[")]


def added(table: Table, before: list[str]) -> list[str]:
    now = events(table)
    assert now[: len(before)] == before
    return now[len(before) :]


@pytest.mark.clause("D-33", "SB-74")
def test_every_line_carries_both_balances_and_both_banks() -> None:
    table = at_auction(stored("block_4_18"), balances=(290, 10))
    table.play(line("block_4_18"), after_ms=3_000)
    for each in events(table):
        money = MONEY.search(each)
        assert money, each
        first, second, *_ = map(int, money.groups())
        assert first + second == 300
    state = table.state()
    assert MONEY.search(events(table)[-1]).groups() == tuple(map(str, [*state["balances"], *state["banks_ms"]]))


@pytest.mark.clause("D-33")
def test_start_deal_and_opening_are_in_the_record() -> None:
    deal = deal_of("5|5", "6|6")
    table = Table([deal])
    table.deal()
    text = "\n".join(events(table))
    assert text.count("ready") == 2
    assert " ".join(deal) in text
    before = events(table)
    table.play("6|6", after_ms=12_000)
    new = added(table, before)
    opened = next(each for each in new if "6|6" in each)
    assert re.search(r"by=rank .*total=12 due=0 .*used=12000 charged=2000", opened)
    table = after("0|1")
    assert any("by=free" in each and "0|1" in each for each in events(table))


@pytest.mark.clause("D-33", "SB-5")
def test_a_placement_names_tile_site_join_contributions_total_due_and_paid() -> None:
    table = at_opening(deal_of("4|4 6|6", "4|6"), balances=(295, 5))
    table.play("4|4 4|6@4|4.line_a")
    before = events(table)
    table.play("6|6@4|6.high")
    played = added(table, before)[0]
    for part in ("0 play 6|6@4|6.high", "join=line_a", "total=20", "due=20", "paid=5", " = 300 0 "):
        assert part in played
    assert re.search(r"4\|4:8,6\|6:12", played)
    assert "over balance winner=0" in added(table, before)[-1]


@pytest.mark.clause("D-33", "D-5", "SB-39")
def test_b033_each_draw_and_each_forced_pass_has_its_own_line() -> None:
    table = Table([deal_of("6|6 0|6 1|6 2|6 3|6 4|6 5|6", "")])
    table.deal()
    table.play("6|6")
    before = events(table)
    table.play(" ".join(["draw"] * 14))
    new = added(table, before)
    assert [" draw " in each for each in new[:14]] == [True] * 14
    assert sum(" pass " in each for each in new) == 1
    assert " 1 pass " in new[14]


@pytest.mark.clause("D-33", "D-7")
def test_an_auction_is_recorded_word_by_word_with_its_payment() -> None:
    table = at_auction(deal_of("", ""), balances=(280, 20))
    before = events(table)
    table.act(1, "bid", amount=15)
    table.act(0, "raise", amount=20)
    text = "\n".join(added(table, before))
    for part in ("1 bid 15", "0 raise 20", "1 accept 20", "net=5", "paid=5", " = 275 25 "):
        assert part in text
    table = at_auction(deal_of("", ""))
    table.act(1, "decline")
    assert any(" 1 decline " in each for each in events(table))


@pytest.mark.clause("D-33", "D-18")
def test_a_block_keeps_due_and_paid_apart() -> None:
    table = at_opening(stored("block_4_18"), balances=(290, 10))
    table.play(line("block_4_18"))
    text = "\n".join(events(table))
    assert re.search(r"block winner=0 pips=4:18 due=20 paid=15 = 300 0 ", text)
    assert re.search(r"over balance winner=0 = 300 0 ", text)


@pytest.mark.clause("D-33", "D-15")
def test_no_end_of_hand_is_recorded_when_the_last_tile_ends_the_match() -> None:
    table = at_opening(stored("domino_scores_20"), balances=(285, 15))
    before = events(table)
    table.play(line("domino_scores_20"))
    assert not any(" hand " in each for each in added(table, before))
    table = at_opening(stored("domino_scores_20"))
    before = events(table)
    table.play(line("domino_scores_20"))
    assert any("hand domino winner=0" in each for each in added(table, before))


@pytest.mark.clause("D-33", "SB-72")
@pytest.mark.parametrize(
    ("end", "text"),
    [
        ("resign", "over resign winner=1"),
        ("time", "over time winner=1"),
        ("void", "over service_fault"),
        ("cancel", "over cancelled"),
    ],
)
def test_the_end_of_the_match_is_recorded_with_its_reason(end: str, text: str) -> None:
    table = Table([deal_of("6|6", "3|6")])
    if end == "cancel":
        table.accept(do="cancel", at_ms=60_000)
    else:
        table.deal()
    if end == "resign":
        table.act(0, "resign")
    elif end == "time":
        table.tick(130_000)
    elif end == "void":
        table.accept(do="void", at_ms=table.now_ms)
    assert text in events(table)[-1]
    winner, reason = ("1" if "winner=1" in text else "-"), text.split()[1]
    assert f'[Result "{winner} {reason}"]' in table.record()


@pytest.mark.clause("D-33")
def test_equal_events_make_equal_records_and_others_do_not() -> None:
    texts = []
    for token in ("6|6@4|6.high", "6|6@4|6.high", "2|6@4|6.high"):
        table = at_opening(deal_of("4|4 6|6 2|6", "4|6"))
        table.play(f"4|4 4|6@4|4.line_a {token}")
        texts.append(table.record())
    assert texts[0] == texts[1] != texts[2]


@pytest.mark.clause("D-33")
@pytest.mark.parametrize("name", ["block_4_18", "pass_swapped", "quiet_drawn", "two_draws_pass"])
def test_a_record_that_is_read_is_written_the_same(name: str) -> None:
    table = at_auction(stored(name, opener=1))
    table.act(1, "bid", amount=15)
    table.act(0, "accept")
    table.play(line(name))
    text = table.record()
    assert write_record(read_record(text)) == text
    table.act(0, "resign")
    assert write_record(read_record(table.record())) == table.record() != text
