"""The referee: one line in, one line out, and never a crash."""

import io
import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules import TILES, format_tile, judge_record, read_record
from games.rules.referee import MAX_LINE_BYTES, Referee, main

ROOT = Path(__file__).resolve().parents[2]
NEW = {"do": "new", "variant": "spectacular-bid", "seed": "seed", "at_ms": 0}
DEAL = [format_tile(tile) for tile in TILES]


def ask(referee: Referee, **request: Any) -> dict[str, Any]:
    answer = json.loads(referee.answer(json.dumps(request)))
    assert isinstance(answer, dict)
    return answer


def act(referee: Referee, seat: int, at_ms: int, **command: Any) -> dict[str, Any]:
    return ask(referee, do="command", seat=seat, at_ms=at_ms, command=command)


def started(**new: Any) -> Referee:
    referee = Referee()
    assert ask(referee, **{**NEW, **new})["ok"]
    assert act(referee, 0, 1_000, type="start")["ok"]
    assert act(referee, 1, 1_000, type="start")["ok"]
    return referee


def test_the_answer_to_state_has_exactly_the_keys_of_the_protocol() -> None:
    state = ask(started(), do="state")["state"]
    keys = "hand phase balances banks_ms turn turn_started_ms deadline_ms held boneyard layout must_open must_play"
    assert " ".join(state) == f"{keys} jockey bid ready winner ending"
    assert list(state["layout"]) == ["tiles", "joins", "spinner", "sites", "contributions"]
    sight = ask(started(), do="sight", viewer=None)["sight"]
    assert list(sight) == list(state)


def test_the_deals_are_dealt_in_their_order() -> None:
    referee = Referee()
    new = {key: value for key, value in NEW.items() if key != "seed"}
    ask(referee, **new, deals=[DEAL])
    act(referee, 1, 0, type="start")
    facts = act(referee, 0, 0, type="start")["facts"]
    assert [fact["type"] for fact in facts] == ["ready", "dealt", "turn_started"]
    state = ask(referee, do="state")["state"]
    assert (state["held"], state["boneyard"]) == ([DEAL[:7], DEAL[7:14]], DEAL[14:])


def test_a_deal_that_is_not_there_is_refused_and_not_offered() -> None:
    referee = Referee()
    new = {key: value for key, value in NEW.items() if key != "seed"}
    assert ask(referee, **new, deals=[]) == {"ok": True, "facts": []}
    act(referee, 0, 0, type="start")
    assert act(referee, 1, 0, type="start") == {"ok": False, "error": "NoDeal", "detail": {"hand": 1}}
    assert ask(referee, do="legal")["legal"] == [
        {"seat": 0, "command": {"type": "resign"}},
        {"seat": 1, "command": {"type": "resign"}},
    ]


def test_time_may_stand_but_not_run_backwards() -> None:
    referee = started()
    assert ask(referee, do="tick", at_ms=1_000) == {"ok": True, "facts": []}
    assert ask(referee, do="tick", at_ms=5_000)["ok"]
    assert ask(referee, do="tick", at_ms=4_999)["error"] == "TimeRunsBackwards"
    assert act(referee, 0, 4_999, type="resign")["error"] == "TimeRunsBackwards"
    assert ask(referee, do="void", at_ms=4_999)["error"] == "TimeRunsBackwards"
    assert ask(referee, do="tick", at_ms=5_000)["ok"]


def test_a_refused_request_does_not_move_the_time() -> None:
    referee = started()
    assert act(referee, 0, 90_000, type="accept")["ok"] is False
    assert ask(referee, do="tick", at_ms=2_000)["ok"]


def test_a_command_at_the_deadline_is_answered_with_the_loss() -> None:
    referee = started()
    state = ask(referee, do="state")["state"]
    answer = act(referee, 1 - state["turn"], state["deadline_ms"], type="accept")
    assert [fact["type"] for fact in answer["facts"]] == ["clock_stopped", "match_over"]
    assert ask(referee, do="tick", at_ms=state["deadline_ms"]) == {"ok": True, "facts": []}
    assert act(referee, 0, 10**9, type="resign")["error"] == "MatchIsOver"


