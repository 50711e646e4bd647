"""What happens without anybody's doing is told to the page: answers with one choice (D-7), and facts for its sounds."""

import re
from collections.abc import Callable

import pytest

from games.fragments import render_all
from tests.table.drive import Drive

SEEDS, STEPS = 400, 60


def drive_until(balances: tuple[int, int], is_there: Callable[[set[str]], bool]) -> Drive:
    """A match whose last command brought what is asked for."""
    for seed in range(SEEDS):
        drive = Drive(seed)
        drive.state = drive.state.but(balances=balances)
        for _number in range(STEPS):
            if drive.step() is None:
                break
            kinds = {fact.type for seq, fact in drive.facts if seq == drive.seq}
            if drive.state.phase == "play" and is_there(kinds):
                return drive
    raise AssertionError("no such match within the seeds")


@pytest.mark.parametrize(
    ("balances", "is_there", "why"),
    [
        ((285, 15), lambda kinds: {"dealt", "declined"} <= kinds, "cannot afford the lowest bid"),
        ((200, 100), lambda kinds: {"raised", "accepted"} <= kinds or {"bid", "accepted"} <= kinds, "a higher bid"),
    ],
)
def test_an_answer_with_one_choice_is_shown_without_buttons(
    balances: tuple[int, int], is_there: Callable[[set[str]], bool], why: str
) -> None:
    drive = drive_until(balances, is_there)
    for viewer in (0, 1, None):
        card = render_all(drive.view(viewer))["f-auction"]
        assert f'data-forced="{drive.seq}"' in card
        assert " hidden " in card
        assert why in card
        assert "<button" not in card
        assert "<form" not in card
    # A tile on the table, and it is no news any more.
    while not drive.state.layout.tiles:
        drive.step()
    assert "data-forced" not in render_all(drive.view(0))["f-auction"]


def test_an_answer_that_was_chosen_is_not_shown_again() -> None:
    drive = drive_until((150, 150), lambda kinds: "accepted" in kinds and not kinds & {"bid", "raised"})
    assert "data-forced" not in render_all(drive.view(0))["f-auction"]


def test_facts_are_the_same_for_everybody() -> None:
    """B066: nothing that shows or sounds depends on what is hidden."""
    told = set()
    for seed in range(6):
        drive = Drive(seed)
        while drive.step() is not None and drive.seq < STEPS:
            facts = [re.findall(r'data-facts="([^"]*)"', render_all(drive.view(v))["f-announce"]) for v in (0, 1, None)]
            assert facts[0] == facts[1] == facts[2]
            told.update(word for line in facts[0] for word in line.split())
    assert {"drew:0", "drew:1", "played:0", "played:1:double", "transferred:0"} <= told
    assert not [word for word in told if "|" in word]
