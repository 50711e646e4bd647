"""Twenty updates a second on real sockets of real pages: in order, without an error, and nothing chosen is lost."""

from collections.abc import Callable, Sequence

from playwright.sync_api import expect

from games import rules
from tests.browser.matches import WHOLE, play, seat
from tests.browser.modules import served
from tests.browser.player import PHONE, Player
from tests.browser.script import Step
from tests.browser.test_interrupted import view
from tests.browser.test_keyboard import hold, holds
from tests.stack import Stack

PER_SECOND = 20
PLACE = 6  # steps: some tiles lie there, and the log has some rows
# Another process, as the site may have several: it plays both seats.
_PLAYS = """
import time
from accounts.models import User
from games import rules, service
from games.clock_source import now_ms
from games.models import Match
match = Match.objects.get(public_id={public_id!r})
users = [User.objects.get(pk=pk) for pk in match.player_ids]
began_s = time.monotonic()
for number, (seq, hand, told) in enumerate({commands!r}):
    time.sleep(max(0, began_s + number / {per_second} - time.monotonic()))
    command = rules.load_command(told)
    by_hand = isinstance(command, service.NAMES_THE_HAND)
    service.submit(
        match.pk,
        command,
        actor=users[command.seat],
        expected_seq=None if by_hand else seq,
        expected_hand=hand if by_hand else None,
        command_id=f"burst-{{number}}",
        arrived_ms=now_ms(),
    )
"""
# Every version that the page shows from now on.
NOTE = """() => {
  window.shown = [];
  const note = () => {
    const seq = Number(document.getElementById("f-seq").dataset.seq);
    if (seq !== window.shown.at(-1)) window.shown.push(seq);
  };
  new MutationObserver(note).observe(document.getElementById("main"), { childList: true, subtree: true });
}"""
# On a machine that draws fewer a second it takes longer. In the end the last one that was asked for is shown.
REDRAW = """async (times) => {
  const { live, useFormat } = await import("/static/js/socket.js");
  const isLong = document.getElementById("f-cloth").dataset.format === "long";
  const [first, second] = isLong ? ["wide", "long"] : ["long", "wide"];
  let drawn = 0, last = "";
  live.addEventListener("update", () => { drawn += 1; });
  const wait = () => new Promise((resolve) => setTimeout(resolve, 50));
  for (let time = 0; time < times || (drawn <= times / 3 && time < 10 * times); time += 1) {
    last = time % 2 ? second : first;
    useFormat(last);
    await wait();
  }
  while (document.getElementById("f-cloth").dataset.format !== last) await wait();
  return drawn;
}"""


def burst(stack: Stack, public_id: str, steps: Sequence[Step]) -> None:
    """All these commands, so many a second, past the pages."""
    commands = [(step.seq - 1, step.before.hand, rules.dump_command(step.command)) for step in steps]
    program = _PLAYS.format(public_id=public_id, commands=commands, per_second=PER_SECOND)
    stack.manage("shell", "--verbosity", "0", stdin=program)


def test_pages_follow_twenty_moves_a_second(
    new_player: Callable[..., Player], prepare: Callable[..., None], stack: Stack
) -> None:
    """Both players and a spectator on a phone, through two hands and an auction; with motion for one of them."""
    prepare(WHOLE)
    pair = (new_player(reduced_motion="no-preference"), new_player())
    spectator = new_player("A spectator", viewport=PHONE, locale="pl-PL")
    table = seat(pair)
    play(pair, WHOLE.steps[:PLACE])
    spectator.page.goto(table)
    expect(pair[0].find("#f-watching")).to_have_text("1 watching")
    pages = (*pair, spectator)
    for one in pages:
        one.page.evaluate(NOTE)
    hold(pair[0], ".log")
    hold(pair[1], "#f-prompt")
    steps = WHOLE.steps[PLACE:-3]
    assert len(steps) > PER_SECOND
    assert {step.before.phase for step in steps} >= {"play", "ready", "auction"}
    burst(stack, table.rstrip("/").rpartition("/")[2], steps)
    for one in pages:
        one.wait_for(steps[-1].seq)
        shown = one.page.evaluate("() => window.shown")
        assert shown == sorted(set(shown))
        assert len(shown) > len(steps) / 3, "each page saw it happen"
        expect(one.find("#connection")).to_be_hidden()
        one.page.wait_for_function("() => document.getAnimations().length === 0")
        last = view(one.page)
        assert one.page.evaluate("() => document.querySelectorAll('.flyer').length") == 0
        if one is pair[0]:
            assert holds(one)
        elif one is pair[1]:
            assert one.page.evaluate("() => Boolean(document.activeElement.closest('#main'))")
        one.page.reload()
        one.wait_for(steps[-1].seq)
        assert view(one.page) == last
    play(pair, WHOLE.steps[-3:])


def test_an_aimed_tile_stays_aimed_under_twenty_pictures_a_second(
    new_player: Callable[..., Player], prepare: Callable[..., None]
) -> None:
    """By keys on one page, by a finger that has to confirm on the other: the choice, the focus and the sum stay."""
    prepare(WHOLE)
    pair = (new_player(), new_player(viewport=PHONE, has_touch=True, is_mobile=True))
    seat(pair)

    def has_a_choice(step: Step) -> bool:
        command = step.command
        return (
            isinstance(command, rules.PlayTile)
            and sum(1 for preview in rules.previews(step.before) if preview.tile == command.tile) > 1
        )

    rest = list(WHOLE.steps)
    for number, player in enumerate(pair):
        while not (has_a_choice(rest[0]) and rest[0].command.seat == number):
            play(pair, [rest.pop(0)])
        step = rest.pop(0)
        command = step.command
        assert isinstance(command, rules.PlayTile)
        player.pick(command.tile)
        if player.taps:
            player.page.evaluate("() => document.getElementById('table').toggleAttribute('data-confirm-moves', true)")
            player.place(command.tile, command.site).tap()
        else:
            named = rules.format_site(command.site) if command.site else ""
            player.find(f'.ghost[data-shown][data-site="{named}"]').focus()
        expect(player.find(".ghost[data-aimed]")).to_have_count(1)
        total = player.find(".sum__total").inner_text()
        assert player.page.evaluate(served(REDRAW), PER_SECOND) > PER_SECOND / 3
        expect(player.find(".ghost[data-aimed]")).to_have_count(1)
        expect(player.find("#f-sum[data-preview] .sum__total")).to_have_text(total)
        assert player.seq == step.seq - 1
        if player.taps:
            player.place(command.tile, command.site).tap()
        else:
            player.page.keyboard.press("Enter")
        for one in pair:
            one.wait_for(step.seq)
