"""The line protocol itself, and requests against the rules (SB-77)."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from games.rules.referee import Referee
from tests.clauses.driver import ALL_TILES, Table, at_auction, at_opening, deal_of, kinds, line, only, stored
from tests.clauses.test_model import KEYS

ROOT = Path(__file__).parents[2]
NEW = {"do": "new", "variant": "spectacular-bid", "deals": [list(ALL_TILES)], "at_ms": 0}
STATE_KEYS = [
    *("hand", "phase", "balances", "banks_ms", "turn", "turn_started_ms", "deadline_ms", "held", "boneyard"),
    *("layout", "must_open", "must_play", "jockey", "bid", "ready", "winner", "ending"),
]


def malformed(answer: str) -> bool:
    parsed = json.loads(answer)
    return (
        parsed.keys() == {"ok", "error", "detail"}
        and parsed["ok"] is False
        and parsed["error"] == "MalformedRequest"
        and isinstance(parsed["detail"], dict)
    )


def opened() -> Table:
    table = at_opening(deal_of("6|6 5|6", "3|6 2|6"))
    table.play("6|6")
    return table


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "{",
        "nonsense",
        "[]",
        "[1,2]",
        "null",
        "true",
        "17",
        '"new"',
        "{}",
        '{"do":null}',
        '{"do":"dance"}',
        '{"do":["new"]}',
        '{"do":{"new":1}}',
        "{'do':'state'}",
        '{"do":"state"} {"do":"state"}',
        '{"do":"tick","at_ms":NaN}',
        '{"do":"tick","at_ms":Infinity}',
        '{"do":"tick","at_ms":' + "9" * 5_000 + "}",
        "[" * 30_000,
        '{"a":' * 10_000,
        "\ufeff{}",
        "\x00",
    ],
    ids=lambda text: text[:24] or "empty",
)
def test_a_line_that_is_no_request_is_malformed_and_the_referee_goes_on(text: str) -> None:
    table = opened()
    before = table.everything()
    assert malformed(table.referee.answer(text))
    assert table.everything() == before


@pytest.mark.parametrize(
    "request_",
    [
        {"do": "state", "viewer": 0},
        {"do": "state", "extra": 1},
        {"do": "legal", "seat": 0},
        {"do": "record", "at_ms": 0},
        {"do": "sight"},
        {"do": "sight", "viewer": 2},
        {"do": "sight", "viewer": -1},
        {"do": "sight", "viewer": "0"},
        {"do": "sight", "viewer": True},
        {"do": "sight", "viewer": 0.0},
        {"do": "sight", "viewer": 0, "seat": 0},
        {"do": "tick"},
        {"do": "tick", "at_ms": None},
        {"do": "tick", "at_ms": "100000"},
        {"do": "tick", "at_ms": 100000.0},
        {"do": "tick", "at_ms": 100000.5},
        {"do": "tick", "at_ms": True},
        {"do": "tick", "at_ms": [100000]},
        {"do": "tick", "at_ms": 100000, "seat": 0},
        {"do": "cancel"},
        {"do": "cancel", "at_ms": "0"},
        {"do": "void"},
        {"do": "void", "at_ms": 100000, "reason": "x"},
        {"do": "command"},
        {"do": "command", "seat": 1, "at_ms": 100000},
        {"do": "command", "seat": 1, "command": {"type": "draw"}},
        {"do": "command", "at_ms": 100000, "command": {"type": "draw"}},
        {"do": "command", "seat": 1, "at_ms": 100000, "command": {"type": "draw"}, "id": "x"},
        {"do": "command", "seat": None, "at_ms": 100000, "command": {"type": "draw"}},
        {"do": "command", "seat": "1", "at_ms": 100000, "command": {"type": "draw"}},
        {"do": "command", "seat": True, "at_ms": 100000, "command": {"type": "resign"}},
        {"do": "command", "seat": 1.0, "at_ms": 100000, "command": {"type": "resign"}},
        {"do": "command", "seat": 2, "at_ms": 100000, "command": {"type": "resign"}},
        {"do": "command", "seat": -1, "at_ms": 100000, "command": {"type": "resign"}},
        {"do": "command", "seat": 1, "at_ms": "100000", "command": {"type": "resign"}},
    ],
    ids=json.dumps,
)
def test_a_request_of_the_wrong_shape_is_malformed(request_: dict[str, Any]) -> None:
    table = opened()
    before = table.everything()
    assert malformed(table.referee.answer(json.dumps(request_)))
    assert table.everything() == before


@pytest.mark.clause("SB-77")
@pytest.mark.parametrize(
    "command",
    [
        None,
        "draw",
        [],
        {},
        {"type": None},
        {"type": "pass"},
        {"type": "Draw"},
        {"type": "draw "},
        {"type": "expire_time"},
        {"type": "dr\u0430w"},
        {"type": "\ud800"},
        {"type": ["draw"]},
        {"type": "draw", "tile": "1|4"},
        {"type": "resign", "seat": 0},
        {"type": "start", "nonce": "00"},
        {"type": "play"},
        {"type": "play", "tile": "3|6"},
        {"type": "play", "site": "6|6.line_a"},
        {"type": "play", "tile": "6|3", "site": "6|6.line_a"},
        {"type": "play", "tile": "3-6", "site": "6|6.line_a"},
        {"type": "play", "tile": "3|7", "site": "6|6.line_a"},
        {"type": "play", "tile": " 3|6", "site": "6|6.line_a"},
        {"type": "play", "tile": "3|6\n", "site": "6|6.line_a"},
        {"type": "play", "tile": "3|\u0666", "site": "6|6.line_a"},
        {"type": "play", "tile": [3, 6], "site": "6|6.line_a"},
        {"type": "play", "tile": None, "site": "6|6.line_a"},
        {"type": "play", "tile": "", "site": "6|6.line_a"},
        {"type": "play", "tile": "3|6", "site": ""},
        {"type": "play", "tile": "3|6", "site": "6|6"},
        {"type": "play", "tile": "3|6", "site": "6|6."},
        {"type": "play", "tile": "3|6", "site": "6|6.line_c"},
        {"type": "play", "tile": "3|6", "site": "6|6.LINE_A"},
        {"type": "play", "tile": "3|6", "site": "6|6.line_a "},
        {"type": "play", "tile": "3|6", "site": ["6|6", "line_a"]},
        {"type": "play", "tile": "3|6", "site": 0},
        {"type": "play", "tile": "3|6", "site": False},
        {"type": "play", "tile": "3|6", "site": "6|6.line_a", "turn": "left"},
        {"type": "play", "tile": "3|6", "site": "6|6.line_a", "at_ms": 0},
    ],
    ids=json.dumps,
)
def test_a_command_of_the_wrong_shape_is_malformed(command: object) -> None:
    table = opened()
    before = table.everything()
    text = json.dumps({"do": "command", "seat": 1, "at_ms": table.now_ms, "command": command})
    answer = table.referee.answer(text)
    answer.encode("utf-8")
    assert malformed(answer)
    assert table.everything() == before


@pytest.mark.clause("SB-51", "SB-77")
@pytest.mark.parametrize(
    "amount",
    [
        '"15"',
        "15.0",
        "15.5",
        "1.5e1",
        "1e2",
        '"015"',
        '"\uff11\uff15"',
        '"\u0661\u0665"',
        '""',
        "null",
        "true",
        "[15]",
        "{}",
    ],
)
def test_b043_an_amount_that_is_no_whole_number_is_malformed(amount: str) -> None:
    table = at_auction(deal_of("", ""))
    before = table.everything()
    text = f'{{"do":"command","seat":1,"at_ms":{table.now_ms},"command":{{"type":"bid","amount":{amount}}}}}'
    assert malformed(table.referee.answer(text))
    assert table.everything() == before
    table.act(1, "bid", amount=15)


@pytest.mark.parametrize(
    "change",
    [
        {"variant": "chess"},
        {"variant": None},
        {"variant": 1},
        {"at_ms": None},
        {"at_ms": "0"},
        {"at_ms": 0.0},
        {"deals": None},
        {"deals": "6|6"},
        {"deals": [[]]},
        {"deals": [list(ALL_TILES[:27])]},
        {"deals": [[*ALL_TILES, "6|6"]]},
        {"deals": [[*ALL_TILES[:27], "0|0"]]},
        {"deals": [[*ALL_TILES[:27], "6|7"]]},
        {"deals": [[*ALL_TILES[:27], 66]]},
        {"deals": [" ".join(ALL_TILES)]},
        {"deals": [list(ALL_TILES), list(ALL_TILES[:27])]},
        {"seed": "both"},
        {"options": []},
        {"options": "shared_device"},
        {"options": {"shared_device": 1}},
        {"options": {"shared_device": "yes"}},
        {"options": {"target": 100}},
        {"options": {"colour": "red"}},
        {"viewer": 0},
    ],
    ids=json.dumps,
)
def test_a_new_match_of_the_wrong_shape_is_refused_and_the_old_one_stays(change: dict[str, Any]) -> None:
    table = opened()
    before = table.everything()
    answer = table.ask(**{**NEW, **change})
    assert answer["ok"] is False
    assert answer.keys() == {"ok", "error", "detail"}
    if not {"options", "viewer"} & change.keys():
        assert answer["error"] == "MalformedRequest"
    assert table.everything() == before


@pytest.mark.parametrize("key", ["variant", "deals", "at_ms"])
def test_a_new_match_needs_all_its_keys(key: str) -> None:
    assert malformed(Referee().answer(json.dumps({name: value for name, value in NEW.items() if name != key})))


@pytest.mark.parametrize("seed", ["null", "7", "[]", "true"])
def test_a_seed_is_text(seed: str) -> None:
    assert malformed(Referee().answer(f'{{"do":"new","variant":"spectacular-bid","seed":{seed},"at_ms":0}}'))


@pytest.mark.parametrize("request_", ["state", "legal", "record", "sight", "tick", "command", "cancel", "void"])
def test_without_a_match_there_is_nothing_to_ask(request_: str) -> None:
    asked: dict[str, object] = {"do": request_}
    if request_ == "sight":
        asked["viewer"] = 0
    if request_ in ("tick", "command", "cancel", "void"):
        asked["at_ms"] = 0
    if request_ == "command":
        asked |= {"seat": 0, "command": {"type": "start"}}
    answer = json.loads(Referee().answer(json.dumps(asked)))
    assert answer["ok"] is False
    assert answer.keys() == {"ok", "error", "detail"}


def test_a_line_is_at_most_64_kib_long() -> None:
    table = opened()
    text = json.dumps({"do": "state"})
    assert json.loads(table.referee.answer(text + " " * (65_000 - len(text))))["ok"] is True
    assert malformed(table.referee.answer(text + " " * (65_537 - len(text))))
    assert malformed(table.referee.answer(json.dumps({"do": "x" * 1_000_000})))
    wide = json.dumps(
        {"do": "new", "variant": "spectacular-bid", "seed": "\u0131" * 33_000, "at_ms": 0}, ensure_ascii=False
    )
    assert malformed(table.referee.answer(wide))
    assert table.state()["layout"]["tiles"] == ["6|6"]


def test_a_line_may_end_in_a_line_feed() -> None:
    referee = Referee()
    assert json.loads(referee.answer(json.dumps(NEW) + "\n")) == {"ok": True, "facts": []}
    assert "\n" not in referee.answer('{"do":"state"}\n')


@pytest.mark.clause("SB-77")
def test_time_does_not_run_backwards() -> None:
    table = Table([deal_of("", "")], at_ms=5_000)
    for request in (
        {"do": "command", "seat": 0, "command": {"type": "start"}},
        {"do": "tick"},
        {"do": "cancel"},
        {"do": "void"},
    ):
        before = table.everything()
        answer = table.ask(**request, at_ms=4_999)
        assert (answer["ok"], answer["error"]) == (False, "TimeRunsBackwards")
        assert table.everything() == before
    table.act(0, "start", after_ms=0)
    table.act(1, "start", after_ms=0)
    table.act(table.state()["turn"], "play", after_ms=0, tile=table.state()["must_open"], site=None)
    assert table.ask(do="tick", at_ms=4_000)["error"] == "TimeRunsBackwards"
    assert table.ask(do="tick", at_ms=9_000)["ok"] is True
    assert table.ask(do="tick", at_ms=8_999)["error"] == "TimeRunsBackwards"


def test_a_new_match_takes_the_place_of_the_old_one() -> None:
    table = opened()
    assert table.ask(**NEW) == {"ok": True, "facts": []}
    state = table.state()
    assert (state["hand"], state["phase"], state["balances"]) == (0, "ready", [150, 150])


def test_deals_may_be_empty_and_the_first_deal_is_then_refused() -> None:
    table = Table([])
    assert kinds(table.act(0, "start")) == ["ready"]
    table.refuse(1, "start", error="NoDeal")


def test_answers_have_exactly_their_keys() -> None:
    table = opened()
    assert table.ask(do="state").keys() == {"ok", "state"}
    assert table.ask(do="sight", viewer=None).keys() == {"ok", "sight"}
    assert table.ask(do="legal").keys() == {"ok", "legal"}
    assert table.ask(do="record").keys() == {"ok", "record"}
    assert table.ask(do="tick", at_ms=table.now_ms) == {"ok": True, "facts": []}
    for entry in table.ask(do="legal")["legal"]:
        assert entry.keys() == {"seat", "command"}
        assert entry["command"].keys() == ({"type", "tile", "site"} if entry["command"]["type"] == "play" else {"type"})


@pytest.mark.clause("D-38", "D-39")
def test_state_and_sight_have_exactly_their_keys_in_every_phase() -> None:
    table = at_auction(stored("block_4_18"), deal_of("", ""))
    phases = set()

    def look() -> None:
        state = table.state()
        phases.add(state["phase"])
        assert list(state) == STATE_KEYS
        assert list(state["layout"]) == ["tiles", "joins", "spinner", "sites", "contributions"]
        for viewer in (0, 1, None):
            assert list(table.sight(viewer)) == STATE_KEYS
            assert table.sight(viewer)["layout"] == state["layout"]

    look()
    table.act(1, "bid", amount=15)
    look()
    assert table.state()["bid"].keys() == {"seat", "amount"}
    table.act(0, "raise", amount=20)
    table.act(1, "accept")
    for token in line("block_4_18").split():
        look()
        table.play(token)
    look()
    table.act(0, "resign")
    look()
    assert phases == {"auction", "play", "ready", "over"}


@pytest.mark.clause("SB-47", "SB-66")
@pytest.mark.parametrize("name", ["block_4_18", "pass_apart", "domino_scores_20", "two_draws_pass"])
def test_facts_come_with_their_keys_and_in_their_order(name: str) -> None:
    """clock_stopped; the command's own; transferred; then an end or the next turn."""
    rank = {"drew": 0, "clock_stopped": 1, "played": 2, "transferred": 3, "passed": 4}
    table = at_opening(stored(name))
    for token in line(name).split():
        facts = table.play(token)
        for fact in facts:
            assert KEYS[fact["type"]] <= fact.keys()
            assert fact["at_ms"] == table.now_ms
        body = kinds(facts)
        for end in ("hand_over", "turn_started", "match_over"):
            if end in body:
                tail = body[body.index(end) :]
                assert tail in ([end], ["hand_over", "transferred"])
                body = body[: body.index(end)]
        assert [rank[kind] for kind in body] == sorted(rank[kind] for kind in body)
        assert (kinds(facts) == ["drew"]) is ("clock_stopped" not in kinds(facts))


