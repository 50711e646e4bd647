"""The pages about the rules say what the engine does (B009)."""

import re
from pathlib import Path

import pytest

from games.rules import VARIANTS
from games.rules.auction import DISCOUNT, MIN_BID, STEP
from games.rules.clock import BANK_MS, DELAY_MS
from games.rules.errors import IllegalCommand

DOCS = Path(__file__).resolve().parents[2] / "docs"
RULES = (DOCS / "rules" / "spectacular-bid.md").read_text()


def clause(number: str) -> str:
    match = re.search(rf"- \*\*{number}\*\* (.*?)(?=\n- \*\*|\n\n)", RULES, re.DOTALL)
    assert match is not None, number
    return " ".join(match[1].split())


@pytest.mark.parametrize("number", range(1, 79))
def test_every_clause_stands_in_the_rules(number: int) -> None:
    assert f"**SB-{number}**" in RULES


@pytest.mark.parametrize("number", [*range(3, 24), 26, 31, 32, 33, *range(35, 39), 40])
def test_every_decision_that_speaks_of_play_stands_in_the_rules(number: int) -> None:
    assert f"**D-{number}**" in RULES


def test_the_numbers_are_those_of_the_engine() -> None:
    variant = VARIANTS["spectacular-bid"]
    assert f"{variant.start_balance} points" in clause("SB-2")
    assert "Seven" in clause("SB-11")
    assert variant.tiles_per_hand == 7
    assert f"bid {MIN_BID} or more" in clause("SB-49")
    assert f"less {DISCOUNT}" in clause("SB-54")
    assert "multiples of five" in clause("SB-51")
    assert STEP == 5
    assert f"{BANK_MS // 1000} s of bank" in clause("SB-61")
    assert f"{DELAY_MS // 1000} s of delay" in clause("SB-62")


def test_the_tree_of_refusals_is_drawn_whole() -> None:
    import games.rules.errors as errors

    tree = errors.__doc__ or ""
    for refusal in IllegalCommand.__subclasses__():
        assert re.search(rf"── {refusal.__name__}\b", tree)


def test_the_dealing_page_holds_the_example_of_the_test() -> None:
    from tests.rules.test_dealing import EXAMPLE

    page = " ".join((DOCS / "rules" / "dealing.md").read_text().split())
    tiles = EXAMPLE.split()
    for part in (tiles[:7], tiles[7:14], tiles[14:]):
        assert " ".join(part) in page
