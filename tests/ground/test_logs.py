"""What the site writes down, and how much of it a stranger can cause."""

import io
import logging
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from config import logs


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    """The log as the site's own handler writes it."""
    before = logging.root.handlers[:]
    logs.configure({"level": "INFO", "format": "json"})
    handler = next(each for each in logging.root.handlers if each not in before)
    assert isinstance(handler, logging.StreamHandler)
    stream = io.StringIO()
    handler.setStream(stream)
    try:
        yield stream
    finally:
        logging.root.handlers[:] = before


def lines_of(stream: io.StringIO) -> list[str]:
    return stream.getvalue().splitlines()


def test_a_foreign_host_is_a_line_and_no_trace(client: Client, written: io.StringIO) -> None:
    assert client.get("/", headers={"host": "x" * 5_000 + ".example"}).status_code == 400
    told = [line for line in lines_of(written) if "DisallowedHost" in line]
    assert len(told) == 1
    assert "Traceback" not in written.getvalue()
    assert len(written.getvalue()) < 1_000


def test_a_fault_is_found_by_the_reference_on_its_page(
    client: Client, written: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_down(*_given: Any, **_more: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("config.pwa.render_to_string", break_down)
    client.raise_request_exception = False
    shown = []
    for _ in range(2):
        answer = client.get("/offline/")
        assert answer.status_code == 500
        found = re.search(r"Reference: ([2-9A-Z]{4}-[2-9A-Z]{4})<", answer.content.decode())
        assert found is not None
        shown.append(found[1])
    assert shown[0] != shown[1]
    for reference in shown:
        (line,) = [line for line in lines_of(written) if reference in line]
        assert "/offline/" in line
        assert "ZeroDivisionError" in line


def test_a_fault_of_the_site_keeps_its_trace(written: io.StringIO) -> None:
    try:
        raise ZeroDivisionError
    except ZeroDivisionError:
        logging.getLogger("games.live").exception("a fault")
    assert "Traceback" in written.getvalue()
