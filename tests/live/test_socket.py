"""The match socket from end to end within one process: greeting, moves, news, refusals."""

from __future__ import annotations

import json
import random
import re
from dataclasses import replace
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import OperationalError
from django.test import Client

from accounts.service import announce_session_ended, save_preferences
from games import fragments, rules
from games.clock_source import now_ms
from games.consumers import MatchConsumer
from games.pictures import ALWAYS_DRAWN
from tests.drivers import Table
from tests.live import clients
from tests.live.clients import Page, Program, dealt_table, program_table, send, stranger

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]


async def test_both_pages_show_a_move() -> None:
    table, sessions = await dealt_table()
    pages = [Page(table.public_id, session) for session in sessions]
    for page in pages:
        await page.open()
        await page.greet()
        assert page.seq == table.seq
        assert set(page.parts) >= {"f-cloth", "f-me", "f-opponent", "f-clocks"}
    command = table.moves()[0]
    await pages[command.seat].command(rules.dump_command(command), seq=table.seq)
    for page in pages:
        await page.at(table.seq + 1)
        assert f't-{command.tile.low}-{command.tile.high}"' in page.parts["f-cloth"]
        await page.close()


async def test_a_frame_holds_only_what_changed() -> None:
    table, sessions = await dealt_table()
    page = Page(table.public_id, sessions[0])
    await page.open()
    await page.greet(seq=-1)
    page.parts.clear()
    await send(table)
    await page.at(table.seq)
    assert "f-cloth" in page.parts
    assert "f-auction" not in page.parts
    assert "f-sheet" not in page.parts
    await page.close()


async def test_a_page_that_shows_the_present_is_not_drawn_again() -> None:
    """So that a reload cannot wipe what is half typed; clocks and presence come all the same (B108)."""
    table, sessions = await dealt_table()
    for session in (*sessions, None):
        page = Page(table.public_id, session)
        await page.open()
        await page.greet(seq=table.seq, look=await look_of_page(table, session))
        assert set(page.parts) - {"f-seq"} == set(ALWAYS_DRAWN)
        await page.close()


@sync_to_async
def look_of_page(table: Table, session: str | None, language: str = "") -> str:
    """What the page of this session says of how it was drawn."""
    client = Client()
    if session is not None:
        client.cookies["sessionid"] = session
    if language:
        client.cookies["django_language"] = language
    html = client.get(f"/matches/{table.public_id}/").content.decode()
    found = re.search(r'id="f-seq"[^>]*data-look="([^"]*)"', html)
    assert found is not None
    return found[1]


async def test_a_page_of_somebody_else_is_drawn_afresh() -> None:
    """It was drawn before signing in or out, or in another language: the socket's viewer gets all that is his."""
    table, sessions = await dealt_table()
    readers = (*sessions, None)
    looks = [await look_of_page(table, session) for session in readers]
    looks.append(await look_of_page(table, None, language="pl"))
    assert len(set(looks)) == len(looks)
    for number, session in enumerate(readers):
        page = Page(table.public_id, session)
        await page.open()
        for other in (*looks[:number], *looks[number + 1 :], "", None):
            page.parts.clear()
            await page.greet(seq=table.seq, look=other)
            whole = {fragment.id for fragment in fragments.FRAGMENTS if not fragment.inside}
            # How many watch is told when it changes, whatever else is asked for.
            assert set(page.parts) - {"f-seq", "f-watching", "f-bar-watching"} == whole
            assert ("hand-tile" in page.parts["f-me"]) == (session is not None)
        page.parts.clear()
        await page.send_json_to({"type": "resync", "seq": table.seq, "look": looks[number - 1]})
        await page.next_html()
        assert "f-me" in page.parts
        await page.close()


async def test_a_page_of_other_preferences_is_drawn_afresh() -> None:
    table, sessions = await dealt_table()
    look = await look_of_page(table, sessions[0])
    await sync_to_async(save_preferences)(table.users[0], {"hints": False})
    page = Page(table.public_id, sessions[0])
    await page.open()
    await page.greet(seq=table.seq, look=look)
    assert "f-me" in page.parts
    await page.close()


