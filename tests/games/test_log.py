"""What the event list alone tells of a match."""

import json
import random

import pytest

from games import clock_source, rules
from games.models import MatchEvent
from tests.drivers import ManualClock, Table

pytestmark = pytest.mark.django_db

PASSES = 3


def test_a_match_can_be_told_from_its_events_alone() -> None:
    """B033: forced passes follow a command and have a line of their own; hands, balances and banks come out right."""
    clock, rng = ManualClock(), random.Random(33)
    with clock_source.use_source(clock):
        table, passed = Table.dealt(clock), 0
        while passed < PASSES:
            if table.state.phase == "over":  # too soon: deals are not ours to choose
                table, passed = Table.dealt(clock), 0
            clock.move(100)
            facts = (table.both_press() if table.state.phase == "ready" else table.step(rng)).facts
            passed += sum(isinstance(fact, rules.Passed) for fact in facts)

    rows = MatchEvent.objects.filter(match_id=table.match_id).order_by("seq").values_list("seq", "facts")
    told = [rules.load_fact(fact) for _, facts in rows for fact in json.loads(json.dumps(facts))]
    assert [seq for seq, _ in rows] == list(range(1, table.seq + 1))
    assert sum(isinstance(fact, rules.Passed) for fact in told) == passed
    assert sum(isinstance(fact, rules.TileDrawn) for fact in told) > 0
    assert rules.fold(rules.new_match(at_ms=0), told) == table.state
