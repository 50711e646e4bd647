"""What is secret while a hand runs stays out of texts, logs and the operator's pages."""

from __future__ import annotations

import json
import logging
import random
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games import access, rules, tasks
from games.errors import GameError
from games.models import Hand, Match, MatchEvent, Seat
from tests.drivers import ManualClock, Table

pytestmark = pytest.mark.django_db


def secrets_of(table: Table) -> list[str]:
    """Everything that would tell something about the running hand."""
    hands = Hand.objects.filter(match_id=table.match_id, over_ms=None)
    told = [hand.seed for hand in hands]
    told += [nonce for hand in hands for nonce in hand.nonces if nonce]
    hidden = {*table.state.boneyard, *table.state.held[0], *table.state.held[1]}
    return told + [rules.format_tile(tile) for tile in hidden]


@pytest.fixture
def table(clock: ManualClock) -> Table:
    table = Table.new(clock)
    for seat in (0, 1):
        table.send(rules.Start(seat), nonce=bytes([7 + seat]) * 16)
    for _move in range(3):
        table.step(random.Random(1))
    return table


@pytest.mark.parametrize("model", [Match, Seat, Hand, MatchEvent])
def test_a_row_shows_nothing_secret(table: Table, model: Any) -> None:
    for row in model.objects.all():
        for text in (str(row), repr(row), f"{row!a}"):
            assert not [secret for secret in secrets_of(table) if secret in text]


def test_a_revealed_deal_is_of_a_hand_that_is_over(table: Table) -> None:
    assert access.revealed_deals(table.row()) == ()


def test_nothing_secret_is_logged(clock: ManualClock, table: Table, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, logger="games"):
        for command in (rules.DrawTile(0), rules.DrawTile(1), rules.Bid(0, 15), rules.Start(1)):
            with pytest.raises((rules.IllegalCommand, GameError)):
                table.send(command)
        Match.objects.filter(pk=table.match_id).update(phase="odd", snapshot=table.row().snapshot[:-2])
        clock.move(200_000)
        tasks.sweep()
    assert "could not be judged" in caplog.text
    assert not [secret for secret in secrets_of(table) if secret in caplog.text]


def test_a_refusal_tells_the_sender_nothing_new(table: Table) -> None:
    """D-31: neither what the other holds, nor what must be opened or played with."""
    seat = 1 - table.state.turn
    for tile in rules.TILES:
        for site in (None, *table.state.layout.sites):
            with pytest.raises(rules.IllegalCommand) as refused:
                table.send(rules.PlayTile(seat, tile, site))
            assert refused.value.code == "NotYourTurn"
            assert "|" not in json.dumps(refused.value.detail)


def test_the_operator_sees_no_tile_and_no_seed_of_a_running_hand(table: Table, client: Client) -> None:
    operator = User.objects.create(username="Operator", email="op@example.org", is_staff=True, is_superuser=True)
    client.force_login(operator)
    for address in (
        reverse("admin:games_match_changelist"),
        reverse("admin:games_match_change", args=[table.match_id]),
    ):
        page = client.get(address)
        assert page.status_code == 200
        assert table.public_id in page.content.decode()
        assert not [secret for secret in secrets_of(table) if secret in page.content.decode()]


def test_the_operator_changes_nothing(table: Table, client: Client) -> None:
    operator = User.objects.create(username="Operator", email="op@example.org", is_staff=True, is_superuser=True)
    client.force_login(operator)
    before = Match.objects.filter(pk=table.match_id).values().get()
    for name in ("change", "delete"):
        answer = client.post(reverse(f"admin:games_match_{name}", args=[table.match_id]), {"status": "finished"})
        assert answer.status_code == 403
    assert client.get(reverse("admin:games_match_add")).status_code == 403
    assert Match.objects.filter(pk=table.match_id).values().get() == before


def test_the_seed_of_a_hand_that_is_over_is_shown_to_the_operator(table: Table, client: Client) -> None:
    operator = User.objects.create(username="Operator", email="op@example.org", is_staff=True, is_superuser=True)
    client.force_login(operator)
    table.send(rules.Resign(0))
    page = client.get(reverse("admin:games_match_change", args=[table.match_id]))
    assert Hand.objects.get(match_id=table.match_id, number=1).seed in page.content.decode()


@pytest.mark.parametrize("field", ["snapshot", "origin", "hands__seed", "events__facts", "events__command"])
def test_the_operator_cannot_ask_for_tiles_by_filtering(table: Table, client: Client, field: str) -> None:
    """A list that is empty or not would answer any question about a running hand."""
    User.objects.create_superuser("boss", "boss@example.org", "x")
    client.force_login(User.objects.get(username="boss"))
    url = reverse("admin:games_match_changelist")
    assert client.get(url, {f"{field}__contains": rules.format_tile(table.state.boneyard[0])}).status_code == 400
    assert table.public_id in client.get(url, {"status__exact": "playing"}).content.decode()