async def test_a_table_of_another_shape_is_not_drawn_again_either() -> None:
    """A socket that comes back finds what the former one drew."""
    table, sessions = await dealt_table()
    page = Page(table.public_id, sessions[0])
    await page.open()
    text = await page.greet(seq=table.seq, table_format="long-turned")
    await page.close()
    look = re.findall(r'data-look="([^"]*)"', text)[-1]
    page = Page(table.public_id, sessions[0])
    await page.open()
    await page.greet(seq=table.seq, table_format="long-turned", look=look)
    assert "f-cloth" not in page.parts
    await page.close()


async def test_programs_play_a_whole_match() -> None:
    table, tokens = await program_table()
    rng = random.Random(7)
    seats = [Program(table.public_id, token) for token in tokens]
    for seat in seats:
        await seat.open()
        await seat.next_json()
    while seats[0].seen["sight"]["phase"] != "over":
        await sync_to_async(table.refresh)()
        command = rng.choice(table.moves())
        answer = await seats[command.seat].command(rules.dump_command(command))
        assert answer["type"] == "accepted", answer
        for seat in seats:
            await seat.at(answer["seq"])
    for seat in seats:
        assert seat.seen["sight"]["ending"] == "balance"
        await seat.close()


async def test_a_program_gets_the_facts_it_has_not_seen() -> None:
    table, tokens = await program_table()
    seat = Program(table.public_id, tokens[0])
    await seat.open()
    await seat.next_json()
    await sync_to_async(table.both_press)()
    told = []
    while seat.seen["seq"] < table.seq:
        told += (await seat.next_json())["facts"]
    kinds = [fact["type"] for fact in told]
    assert "dealt" in kinds
    assert kinds[-1] == "turn_started"
    assert all(fact["order"] is None for fact in told if fact["type"] == "dealt")
    applied = await send(table)
    frame = await seat.at(applied.seq)
    assert {fact["seq"] for fact in frame["facts"]} == {applied.seq}
    await seat.close()


async def test_ping_tells_the_time_of_the_server() -> None:
    """What the page measures its offset with (B070): its own mark back, and now."""
    table, sessions = await dealt_table()
    page = Page(table.public_id, sessions[0])
    await page.open()
    before_ms = now_ms()
    await page.send_json_to({"type": "ping", "t": 123.5})
    pong = json.loads(await page.next())
    assert pong["type"] == "pong"
    assert pong["t"] == 123.5
    assert before_ms <= pong["now"] <= now_ms()
    await page.close()


@pytest.mark.parametrize("mark", ["NaN", "Infinity", "-Infinity", "1e999", '"text"', "[1]", "null"])
async def test_what_is_no_number_in_json_does_not_come_back(mark: str) -> None:
    table, sessions = await dealt_table()
    page = Page(table.public_id, sessions[0])
    await page.open()
    await page.send_to(f'{{"type": "ping", "t": {mark}}}')
    assert json.loads(await page.next(), parse_constant=pytest.fail)["t"] is None
    await page.close()


