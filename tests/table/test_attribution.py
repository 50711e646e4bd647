"""Who played what: told from the facts, never from where a tile lies in the chain (B028)."""

from __future__ import annotations

import pytest

from games import fragments, rules
from games.fragments import rows
from games.messages import fact_text
from tests.table.drive import SEATS, Drive
from tests.table.markup import Element, read

NAMES = tuple(card.name for card in SEATS)


def placements(match: Drive) -> list[tuple[int, rules.TilePlayed]]:
    return [(seq, fact) for seq, fact in match.facts if isinstance(fact, rules.TilePlayed)]


def both_ways() -> Drive:
    """A hand with placements of both players on both ends of the line, in turn and not in the order of the chain."""
    for seed in range(40, 400):
        match = Drive(seed)
        while match.state.hand < 2 and match.step() is not None:
            played = [fact for _seq, fact in placements(match)]
            ends = {(fact.seat, fact.site.port) for fact in played if fact.site}
            if len(played) > 8 and len(ends) > 6:
                return match
    raise AssertionError


def log_rows(match: Drive, viewer: int | None) -> list[Element]:
    drawn = fragments.render_all(match.view(viewer))
    log = read("".join(drawn[f"f-log-{part}"] for part in range(rows.PARTS)))
    return [row for row in log.by_class("log__row") if row.by_class("log__tile")]


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_each_row_of_the_log_names_who_placed_the_tile(viewer: int | None) -> None:
    match = both_ways()
    told = placements(match)
    assert {fact.seat for _seq, fact in told} == {0, 1}
    drawn = log_rows(match, viewer)
    assert len(drawn) == len(told)
    for row, (_seq, fact) in zip(drawn, told, strict=True):
        tile = f"{fact.tile.low}–{fact.tile.high}"
        assert row.by_class("log__tile")[0].attributes["aria-label"] == tile
        assert [mark.attributes["aria-label"] for mark in row.by_class("avatar")] == [NAMES[fact.seat]]


def test_each_sentence_names_who_placed_the_tile_and_where() -> None:
    match = both_ways()
    for _seq, fact in placements(match):
        sentence = fact_text(rules.sight_fact(fact, None), NAMES)
        assert sentence.startswith(f"{NAMES[fact.seat]} ")
        assert NAMES[1 - fact.seat] not in sentence


def test_the_record_tells_the_same_of_each_turn() -> None:
    """What a replay is made of: each placement with its seat, in the order of play."""
    match = both_ways()
    on_table = list(match.state.layout.tiles)
    told = [(rules.dump_fact(fact)["seat"], fact.tile) for _seq, fact in placements(match)]
    assert [tile for _seat, tile in told] == on_table
    assert [seat for seat, _tile in told] == [fact.seat for _seq, fact in placements(match)]
    joined = [later.tile for _earlier, later in match.state.layout.joins]
    assert joined == on_table[1:]
