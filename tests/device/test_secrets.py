"""Nothing that leaves for a device names a tile of a hand that is not revealed (D-4, D-31), over generated matches."""

from __future__ import annotations

import os
import random
import re

import pytest
from asgiref.sync import sync_to_async
from django.test import Client

from games import device, rules
from games.clock_source import now_ms
from tests.device.browsers import DevicePage, browser, key
from tests.device.desk import Desk
from tests.live.test_secrets import hidden, leaks

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]

MATCHES = 20 if os.environ.get("BONEYARD_SOAK") else 1
COMMANDS = 10_000 if os.environ.get("BONEYARD_SOAK") else 90
PAGE_EVERY = 5
_SEQ = re.compile(r'id="f-seq"[^>]*data-seq="(\d+)"')


@pytest.mark.parametrize("number", range(MATCHES))
async def test_no_frame_and_no_page_holds_a_tile_of_a_hand_that_is_not_shown(number: int) -> None:
    rng = random.Random(500 + number)
    cookie, digest = key()
    desk = await sync_to_async(Desk.new)(now_ms, device=digest)
    tab, client = DevicePage(desk.public_id, cookie), browser(cookie)
    await tab.open()
    await tab.greet(-1)
    shut = shown = 0
    for step in range(COMMANDS):
        if desk.state.phase == "over":
            break
        await sync_to_async(desk.step)(rng)
        await tab.at(desk.seq)
        frame = tab.frames[-1]
        found = _SEQ.search(frame)
        assert found is not None
        assert int(found[1]) == desk.seq
        check(frame, desk.state)
        if step % PAGE_EVERY == 0:
            await sync_to_async(look_at_pages)(desk, client)
            await tab.ping()
        shut += desk.state.phase == "curtain"
        shown += desk.state.phase == "play"
    assert shut > 10
    assert shown > 10
    await tab.close()


def check(text: str, state: rules.MatchState) -> None:
    secret = hidden(state, device.viewer_of(state))
    if state.phase == "curtain":
        assert all(tile in secret for held in state.held for tile in held)
    assert leaks(text, secret) == [], (state.phase, state.turn)


def look_at_pages(desk: Desk, client: Client) -> None:
    for end in ("", "fragments/"):
        answer = client.get(f"/matches/{desk.public_id}/{end}")
        assert answer.status_code == 200
        check(f"{answer.headers}{answer.content.decode()}", desk.state)


async def test_behind_the_curtain_the_page_is_the_same_whatever_is_held() -> None:
    """Not one byte of it depends on the tiles of either hand, or on their order in the boneyard."""
    from games.fragments import render_all
    from games.table import SeatCard, TableView

    state = rules.new_match(at_ms=0, options={"shared_device": True})
    facts = rules.decide(state, rules.Start(0), arrived_ms=0, now_ms=0, order=rules.TILES)
    first = rules.fold(state, facts)
    assert first.phase == "curtain"
    held, boneyard = first.held, first.boneyard
    second = first.but(held=(boneyard[:7], boneyard[7:]), boneyard=(*held[0], *held[1]))

    def drawn(state: rules.MatchState) -> dict[str, str]:
        seats = (SeatCard(0, None, "Alice"), SeatCard(1, None, "Bob"))
        view = TableView("m", 1, None, device.sight_of(state), seats, at_device=True)
        ids = re.compile(r'value="[0-9a-f]{16}"')
        return {name: ids.sub("", html) for name, html in render_all(view).items()}

    assert drawn(first) == drawn(second)
