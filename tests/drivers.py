"""Matches played through the one writer, quickly and under a clock of the test's own."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence
from typing import Any

from accounts.models import User
from games import rules, service, snapshots
from games.models import Match
from tests import factories

START_MS = 1_800_000_000_000  # long after any real clock that a test might mix in by mistake


class ManualClock:
    """A time source that stands still until it is moved: `clock_source.use_source(clock)`."""

    def __init__(self, at_ms: int = START_MS) -> None:
        self.at_ms = at_ms

    def __call__(self) -> int:
        return self.at_ms

    def move(self, by_ms: int) -> int:
        """The time `by_ms` later, which it is from now on."""
        self.at_ms += by_ms
        return self.at_ms


class Table:
    """A match, its players and where it stands; commands get their version, hand and id by themselves."""

    def __init__(self, match: Match, users: Sequence[User], clock: Callable[[], int]) -> None:
        self.match_id = match.pk
        self.public_id = match.public_id
        self.users = tuple(users)
        self.clock = clock
        self._ids = itertools.count(1)
        self.refresh()

    @classmethod
    def new(cls, clock: Callable[[], int], *, rated: bool = True, users: Sequence[User] = (), **options: Any) -> Table:
        """A new match that waits for Start."""
        users = list(users) or [factories.make_user(), factories.make_user()]
        return cls(factories.make_match(users, rated=rated, **options), users, clock)

    @classmethod
    def dealt(cls, clock: Callable[[], int], **options: Any) -> Table:
        """A match whose first hand is on the table."""
        table = cls.new(clock, **options)
        table.both_press()
        return table

    def row(self) -> Match:
        """The match as the database has it now."""
        return Match.objects.get(pk=self.match_id)

    def refresh(self) -> Match:
        """Look at the database again."""
        match = self.row()
        self.seq = match.seq
        self.state = snapshots.read(match.snapshot)
        return match

    def send(self, command: rules.PlayerCommand, **given: Any) -> service.Applied:
        """The result of the command; whatever `submit` takes may be given in its place."""
        by_hand = isinstance(command, service.NAMES_THE_HAND)
        arguments: dict[str, Any] = {
            "actor": given["actor"] if "actor" in given else self.users[command.seat],
            "expected_seq": None if by_hand else self.seq,
            "expected_hand": self.state.hand if by_hand else None,
            "command_id": f"c{next(self._ids)}-{command.seat}",
            "arrived_ms": self.clock(),
        }
        return self.took(service.submit(self.match_id, command, **{**arguments, **given}))

    def took(self, applied: service.Applied) -> service.Applied:
        """Stand where that result left the match."""
        if not applied.repeated:
            self.seq, self.state = applied.seq, applied.state
        return applied

    def both_press(self) -> service.Applied:
        """Start or Continue by everybody who has not pressed."""
        press = rules.Continue if self.state.hand else rules.Start
        for seat in range(len(self.users)):
            if seat not in self.state.ready:
                applied = self.send(press(seat))
        return applied

    def moves(self) -> list[rules.PlayerCommand]:
        """The legal commands, resignations left out."""
        return [command for command in rules.legal_commands(self.state) if not isinstance(command, rules.Resign)]

    def step(self, rng: random.Random) -> service.Applied:
        """One legal command, chosen at random; in an auction a small one, or few matches would outlive it."""
        moves = self.moves()
        return self.send(rng.choice(moves[:3] if self.state.phase == "auction" else moves))

    def play_until(self, is_there: Callable[[rules.MatchState], bool], rng: random.Random) -> Table:
        """Random legal commands until the state is as asked for, or the match is over."""
        while self.state.phase != "over" and not is_there(self.state):
            self.step(rng)
        return self

    def play_out(self, rng: random.Random) -> Table:
        """Random legal commands to the end of the match."""
        return self.play_until(lambda state: False, rng)
