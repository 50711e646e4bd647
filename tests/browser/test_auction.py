"""Auctions with raises: the jockey wins, the rival wins, the rival declines. On phones, and ended by resignation."""

from collections.abc import Callable

from playwright.sync_api import expect

from games import rules
from tests.browser.matches import AUCTIONS, check_offer, play, seat
from tests.browser.player import PHONE, Player
from tests.browser.script import Step


def outcomes() -> list[str]:
    """How the auctions of the script end."""
    found = []
    for step in AUCTIONS.steps:
        if isinstance(step.command, rules.Accept):
            bid = step.before.bid
            assert bid is not None
            found.append("jockey" if bid.seat == step.before.jockey else "rival")
        elif isinstance(step.command, rules.Decline):
            found.append("declined")
    return found


def test_every_outcome_of_an_auction(new_player: Callable[..., Player], prepare: Callable[..., None]) -> None:
    assert outcomes() == ["jockey", "rival", "declined"]
    prepare(AUCTIONS)
    pair = (new_player(viewport=PHONE, has_touch=True), new_player(viewport=PHONE))
    seat(pair)

    def do(player: Player, step: Step) -> None:
        check_offer(player, step)
        if step.before.phase == "auction":
            check_card(pair, step)
        player.do(step.command)

    def after(step: Step) -> None:
        if step.before.phase == "auction" or step.after.phase == "ready":
            for seat_, points in enumerate(step.after.balances):
                for player in pair:
                    expect(player.find(f'.seat[data-seat="{seat_}"] .seat__points')).to_have_text(str(points))

    play(pair, AUCTIONS.steps, do=do, after=after)

    loser, winner = pair
    loser.find('[data-action="panel"]').click()
    loser.find("#resign summary").click()
    loser.page.get_by_role("button", name="Resign the match").click()
    expect(loser.page.get_by_role("heading", name="You lost")).to_be_visible()
    expect(winner.page.get_by_role("heading", name="You won")).to_be_visible()
    expect(winner.find(".sheet__subtitle")).to_have_text(f"{loser.name} resigned in hand 4.")


def test_a_half_typed_bid_is_kept_as_long_as_it_is_asked_for(
    new_player: Callable[..., Player], prepare: Callable[..., None]
) -> None:
    """In another language, and when the bid was refused."""
    prepare(AUCTIONS)
    pair = (new_player(), new_player())
    seat(pair)
    number = next(number for number, step in enumerate(AUCTIONS.steps) if isinstance(step.command, rules.Bid))
    play(pair, AUCTIONS.steps[:number])
    bid = AUCTIONS.steps[number]
    player = pair[bid.command.seat]
    player.find("#bid-amount").fill("45")
    player.find(".top .menu:has([lang]) > summary").click()
    player.page.get_by_role("button", name="Türkçe").click()
    expect(player.find("html")).to_have_attribute("lang", "tr")
    expect(player.find("#bid-amount")).to_have_value("45")
    expect(player.find("#bid")).to_contain_text("45")
    player.find('form.command:has(#bid-amount) [name="seq"]').evaluate("field => { field.value = 1; }")
    player.find("#bid").click()
    expect(player.find("#f-toast[data-code]")).to_be_visible()
    expect(player.find("#bid-amount")).to_have_value("45")
    player.find("#bid-amount").fill(str(bid.command.amount))
    player.find("#bid").click()
    expect(player.find("#bid-amount")).to_have_count(0)
    assert player.page.evaluate("sessionStorage.getItem('half-typed')") is None


def check_card(pair: tuple[Player, Player], step: Step) -> None:
    """The one to answer has the answers, and the other nothing to press; only the jockey reads of the discount."""
    state, seat_ = step.before, step.command.seat
    player, other = pair[seat_], pair[1 - seat_]
    expect(player.find("#decline")).to_have_count(1 if state.bid is None else 0)
    expect(player.find("#accept")).to_have_count(0 if state.bid is None else 1)
    expect(player.find(".auction__card .pays.needs-js").get_by_text("jockey discount")).to_have_count(
        int(seat_ == state.jockey)
    )
    expect(other.find(".auction__card button")).to_have_count(0)
    expect(other.find(".auction__card")).to_contain_text("decides")
    stepper = player.find("#bid-amount")
    least, most = int(stepper.get_attribute("min") or 0), int(stepper.get_attribute("max") or 0)
    legal = [command.amount for command in rules.legal_commands(state) if isinstance(command, rules.Bid | rules.Raise)]
    assert least == legal[0]
    assert most < legal[-1], "the last one costs everything and is asked for apart"
    for wrong in (str(least + 2), str(most + 5), ""):
        stepper.fill(wrong)
        expect(player.find("#bid")).to_be_disabled()
        expect(player.find(".pays.needs-js")).to_have_text(
            f"From {least} to {most} in steps of 5.", use_inner_text=True
        )
    stepper.fill(str(least))
    expect(player.find("#bid")).to_be_enabled()
    expect(player.find(".pays.needs-js")).to_contain_text("you pay", use_inner_text=True)
    if state.bid is not None:
        expect(player.find(".ladder__bid").last).to_contain_text(str(state.bid.amount))
