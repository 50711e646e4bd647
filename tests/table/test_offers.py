"""What the page offers is what is legal, no more and no less (scenario B037)."""

import itertools

import pytest

from games import fragments, rules
from games.rules.auction import net_price
from games.table import TableView
from games.wire import parse_frame
from tests.table.drive import Drive
from tests.table.markup import Element, read

COMMANDS = 150


def page_of(view: TableView) -> Element:
    return read("".join(fragments.render_all(view).values()))


def offered(page: Element, viewer: int) -> set[rules.PlayerCommand]:
    """The commands that the forms of a page can send, each amount of a stepper counted."""
    commands = set()
    for form in page.by_class("command"):
        if "data-leave" in form.attributes:
            continue
        fields = {field.attributes["name"]: field.attributes.get("value", "") for field in form.all("input")}
        amounts = [field for field in form.all("input") if field.attributes["type"] == "number"]
        for field in amounts:
            low, high, step = (int(field.attributes[name]) for name in ("min", "max", "step"))
            for amount in range(low, high + 1, step):
                commands.add(parse_frame({**fields, "amount": str(amount)}).command(viewer))
        if not amounts:
            commands.add(parse_frame(fields).command(viewer))
    return commands


@pytest.mark.parametrize("seed", range(6))
def test_forms_are_the_legal_commands(seed: int) -> None:
    match = Drive(seed)
    for _ in range(COMMANDS):
        for viewer in (0, 1):
            view = match.view(viewer)
            legal = set(view.sight.legal)
            if view.sight.hand == 0:
                # Before the first deal the way out is Leave, which costs nothing (D-22).
                legal = {command for command in legal if command.type != "resign"}
            assert offered(page_of(view), viewer) == legal
        if match.step() is None:
            break


@pytest.mark.parametrize("seed", range(3))
def test_a_spectator_is_offered_nothing(seed: int) -> None:
    match = Drive(seed)
    for _ in range(COMMANDS):
        assert not page_of(match.view(None)).by_class("command")
        if match.step() is None:
            break


@pytest.mark.parametrize("seed", range(3))
def test_tiles_and_places_are_those_of_the_plays(seed: int) -> None:
    match = Drive(seed)
    for _ in range(COMMANDS):
        view = match.view(0)
        page = page_of(view)
        plays = {(preview.tile, preview.site) for preview in view.sight.previews}
        fitting = {rules.parse_tile(tile.attributes["data-tile"]) for tile in page.all(data_legal="yes")}
        assert fitting == {tile for tile, _site in plays}
        ghosts = {
            (
                rules.parse_tile(ghost.attributes["data-tile"]),
                rules.parse_site(ghost.attributes["data-site"]) if ghost.attributes["data-site"] else None,
            )
            for ghost in page.by_class("ghost")
        }
        assert ghosts == plays
        sending = {form.attributes["data-play"] for form in page.all("form", data_command="play")}
        assert sending == {
            f"{rules.format_tile(tile)}@{rules.format_site(site) if site else ''}" for tile, site in plays
        }
        if match.step() is None:
            break


def find(seed: int, wanted) -> Drive:
    """The first position of random matches for which `wanted` holds."""
    for number in itertools.count(seed):
        match = Drive(number)
        for _ in range(2000):
            if wanted(match.state):
                return match
            if match.step() is None:
                break
    raise AssertionError


def test_a_bid_that_costs_everything_needs_a_second_press() -> None:
    match = find(20, lambda state: state.phase == "auction")
    seat = match.state.turn
    assert seat is not None
    view = match.view(seat)
    page = page_of(view)
    is_jockey = view.sight.jockey == seat
    balance = view.sight.balances[seat]
    warned = [form for details in page.by_class("all-in") for form in details.all("form")]
    amounts = [int(form.all("input", name="amount")[0].attributes["value"]) for form in warned]
    assert [net_price(amount, is_jockey=is_jockey) for amount in amounts] == [balance]
    stepper = page.all("input", type_="number")[0]
    assert net_price(int(stepper.attributes["max"]), is_jockey=is_jockey) < balance


def test_only_the_jockey_sees_the_discount() -> None:
    match = find(30, lambda state: state.phase == "auction" and state.bid is not None and state.turn == state.jockey)
    jockey = match.state.jockey
    assert jockey is not None
    assert "jockey discount" in page_of(match.view(jockey)).words()
    assert "discount" not in page_of(match.view(1 - jockey)).words()
    assert "discount" not in page_of(match.view(None)).words()


def test_forms_name_the_version_or_the_hand() -> None:
    match = Drive(40)
    for _ in range(COMMANDS):
        for form in page_of(match.view(0)).by_class("command"):
            fields = {field.attributes["name"]: field.attributes.get("value") for field in form.all("input")}
            if "data-leave" in form.attributes:
                continue
            if fields["type"] in ("start", "continue", "resign"):
                assert fields["hand"] == str(match.state.hand)
                assert "seq" not in fields
            else:
                assert fields["seq"] == str(match.seq)
            assert form.attributes["action"] == "/matches/Ab3xYz90kQ/commands/"
            assert form.attributes["method"] == "post"
        if match.step() is None:
            break


def test_the_forms_carry_the_token_of_the_page_when_there_is_one() -> None:
    match = Drive(41)
    token = "t" * 64
    form = page_of(match.view(0, csrf=token)).by_class("command")[0]
    assert form.all("input", name="csrfmiddlewaretoken")[0].attributes["value"] == token
    assert not page_of(match.view(0)).all("input", name="csrfmiddlewaretoken")
