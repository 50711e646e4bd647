"""What a page weighs on its way to a browser: the page itself and all it asks for before anybody does anything."""

import gzip
import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from posixpath import dirname, join, normpath

from django.contrib.staticfiles import finders

from config.storage import without_comments

STATIC = "/static/"
IMPORT = re.compile(r'^\s*(?:import|export)\s(?:[^"();]*?from\s)?"(\.[^"]+)"', re.MULTILINE)
URL = re.compile(r'url\("?([^")]+)"?\)')
KINDS = {"js": "scripts", "css": "styles", "svg": "pictures", "png": "pictures", "woff2": "fonts"}


@dataclass
class Weight:
    """Compressed bytes of each file by its kind; fonts are left out, a page is seen without them."""

    files: dict[str, dict[str, int]] = field(default_factory=dict)

    def of(self, kind: str) -> int:
        return sum(self.files.get(kind, {}).values())

    @property
    def total(self) -> int:
        return sum(map(self.of, self.files))

    def __str__(self) -> str:
        return "\n".join(
            f"{size:7,} {kind} {name}"
            for kind, files in self.files.items()
            for name, size in sorted(files.items(), key=lambda item: -item[1])
        )


class _Asks(HTMLParser):
    """The static files that a page names where the browser fetches them at once."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        fetched = {"script": given.get("src"), "img": given.get("src")}.get(tag)
        if tag == "link" and (given.get("rel") or "") in ("stylesheet", "icon", "modulepreload", "preload"):
            fetched = given.get("href")
        if fetched:
            self.addresses.append(fetched)


def weigh(page: str, *, without: tuple[str, ...] = ()) -> Weight:
    """The weight of a page of the site; `without` names files that are not part of it."""
    weight = Weight({"pages": {"page": _compressed(page.encode())}})
    reader = _Asks()
    reader.feed(page)
    waiting = [address.removeprefix(STATIC) for address in reader.addresses if address.startswith(STATIC)]
    seen = set(without)
    while waiting:
        name = waiting.pop()
        kind = KINDS[name.rpartition(".")[2]]
        if name in seen or kind == "fonts":
            continue
        seen.add(name)
        found = finders.find(name)
        assert found, f"there is no {name}"
        content = without_comments(name, Path(found).read_bytes())
        weight.files.setdefault(kind, {})[name] = _compressed(content)
        named = {"scripts": IMPORT, "styles": URL}.get(kind)
        if named is not None:
            waiting += [normpath(join(dirname(name), other)) for other in named.findall(content.decode())]
    return weight


def _compressed(content: bytes) -> int:
    return len(gzip.compress(content, 9))
