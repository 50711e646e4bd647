"""Every fragment, over whole random matches and for every viewer."""

import re

import pytest

from games import fragments
from games.table import SeatCard, TableView
from tests.table.drive import Drive
from tests.table.markup import read

SEEDS = (1, 2, 3)
VIEWERS = (0, 1, None)
COMMANDS = 120
RANDOM_ID = re.compile(r'name="id" value="[0-9a-f]{16}"')
RUNNING = re.compile(
    r'data-(now|since)="\d+"|data-state="\w+"|<svg class="clock__ring".*?</svg>'
    r'|(clock__bank num|data-until="\d+")">[\d:.]+'
)


def views(seed: int, viewer: int | None) -> list[TableView]:
    match = Drive(seed)
    seen = [match.view(viewer)]
    while len(seen) < COMMANDS and match.step() is not None:
        seen.append(match.view(viewer))
    return seen


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("seed", SEEDS)
def test_each_is_one_root_with_its_id(seed: int, viewer: int | None) -> None:
    for view in views(seed, viewer):
        for fragment_id, html in fragments.render_all(view).items():
            root = read(html)
            assert [child.attributes.get("id") for child in root.children] == [fragment_id]
            assert not root.text.strip()
            assert html.index(' id="') == html.index(f' id="{fragment_id}"')


@pytest.mark.parametrize("viewer", VIEWERS)
def test_ids_are_unique_on_the_page(viewer: int | None) -> None:
    for view in views(4, viewer):
        page = read("".join(fragments.render_all(view).values()) + fragments.render_seq(view))
        ids = [element.attributes["id"] for element in page.walk() if "id" in element.attributes]
        assert len(ids) == len(set(ids))


@pytest.mark.parametrize("viewer", VIEWERS)
def test_nothing_in_them_the_content_policy_forbids(viewer: int | None) -> None:
    for view in views(5, viewer):
        page = read("".join(fragments.render_all(view).values()))
        for element in page.walk():
            assert element.tag not in ("script", "style", "iframe", "object")
            for name, value in element.attributes.items():
                assert name != "style"
                assert not name.startswith(("on", "hx-on"))
                assert not value.strip().startswith(("javascript:", "data:"))


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("seed", SEEDS)
def test_an_unchanged_key_means_an_unchanged_fragment(seed: int, viewer: int | None) -> None:
    last: dict[str, tuple[object, str]] = {}
    for view in views(seed, viewer):
        for fragment in fragments.FRAGMENTS:
            key = fragment.key(view)
            hash(key)
            drawn = RUNNING.sub("", RANDOM_ID.sub("", fragment.render(view)))
            if fragment.id in last and last[fragment.id][0] == key:
                assert last[fragment.id][1] == drawn, fragment.id
            last[fragment.id] = (key, drawn)


def test_only_what_changed_is_drawn() -> None:
    match = Drive(6)
    everything, keys = fragments.render_changed(match.view(0), {})
    assert set(everything) == {fragment.id for fragment in fragments.FRAGMENTS if not fragment.inside}
    nothing, keys = fragments.render_changed(match.view(0), keys)
    assert nothing == {}
    match.step()
    changed, _ = fragments.render_changed(match.view(0), keys)
    assert "f-sheet" in changed
    assert "f-cloth" not in changed
    assert "f-me" not in changed


def test_names_are_escaped_everywhere() -> None:
    rude = "<img src=x onerror=alert(1)>\"'&"
    seats = (SeatCard(0, 1, rude, rude), SeatCard(1, 2, f"{rude}2", "1500"))
    for viewer in VIEWERS:
        match = Drive(7)
        for _ in range(60):
            page = read("".join(fragments.render_all(match.view(viewer, seats=seats, away=(900, 900))).values()))
            assert not page.all("img")
            match.step()


def test_the_marker_tells_version_and_time() -> None:
    view = Drive(8).view(None, server_now_ms=1234)
    marker = read(fragments.render_seq(view)).children[0].attributes
    assert (marker["id"], marker["data-seq"], marker["data-now"]) == ("f-seq", "0", "1234")


def test_a_refusal_is_a_notice_with_its_code() -> None:
    notice = read(fragments.render_error("TileDoesNotFit", "Not <there>")).children[0]
    assert notice.attributes["id"] == "f-toast"
    assert notice.attributes["data-code"] == "TileDoesNotFit"
    assert notice.text == "Not <there>"
