"""What axe finds on every page and in every phase of the table: nothing serious."""

from collections.abc import Callable

from axe_playwright_python.sync_playwright import Axe

from games import rules
from tests.browser.matches import WHOLE, play, seat
from tests.browser.player import PHONE, Player
from tests.browser.script import Step

SERIOUS = {"serious", "critical"}
COME = """() => {
  const passing = document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime < Infinity);
  for (const animation of passing) animation.finish();
}"""


def check(player: Player, place: str) -> None:
    """No serious violation on what is shown now, once it has come."""
    player.page.evaluate(COME)
    found = Axe().run(player.page)
    serious = [
        f"{place}: {violation['id']}: {node['target']} {node['failureSummary']}"
        for violation in found.response["violations"]
        if violation["impact"] in SERIOUS
        for node in violation["nodes"]
    ]
    assert not serious, "\n".join(serious)
    wide = player.page.evaluate("() => document.scrollingElement.scrollWidth - innerWidth")
    assert wide <= 0, f"{place} is {wide} px wider than the screen"


def phase_of(state: rules.MatchState, viewer: int) -> str:
    """What kind of table the viewer sees."""
    if state.phase in ("ready", "over"):
        return f"{state.phase} {state.hand > 0} {viewer in state.ready}"
    turn = "own" if state.turn == viewer else "other"
    if state.phase == "auction":
        return f"auction {turn} {state.bid is not None}"
    draws = not rules.previews(state) if state.turn == viewer else False
    return f"{state.turn_kind} {turn} {draws}"


def test_pages(new_player: Callable[..., Player]) -> None:
    visitor, member = new_player("A visitor"), new_player(viewport=PHONE, color_scheme="dark")
    for address in ("/", "/accounts/signup/", "/accounts/login/", "/rules/"):
        visitor.page.goto(address)
        check(visitor, address)
    member.offer()
    for address in ("/", "/accounts/settings/", f"/players/{member.name}/"):
        member.page.goto(address)
        check(member, address)


def test_every_phase_of_the_table(new_player: Callable[..., Player], prepare: Callable[..., None]) -> None:
    """One on a desktop in the light, one on a phone in the dark."""
    prepare(WHOLE)
    pair = (new_player(), new_player(viewport=PHONE, color_scheme="dark"))
    seat(pair)
    seen: set[tuple[int, str]] = set()

    def look(state: rules.MatchState) -> None:
        for viewer, player in enumerate(pair):
            phase = phase_of(state, viewer)
            if (viewer, phase) not in seen:
                seen.add((viewer, phase))
                check(player, phase)

    def do(player: Player, step: Step) -> None:
        command = step.command
        if isinstance(command, rules.PlayTile) and (command.seat, "picked") not in seen and step.before.layout.tiles:
            seen.add((command.seat, "picked"))
            player.pick(command.tile)
            check(player, "picked")
            player.place(command.tile, command.site).click()
        else:
            player.do(command)

    look(WHOLE.steps[0].before)
    play(pair, WHOLE.steps, do=do, after=lambda step: look(step.after))
    assert {phase for _viewer, phase in seen} >= {
        "ready False False",
        "ready False True",
        "opening own False",
        "opening other False",
        "turn own False",
        "turn own True",
        "turn other False",
        "picked",
        "auction own False",
        "auction own True",
        "auction other False",
        "ready True False",
        "ready True True",
        "over True False",
    }
    pair[0].page.goto(f"/players/{pair[0].name}/")
    check(pair[0], "profile")
