"""The match socket, end to end within one process: hello, moves, news, refusals."""

from __future__ import annotations

import random

import pytest
from asgiref.sync import sync_to_async

from games import rules
from games.clock_source import now_ms
from tests.drivers import Table
from tests.factories import make_user
from tests.live.clients import Page, Program, program_token, session_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]


@sync_to_async
def dealt() -> tuple[Table, list[str]]:
    table = Table.dealt(now_ms)
    return table, [session_of(user) for user in table.users]


async def test_page_and_opponent_see_a_move() -> None:
    table, sessions = await dealt()
    pages = [Page(table.public_id, session) for session in sessions]
    for page in pages:
        await page.open()
        await page.greet()
        assert page.seq == table.seq
        assert set(page.parts) >= {"f-cloth", "f-me", "f-opponent", "f-clocks"}
    mover = table.state.turn
    command = table.moves()[0]
    await pages[mover].command(rules.dump_command(command), seq=table.seq)
    for page in pages:
        await page.at(table.seq + 1)
    for page in pages:
        await page.close()


async def test_programs_play_a_whole_match() -> None:
    table, tokens = await programs()
    rng = random.Random(7)
    seats = [Program(table.public_id, token) for token in tokens]
    for seat in seats:
        await seat.open()
        await seat.next_json()
    while seats[0].seen["sight"]["phase"] != "over":
        state = (await sync_to_async(table.refresh)()) and table.state
        command = rng.choice(table.moves())
        answer = await seats[command.seat].command(rules.dump_command(command))
        assert answer["type"] == "accepted", answer
        for seat in seats:
            await seat.at(answer["seq"])
        assert state is not None
    assert [seat.seen["sight"]["ending"] for seat in seats] == ["balance", "balance"]
    for seat in seats:
        await seat.close()


@sync_to_async
def programs() -> tuple[Table, list[str]]:
    users = [make_user(is_program=False), make_user(is_program=False)]
    tokens = [program_token(user) for user in users]
    return Table.new(now_ms, users=users), tokens
