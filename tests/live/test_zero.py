"""Nothing is nothing here, and not "none": tile [0|0], seat 0, the first place of the hand, a score of 0 (B013)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import Client

from games import rules
from games.clock_source import now_ms
from games.models import MatchEvent
from tests.drivers import Table
from tests.factories import make_user
from tests.live.clients import Page, session_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]

BLANK = rules.Tile(0, 0)
# Seat 0 holds the only double of both hands.
FIRST = "0|0 0|1 0|2 1|3 1|4 2|5 3|6"
SECOND = "0|3 0|4 1|2 1|5 2|4 3|5 4|6"


@pytest.fixture(autouse=True)
def _blank_opens(settings: Any, tmp_path: Path) -> None:
    held = FIRST.split() + SECOND.split()
    rest = [rules.format_tile(tile) for tile in rules.TILES if rules.format_tile(tile) not in held]
    settings.TEST_DEALS = tmp_path / "deals.json"
    settings.TEST_DEALS.write_text(json.dumps([held + rest]))


@sync_to_async
def table_before_the_opening() -> tuple[Table, list[str]]:
    table = Table.new(now_ms, users=[make_user(), make_user()])
    table.both_press()
    return table, [session_of(user) for user in table.users]


@sync_to_async
def post(table: Table, session: str, tile: str, site: str) -> int:
    """The form of the page, as a browser without scripts sends it."""
    client = Client()
    client.cookies["sessionid"] = session
    form = {"type": "play", "tile": tile, "site": site, "seq": table.seq, "hand": 1, "id": f"z{table.seq}"}
    return client.post(f"/matches/{table.public_id}/commands/", form).status_code


@pytest.mark.parametrize("door", ["form", "socket"])
async def test_the_double_blank_opens_and_is_played_on_like_any_tile(door: str) -> None:
    table, sessions = await table_before_the_opening()
    state = table.state
    assert (state.turn, state.must_open, state.held[0][0]) == (0, BLANK, BLANK)
    assert [play.due for play in rules.previews(state)] == [0]
    for seat, tile, site in ((0, BLANK, None), (1, rules.Tile(0, 3), rules.Site(BLANK, "line_a"))):
        if door == "form":
            named = rules.format_site(site) if site else ""
            assert await post(table, sessions[seat], rules.format_tile(tile), named) == 303
        else:
            page = Page(table.public_id, sessions[seat])
            await page.open()
            await page.greet(seq=-1)
            assert f'data-tile="{rules.format_tile(tile)}"' in page.parts["f-me"]
            await page.command(rules.dump_command(rules.PlayTile(seat, tile, site)), seq=table.seq)
            await page.at(table.seq + 1)
            await page.close()
        await sync_to_async(table.refresh)()
    assert table.state.layout.tiles == (BLANK, rules.Tile(0, 3))
    assert table.state.balances == (150, 150)
    assert len(table.state.held[0]) == len(table.state.held[1]) == 6
    told = [event async for event in MatchEvent.objects.filter(match=table.match_id).order_by("seq")]
    assert [event.seat for event in told] == [0, 1, 0, 1]
    opening = next(fact for fact in told[2].facts if fact["type"] == "played")
    assert (opening["seat"], opening["tile"], opening["total"], opening["due"]) == (0, "0|0", 0, 0)
    assert not any(fact["type"] == "transferred" for event in told for fact in event.facts)