@pytest.mark.clause("SB-47")
def test_transfers_name_their_cause_and_points() -> None:
    table = at_opening(deal_of("5|5", ""))
    moved = only(table.play("5|5"), "transferred")
    expected = {"payer": 1, "due": 10, "paid": 10, "cause": "placement", "balances": [160, 140]}
    assert {key: moved[key] for key in expected} == expected


@pytest.mark.clause("SB-77")
def test_what_is_listed_as_legal_is_accepted() -> None:
    """Each listed command of some positions, tried on a fresh copy of the match."""

    def positions() -> list[Table]:
        interlude = Table([stored("quiet_13"), deal_of("", "")])
        interlude.deal()
        interlude.play(line("quiet_13"))
        drawing = at_opening(deal_of("6|6", "0|1 0|2 0|3 0|4 0|5 1|2 1|3", "1|4 2|6"))
        drawing.play("6|6 draw")
        bound = at_opening(deal_of("6|6", "0|1 0|2 0|3 0|4 0|5 1|2 1|3", "2|6"))
        bound.play("6|6 draw")
        answering = at_auction(deal_of("", ""), balances=(250, 50))
        answering.act(1, "bid", amount=15)
        opening = at_opening(deal_of("", ""))
        return [
            Table([deal_of("", "")]),
            interlude,
            drawing,
            bound,
            at_auction(deal_of("", ""), balances=(250, 50)),
            answering,
            opening,
            opened(),
        ]

    for number, position in enumerate(positions()):
        for seat, command in position.legal(resign=True):
            fresh = positions()[number]
            answer = fresh.ask(do="command", seat=seat, at_ms=fresh.now_ms, command=command)
            assert answer["ok"] is True, (number, seat, command, answer)


