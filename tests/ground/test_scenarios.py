"""docs/scenarios.md answers each fault by a test that exists or by a line that stands where it is said to."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache

import pytest
from django.conf import settings
from django.urls import URLPattern, URLResolver, get_resolver

NUMBERS = (
    *(1, 3, 5, 7, 9, 11, 13, 15),  # rules and scoring
    *(18, 20, 22, 24, 26, 28),  # drawing
    *(29, 31, 33, 35, 37, 39),  # draw, pass, block
    *(41, 43, 45, 47, 49, 51, 53, 55),  # auction
    *(56, 58, 60, 62, 64, 66, 68),  # hidden information
    *(70, 72, 74, 76, 78, 80, 82, 84, 86, 88),  # clocks
    *(90, 92, 94, 96, 98, 100, 102, 104, 106, 108, 110),  # reconnecting
    *(111, 113, 115, 117, 119, 121, 123, 125),  # twice and at once
    *(185, 187, 189, 191, 193, 195),  # languages
    *(197, 199, 201, 203),  # keyboard and readers
    *(205, 207, 209),  # phones
)
_ENTRY = re.compile(r"^- \*\*B(\d{3})\*\* (.*?)(?=^- \*\*B|^## |\Z)", re.MULTILINE | re.DOTALL)
_TEST = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
_LINE = re.compile(r"`([\w/.]+)` says `([^`]+)`")


def entries() -> dict[int, str]:
    """The answer to each number, in one line."""
    text = (settings.BASE_DIR / "docs/scenarios.md").read_text(encoding="utf-8")
    found = [(int(number), " ".join(answer.split())) for number, answer in _ENTRY.findall(text)]
    assert len(dict(found)) == len(found), "a number is answered twice"
    return dict(found)


@cache
def names_in(path: str) -> frozenset[str]:
    """The names of all functions in a file."""
    tree = ast.parse((settings.BASE_DIR / path).read_text(encoding="utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def test_each_number_is_answered_and_no_other() -> None:
    assert sorted(entries()) == sorted(NUMBERS)


@pytest.mark.parametrize("number", NUMBERS)
def test_an_answer_is_a_test_or_a_line(number: int) -> None:
    answer = entries()[number]
    tests, lines = _TEST.findall(answer), _LINE.findall(answer)
    assert tests
    for path, name in tests:
        assert name in names_in(path), f"{path} has no {name}"
    for path, line in lines:
        text = (settings.BASE_DIR / path).read_text(encoding="utf-8")
        assert line in " ".join(text.split()), f"{path} does not say {line}"
    assert answer.count("tests/") == len(tests), "a test is named in another form"


def routes(resolver: URLResolver, before: str = "") -> Iterator[str]:
    """Every address of the site as its pattern."""
    for pattern in resolver.url_patterns:
        address = before + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            yield address
        else:
            yield from routes(pattern, address)


def test_what_is_not_there_yet_has_no_address() -> None:
    """B119, B201: the day one of these comes, its answers are to be written."""
    found = list(routes(get_resolver()))
    assert "matches/<match:public_id>/" in found
    assert not [address for address in found if re.search("chat|rematch|league|join|register|tournament", address)]
