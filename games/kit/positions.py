"""Positions for the kit: matches that are played out by the rules, stopped where there is something to look at.

Nothing is random: a deal follows from its number, and who is on turn chooses by a rule. So a state looks the same
whenever it is drawn, and no position is there that could not come about.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from games import rules
from games.rules import MatchState, Tile
from games.rules.clock import deadline_of

BEGIN_MS = 1_760_000_000_000
START_BALANCES = (150, 150)  # SB-2
PAUSES_MS = (6_200, 9_800, 4_100, 13_400, 7_700, 11_900, 3_300)  # between two commands, over and over
STEPS_LIMIT = 400

Deal = tuple[Tile, ...]
Choice = Callable[[MatchState, int], rules.PlayerCommand]


@dataclass(frozen=True, slots=True)
class Played:
    """A match at one version. `facts` are those of the running hand, each with the version that brought it;
    `earlier` those of the hands before it.
    """

    state: MatchState
    seq: int = 0
    now_ms: int = BEGIN_MS
    facts: tuple[tuple[int, rules.Fact], ...] = ()
    earlier: tuple[rules.Fact, ...] = ()

    def then(self, command: rules.Command, *, after_ms: int = 5_000, deal: Deal | None = None) -> "Played":
        """The match after one more command. Raises IllegalCommand as the rules do."""
        now_ms = self.now_ms + after_ms
        order = deal if rules.needs_order(self.state, command) else None
        told = rules.decide(self.state, command, arrived_ms=now_ms, now_ms=now_ms, order=order)
        seq = self.seq + 1
        facts, earlier = self.facts, self.earlier
        for fact in told:
            if type(fact) is rules.Dealt:
                earlier = (*earlier, *(before for _seq, before in facts))
                facts = ()
            facts = (*facts, (seq, fact))
        return Played(rules.fold(self.state, told), seq, now_ms, facts, earlier)

    def happened(self, kind: str) -> bool:
        """Whether the last command led to a fact of this type."""
        return any(fact.type == kind for seq, fact in self.facts if seq == self.seq)


def numbered(number: int) -> Deal:
    """The 28 tiles in an order that only depends on `number`."""
    return rules.deal_order(hashlib.sha256(b"%d" % number).digest(), "kit", 1, (None, None))


def written(first: str, second: str, boneyard: str = "") -> Deal:
    """A deal by its two hands and the first tiles of its boneyard, written as "66 65 …"; the others follow in order."""
    hands = [Tile(*sorted(map(int, word))) for word in f"{first} {second} {boneyard}".split()]
    return (*hands, *(tile for tile in rules.TILES if tile not in hands))


def most_points(state: MatchState, seq: int) -> rules.PlayerCommand:
    """The first of the plays that score most."""
    shown = rules.previews(state)
    best = max(shown, key=lambda play: play.due)
    assert state.turn is not None
    return rules.PlayTile(state.turn, best.tile, best.site)


def one_of_them(state: MatchState, seq: int) -> rules.PlayerCommand:
    """One play here, another there."""
    shown = rules.legal_commands(state)[:-2]  # without the resignations
    return shown[(seq * seq + 3 * seq) % len(shown)]


def match(
    *deals: Deal,
    choose: Choice = most_points,
    auctions: Sequence[str] = (),
    balances: tuple[int, int] = START_BALANCES,
    shared_device: bool = False,
) -> Iterator[Played]:
    """The match at every version, until it is over.

    The last deal is dealt again and again. `auctions` has the answers of each auction as words: "15 20 accept".
    """
    options = {"shared_device": True} if shared_device else None
    state = rules.new_match(at_ms=BEGIN_MS, options=options).but(balances=balances)
    now = Played(state)
    answers: list[str] = []
    yield now
    while now.state.phase != "over" and now.seq < STEPS_LIMIT:
        state = now.state
        if state.phase == "auction":
            if state.bid is None:
                answers = auctions[state.hand - 2].split() if state.hand - 2 < len(auctions) else []
            command = _answer(state, answers.pop(0) if answers else "")
        elif state.phase == "play" and rules.previews(state):
            command = choose(state, now.seq)
        else:
            command = rules.legal_commands(state)[0]
        deal = deals[min(state.hand, len(deals) - 1)]
        now = now.then(command, after_ms=PAUSES_MS[now.seq % len(PAUSES_MS)], deal=deal)
        yield now


def until(played: Iterator[Played], is_there: Callable[[Played], bool]) -> Played:
    """The first version of a match that is asked for. Raises LookupError where it never comes."""
    for now in played:
        if is_there(now):
            return now
    raise LookupError("the match never comes to this")


def with_bank(now: Played, bank_ms: int) -> Played:
    """The same position with this much time left to the seat on turn, and the deadline that follows."""
    state = now.state
    assert state.turn is not None
    assert state.turn_started_ms is not None
    banks_ms = tuple(bank_ms if seat == state.turn else bank for seat, bank in enumerate(state.banks_ms))
    deadline_ms = deadline_of(state.turn_started_ms, bank_ms)
    return replace(now, state=state.but(banks_ms=banks_ms, deadline_ms=deadline_ms))


def _answer(state: MatchState, word: str) -> rules.PlayerCommand:
    assert state.turn is not None
    if word.isdecimal():
        kind = rules.Bid if state.bid is None else rules.Raise
        return kind(state.turn, int(word))
    return rules.Decline(state.turn) if state.bid is None else rules.Accept(state.turn)