@pytest.mark.clause("SB-77")
def test_what_is_not_listed_as_legal_is_refused() -> None:
    """Every placement there is, of either seat, with every site on the table and none."""
    table = opened()
    table.play("3|6@6|6.line_a")
    legal = {(seat, json.dumps(command, sort_keys=True)) for seat, command in table.legal(resign=True)}
    ports = [
        f"{tile}.{port}"
        for tile in ("6|6", "3|6", "5|5")
        for port in ("low", "high", "line_a", "line_b", "arm_a", "arm_b")
    ]
    before = table.everything()
    refused = 0
    for seat in (0, 1):
        for tile in ALL_TILES:
            for site in (*ports, None):
                command = {"type": "play", "tile": tile, "site": site}
                if (seat, json.dumps(command, sort_keys=True)) in legal:
                    continue
                assert table.ask(do="command", seat=seat, at_ms=table.now_ms, command=command)["ok"] is False
                refused += 1
    assert refused == 2 * 28 * 19 - sum('"play"' in command for _, command in legal)
    assert table.everything() == before


@pytest.mark.clause("SB-77")
def test_a_refused_request_leaves_the_position_clock_and_record_alone() -> None:
    """`refuse` of the driver compares state, sights, legal commands and record each time."""
    table = opened()
    for kind in ("start", "continue", "decline", "accept", "draw", "reveal"):
        table.refuse(1, kind, after_ms=7_000)
    table.refuse(0, "play", tile="5|6", site="6|6.line_a", error="NotYourTurn")
    table.refuse(1, "play", tile="5|6", site="6|6.line_a", error="TileNotHeld")
    table.refuse(1, "bid", amount=15, error="WrongPhase")
    table.refuse(1, "raise", amount=20, error="WrongPhase")
    table.refuse(1, "decline", error="WrongPhase")
    assert only(table.play("3|6@6|6.line_a", after_ms=12_000), "clock_stopped")["charged_ms"] == 2_000


