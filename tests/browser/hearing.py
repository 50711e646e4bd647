"""What a screen reader is told after each event: the live regions of the table page."""

import re

from playwright.sync_api import Locator, expect

from games import rules
from tests.browser.player import Player
from tests.browser.script import Step


def region_of(player: Player, state: rules.MatchState) -> Locator:
    """The region that speaks of what led to this state."""
    return player.find("#assertive" if state.phase == "over" else "#polite")


def expect_heard(player: Player, viewer: int, step: Step, names: tuple[str, str]) -> None:
    """After a step the page has said who did what, what it brought, and whether it is this person's turn."""
    region = region_of(player, step.after)
    for words in said_of(step, viewer, names):
        expect(region).to_contain_text(words)
    is_own = step.after.deadline_ms is not None and step.after.turn == viewer
    if is_own:
        expect(region).to_contain_text("Your turn.")
    else:
        expect(region).not_to_contain_text("Your turn.")


def said_of(step: Step, viewer: int, names: tuple[str, str]) -> list[str | re.Pattern[str]]:
    """What must be among the words, whatever their order. The viewer is spoken to, others are named."""
    who: list[str | re.Pattern[str]] = [re.compile(r"\b[Yy]ou\b") if seat == viewer else names[seat] for seat in (0, 1)]
    words: list[str | re.Pattern[str]] = []
    for fact in step.facts:
        match fact:
            case rules.TilePlayed():
                words += [who[fact.seat], f"{fact.tile.low}–{fact.tile.high}", f": {fact.total}"]
            case rules.Transferred():
                words.append(re.compile(rf"\b{fact.balances[0]}\b.*\b{fact.balances[1]}\b"))
            case rules.TileDrawn():
                words.append(who[fact.seat])
                if fact.seat == viewer:
                    words.append(f"{fact.tile.low}–{fact.tile.high}")
            case rules.Passed() | rules.Declined():
                words.append(who[fact.seat])
            case rules.Readied() if not any(isinstance(other, rules.Dealt) for other in step.facts):
                words.append(who[fact.seat])
            case rules.Dealt():
                words.append(f"Hand {fact.hand} is dealt.")
            case rules.BidMade() | rules.Raised() | rules.Accepted():
                words += [who[fact.seat], str(fact.amount)]
            case rules.HandOver():
                words.append(re.compile("hand is (over|blocked)"))
            case rules.MatchOver():
                words.append(who[fact.winner or 0])
    return words
