"""Pieces that frames leave out: with them put back, a page is what it would be if everything were sent."""

import re

import pytest

from games import fragments
from games.fragments.kept import PIECE
from tests.table.drive import Drive

RUNNING = re.compile(r'name="id" value="\w+"|data-(now|since)="\d+"|<svg class="clock__ring".*?</svg>|data-state="\w+"')
EMPTY = re.compile(r'<(\w+) id="([^"]+)" data-kept(?:/>|></\1>)')
CLOCK = re.compile(r'(<span class="clock__bank num">)[^<]*')


def pieces_of(html: str) -> dict[str, str]:
    return {next(filter(None, found.group("drawn", "who", "help", "row"))): found[0] for found in PIECE.finditer(html)}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("viewer", [0, 1])
def test_a_page_with_the_pieces_put_back_is_whole(seed: int, viewer: int) -> None:
    match, page, keys, left_out = Drive(seed), {}, {}, 0
    for _ in range(250):
        view = match.view(viewer)
        changed, keys = fragments.render_changed(view, keys)
        for name, html in changed.items():
            had = pieces_of(page.get(name, ""))
            left_out += len(EMPTY.findall(html))
            page[name] = EMPTY.sub(lambda empty, had=had: had[empty[2]], html)
        for name, html in fragments.render_all(view).items():
            shown, drawn = (CLOCK.sub(r"\1", RUNNING.sub("", text)) for text in (page[name], html))
            if name not in ("f-clocks",):
                assert shown == drawn, name
        if match.step() is None:
            break
    assert left_out > 100


def test_who_has_seen_nothing_gets_everything() -> None:
    match = Drive(3)
    for _ in range(20):
        match.step()
    changed, _keys = fragments.render_changed(match.view(0), {})
    assert not EMPTY.search("".join(changed.values()))
    named = {fragment.id: fragment.key(match.view(0)) for fragment in fragments.FRAGMENTS}
    match.step()
    changed, _keys = fragments.render_changed(match.view(0), named)
    assert changed
    assert not EMPTY.search("".join(changed.values())), "a page that names its version was not sent by this socket"
