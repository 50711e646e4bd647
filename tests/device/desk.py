"""A match of two people at one device, played through the service."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from functools import partial
from typing import Any

from games import rules, service, snapshots
from games.models import Match

ALICE, BOB = "Alice", "Bob"
DEVICE, OTHER_DEVICE = "a" * 64, "b" * 64


class Desk:
    """A match at one device; commands get their seat, version, hand and id by themselves."""

    def __init__(self, match: Match, clock: Callable[[], int]) -> None:
        self.match_id = match.pk
        self.public_id = match.public_id
        self.device = match.device
        self.clock = clock
        self._ids = itertools.count(1)
        self.refresh()

    @classmethod
    def new(cls, clock: Callable[[], int], *, device: str = DEVICE) -> Desk:
        """A new match that waits for Start."""
        return cls(service.start_at_device(names=(ALICE, BOB), device=device), clock)

    @classmethod
    def dealt(cls, clock: Callable[[], int], *, device: str = DEVICE) -> Desk:
        """A match behind the curtain of its first turn."""
        desk = cls.new(clock, device=device)
        desk.send("start")
        return desk

    @classmethod
    def shown(cls, clock: Callable[[], int]) -> Desk:
        """A match whose first turn runs."""
        desk = cls.dealt(clock)
        desk.send("reveal")
        return desk

    def row(self) -> Match:
        return Match.objects.get(pk=self.match_id)

    def refresh(self) -> Match:
        match = self.row()
        self.seq = match.seq
        self.state = snapshots.read(match.snapshot)
        return match

    def send(self, command: str | rules.PlayerCommand, **given: Any) -> service.Applied:
        """The result of a command, which may be named by its type when that says all."""
        if isinstance(command, str):
            kinds: dict[str, Callable[[int], rules.PlayerCommand]] = {
                "start": rules.Start,
                "continue": rules.Continue,
                "reveal": rules.Reveal,
                "resign": rules.Resign,
            }
            command_of = kinds[command]
        else:
            command_of = partial(_as_it_is, command)
        arguments: dict[str, Any] = {
            "device": self.device,
            "expected_seq": self.seq,
            "expected_hand": self.state.hand,
            "command_id": f"c{next(self._ids)}",
            "arrived_ms": self.clock(),
        }
        applied = service.submit_at_device(self.match_id, command_of, **{**arguments, **given})
        if not applied.repeated:
            self.seq, self.state = applied.seq, applied.state
        return applied

    def moves(self) -> list[rules.PlayerCommand]:
        """What the rules allow, resignations left out; of the presses one is enough."""
        found = [command for command in rules.legal_commands(self.state) if not isinstance(command, rules.Resign)]
        return found[:1] if self.state.phase == "ready" else found

    def step(self, rng: random.Random) -> service.Applied:
        """One legal command; in an auction a small one, or few matches would outlive it."""
        moves = self.moves()
        return self.send(rng.choice(moves[:3] if self.state.phase == "auction" else moves))

    def play_until(self, is_there: Callable[[rules.MatchState], bool], rng: random.Random) -> Desk:
        """Legal commands until the state is as asked for, or the match is over."""
        while self.state.phase != "over" and not is_there(self.state):
            self.step(rng)
        return self


def _as_it_is(command: rules.PlayerCommand, seat: int) -> rules.PlayerCommand:
    return command
