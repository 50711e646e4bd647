"""A match driven by random legal commands, and what each viewer's page would be drawn from."""

import random
from typing import Any

from games import fragments, rules
from games.table import SeatCard, TableView

SEATS = (SeatCard(0, 1, "Alice", "1684"), SeatCard(1, 2, "Bob", "1512?", provisional=True))
STEP_MS = 3_000
PUBLIC_ID = "Ab3xYz90kQ"
COMMITMENT = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"


class Drive:
    """One match; `facts` are those of the running hand with the version that brought them."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.now_ms = 0
        self.seq = 0
        self.state = rules.new_match(at_ms=0)
        self.facts: list[tuple[int, rules.Fact]] = []

    def do(self, command: rules.Command) -> None:
        """Apply a command, dealing at random where it deals."""
        self.now_ms += STEP_MS
        order = None
        if rules.needs_order(self.state, command):
            order = tuple(self.random.sample(rules.TILES, len(rules.TILES)))
        facts = rules.decide(self.state, command, arrived_ms=self.now_ms, now_ms=self.now_ms, order=order)
        self.seq += 1
        for fact in facts:
            if type(fact) is rules.Dealt:
                self.facts = []
            self.facts.append((self.seq, fact))
        self.state = rules.fold(self.state, facts)

    def step(self) -> rules.PlayerCommand | None:
        """Do something legal but no resignation; in an auction one of the lower bids. None when the match is over."""
        legal = [command for command in rules.legal_commands(self.state) if command.type != "resign"]
        bids = [command for command in legal if command.type in ("bid", "raise")]
        choice = [command for command in legal if command not in bids] + bids[:2]
        if not choice:
            return None
        command = self.random.choice(choice)
        self.do(command)
        return command

    def view(self, viewer: int | None, **changes: Any) -> TableView:
        """What the page of a viewer is drawn from."""
        log = tuple({**rules.sight_fact(fact, viewer), "seq": seq} for seq, fact in self.facts)
        given = {
            "public_id": PUBLIC_ID,
            "seq": self.seq,
            "viewer": viewer,
            "sight": rules.sight(self.state, viewer),
            "seats": SEATS,
            "log": log,
            "server_now_ms": self.now_ms + 40,
            "commitment": COMMITMENT,
        }
        return TableView(**{**given, **changes})


def frame_sizes(matches: int) -> list[int]:
    """Bytes of each frame that both viewers of whole matches get by socket, before compression."""
    sizes = []
    for seed in range(matches):
        match = Drive(seed)
        keys: list[dict] = [{}, {}]
        while True:
            for viewer in (0, 1):
                view = match.view(viewer)
                changed, keys[viewer] = fragments.render_changed(view, keys[viewer])
                sizes.append(len(("".join(changed.values()) + fragments.render_seq(view)).encode()))
            if match.step() is None:
                break
    return sizes
