"""Two people at a table, doing what a script says."""

from collections.abc import Callable, Iterable

from playwright.sync_api import expect

from games import rules
from tests.browser.player import Player
from tests.browser.script import Script, Step, write_match

Pair = tuple[Player, Player]
# Out in the first hand, with draws and a pass; an auction that the jockey wins; all chips gone in the second hand.
WHOLE = write_match([216, 336], balances=(260, 40), auctions=["15 20 accept"])
# A few tiles and a draw of one hand.
BRIEFEST = write_match([731], balances=(290, 10))
# Some more of both.
BRIEF = write_match([2099], balances=(290, 10))
# Out in the first hand; then the jockey bids everything and is believed.
ALL_IN = write_match([3], auctions=["15 200 accept"])
# Four hands, three auctions: the jockey wins, the rival wins, the rival declines. The match is not over then.
AUCTIONS = write_match([3, 2, 1, 4], auctions=["15 20 accept", "15 20 25 accept", "decline"], length=56)


def seat(pair: Pair, *, rated: bool = True) -> str:
    """One offers, the other accepts, both sit down; the address of their table."""
    owner, taker = pair
    owner.offer(rated=rated)
    taker.page.goto("/")
    taker.accept_offer_of(owner)
    owner.wait_for_table()
    return taker.page.url


def play(
    pair: Pair,
    steps: Iterable[Step],
    *,
    do: Callable[[Player, Step], None] | None = None,
    after: Callable[[Step], None] | None = None,
) -> None:
    """Every step by the player whose it is; both pages show it before the next one comes."""
    for step in steps:
        player = pair[step.command.seat]
        if do is not None:
            do(player, step)
        else:
            check_offer(player, step)
            player.do(step.command)
        for one in pair:
            one.wait_for(step.seq)
        if after is not None:
            after(step)


def check_offer(player: Player, step: Step) -> None:
    """The page offers what the rules allow, no less and no more."""
    state, command = step.before, step.command
    if state.phase == "play":
        expect(player.find("#f-prompt")).to_contain_text("Your turn")
        legal = {play for play in rules.legal_commands(state) if isinstance(play, rules.PlayTile)}
        assert player.lifted() == {rules.format_tile(play.tile) for play in legal}
        assert player.find("#draw").count() == (not legal)
        assert player.held() == {rules.format_tile(tile) for tile in state.held[command.seat]}


def until(script: Script, is_there: Callable[[Step], bool]) -> tuple[list[Step], list[Step]]:
    """The steps before the first one that is asked for, and the others."""
    for number, step in enumerate(script.steps):
        if is_there(step):
            return list(script.steps[:number]), list(script.steps[number:])
    raise AssertionError("there is no such step")
