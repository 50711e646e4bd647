"""What can be had of a match that still runs, beside the table: record, deals, the players' pages, the lists (B062)."""

from __future__ import annotations

import random

import pytest
from django.test import Client

from games import access, records, rules
from games.clock_source import now_ms
from games.models import Hand
from tests.drivers import Table
from tests.factories import make_user
from tests.live.test_secrets import hidden, leaks

pytestmark = pytest.mark.django_db(transaction=True)

HANDS = 3
LOOK_EVERY = 5  # steps


def seen_beside(table: Table, clients: list[Client]) -> list[str]:
    """The pages that tell of the match, as everybody gets them; none of them shows the table itself."""
    pages = ["/", *(f"/players/{user.username}/" for user in table.users)]
    return [client.get(page).content.decode() for client in clients for page in pages]


def test_nothing_of_the_running_hand_is_told_beside_the_table() -> None:
    """B062: the record stands still while a hand is played, and opens it with its seed when it is over."""
    table = Table.dealt(now_ms)
    clients = [Client() for _ in range(4)]
    for client, user in zip(clients, (*table.users, make_user()), strict=False):
        client.force_login(user)
    rng = random.Random(62)
    told_before = records.record_text(table.row())
    steps = 0
    while table.state.hand <= HANDS:
        if table.state.phase == "over":  # one of a thousand deals: all over again
            table = Table.dealt(now_ms, users=table.users)
            told_before = records.record_text(table.row())
        steps += 1
        hand, phase = table.state.hand, table.state.phase
        text = records.record_text(table.row())
        if phase != "ready":
            assert text == told_before
            running = Hand.objects.get(match_id=table.match_id, number=hand)
            assert running.seed not in text
            assert hand not in {deal.number for deal in access.revealed_deals(table.row())}
            if steps % LOOK_EVERY == 0:
                for page in seen_beside(table, clients):
                    assert leaks(page, hidden(table.state, None)) == []
                    assert running.seed not in page
                # Anybody who asks for it as an address gets nothing either.
                for name in ("record", "replay", "export", "history"):
                    assert clients[2].get(f"/matches/{table.public_id}/{name}/").status_code == 404
        else:
            dealt = {fact.hand for fact in rules.read_record(text).facts if isinstance(fact, rules.Dealt)}
            assert dealt == set(range(1, hand + 1))
            assert {deal.number for deal in access.revealed_deals(table.row())} == dealt
            told_before = text
        table.step(rng)
    assert table.row().ended_at is None
