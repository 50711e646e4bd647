"""Commands at the same time, from threads with connections of their own, on the engine of the run."""

from __future__ import annotations

import itertools
import os
import random
import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pytest
from django.conf import settings
from django.db import connection, connections, transaction

from games import announce, rules, service, snapshots, tasks
from games.errors import AlreadyInMatch, GameError, StaleCommand, TimeIsUp
from games.models import Match, MatchEvent, Seat
from games.service import Applied
from ratings.models import Rating, RatingChange
from tests import factories
from tests.drivers import ManualClock, Table

pytestmark = pytest.mark.django_db(transaction=True)

SOAK = bool(os.environ.get("BONEYARD_SOAK"))
TRIALS = 500 if SOAK else 25


def at_once(acts: Sequence[Callable[[], Any]]) -> list[Any]:
    """What each gave or raised, all begun at the same moment."""
    ready = threading.Barrier(len(acts))
    results: list[Any] = [None] * len(acts)

    def run(index: int, act: Callable[[], Any]) -> None:
        try:
            ready.wait(10)
            results[index] = act()
        except (GameError, rules.IllegalCommand) as refusal:
            results[index] = refusal
        except BaseException as failure:
            results[index] = failure
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(index, act)) for index, act in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return results


def sending(table: Table, command: rules.PlayerCommand, command_id: str, **given: Any) -> Callable[[], Applied]:
    by_hand = isinstance(command, service.NAMES_THE_HAND)
    arguments: dict[str, Any] = {
        "actor": table.users[command.seat],
        "expected_seq": None if by_hand else table.seq,
        "expected_hand": table.state.hand if by_hand else None,
        "command_id": command_id,
        "arrived_ms": table.clock(),
    }
    arguments |= given
    return lambda: service.submit(table.match_id, command, **arguments)


def is_without_gaps(table: Table) -> None:
    seqs = list(MatchEvent.objects.filter(match_id=table.match_id).order_by("seq").values_list("seq", flat=True))
    assert seqs == list(range(1, table.row().seq + 1))


def test_of_two_plays_at_once_one_counts(clock: ManualClock) -> None:
    """B115."""
    rng = random.Random(115)
    table = Table.dealt(clock)
    trials = 0
    while trials < TRIALS:
        moves = table.moves()
        if table.state.phase != "play" or len(moves) < 2:
            if table.state.phase == "over":
                table = Table.dealt(clock)
            else:
                table.step(rng)
            continue
        trials += 1
        results = at_once(
            [sending(table, move, f"t{trials}-{index}") for index, move in enumerate(rng.sample(moves, 2))]
        )
        accepted = [result for result in results if isinstance(result, Applied)]
        assert len(accepted) == 1, results
        table.took(accepted[0])
        too_late = rules.MatchIsOver if table.state.phase == "over" else StaleCommand
        assert [type(result) for result in results if result is not accepted[0]] == [too_late]
        assert table.row().seq == table.seq
        is_without_gaps(table)


def test_the_same_command_twice_at_once_is_applied_once(clock: ManualClock) -> None:
    table = Table.dealt(clock)
    send = sending(table, table.moves()[0], "same")
    results = at_once([send, send, send])
    assert sorted(result.repeated for result in results) == [False, True, True]
    assert {result.seq for result in results} == {table.seq + 1}
    assert table.row().seq == table.seq + 1


def test_both_press_in_the_same_millisecond(clock: ManualClock) -> None:
    """D-30: both count."""
    for _trial in range(10):
        table = Table.new(clock)
        results = at_once([sending(table, rules.Start(seat), "press", nonce=bytes([seat]) * 16) for seat in (0, 1)])
        assert all(isinstance(result, Applied) for result in results), results
        match = table.row()
        assert (match.seq, match.hand_no, match.status) == (2, 1, "playing")
        hand = match.hands.get(number=1)
        assert hand.nonces == ["00" * 16, "01" * 16]


