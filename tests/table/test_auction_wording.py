"""What each answer of an auction says before it is given, and the log after it, in every language (B047)."""

import re
from collections.abc import Iterator

import pytest
from django.utils.translation import override

from games import fragments, rules
from games.messages import news_text
from games.rules.auction import net_price
from tests.table.drive import Drive
from tests.table.markup import Element, read

NAMES = ("Alice", "Bob")
LANGUAGES = ("en", "pl", "tr")
SEEDS = range(1, 9)


def decisions() -> Iterator[Drive]:
    """Matches that stand at a decision of an auction: no bid yet, one to answer, by the jockey and the other."""
    for seed in SEEDS:
        match = Drive(seed)
        while match.step() is not None:
            if match.state.phase == "auction":
                yield match


def numbers(text: str) -> set[int]:
    return {int(number) for number in re.findall(r"\d+", text)}


def offers(match: Drive, language: str) -> dict[str, Element]:
    """The card's parts by the command that each gives, for the one to decide."""
    view = match.view(match.state.turn, language=language)
    card = read(fragments.render_all(view)["f-auction"])
    return {form.attributes["data-command"]: offer for offer in card.by_class("offer") for form in offer.all("form")}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_answer_names_who_opens_and_what_is_paid(language: str) -> None:
    """B047: declining and accepting cannot be taken for one another, and every amount is there beforehand."""
    seen = set()
    for match in decisions():
        state = match.state
        turn, jockey = state.turn, state.jockey
        assert turn is not None
        other = NAMES[1 - turn]
        parts = offers(match, language)
        if state.bid is None:
            words = parts["decline"].words()
            assert other in words, words
            assert not numbers(words), words
        else:
            words = parts["accept"].words()
            paid = net_price(state.bid.amount, is_jockey=state.bid.seat == jockey)
            assert other in words, words
            assert {paid, state.bid.amount} <= numbers(words), words
            (button,) = parts["accept"].all("button", id="accept")
            # Who pays everything is told so in words.
            assert numbers(button.words()) in ({state.bid.amount, paid}, {state.bid.amount})
        for kind in {"bid", "raise"} & parts.keys():
            words = parts[kind].words()
            assert other in words, words
            shown = [(parts[kind], field.attributes["min"]) for field in parts[kind].all("input", id="bid-amount")]
            for all_in in parts[kind].by_class("all-in"):
                shown += [(all_in, field.attributes["value"]) for field in all_in.all("input", name="amount")]
            assert shown
            for part, amount in shown:
                paid = net_price(int(amount), is_jockey=turn == jockey)
                assert {int(amount), paid} <= numbers(part.words()), part.words()
        seen.add((state.bid is None, turn == jockey))
    assert seen == {(True, False), (False, True), (False, False)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_log_says_of_every_answer_who_opens_and_what_is_paid(language: str) -> None:
    """B047: in the words of the card."""
    seen = set()
    with override(language):
        for match in decisions():
            for command in rules.legal_commands(match.state):
                if command.type not in ("decline", "accept", "bid", "raise"):
                    continue
                facts = rules.decide(match.state, command, arrived_ms=match.now_ms, now_ms=match.now_ms)
                told = [rules.sight_fact(fact, None) for fact in facts]
                text = news_text(told, NAMES)
                kinds = {fact["type"] for fact in told}
                assert NAMES[command.seat] in text
                if isinstance(command, rules.Bid | rules.Raise):
                    assert command.amount in numbers(text), text
                accepted = next((fact for fact in facts if isinstance(fact, rules.Accepted)), None)
                if accepted is not None:
                    assert NAMES[accepted.bidder] in text
                    assert {accepted.amount, accepted.net} <= numbers(text), text
                if "declined" in kinds:
                    assert NAMES[1 - command.seat] in text, text  # who opens
                seen |= kinds
    assert {"declined", "bid", "raised", "accepted"} <= seen