def test_cancel_and_void() -> None:
    referee = Referee()
    ask(referee, **NEW)
    act(referee, 1, 5, type="start")
    (over,) = ask(referee, do="cancel", at_ms=6)["facts"]
    assert (over["ending"], over["winner"], over["absent"]) == ("cancelled", None, [0])
    assert ask(referee, do="cancel", at_ms=7)["error"] == "MatchIsOver"
    assert ask(started(), do="cancel", at_ms=2_000)["error"] == "WrongPhase"
    ask(referee, **NEW)
    (over,) = ask(referee, do="void", at_ms=0)["facts"]
    assert over["ending"] == "service_fault"


@pytest.mark.parametrize(
    "line",
    [
        "",
        " ",
        "x",
        "[]",
        "1",
        "null",
        '"state"',
        "{",
        "NaN",
        '{"do":"state"}{}',
        '{"do":null}',
        '{"do":["state"]}',
        '{"do":"sta"}',
        '{"do":"state","at_ms":1}',
        '{"do":"legal","x":null}',
        '{"do":"tick"}',
        '{"do":"tick","at_ms":1.0}',
        '{"do":"tick","at_ms":"1"}',
        '{"do":"tick","at_ms":true}',
        '{"do":"tick","at_ms":null}',
        '{"do":"tick","at_ms":1e400}',
        '{"do":"tick","at_ms":9007199254740992}',
        '{"do":"tick","at_ms":' + "9" * 4_300 + "}",
        '{"do":"sight"}',
        '{"do":"sight","viewer":2}',
        '{"do":"sight","viewer":-1}',
        '{"do":"sight","viewer":false}',
        '{"do":"sight","viewer":"0"}',
        '{"do":"command","seat":0,"at_ms":5000}',
        '{"do":"command","seat":2,"at_ms":5000,"command":{"type":"resign"}}',
        '{"do":"command","seat":null,"at_ms":5000,"command":{"type":"resign"}}',
        '{"do":"command","seat":0,"at_ms":5000,"command":"resign"}',
        '{"do":"command","seat":0,"at_ms":5000,"command":{"type":"resign","seat":0}}',
        '{"do":"command","seat":0,"at_ms":5000,"command":{"type":"expire_time"}}',
        '{"do":"command","seat":0,"at_ms":5000,"command":{"type":"void_for_fault"}}',
        '{"do":"command","seat":0,"at_ms":5000,"command":{"type":"bid","amount":"15"}}',
        '{"do":"command","seat":0,"at_ms":5000,"command":{"type":"play","tile":"6|6"}}',
        '{"do":"command","seat":0,"at_ms":5000,"command":{"type":"play","tile":"6|6","site":null,"turn":"left"}}',
        '{"do":"command","seat":0,"at_ms":5000,"command":{}}',
        '{"do":"new","variant":"spectacular-bid","at_ms":0}',
        '{"do":"new","variant":"spectacular-bid","at_ms":0,"seed":"a","deals":[]}',
        '{"do":"new","variant":"spectacular-bid","at_ms":0,"seed":1}',
        '{"do":"new","variant":"spectacular-bid","at_ms":0,"seed":"\\ud800"}',
        '{"do":"new","variant":"spectacular-bid","at_ms":0,"deals":{}}',
        '{"do":"new","variant":"spectacular-bid","at_ms":0,"deals":[[]]}',
        '{"do":"new","variant":"spectacular-bid","at_ms":0,"deals":["0|0"]}',
        '{"do":"new","variant":"spectacular-bid","at_ms":0,"seed":"a","options":[]}',
        '{"do":"new","variant":"spectacular-bid","at_ms":0,"seed":"a","options":{"target":100}}',
        '{"do":"new","variant":"spectacular-bid","at_ms":0,"seed":"a","options":{"shared_device":"yes"}}',
        '{"do":"new","variant":"chess","at_ms":0,"seed":"a"}',
        '{"do":"new","variant":["draw"],"at_ms":0,"seed":"a"}',
        "[" * 20_000,
        '{"do":"tick","at_ms":' + "9" * 5_000 + "}",
        '{"do":"state"' + " " * MAX_LINE_BYTES + "}",
        '{"do":"\udcff"}',
    ],
)
def test_a_line_of_the_wrong_shape_changes_nothing(line: str) -> None:
    referee = started()
    before = ask(referee, do="state")
    answer = json.loads(referee.answer(line))
    assert (answer["ok"], answer["error"]) == (False, "MalformedRequest")
    assert isinstance(answer["detail"], dict)
    assert ask(referee, do="state") == before


