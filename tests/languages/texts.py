"""Everything a page says to somebody: texts, labels, titles, and the sentences it keeps for its scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

VOID = frozenset({"br", "hr", "img", "input", "link", "meta", "source", "use", "wbr"})
SILENT = frozenset({"script", "style"})
SPOKEN = frozenset(
    {"alt", "aria-description", "aria-label", "aria-roledescription", "aria-valuetext", "placeholder", "title"}
)
# What scripts read and nobody else: words of the protocol and of the drawing, no sentences.
PROTOCOL = frozenset({"data-facts", "data-fragments", "data-offer", "data-poses", "data-csrf"})
LETTERS = re.compile(r"[^\W\d_]{2,}")


class _Reader(HTMLParser):
    """Gathers (where, text); what is marked as another language than the page's is left out."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []
        self.language = ""
        self.open: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        language = attributes.get("lang") or (self.open[-1][1] if self.open else "")
        if tag == "html":
            self.language = language
        if tag not in SILENT and (not self.language or language == self.language):
            self.found += [value for name, value in attributes.items() if is_said(name, value)]
        if tag not in VOID:
            self.open.append((tag, language))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1][0] in SILENT:
            return
        if not self.language or not self.open or self.open[-1][1] == self.language:
            self.found.append(data)


def is_said(name: str, value: str) -> bool:
    """Whether people get to see or hear this attribute."""
    return name in SPOKEN or (name.startswith("data-") and name not in PROTOCOL and is_sentence(value))


def is_sentence(value: str) -> bool:
    """Whether an attribute of the page's own holds words for people, and no word of a script."""
    return bool(re.search(r"\{\w+\}|[^\W\d_]{2,}[ …]|^[A-ZÇĞİÖŞÜĆŁŚŹŻ][^\W\d_]+[.…]?$", value))


def texts(page: str) -> Iterator[str]:
    """Each text with letters, its space made even, in the order of the page."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    for text in reader.found:
        text = re.sub(r"\s+", " ", text).strip()
        if LETTERS.search(text):
            yield text
