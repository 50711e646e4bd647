"""Looking back while the other side plays."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.matches import WHOLE, play, seat
from tests.browser.player import PHONE, Player

# Whether the middle of it can be hit, and not only what covers it.
ON_TOP = """(element) => {
  const box = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
}"""


@pytest.mark.parametrize("by_key", [False, True])
def test_who_reads_the_log_is_told_of_the_turn_and_back_at_once(
    new_player: Callable[..., Player], prepare: Callable[..., None], by_key: bool
) -> None:
    """B106: on a phone the log covers the table. One press or key leads back, and the turn can be played."""
    prepare(WHOLE)
    pair = (new_player(viewport=PHONE), new_player(viewport=PHONE))
    seat(pair)
    # The move of the other that hands the turn over to who reads.
    number = next(n for n in range(2, 20) if WHOLE.steps[n].command.seat != WHOLE.steps[n + 1].command.seat)
    play(pair, WHOLE.steps[:number])
    reader = pair[WHOLE.steps[number + 1].command.seat]
    reader.find('[data-action="panel"]').click()
    sign = reader.find(".panel__turn")
    expect(sign).to_be_hidden()
    play(pair, WHOLE.steps[number : number + 1])
    expect(sign).to_contain_text("Your turn")
    assert sign.evaluate(ON_TOP)
    if by_key:
        reader.page.keyboard.press("Escape")
    else:
        sign.click()
    expect(sign).to_be_hidden()
    assert reader.find("#f-prompt").evaluate(ON_TOP)
    play(pair, WHOLE.steps[number + 1 : number + 2])
