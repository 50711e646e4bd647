"""Joins the style sheets of a page to one: twenty requests in a row are what a phone waits for longest."""

from collections.abc import Mapping, Sequence
from pathlib import Path


def join_styles(sheets: Path, folder: Path, pages: Mapping[str, Sequence[str]]) -> bool:
    """Fills `folder` with `all-<page>.css` for each of `pages`, names of sheets in their order.

    False when the files there are already what it would make. They lie beside the others once they are collected, so
    relative addresses in them stay right.
    """
    folder.mkdir(parents=True, exist_ok=True)
    has_changed = False
    for page, names in pages.items():
        path = folder / f"all-{page}.css"
        joined = "\n".join((sheets / f"{name}.css").read_text() for name in names)
        if not path.is_file() or path.read_text() != joined:
            path.write_text(joined)
            has_changed = True
    return has_changed
