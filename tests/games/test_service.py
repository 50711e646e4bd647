"""The one writer: what is accepted, what is refused, and what either leaves behind."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import IntegrityError, connection
from django.test.utils import CaptureQueriesContext

from games import announce, rules, service, snapshots
from games.errors import MalformedCommand, NoSuchMatch, NotSeated, StaleCommand
from games.models import Hand, Match, MatchEvent
from games.service import Applied
from tests import factories
from tests.drivers import ManualClock, Table

pytestmark = pytest.mark.django_db


def stored(table: Table) -> tuple[Any, ...]:
    """All that a refused command must leave as it is."""
    match = Match.objects.filter(pk=table.match_id).values().get()
    events = list(MatchEvent.objects.filter(match_id=table.match_id).order_by("seq").values_list("seq", "facts"))
    hands = list(Hand.objects.filter(match_id=table.match_id).order_by("number").values())
    return match, events, hands


@contextmanager
def nothing_changes(table: Table) -> Iterator[None]:
    before = stored(table)
    yield
    assert stored(table) == before


def test_an_accepted_command_is_one_event_and_one_version(clock: ManualClock) -> None:
    table = Table.dealt(clock)
    opener, seq = table.state.turn, table.seq
    clock.move(4_000)
    arrived_ms = clock.at_ms
    clock.move(400)
    applied = table.send(table.moves()[0], arrived_ms=arrived_ms)
    match = table.row()
    event = MatchEvent.objects.get(match=match, seq=seq + 1)
    assert (applied.seq, match.seq, event.seat, event.kind) == (seq + 1, seq + 1, opener, "play")
    assert (event.arrived_ms, event.applied_ms) == (arrived_ms, arrived_ms + 400)
    assert (match.turn_seat, match.deadline_ms) == (1 - opener, clock.at_ms + 130_000)
    assert tuple(rules.load_fact(fact) for fact in event.facts) == applied.facts


def test_the_next_clock_starts_when_the_command_is_applied(clock: ManualClock) -> None:
    """D-26: arrival at 9 s, applied at 9.4 s."""
    table = Table.dealt(clock)
    seat = table.state.turn
    arrived_ms = clock.move(9_000)
    clock.move(400)
    applied = table.send(table.moves()[0], arrived_ms=arrived_ms)
    assert applied.state.banks_ms[seat] == 120_000
    assert applied.state.turn_started_ms == arrived_ms + 400


def test_a_stranger_cannot_play(clock: ManualClock) -> None:
    table, charlie = Table.dealt(clock), factories.charlie()
    with nothing_changes(table), pytest.raises(NotSeated):
        table.send(table.moves()[0], actor=charlie)
    with nothing_changes(table), pytest.raises(NotSeated):
        table.send(table.moves()[0], actor=None)


def test_nobody_plays_for_the_other_seat(clock: ManualClock) -> None:
    table = Table.dealt(clock)
    command = table.moves()[0]
    with nothing_changes(table), pytest.raises(NotSeated):
        table.send(command, actor=table.users[1 - command.seat])
    with nothing_changes(table), pytest.raises(NotSeated):
        table.send(rules.Resign(2), actor=table.users[0])


def test_a_match_that_is_not_there(clock: ManualClock) -> None:
    table = Table.dealt(clock)
    with pytest.raises(NoSuchMatch):
        service.submit(
            table.match_id + 1_000,
            rules.Resign(0),
            actor=table.users[0],
            expected_seq=None,
            expected_hand=1,
            command_id="x",
            arrived_ms=clock(),
        )


@pytest.mark.parametrize("off", [-1, 1, 100])
def test_a_command_for_another_version_is_stale(clock: ManualClock, off: int) -> None:
    table = Table.dealt(clock)
    with nothing_changes(table), pytest.raises(StaleCommand) as refused:
        table.send(table.moves()[0], expected_seq=table.seq + off)
    assert refused.value.detail == {"seq": table.seq}


def test_a_command_says_what_it_was_made_for(clock: ManualClock) -> None:
    table = Table.dealt(clock)
    with nothing_changes(table), pytest.raises(MalformedCommand):
        table.send(table.moves()[0], expected_seq=None)
    with nothing_changes(table), pytest.raises(MalformedCommand):
        table.send(rules.Resign(0), expected_hand=None, expected_seq=table.seq)


def test_refused_commands_leave_nothing_behind(clock: ManualClock) -> None:
    """B123: fifty refusals of all kinds, then a legal play."""
    table = Table.dealt(clock)
    legal = table.moves()
    seat = legal[0].seat
    clock.move(9_000)
    refused = 0
    with nothing_changes(table):
        for tile in rules.TILES:
            for command in (rules.PlayTile(seat, tile, None), rules.PlayTile(1 - seat, tile, None)):
                if command not in legal:
                    with pytest.raises(rules.IllegalCommand):
                        table.send(command)
                    refused += 1
        for command in (rules.DrawTile(seat), rules.Bid(seat, 15), rules.Accept(seat), rules.Decline(1 - seat)):
            with pytest.raises(rules.IllegalCommand):
                table.send(command)
        with pytest.raises(rules.IllegalCommand):
            table.send(rules.Continue(seat))
    assert refused >= 50
    applied = table.send(legal[0])
    assert applied.state.banks_ms == (120_000, 120_000)


def test_the_id_of_an_accepted_command_gives_its_answer_again(clock: ManualClock) -> None:
    """D-30."""
    table = Table.dealt(clock)
    seq, command = table.seq, table.moves()[0]
    first = table.send(command, command_id="same")
    clock.move(2_000)
    table.send(table.moves()[0])
    with nothing_changes(table):
        again = table.send(command, command_id="same", expected_seq=seq)
    assert again.repeated
    assert (again.seq, again.facts, again.applied_ms) == (first.seq, first.facts, first.applied_ms)
    assert again.state == table.state


def test_an_id_counts_for_its_seat_only(clock: ManualClock) -> None:
    table = Table.dealt(clock)
    table.send(table.moves()[0], command_id="same")
    applied = table.send(table.moves()[0], command_id="same")
    assert not applied.repeated


def test_an_id_used_again_for_the_version_of_now_gives_the_former_answer(clock: ManualClock) -> None:
    table = Table.dealt(clock)
    seat = table.moves()[0].seat
    first = table.send(table.moves()[0], command_id="same")
    table.step(random.Random(1))
    table.play_until(lambda state: state.turn == seat, random.Random(1))
    with nothing_changes(table):
        again = table.send(table.moves()[0], command_id="same")
    assert (again.repeated, again.seq) == (True, first.seq)


def test_a_repeated_start_is_answered_not_refused(clock: ManualClock) -> None:
    table = Table.new(clock)
    first = table.send(rules.Start(0), command_id="same")
    with nothing_changes(table):
        again = table.send(rules.Start(0), command_id="same")
    assert (again.repeated, again.seq) == (True, first.seq)
    with nothing_changes(table), pytest.raises(rules.AlreadyReady):
        table.send(rules.Start(0), command_id="other")


def test_both_may_press_for_the_same_version(clock: ManualClock) -> None:
    """D-30: the other side's Continue does not make one's own stale."""
    table = Table.dealt(clock).play_until(lambda state: state.phase == "ready" and state.hand > 0, random.Random(1))
    hand = table.state.hand
    table.send(rules.Continue(1), expected_hand=hand)
    applied = table.send(rules.Continue(0), expected_hand=hand)
    assert (applied.state.hand, applied.state.phase != "ready") == (hand + 1, True)


def test_a_continue_for_a_hand_before_is_stale(clock: ManualClock) -> None:
    table = Table.dealt(clock)
    for _hand in range(2):
        table.play_until(lambda state: state.phase == "ready", random.Random(1))
        table.both_press()
    table.play_until(lambda state: state.phase == "ready", random.Random(1))
    with nothing_changes(table), pytest.raises(StaleCommand):
        table.send(rules.Continue(0), expected_hand=table.state.hand - 1)


def test_a_resignation_survives_the_deal_that_crosses_it(clock: ManualClock) -> None:
    table = Table.dealt(clock).play_until(lambda state: state.phase == "ready", random.Random(1))
    hand = table.state.hand
    table.both_press()
    applied = table.send(rules.Resign(0), expected_hand=hand)
    assert (applied.state.ending, applied.state.winner) == ("resign", 1)


def test_two_commands_close_together_are_both_kept(clock: ManualClock) -> None:
    """B125."""
    table = Table.dealt(clock)
    for _command in range(2):
        clock.move(10)
        table.step(random.Random(3))
    match = table.row()
    assert list(MatchEvent.objects.filter(match=match).values_list("seq", flat=True)) == list(range(1, match.seq + 1))
    assert len(table.state.layout.tiles) == 2


def test_after_the_end_nothing_is_accepted(clock: ManualClock) -> None:
    table = Table.dealt(clock)
    legal = table.moves()[0]
    table.send(rules.Resign(0))
    with nothing_changes(table), pytest.raises(rules.MatchIsOver):
        table.send(legal)
    with nothing_changes(table), pytest.raises(rules.MatchIsOver):
        table.send(rules.Resign(1))


@pytest.fixture
def plain_statements() -> Any:
    @contextmanager
    def counted() -> Iterator[list[str]]:
        statements: list[str] = []
        with CaptureQueriesContext(connection) as captured:
            yield statements
        statements += [query["sql"] for query in captured.captured_queries]
        statements[:] = [sql for sql in statements if sql.split()[0] not in ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")]

    return counted


def plain_move(table: Table) -> rules.PlayerCommand | None:
    """A move that ends nothing: a draw or a play that leaves tiles in the hand."""
    if table.state.phase != "play" or len(table.state.held[table.state.turn]) < 2 or table.state.must_open is not None:
        return None
    return table.moves()[0]


def _to_plain_move(table: Table, rng: random.Random) -> rules.PlayerCommand:
    while table.state.phase != "over":
        command = plain_move(table)
        if command is not None:
            return command
        table.step(rng)
    raise AssertionError("the match ended before")


@pytest.mark.parametrize("held", [True, False], ids=["state held", "state not held"])
def test_a_plain_move_takes_three_statements(clock: ManualClock, plain_statements: Any, held: bool) -> None:
    table = Table.dealt(clock)
    command = _to_plain_move(table, random.Random(5))
    if held:
        snapshots.decode(table.match_id, table.row().snapshot)
    with plain_statements() as statements:
        table.send(command)
    assert [sql.split()[0] for sql in statements] == ["SELECT", "INSERT", "UPDATE"]


def test_a_move_costs_the_same_late_in_a_long_match(clock: ManualClock, plain_statements: Any) -> None:
    """At command 10 and at command 2,000."""
    table = Table.dealt(clock)
    rng = random.Random(11)
    counts = []
    for at_least in (10, 2_000):
        if at_least > table.seq + 100:
            lengthen(table, at_least)
        while table.seq < at_least:
            table.step(rng)
        command = _to_plain_move(table, rng)
        with plain_statements() as statements:
            table.send(command)
        counts.append(len(statements))
    assert counts == [3, 3]


def lengthen(table: Table, seq: int) -> None:
    """The same match with the version it would have after a long time, and as many events behind it."""
    first = MatchEvent.objects.filter(match_id=table.match_id).earliest("seq")
    MatchEvent.objects.bulk_create(
        MatchEvent(
            match_id=table.match_id,
            seq=number,
            hand_no=first.hand_no,
            kind="filler",
            command={},
            facts=[],
            arrived_ms=first.arrived_ms,
            applied_ms=first.applied_ms,
        )
        for number in range(table.seq + 1, seq + 1)
    )
    Match.objects.filter(pk=table.match_id).update(seq=seq)
    table.refresh()


def test_no_model_is_saved_on_the_path_of_a_move(clock: ManualClock) -> None:
    from django.db.models.signals import post_save, pre_save

    table = Table.dealt(clock)
    command = _to_plain_move(table, random.Random(2))
    saved: list[type] = []

    def note(sender: type, **_rest: Any) -> None:
        saved.append(sender)

    pre_save.connect(note)
    post_save.connect(note)
    try:
        table.send(command)
    finally:
        pre_save.disconnect(note)
        post_save.disconnect(note)
    assert saved == []


def test_the_news_leaves_after_the_commit(
    clock: ManualClock, announced: list[Applied], django_capture_on_commit_callbacks: Any
) -> None:
    """B121."""
    table = Table.dealt(clock)
    assert announced == []
    with django_capture_on_commit_callbacks(execute=True):
        applied = table.send(table.moves()[0])
        assert announced == []
    assert announced == [applied]


def test_a_rollback_tells_nobody(
    clock: ManualClock, announced: list[Applied], django_capture_on_commit_callbacks: Any
) -> None:
    """B121."""
    table = Table.dealt(clock)
    blocked = MatchEvent.objects.create(
        match_id=table.match_id, seq=table.seq + 1, hand_no=1, kind="", command={}, facts=[], arrived_ms=0, applied_ms=0
    )
    with (
        nothing_changes(table),
        django_capture_on_commit_callbacks(execute=True) as callbacks,
        pytest.raises(IntegrityError),
    ):
        table.send(table.moves()[0])
    assert (callbacks, announced) == ([], [])
    with factories.unguarded():
        blocked.delete()
    table.send(table.moves()[0])


@pytest.mark.django_db(transaction=True)
def test_a_failing_announcement_does_not_undo_the_move(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It is logged; the player's command is answered."""

    def fail(applied: Applied) -> None:
        raise ConnectionError

    table = Table.dealt(clock)
    monkeypatch.setattr(announce, "advanced", fail)
    applied = table.send(table.moves()[0])
    assert table.row().seq == applied.seq
    assert "ConnectionError" in caplog.text
    assert "|" not in caplog.text


def test_a_result_shows_no_tile_in_its_repr(clock: ManualClock) -> None:
    table = Table.dealt(clock)
    applied = table.send(table.moves()[0])
    assert "|" not in repr(applied)
    assert "Tile" not in repr(applied)


@pytest.mark.django_db(transaction=True)
def test_a_move_of_another_process_is_seen(clock: ManualClock) -> None:
    """The state held by this process is used only while the row holds exactly its text."""
    table = Table.dealt(clock)
    for _move in range(3):
        table.step(random.Random(4))
        snapshots.hold(table.match_id, "older text", rules.new_match(at_ms=clock()))
    assert snapshots.decode(table.match_id, table.row().snapshot) == table.state
