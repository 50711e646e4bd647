"""SIGKILL to each process in the middle of a match: nothing accepted is lost, play goes on, clocks are enforced."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.matches import WHOLE
from tests.browser.script import Script, write_deals
from tests.stack import Stack, running_stack
from tests.stack_kill.programs import Program, Seat, make_programs, seated, stored_commands

pytestmark = pytest.mark.real_stack

RECOVERY_LIMIT_S = 10.0
KILLS_AT = (12, 30)  # steps of the script: in the middle of its two hands
BANK_MS = 5_000  # with the delay before it enough for all processes to die, one after the other
# A broker that was away is found again within seconds; then the sweep judges what was due meanwhile.
VERDICT_LIMIT_S = 8.0


@pytest.fixture(scope="module")
def deals_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("deals") / "deals.json"
    prepare(path, WHOLE)
    return path


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory, deals_file: Path) -> Iterator[Stack]:
    environment = {"BONEYARD_TEST_DEALS": str(deals_file)}
    with running_stack(tmp_path_factory.mktemp("kill"), extra_env=environment) as running:
        yield running


@pytest.fixture(scope="module")
def programs(stack: Stack) -> tuple[Program, Program]:
    return make_programs(stack, ("Robin", "Robert"))


def prepare(path: Path, script: Script, *, banks_ms: tuple[int, int] | None = None) -> None:
    write_deals(path, script.deals, balances=script.balances, banks_ms=banks_ms)


def play(seats: tuple[Seat, Seat], script: Script, first: int, last: int) -> None:
    """The steps from `first` to before `last`, each seen by both."""
    for step in script.steps[first:last]:
        seats[step.command.seat].do(step)
        for seat in seats:
            seat.wait_for(step.seq)


@pytest.mark.parametrize("victim", ["web", "worker", "clock", "beat", "valkey"])
def test_a_killed_process_loses_nothing(
    stack: Stack, programs: tuple[Program, Program], deals_file: Path, victim: str
) -> None:
    prepare(deals_file, WHOLE)
    with seated(programs) as seats:
        done = 0
        for place in KILLS_AT:
            play(seats, WHOLE, done, place)
            step = WHOLE.steps[place]
            # The command is on its way when the process dies: its id tells whether it was done.
            seats[step.command.seat].send(step, f"step-{step.seq}")
            killed_s = time.monotonic()
            pid = stack.kill(victim)
            seats[step.command.seat].do(step, limit_s=RECOVERY_LIMIT_S)
            for seat in seats:
                seat.wait_for(step.seq, limit_s=RECOVERY_LIMIT_S)
            assert time.monotonic() - killed_s < RECOVERY_LIMIT_S
            stack.wait_for_another(victim, pid, limit_s=RECOVERY_LIMIT_S)
            done = place + 1
        play(seats, WHOLE, done, len(WHOLE.steps))
        assert (seats[0].sight["ending"], seats[0].sight["winner"]) == ("balance", 0)
        stored = stored_commands(stack, seats[0].match)
        assert {*seats[0].accepted, *seats[1].accepted} <= set(stored)
        assert [seq for seq, _id in stored] == [step.seq for step in WHOLE.steps]
    stack.wait_until_ready(limit_s=RECOVERY_LIMIT_S)


def test_time_runs_out_though_everything_was_killed(
    stack: Stack, programs: tuple[Program, Program], deals_file: Path
) -> None:
    """During one turn every process dies, Valkey last, so that all others have to find it again."""
    prepare(deals_file, WHOLE, banks_ms=(BANK_MS, BANK_MS))
    with seated(programs) as seats:
        play(seats, WHOLE, 0, 3)
        loser, deadline_ms = seats[0].sight["turn"], seats[0].sight["deadline_ms"]
        for victim in ("web", "worker", "clock", "beat", "valkey"):
            stack.wait_for_another(victim, stack.kill(victim), limit_s=RECOVERY_LIMIT_S)
        left_s = deadline_ms / 1000 - time.time()
        assert left_s > 0, "the processes must have died within the turn"
        for seat in seats:
            seat.wait_for(4, limit_s=left_s + VERDICT_LIMIT_S)
            assert (seat.sight["ending"], seat.sight["winner"]) == ("time", 1 - loser)