def test_a_repeated_tile_is_no_deal() -> None:
    for deals in ([DEAL[:27]], [[*DEAL[:27], "0|0"]], [[*DEAL, "0|0"]], [DEAL, DEAL[1:]]):
        assert ask(Referee(), do="new", variant="spectacular-bid", at_ms=0, deals=deals)["error"] == "MalformedRequest"


def test_a_line_may_be_as_long_as_the_limit() -> None:
    line = '{"do":"state"}'
    referee = started()
    assert json.loads(referee.answer(line[:-1] + " " * (MAX_LINE_BYTES - len(line)) + "}"))["ok"]


@pytest.mark.parametrize("variant", ["draw", "block", "goat", "international", "international-duo"])
def test_the_classic_variants_are_known_and_not_there_yet(variant: str) -> None:
    answer = ask(Referee(), do="new", variant=variant, seed="a", at_ms=0)
    assert answer == {"ok": False, "error": "VariantNotAvailable", "detail": {"variant": variant}}


def test_it_asks_for_a_match_first() -> None:
    for request in ({"do": "state"}, {"do": "legal"}, {"do": "tick", "at_ms": 0}, {"do": "record"}):
        assert ask(Referee(), **request)["error"] == "NoMatch"


def play(referee: Referee, seed: int, shared: bool) -> list[str]:
    """A random match through the protocol; all answers."""
    rng = Random(seed)
    at_ms = 0
    answers = [referee.answer(json.dumps({**NEW, "seed": str(seed), "options": {"shared_device": shared}}))]
    while legal := json.loads(referee.answer('{"do":"legal"}'))["legal"]:
        choice = rng.choice([one for one in legal if one["command"]["type"] != "resign"][:4])
        at_ms += rng.randrange(20_000)
        answers.append(referee.answer(json.dumps({"do": "command", **choice, "at_ms": at_ms})))
        assert json.loads(answers[-1])["ok"]
    return answers


@settings(max_examples=5, deadline=None)
@given(seed=st.integers(0, 2**32), shared=st.booleans())
def test_the_same_input_gives_the_same_output_and_a_record_of_it(seed: int, shared: bool) -> None:
    referee = Referee()
    assert play(referee, seed, shared) == play(Referee(), seed, shared)
    record = read_record(ask(referee, do="record")["record"])
    assert judge_record(record).balances == tuple(ask(referee, do="state")["state"]["balances"])


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(DEAL),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
KEYS = st.sampled_from(
    ["do", "variant", "deals", "seed", "at_ms", "options", "seat", "command", "viewer", "type", "amount", "tile"]
)
WORDS = st.sampled_from(["new", "command", "tick", "state", "sight", "legal", "record", "cancel", "void", "start"])


@settings(max_examples=300, deadline=None)
@given(request=st.dictionaries(KEYS, WORDS | ANY | st.dictionaries(KEYS, WORDS | ANY, max_size=4), max_size=6))
def test_no_request_breaks_it(request: dict[str, Any]) -> None:
    referee = started()
    before = ask(referee, do="state")
    answer = json.loads(referee.answer(json.dumps(request)))
    if not answer["ok"]:
        assert set(answer) == {"ok", "error", "detail"}
        assert ask(referee, do="state") == before


def test_a_new_match_replaces_the_last() -> None:
    referee = started()
    ask(referee, **NEW)
    assert ask(referee, do="state")["state"]["hand"] == 0
    assert ask(referee, do="record")["record"].endswith('[Result "*"]\n\n')


def test_it_speaks_lines_over_a_pipe_without_django() -> None:
    program = "import runpy, sys; sys.argv = ['referee']; runpy.run_module('games.rules.referee', run_name='__main__')"
    check = "; assert not any(name == 'django' or name.startswith('django.') for name in sys.modules)"
    requests = json.dumps(NEW) + "\nnonsense\n" + "x" * (3 * MAX_LINE_BYTES) + '\n\xff\n{"do":"legal"}'
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program + check],
        input=requests.encode("latin-1"),
        capture_output=True,
        cwd=ROOT,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["ok"] for answer in answers] == [True, False, False, False, True]
    assert answers[2]["detail"]["reason"] == "too long"


def test_it_flushes_after_each_line() -> None:
    class Answers(io.BytesIO):
        flushed = 0

        def flush(self) -> None:
            self.flushed += 1

    answers = Answers()
    main(io.BytesIO(b'{"do":"state"}\n{"do":"state"}\r\n'), answers)
    assert answers.flushed == 2
    assert answers.getvalue().count(b"\n") == 2