def script() -> list[str]:
    """Lines of a match with draws, refusals, malformed lines and a loss on time."""
    lines = [
        json.dumps({"do": "new", "variant": "spectacular-bid", "deals": [stored("two_draws_pass")], "at_ms": 0}),
        json.dumps({"do": "command", "seat": 0, "at_ms": 10, "command": {"type": "start"}}),
        "not json",
        "",
        json.dumps({"do": "command", "seat": 1, "at_ms": 20, "command": {"type": "start"}}),
    ]
    table = Table([stored("two_draws_pass")])
    table.deal()
    for number, token in enumerate(line("two_draws_pass").split()):
        seat = table.state()["turn"]
        tile, _, site = token.partition("@")
        command = {"type": "draw"} if token == "draw" else {"type": "play", "tile": tile, "site": site or None}
        lines.append(json.dumps({"do": "command", "seat": 1 - seat, "at_ms": 1_000 * number + 500, "command": command}))
        lines.append(json.dumps({"do": "command", "seat": seat, "at_ms": 1_000 * number + 900, "command": command}))
        lines += ['{"do":"state"}', '{"do":"legal"}', '{"do":"sight","viewer":0}', '{"do":"sight","viewer":null}']
        table.play(token)
    return [*lines, '{"do":"record"}', '{"do":"tick","at_ms":9000000}', '{"do":"record"}']


