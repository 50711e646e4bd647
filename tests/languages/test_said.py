"""What the table says of facts and refusals, which is heard more than read: each kind, in each language."""

from __future__ import annotations

import pytest
from django.utils.translation import override

from games import consumers, errors, messages, rules
from games.kit.states import CASES
from games.lobby import errors as lobby_errors
from games.lobby.messages import error_text as lobby_text
from games.messages import error_text, fact_text
from tests.languages.test_crawl import LANGUAGES, alike

NAMES = ("Alice", "Bob")


def every_fact() -> list[dict]:
    return [fact for case in CASES.values() for fact in case.view().log]


def codes() -> list[str]:
    """Every way in which the rules, the service and its doors can refuse what somebody does at the table."""
    families = (rules.IllegalCommand, errors.GameError)
    found = [cls for family in families for cls in family.__subclasses__()]
    assert consumers.Unavailable in found
    return sorted(cls.__name__ for cls in found if cls.__module__.startswith("games."))  # no other test's own


def test_the_states_of_the_kit_know_every_kind_of_fact_that_is_told() -> None:
    assert {fact["type"] for fact in every_fact()} >= set(messages._TELLERS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_fact_is_told_in_english(language: str) -> None:
    facts = every_fact()
    with override("en"):
        english = [fact_text(fact, NAMES) for fact in facts]
    with override(language):
        told = [fact_text(fact, NAMES) for fact in facts]
    assert len(set(english)) > 100
    assert alike(language, english, told) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_refusal_is_told_in_english(language: str) -> None:
    details = ({}, {"lowest": 20, "highest": 150, "tile": "1|4", "field": "amount"})

    def sentences() -> list[str]:
        told = [error_text(code, detail) for code in [*codes(), "Unheard"] for detail in details]
        return told + [lobby_text(cls()) for cls in lobby_errors.LobbyError.__subclasses__()]

    with override("en"):
        english = sentences()
    with override(language):
        assert alike(language, english, sentences()) == []


def test_each_refusal_has_a_sentence_of_its_own() -> None:
    sentences = [error_text(code) for code in codes()]
    assert error_text("Unheard") not in sentences
    assert len(set(sentences)) == len(codes()) > 25
