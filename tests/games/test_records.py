"""Records of stored matches."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from games import audit, records, rules, service
from tests.drivers import ManualClock, Table

pytestmark = pytest.mark.django_db


def test_a_finished_match_is_recorded_whole(clock: ManualClock) -> None:
    table = Table.dealt(clock).play_out(random.Random(4))
    record = rules.read_record(records.record_text(table.row()))
    assert rules.judge_record(record) == table.state
    assert dict(record.tags)["Seat1"] == table.users[1].username


def test_a_voided_match_is_recorded_with_its_void(clock: ManualClock) -> None:
    table = Table.dealt(clock)
    clock.move(200_000)
    service.expire_due(table.match_id)
    state = service.void_for_fault(table.match_id, reason="test").state
    assert rules.judge_record(rules.read_record(records.record_text(table.row()))) == state


def test_of_a_running_match_only_finished_hands_are_told(clock: ManualClock) -> None:
    table = Table.dealt(clock)
    rng = random.Random(4)
    while table.state.hand < 3:
        record = rules.read_record(records.record_text(table.row()))
        told = {fact.hand for fact in record.facts if isinstance(fact, rules.Dealt)}
        over = table.state.hand if table.state.phase == "ready" else table.state.hand - 1
        assert told == set(range(1, over + 1))
        assert all(deal.seed is None for deal in record.deals if deal.hand > over)
        table.step(rng)


def test_a_match_with_prepared_holdings_is_judged_from_them(clock: ManualClock, settings: Any, tmp_path: Path) -> None:
    path = tmp_path / "deals.json"
    path.write_text(json.dumps({"balances": [200, 100], "banks_ms": [60_000, 90_000]}))
    settings.TEST_DEALS = path
    table = Table.dealt(clock).play_out(random.Random(4))
    record = rules.read_record(records.record_text(table.row()))
    assert record.start == ((200, 100), (60_000, 90_000))
    assert rules.judge_record(record) == table.state
    assert audit.findings(table.row()) == []
