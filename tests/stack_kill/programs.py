"""Two programs that play a script over JSON sockets and know how to come back."""

import json
import sqlite3
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from typing import Any

from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from games import rules
from tests.browser.script import Step
from tests.stack import Stack

ANSWER_LIMIT_S = 3.0  # a connection that says nothing for so long is given up for another one
RETRY_S = 0.1
GONE = (ConnectionClosed, InvalidStatus, OSError, TimeoutError)
MAKE_ACCOUNTS = """
from accounts.models import User
for name in {names!r}:
    User.objects.create_user(name, f"{{name}}@example.org")
"""


@dataclass
class Program:
    """An account with a token."""

    stack: Stack
    name: str
    token: str

    def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """A request to the JSON door."""
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.stack.base_url}/api{path}", data, headers, method=method)
        with urllib.request.urlopen(request, timeout=ANSWER_LIMIT_S) as answer:
            found: dict[str, Any] = json.load(answer)
        return found


@dataclass
class Seat:
    """A program at a table. `accepted` has what the site said it accepted: version and id of each command."""

    program: Program
    match: str
    socket: ClientConnection | None = None
    seq: int = 0
    sight: dict[str, Any] = field(default_factory=dict)
    accepted: list[tuple[int, str]] = field(default_factory=list)
    _open: ExitStack = field(default_factory=ExitStack)

    def do(self, step: Step, *, limit_s: float = ANSWER_LIMIT_S) -> None:
        """The command of the step until it is accepted, over as many connections as that takes."""
        command_id = f"step-{step.seq}"
        end_s = time.monotonic() + limit_s
        while True:
            try:
                self.send(step, command_id)
                frame = self.until(lambda frame: frame.get("id") == command_id)
                if frame["type"] == "accepted":
                    assert frame["seq"] == step.seq
                    self.accepted.append((frame["seq"], command_id))
                    return
                assert frame["code"] in ("Unavailable", "TooManyWaiting"), frame
            except GONE:
                self.leave()
            assert time.monotonic() < end_s, f"{step.command} was not accepted within {limit_s} s"
            time.sleep(RETRY_S)

    def send(self, step: Step, command_id: str) -> None:
        """The command, and no waiting for an answer."""
        told = {key: value for key, value in rules.dump_command(step.command).items() if key != "seat"}
        by_hand = told["type"] in ("start", "continue", "resign")
        about = {"hand": step.before.hand} if by_hand else {"seq": step.seq - 1}
        self.connection().send(json.dumps({**told, **about, "id": command_id}))

    def wait_for(self, seq: int, *, limit_s: float = ANSWER_LIMIT_S) -> None:
        """Until this seat has been told of the version."""
        end_s = time.monotonic() + limit_s
        while self.seq < seq:
            assert time.monotonic() < end_s, f"version {seq} was not seen within {limit_s} s"
            try:
                self.until(lambda frame: self.seq >= seq)
            except GONE:
                self.leave()
                time.sleep(RETRY_S)

    def until(self, is_it: Any) -> dict[str, Any]:
        """The next frame that is asked for; what is seen on the way is kept."""
        while True:
            frame: dict[str, Any] = json.loads(self.connection().recv(ANSWER_LIMIT_S))
            if frame["type"] == "sight":
                self.seq, self.sight = frame["seq"], frame["sight"]
            if is_it(frame):
                return frame

    def connection(self) -> ClientConnection:
        """The open socket, or a new one."""
        if self.socket is None:
            opening = connect(
                f"ws://localhost:{self.program.stack.port}/ws/matches/{self.match}/",
                additional_headers={"Authorization": f"Bearer {self.program.token}"},
                subprotocols=["boneyard.v1"],
                open_timeout=ANSWER_LIMIT_S,
                close_timeout=0.1,
            )
            self.socket = self._open.enter_context(opening)
        return self.socket

    def leave(self) -> None:
        self.socket = None
        self._open.close()


def make_programs(stack: Stack, names: tuple[str, str]) -> tuple[Program, Program]:
    """Two accounts with tokens, as an operator makes them."""
    stack.manage("shell", "--verbosity", "0", stdin=MAKE_ACCOUNTS.format(names=names))
    first, second = (Program(stack, name, stack.manage("api_token", name).strip()) for name in names)
    return first, second


@contextmanager
def seated(programs: tuple[Program, Program]) -> Iterator[tuple[Seat, Seat]]:
    """Both at a new table; the first one made the offer."""
    offer = programs[0].ask("POST", "/offers/", {"variant": "spectacular-bid", "rated": True})["offer"]["id"]
    match = programs[1].ask("POST", f"/offers/{offer}/take/", {})["match"]
    seats = Seat(programs[0], match), Seat(programs[1], match)
    try:
        yield seats
    finally:
        for seat in seats:
            seat.leave()


def stored_commands(stack: Stack, match: str) -> list[tuple[int, str]]:
    """Version and id of every command in the log of the match, as the database file has them."""
    with closing(sqlite3.connect(f"file:{stack.var_dir / 'boneyard.sqlite3'}?mode=ro", uri=True)) as database:
        return database.execute(
            "SELECT event.seq, event.command_id FROM games_matchevent AS event JOIN games_match AS played"
            " ON played.id = event.match_id WHERE played.public_id = ? ORDER BY event.seq",
            (match,),
        ).fetchall()