async def test_a_frame_that_cannot_be_sent_ends_the_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that the page opens another one; without an end it would show old news for ever."""
    table, sessions = await dealt_table()
    is_full = False

    async def server(scope: Any, receive: Any, put: Any) -> None:
        async def send_or_fail(message: dict[str, Any]) -> None:
            if is_full and message["type"] == "websocket.send":
                raise RuntimeError("no room")
            await put(message)

        await inside(scope, receive, send_or_fail)

    inside = clients.application
    monkeypatch.setattr(clients, "application", server)
    page = Page(table.public_id, sessions[0])
    await page.open()
    await page.greet()
    is_full = True
    await send(table)
    assert await page.closed_with() == 1011
    await page.close()


@pytest.mark.parametrize("broken", ["send_text", "still_stands"])
async def test_a_task_of_a_socket_that_fails_ends_it(monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    table, sessions = await dealt_table()
    page = Page(table.public_id, sessions[0])
    await page.open()
    await page.greet()

    async def fails(*_given: Any) -> None:
        raise OperationalError

    monkeypatch.setattr(MatchConsumer, broken, fails)
    if broken == "send_text":
        await send(table)
    else:
        await sync_to_async(announce_session_ended)(table.users[0].pk, None)
    assert await page.closed_with() == 1011
    await page.close()


async def test_frames_carry_deadline_and_time() -> None:
    """B070: the page counts down from what the server says, not from its own clock."""
    table, sessions = await dealt_table()
    page = Page(table.public_id, sessions[0])
    await page.open()
    await page.greet(seq=-1)
    clocks = dict(re.findall(r'data-([a-z]+)="([^"]*)"', page.parts["f-clocks"]))
    assert int(clocks["deadline"]) == table.state.deadline_ms
    assert clocks["banks"].split() == [str(bank) for bank in table.state.banks_ms]
    assert abs(int(clocks["now"]) - now_ms()) < 5_000
    await page.close()


async def test_a_stale_command_gets_the_present_table() -> None:
    table, sessions = await dealt_table()
    command = table.moves()[0]
    page = Page(table.public_id, sessions[command.seat])
    await page.open()
    await page.greet(seq=-1)
    page.parts.clear()
    await page.command(rules.dump_command(command), seq=table.seq - 1)
    while not {"f-toast", "f-me"} <= set(page.parts):
        await page.next_html()
    assert 'data-code="StaleCommand"' in page.parts["f-toast"]
    assert page.seq == table.seq
    await page.close()


async def test_an_id_sent_twice_is_played_once() -> None:
    table, tokens = await program_table()
    await sync_to_async(table.both_press)()
    command = table.moves()[0]
    seat = Program(table.public_id, tokens[command.seat])
    await seat.open()
    await seat.next_json()
    told = rules.dump_command(command)
    first = await seat.command(told, id="once", seq=table.seq)
    second = await seat.command(told, id="once", seq=table.seq)
    assert first == second
    assert (await sync_to_async(table.row)()).seq == table.seq + 1
    await seat.close()


async def test_three_tabs_and_another_device_show_the_same() -> None:
    """B098: each may play, and a play counts once."""
    table, sessions = await dealt_table()
    pages = [Page(table.public_id, session) for session in [*sessions, *sessions, *sessions]]
    for page in pages:
        await page.open()
        await page.greet(seq=-1)
    for turn in range(6):
        command = table.moves()[0]
        own = [page for number, page in enumerate(pages) if number % 2 == command.seat]
        await own[turn % len(own)].command(rules.dump_command(command), seq=table.seq)
        for page in pages:
            await page.at(table.seq + 1)
        await sync_to_async(table.refresh)()
        for page in own:
            assert page.parts["f-cloth"] == own[0].parts["f-cloth"]
    for page in pages:
        await page.close()


async def test_a_spectator_sees_counts_only() -> None:
    """B060."""
    table, _ = await dealt_table()
    for session in (None, await stranger()):
        page = Page(table.public_id, session)
        await page.open()
        await page.greet(seq=-1)
        assert "hand-tile" not in page.frames[0]
        assert 'name="type"' not in page.frames[0]
        await page.close()


async def test_spectators_share_what_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tenth watcher of a move costs no further drawing; another language does."""
    table, _ = await dealt_table()
    drawn: list[str] = []
    counted = tuple(
        replace(part, render=lambda view, part=part: (drawn.append(part.id), part.render(view))[1])
        for part in fragments.FRAGMENTS
    )
    monkeypatch.setattr(fragments, "FRAGMENTS", counted)
    watchers = [Page(table.public_id, None) for _ in range(10)]
    for page in watchers:
        await page.open()
        await page.greet(seq=-1)
    await send(table)
    for page in watchers:
        await page.at(table.seq)
    assert drawn.count("f-cloth") == 2
    assert len({page.parts["f-cloth"] for page in watchers}) == 1
    for page in watchers:
        await page.close()


async def test_twenty_updates_leave_every_form_for_its_version() -> None:
    """B096: whatever was swapped, the forms that remain name the version that is shown."""
    table, sessions = await dealt_table()
    rng = random.Random(3)
    pages = [Page(table.public_id, session) for session in sessions]
    for page in pages:
        await page.open()
        await page.greet(seq=-1)
    for _ in range(20):
        if table.state.phase == "over":
            break
        await send(table, rng.choice(table.moves()))
        for page in pages:
            await page.at(table.seq)
            shown = "".join(html for name, html in page.parts.items())
            assert set(re.findall(r'name="seq" value="(\d+)"', shown)) <= {str(table.seq)}
    for page in pages:
        await page.close()
