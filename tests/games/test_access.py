"""The ways to a match."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser

from games import access
from games.errors import NoSuchMatch
from tests import factories
from tests.drivers import ManualClock, Table

pytestmark = pytest.mark.django_db


def test_players_find_their_seat(clock: ManualClock) -> None:
    table = Table.new(clock)
    for seat, user in enumerate(table.users):
        match, viewer = access.get_match(user, table.public_id)
        assert (match.pk, viewer) == (table.match_id, seat)


def test_everybody_else_is_a_spectator(clock: ManualClock) -> None:
    table = Table.new(clock)
    for stranger in (factories.charlie(), AnonymousUser(), None):
        assert access.get_match(stranger, table.public_id)[1] is None


@pytest.mark.parametrize("name", ["nowhere", "", "1", "../admin", "x" * 500])
def test_a_name_that_no_match_has(clock: ManualClock, name: str) -> None:
    Table.new(clock)
    with pytest.raises(NoSuchMatch):
        access.get_match(None, name)


def test_a_match_is_not_found_by_its_number(clock: ManualClock) -> None:
    table = Table.new(clock)
    with pytest.raises(NoSuchMatch):
        access.get_match(table.users[0], str(table.match_id))


def test_a_sight_is_that_of_its_viewer(clock: ManualClock) -> None:
    table = Table.dealt(clock)
    match = table.row()
    assert access.sight_of(match, 0).held == (table.state.held[0], 7)
    assert access.sight_of(match, 1).held == (7, table.state.held[1])
    assert access.sight_of(match, None).held == (7, 7)


def test_a_seat_costs_no_query(clock: ManualClock, django_assert_num_queries: object) -> None:
    table = Table.new(clock)
    match = table.row()
    with django_assert_num_queries(0):
        assert access.seat_of(table.users[1], match) == 1
        assert access.seat_of(None, match) is None
