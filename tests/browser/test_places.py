"""The pages around the table that are pictured: nothing is cut, covered, too small or out of sight."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.kit import LENGTHEN, MAILS, PSEUDO, SETTLED, TROUBLES
from tests.browser.places import NAMES, PLACES, Place, Places, as_it_is
from tests.browser.script import deal, write_deals
from tests.browser.test_states import DESKTOP, FEW_SIZES, SMALLEST, TABLET, Eye
from tests.stack import running_stack

SIZES = (DESKTOP, TABLET, SMALLEST)
# Looked at in test_states.py as they are; somebody who is signed in is not shown the others there.
ELSEWHERE = {"/rules/", "/kit/", *(f"/kit/{name}/" for name in TROUBLES)}
HERE = [place for place in PLACES if place.address not in ELSEWHERE or place.then is not as_it_is or NAMES[place.who]]
# Words of headings and names that are broken. After a hyphen they may be, but for one after a single letter ("e-mail").
BROKEN = """() => [...document.querySelectorAll("main :is(h1, h2, .figures__name)")].flatMap((element) => {
  const broken = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (const { 0: word, index } of node.data.matchAll(/(?:[^\\s-]-)?[^\\s-]+/g)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      if (new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size > 1) broken.push(word);
    }
  }
  return broken;
})"""
# Cards that begin on one line and do not end on one.
UNEVEN = """() => {
  const ends = new Map();
  for (const card of document.querySelectorAll(".lobby__side > .card")) {
    const { top, bottom } = card.getBoundingClientRect();
    const line = ends.get(Math.round(top)) ?? new Set();
    ends.set(Math.round(top), line.add(Math.round(bottom)));
  }
  return [...ends.values()].filter((line) => line.size > 1).length;
}"""
ENGLISH = {"kit", *MAILS}  # or a text that is not the page's


@pytest.fixture(scope="module")
def places(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Places]:
    """A town of its own: there are matches in it that never end."""
    folder: Path = tmp_path_factory.mktemp("town")
    write_deals(folder / "deals.json", [deal(0)])
    with running_stack(folder, extra_env={"BONEYARD_TEST_DEALS": str(folder / "deals.json")}) as stack:
        places = Places(browser, stack)
        yield places
        places.close()


def test_every_page_around_the_table(places: Places) -> None:
    """One after the other, since the town has a time for each."""
    found = []
    for place in HERE:
        found += [f"{place.name}: {fault}" for fault in _faults(places, place)]
    assert not found, "\n".join(found)


def _faults(places: Places, place: Place) -> list[str]:
    player = places.open(place)
    player.page.evaluate(SETTLED)
    eye = Eye(player)
    for size in SIZES:
        eye.look_at_layout(place.name, size, "en", is_table=False)
        if player.page.evaluate(UNEVEN):
            eye.found.append(f"{size}: cards beside each other end on two lines")
    eye.found += [f"broken: {word}" for word in player.page.evaluate(BROKEN)]
    if place.who != "unscripted":  # in whose browser axe would wait without end
        eye.ask_axe(place.name)
    if place.name not in ENGLISH:
        player.page.evaluate(LENGTHEN)
        for size in FEW_SIZES:
            eye.look_at_layout(place.name, size, PSEUDO, is_table=False)
    faults = [*eye.found, *player.faults]
    player.faults.clear()
    return faults