@pytest.mark.parametrize("other", ["void", "resign", "sweep"])
def test_a_play_in_the_same_instant_as_the_end(clock: ManualClock, other: str) -> None:
    """B117: one final state, and no later event."""
    for trial in range(TRIALS // 4 + 1):
        table = Table.dealt(clock)
        seat, deadline_ms = table.state.turn, table.state.deadline_ms
        arrived_ms = clock()
        if other == "sweep":
            arrived_ms = deadline_ms - 1
            clock.at_ms = deadline_ms + settings.GRACE_MS
        end: Callable[[], Any] = {
            "void": lambda table=table: service.void_for_fault(table.match_id, reason="test"),
            "resign": sending(table, rules.Resign(1 - seat), f"r{trial}"),
            "sweep": tasks.sweep,
        }[other]
        play = sending(table, table.moves()[0], f"p{trial}", arrived_ms=arrived_ms)
        results = at_once([play, end])
        match = table.row()
        is_without_gaps(table)
        last = MatchEvent.objects.filter(match=match).latest("seq")
        if other == "sweep":
            # Whoever came second found the other's work: the play counts, or the match is void (D-28).
            played = isinstance(results[0], Applied)
            assert (match.status, last.kind) == (("playing", "play") if played else ("aborted", "void_for_fault"))
        else:
            assert (match.status, last.kind) == (
                ("aborted", "void_for_fault") if other == "void" else ("finished", "resign")
            )
            assert isinstance(results[0], Applied | rules.MatchIsOver)


@pytest.mark.parametrize("number", [84 if SOAK else 1])
def test_many_verdicts_at_once_are_one(clock: ManualClock, number: int) -> None:
    """B076, B237: matches end by time under load, with sweeps, claims and late commands at once."""
    for _round in range(number):
        tables = [Table.dealt(clock) for _match in range(6)]
        clock.at_ms = max(table.state.deadline_ms for table in tables) + settings.GRACE_MS
        acts: list[Callable[[], Any]] = [tasks.sweep, tasks.sweep]
        for table in tables:
            claimant = table.users[1 - table.state.turn]
            acts.append(partial(service.claim_time, table.match_id, actor=claimant, arrived_ms=clock()))
            acts.append(sending(table, table.moves()[0], "late"))
        refused = [result for result in at_once(acts) if isinstance(result, Exception)]
        assert [refusal for refusal in refused if not isinstance(refusal, TimeIsUp | rules.MatchIsOver)] == []
        tasks.sweep()
        for table in tables:
            ended_on_time_once(table)


def ended_on_time_once(table: Table) -> None:
    match = table.row()
    assert (match.ending, match.winner, match.seq) == ("time", 1 - table.state.turn, table.seq + 1)
    assert snapshots.read(match.snapshot).banks_ms[table.state.turn] == 0
    assert RatingChange.objects.filter(match_label=match.public_id).count() == 2
    assert Rating.objects.filter(user__in=table.users, games=1).count() == 2


@pytest.mark.skipif(not connection.features.has_select_for_update_skip_locked, reason="no SKIP LOCKED here")
def test_the_sweep_does_not_wait_for_a_match_that_is_being_played(clock: ManualClock) -> None:
    held, free = Table.dealt(clock), Table.dealt(clock)
    clock.at_ms = max(held.state.deadline_ms, free.state.deadline_ms) + settings.GRACE_MS
    with transaction.atomic():
        Match.objects.select_for_update().get(pk=held.match_id)
        assert at_once([tasks.sweep]) == [1]
    assert (held.row().status, free.row().status) == ("playing", "finished")
    assert tasks.sweep() == 1


def test_matches_of_the_same_players_end_at_once(clock: ManualClock) -> None:
    """B142: ratings are locked in the order of the accounts, whatever the seats."""
    programs = [factories.make_user(is_program=True) for _seat in range(2)]
    tables = [Table.dealt(clock, users=programs if number % 2 else programs[::-1]) for number in range(6)]
    results = at_once([sending(table, rules.Resign(0), "end") for table in tables])
    assert all(isinstance(result, Applied) for result in results), results
    for user in programs:
        changes = list(RatingChange.objects.filter(user=user).order_by("pk"))
        assert len(changes) == len(tables)
        assert sum(change.delta_centi for change in changes) == Rating.objects.get(user=user).value_centi - 150_000
        for before, after in itertools.pairwise(changes):
            assert after.before_centi == before.after_centi


def test_a_person_cannot_get_into_two_matches_at_once(clock: ManualClock) -> None:
    alice, others = factories.alice(), [factories.make_user() for _other in range(4)]
    results = at_once([lambda other=other: factories.make_match([alice, other]) for other in others])
    started = [result for result in results if isinstance(result, Match)]
    refused = [result for result in results if isinstance(result, AlreadyInMatch)]
    assert (len(started), len(refused)) == (1, 3), results
    assert Seat.objects.filter(active_person=alice).count() == 1
    assert Match.objects.count() == 1


def test_the_news_of_each_command_leaves_once(clock: ManualClock, announced: list[Applied]) -> None:
    """B121: and when it leaves, the database has it."""
    table = Table.dealt(clock)
    announced.clear()
    results = at_once([sending(table, move, f"n{index}") for index, move in enumerate(table.moves()[:1] * 3)])
    assert [applied.seq for applied in announced] == [table.seq + 1]
    assert sum(isinstance(result, Applied) for result in results) == 1


def test_what_is_announced_is_committed(clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> None:
    """B121: another connection sees the new version at the moment of the news."""
    table = Table.dealt(clock)
    seen: list[int] = []

    def look(applied: Applied) -> None:
        seen.extend(at_once([lambda: Match.objects.get(pk=applied.match_id).seq]))

    monkeypatch.setattr(announce, "advanced", look)
    table.send(table.moves()[0])
    assert seen == [table.seq]