@pytest.mark.clause("SB-77")
def test_the_referee_is_deterministic() -> None:
    first, second = Referee(), Referee()
    answers = [first.answer(text) for text in script()]
    assert answers == [second.answer(text) for text in script()]
    assert sum('"ok":true' in answer.replace(" ", "") for answer in answers) > 100


def process() -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "games.rules.referee"],
        cwd=ROOT,
        env={"PATH": os.environ.get("PATH", ""), "PYTHONPATH": str(ROOT), "LC_ALL": "C"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def test_the_process_answers_each_line_at_once_and_ends_at_end_of_input() -> None:
    """One line in, one line out, before the next is written; bytes that are no text are malformed."""
    referee = Referee()
    with process() as child:
        assert child.stdin is not None
        assert child.stdout is not None
        for text in script():
            child.stdin.write(text.encode() + b"\n")
            child.stdin.flush()
            assert child.stdout.readline().decode().rstrip("\n") == referee.answer(text)
        for raw in (b"\xff\xfe{}\n", b'{"do":"' + b"x" * 200_000 + b'"}\n', b"\r\n"):
            child.stdin.write(raw)
            child.stdin.flush()
            assert malformed(child.stdout.readline().decode())
        child.stdin.write(b'{"do":"state"}\n')
        child.stdin.flush()
        assert json.loads(child.stdout.readline())["state"]["ending"] == "time"
        child.stdin.close()
        assert child.stdout.read() == b""
        assert child.stderr is not None
        assert child.stderr.read() == b""
        assert child.wait(timeout=20) == 0


def test_a_last_line_without_a_line_feed_is_answered_too() -> None:
    with process() as child:
        out, errors = child.communicate(json.dumps(NEW).encode(), timeout=20)
    assert json.loads(out) == {"ok": True, "facts": []}
    assert (errors, child.returncode) == (b"", 0)


def test_the_process_imports_the_rules_alone() -> None:
    code = (
        "import sys, games.rules.referee; "
        "print(sorted(name for name in sys.modules if name.partition('.')[0] in "
        "('django', 'channels', 'celery', 'config', 'accounts', 'ratings', 'redis', 'socket', 'random', 'secrets')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=30, check=True
    )
    assert done.stdout.strip() == "[]"
