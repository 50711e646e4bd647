"""The end of a match: result, reason, points, hand, ratings and ledger, together and of one mind."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as site

from games import rules, service, snapshots
from games.models import Hand, MatchEvent, Seat
from ratings import service as ratings
from ratings.models import Rating, RatingChange
from tests import factories
from tests.drivers import ManualClock, Table

pytestmark = pytest.mark.django_db


@dataclass(frozen=True)
class Played:
    """A match played by the rules alone, to be played again through the service."""

    deals: tuple[tuple[rules.Tile, ...], ...]
    balances: tuple[int, int]
    commands: tuple[rules.PlayerCommand, ...]


def played_by_the_rules(seed: int, balances: tuple[int, int]) -> tuple[Played, str, int]:
    """A random match, what took the last points, and who won."""
    rng = random.Random(seed)
    state = rules.new_match(at_ms=0).but(balances=balances)
    deals: list[tuple[rules.Tile, ...]] = []
    commands: list[rules.PlayerCommand] = []
    cause = ""
    while state.phase != "over":
        moves = [command for command in rules.legal_commands(state) if not isinstance(command, rules.Resign)]
        command = rng.choice(moves)
        order = None
        if rules.needs_order(state, command):
            order = tuple(rng.sample(rules.TILES, len(rules.TILES)))
            deals.append(order)
        commands.append(command)
        for fact in rules.decide(state, command, arrived_ms=0, now_ms=0, order=order):
            state = rules.evolve(state, fact)
            if isinstance(fact, rules.Transferred):
                cause = fact.cause
    assert state.winner is not None
    return Played(tuple(deals), balances, tuple(commands)), cause, state.winner


@cache
def match_that_ends(cause: str, winner: int) -> Played:
    """A short match that this kind of payment ends in favour of that seat."""
    balances = (285, 15) if winner == 0 else (15, 285)
    for seed in range(10_000):
        played, its_cause, its_winner = played_by_the_rules(seed, balances)
        if (its_cause, its_winner) == (cause, winner):
            return played
    raise AssertionError("no such match found")


def replay(played: Played, clock: ManualClock, settings: Any, folder: Path) -> Table:
    path = folder / "deals.json"
    deals = [[rules.format_tile(tile) for tile in deal] for deal in played.deals]
    path.write_text(json.dumps({"deals": deals, "balances": played.balances}))
    settings.TEST_DEALS = path
    table = Table.new(clock)
    for command in played.commands:
        clock.move(100)
        table.send(command)
    return table


def all_name_the_winner(table: Table, winner: int, ending: str) -> None:
    """B011: match, seats, hand and ledger."""
    match = table.row()
    assert (match.status, match.winner, match.ending) == ("finished", winner, ending)
    assert match.ended_at is not None
    assert (match.turn_seat, match.deadline_ms, match.cap_ms) == (None, None, None)
    state = snapshots.read(match.snapshot)
    assert (state.winner, state.ending) == (winner, ending)
    seats = list(Seat.objects.filter(match=match))
    assert tuple(seat.points for seat in seats) == state.balances
    assert all(seat.active_person_id is None for seat in seats)
    changes = {change.user_id: change for change in RatingChange.objects.filter(match_label=match.public_id)}
    assert len(changes) == 2
    won, lost = changes[table.users[winner].pk], changes[table.users[1 - winner].pk]
    assert (won.score, lost.score) == (1.0, 0.0)
    assert won.delta_centi == -lost.delta_centi > 0
    for change in changes.values():
        assert Rating.objects.get(user=change.user_id, pool=match.pool).value_centi == change.after_centi
    assert not Hand.objects.filter(match=match, dealt_ms__isnull=False, over_ms=None).exists()


@pytest.mark.parametrize("winner", [0, 1])
@pytest.mark.parametrize("cause", ["placement", "bid", "block"])
def test_a_balance_that_is_gone(clock: ManualClock, settings: Any, tmp_path: Path, cause: str, winner: int) -> None:
    table = replay(match_that_ends(cause, winner), clock, settings, tmp_path)
    all_name_the_winner(table, winner, "balance")
    last = Hand.objects.filter(match_id=table.match_id, dealt_ms__isnull=False).last()
    assert last is not None
    assert last.ending == ("block" if cause == "block" else "balance")


@pytest.mark.parametrize("loser", [0, 1])
def test_time_that_is_up(clock: ManualClock, loser: int) -> None:
    table = Table.dealt(clock).play_until(lambda state: state.turn == loser, random.Random(1))
    clock.at_ms = table.state.deadline_ms + site.GRACE_MS
    assert service.expire_due(table.match_id) is not None
    all_name_the_winner(table, 1 - loser, "time")


@pytest.mark.parametrize("loser", [0, 1])
@pytest.mark.parametrize("phase", ["play", "ready"])
def test_a_resignation(clock: ManualClock, loser: int, phase: str) -> None:
    """D-22: at any time, by either player, also in an interlude."""
    table = Table.dealt(clock).play_until(lambda state: state.phase == phase, random.Random(1))
    table.send(rules.Resign(loser))
    all_name_the_winner(table, 1 - loser, "resign")


def test_a_loss_counts_from_the_first_deal_on(clock: ManualClock) -> None:
    """D-34: also when a player never acted."""
    table = Table.dealt(clock)
    clock.move(200_000)
    assert service.expire_due(table.match_id) is not None
    assert RatingChange.objects.filter(match_label=table.public_id).count() == 2


def test_a_casual_match_is_not_rated(clock: ManualClock) -> None:
    table = Table.dealt(clock, rated=False)
    table.send(rules.Resign(0))
    assert (table.row().status, table.row().winner) == ("finished", 1)
    assert not RatingChange.objects.exists()


def test_the_result_and_the_ratings_are_there_together_or_not_at_all(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """B076."""

    def fail(**_given: Any) -> None:
        raise ZeroDivisionError

    table = Table.dealt(clock)
    with monkeypatch.context() as patched:
        patched.setattr(ratings, "record_result", fail)
        with pytest.raises(ZeroDivisionError):
            table.send(rules.Resign(0))
    match = table.row()
    assert (match.status, match.seq, match.ending) == ("playing", table.seq, "")
    assert Seat.objects.filter(match=match, active_person__isnull=False).count() == 2
    assert MatchEvent.objects.filter(match=match).count() == table.seq
    table.send(rules.Resign(0))
    all_name_the_winner(table, 1, "resign")


def test_changes_of_overlapping_matches_add_up(clock: ManualClock) -> None:
    """B142: two matches begun together; lose one, then win the other."""
    programs = [factories.make_user(is_program=True) for _seat in range(2)]
    first, second = Table.dealt(clock, users=programs), Table.dealt(clock, users=programs)
    first.send(rules.Resign(0))
    clock.move(1_000)
    second.send(rules.Resign(1))
    for user in programs:
        changes = list(RatingChange.objects.filter(user=user).order_by("pk"))
        assert [change.before_centi for change in changes] == [150_000, changes[0].after_centi]
        assert [change.own_centi for change in changes] == [150_000, 150_000]
        assert Rating.objects.get(user=user).value_centi == changes[1].after_centi == 150_000


def test_programs_are_rated_in_a_pool_of_their_own(clock: ManualClock) -> None:
    programs = [factories.make_user(is_program=True) for _seat in range(2)]
    table = Table.dealt(clock, users=programs)
    table.send(rules.Resign(0))
    assert table.row().pool == ratings.pool_for("spectacular-bid", 2, programs=True)


# Voids (SB-72, D-28).


@pytest.mark.parametrize("reach", ["waiting", "turn", "interlude"])
def test_a_running_match_is_aborted_without_rating(clock: ManualClock, reach: str) -> None:
    table = Table.new(clock)
    if reach != "waiting":
        table.both_press()
    if reach == "interlude":
        table.play_until(lambda state: state.phase == "ready", random.Random(1))
    service.void_for_fault(table.match_id, reason="the clock stood still")
    match = table.row()
    assert (match.status, match.ending, match.winner) == ("aborted", "service_fault", None)
    assert (match.void_reason, match.voided_at is not None) == ("the clock stood still", True)
    assert not RatingChange.objects.exists()
    assert not Seat.objects.filter(match=match, active_person__isnull=False).exists()


def test_a_rating_already_applied_is_reversed(clock: ManualClock) -> None:
    table = Table.dealt(clock)
    clock.move(200_000)
    service.expire_due(table.match_id)
    ended_at = table.row().ended_at
    clock.move(60_000)
    service.void_for_fault(table.match_id, reason="operator")
    match = table.row()
    assert (match.status, match.winner, match.ended_at) == ("aborted", None, ended_at)
    rows = list(RatingChange.objects.filter(match_label=table.public_id).order_by("pk"))
    assert sum(row.delta_centi for row in rows) == 0
    assert [row.undoes_id is not None for row in rows] == [False, False, True, True]
    assert set(Rating.objects.filter(user__in=table.users).values_list("value_centi", "games")) == {(150_000, 0)}


@pytest.mark.parametrize("end", [lambda table: table.send(rules.Resign(0)), lambda table: void(table)])
def test_other_results_stand(clock: ManualClock, end: Callable[[Table], Any]) -> None:
    table = Table.dealt(clock)
    end(table)
    before = table.row()
    with pytest.raises(rules.MatchIsOver):
        void(table)
    assert (table.row().seq, table.row().status) == (before.seq, before.status)


def void(table: Table) -> service.Applied:
    return service.void_for_fault(table.match_id, reason="operator")


def test_a_voided_match_has_no_later_events(clock: ManualClock) -> None:
    """B117: play, resignation and verdict after the abort."""
    table = Table.dealt(clock)
    command = table.moves()[0]
    seq = void(table).seq
    for refused in (command, rules.Resign(0), rules.Resign(1)):
        with pytest.raises(rules.MatchIsOver):
            table.send(refused)
    clock.move(1_000_000)
    assert service.expire_due(table.match_id) is None
    assert service.continue_overdue(table.match_id) is None
    assert service.cancel_unstarted(table.match_id) is None
    assert service.claim_time(table.match_id, actor=table.users[0], arrived_ms=clock()) is None
    assert (table.row().seq, table.row().status) == (seq, "aborted")
