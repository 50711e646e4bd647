"""Every state of the table that has to be looked at: a position, who looks at it, and what the page then does."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Literal

from games import device, rules
from games.kit import positions
from games.kit.positions import Played, match, most_points, numbered, one_of_them, until, with_bank
from games.rules.auction import net_price
from games.table import Prefs, Reckoning, Result, SeatCard, TableView, Totals
from ratings.elo import expected

PUBLIC_ID = "Kit0000000"
COMMITMENT = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
SEED = "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752"
START_CAP_MS, CONTINUE_CAP_MS = 60_000, 30_000  # D-1, D-2
LOOKED_AT_MS = 3_200  # after the last command

Viewer = Literal["turn", "other", "winner", "loser", "nobody"] | int
NEAR = ("Zeynep Karahanoğlu", "1684")
FAR = ("Przemysław Wiśniewski-Kowalczyk", "1712")
K = 20
# Acts that open what is no part of the table and is drawn once a page, in its language.
BESIDE = frozenset({"rules", "keys", "sound"})


@dataclass(frozen=True, slots=True)
class Case:
    """One state. `place` gives the position, `viewer` whose page it is; `act` is what kit.js does when it is there.

    `act`: "pick" (the tile with most places), "aim" (and its best place), "refuse" (a tile that does not fit), "bid"
    (the last warning of the auction), "forced" (an answer with one choice, which is shown for a moment: D-7), "resign",
    "lost", "back", "sent"; what is opened: "log" (the panel of a phone), "row", "words", "sum", "proof", "why", and of
    `BESIDE` "rules", "keys", "sound".
    """

    title: str
    place: Callable[[], Played]
    viewer: Viewer = "turn"
    after_ms: int = LOOKED_AT_MS
    act: str = ""
    names: tuple[tuple[str, str], tuple[str, str]] = (NEAR, FAR)
    changes: Mapping[str, Any] = field(default_factory=dict)
    direction: str = ""
    tiles: str = ""

    def view(self, *, language: str = "en", table_format: str = "wide", prefs: Prefs | None = None) -> TableView:
        """What the page of this state is drawn from."""
        now = _placed(self.place)
        state = now.state
        viewer = self._seat(now)
        at_device = state.options.shared_device
        if at_device:
            viewer = device.viewer_of(state)
        near = viewer or 0
        seats = tuple(
            SeatCard(
                seat, seat + 1, *self.names[0 if seat == near else 1], provisional=self._rating(seat, near)[-1:] == "?"
            )
            for seat in range(2)
        )
        is_ready = state.phase == "ready"
        given: dict[str, Any] = {
            "public_id": PUBLIC_ID,
            "seq": now.seq,
            "viewer": viewer,
            "sight": device.sight_of(state) if at_device else rules.sight(state, viewer),
            "at_device": at_device,
            "seats": seats,
            "log": tuple({**rules.sight_fact(fact, viewer), "seq": seq} for seq, fact in now.facts),
            "language": language,
            "table_format": table_format,
            "server_now_ms": now.now_ms + self.after_ms,
            "commitment": "" if state.phase == "over" else COMMITMENT,
            "seed": SEED if state.hand and state.phase in ("ready", "over") else "",
        }
        if is_ready:
            given["cap_ms"] = now.now_ms + (CONTINUE_CAP_MS if state.hand else START_CAP_MS)
        if state.phase == "over":
            given["result"] = _result(now, near, self.names)
        if prefs is not None:
            given["prefs"] = prefs
        changed = {key: value(near) if callable(value) else value for key, value in self.changes.items()}
        return TableView(**{**given, **changed})

    def _rating(self, seat: int, near: int) -> str:
        return self.names[0 if seat == near else 1][1]

    def _seat(self, now: Played) -> int | None:
        state = now.state
        if self.viewer == "nobody":
            return None
        if self.viewer in ("winner", "loser"):
            winner = state.winner
            for _seq, fact in now.facts:
                if isinstance(fact, rules.HandOver) and winner is None:
                    winner = fact.winner
            assert winner is not None
            return winner if self.viewer == "winner" else 1 - winner
        if isinstance(self.viewer, int):
            return self.viewer
        assert state.turn is not None
        return state.turn if self.viewer == "turn" else 1 - state.turn


@lru_cache(maxsize=128)
def _placed(place: Callable[[], Played]) -> Played:
    return place()


def _result(now: Played, near: int, names: tuple[tuple[str, str], tuple[str, str]]) -> Result:
    state = now.state
    if state.winner is None:
        reference = "K7Q2-0419" if state.ending == rules.Ending.SERVICE_FAULT else ""
        return Result(None, state.ending or "", None, reference)
    ratings, reckonings = [], []
    figures = [names[0 if seat == near else 1][1] for seat in range(2)]
    for seat, before in enumerate(figures):
        figure, mark = int(before.rstrip("?")), "?" if before.endswith("?") else ""
        awaited = expected(figure * 100, int(figures[1 - seat].rstrip("?")) * 100)
        change_centi = round(100 * K * ((seat == state.winner) - awaited))
        ratings.append((before, f"{round(figure + change_centi / 100)}{mark}"))
        reckonings.append(Reckoning(awaited, K, change_centi))
    return Result(state.winner, state.ending or "", tuple(ratings), "", tuple(reckonings), _totals(now))


def _totals(now: Played) -> Totals | None:
    """The sums of the match as it was played, as `games.loading` finds them in a log."""
    if not now.state.hand:
        return None
    won, scored, paid = [0, 0], [0, 0], [0, 0]
    for fact in (*now.earlier, *(fact for _seq, fact in now.facts)):
        if isinstance(fact, rules.TilePlayed):
            scored[fact.seat] += fact.due
        elif isinstance(fact, rules.Transferred) and fact.cause == "bid":
            paid[fact.payer] += fact.paid
        elif isinstance(fact, rules.HandOver) and fact.winner is not None:
            won[fact.winner] += 1
    return Totals(tuple(won), tuple(scored), tuple(paid))


# Where the matches are stopped.


def _start(*pressed: int) -> Callable[[], Played]:
    def place() -> Played:
        now = next(match(numbered(1540)))
        for seat in pressed:
            now = now.then(rules.Start(seat), after_ms=9_000)
        return now

    return place


def _middle() -> Iterator[Played]:
    """A hand with everything to be seen: tiles that fit and do not, two scores on one, chips that moved."""
    return match(numbered(14431))


def _at_turn() -> Played:
    return until(_middle(), lambda now: now.seq == 16)


def _must_draw() -> Played:
    return until(match(numbered(3)), lambda now: now.seq == 22 and not rules.previews(now.state))


def _must_play() -> Played:
    return until(match(numbered(664)), lambda now: now.seq == 11 and now.state.must_play is not None)


def _passed() -> Played:
    now = until(match(numbered(1540)), lambda now: _plays(now) and now.happened("passed"))
    return with_bank(now, 64_500)


def _opening() -> Played:
    return until(_middle(), lambda now: now.state.phase == "play")


def _lone_spinner() -> Played:
    return until(_middle(), lambda now: len(_tiles(now)) == 1)


def _two_hands(*auctions: str, **options: Any) -> Iterator[Played]:
    return match(numbered(124), numbered(2), choose=one_of_them, auctions=auctions, **options)


def _one_tile() -> Played:
    return until(
        _two_hands(), lambda now: now.state.hand == 2 and len(_tiles(now)) == 1 and not now.state.layout.spinner
    )


def _free_opening() -> Played:
    return until(_two_hands("15 accept"), lambda now: now.state.hand == 2 and _plays(now))


def _auction(words: str = "", **options: Any) -> Callable[[], Played]:
    """The auction of the second hand after these bids."""

    def place() -> Played:
        bids = len(words.split())
        now = until(_two_hands(words, **options), lambda now: now.state.phase == "auction")
        for word in words.split()[:bids]:
            state = now.state
            assert state.turn is not None
            kind = rules.Bid if state.bid is None else rules.Raise
            now = now.then(kind(state.turn, int(word)), after_ms=6_000)
        return now

    return place


def _everything() -> Played:
    """A raise that the jockey can afford with the whole balance."""
    now = _auction()()
    jockey = now.state.jockey
    assert jockey is not None
    balances = (45, 255) if jockey == 0 else (255, 45)
    now = replace(now, state=now.state.but(balances=balances))
    assert now.state.turn is not None
    now = now.then(rules.Bid(now.state.turn, 30))
    assert any(
        isinstance(offer, rules.Raise) and net_price(offer.amount, is_jockey=True) == 45
        for offer in rules.legal_commands(now.state)
    )
    return now


def _declined_for_them() -> Played:
    """The rival cannot pay the lowest bid, so the service gives the only answer (D-7)."""
    now = until(_two_hands(), lambda now: now.state.phase == "ready" and now.state.hand == 1)
    winner = next(fact.winner for _seq, fact in now.facts if isinstance(fact, rules.HandOver))
    balances = (290, 10) if winner == 0 else (10, 290)
    now = replace(now, state=now.state.but(balances=balances))
    return now.then(rules.Continue(0)).then(rules.Continue(1), deal=numbered(1540))


def _accepted_for_them() -> Played:
    """The other cannot raise, so the service accepts (D-7)."""
    now = _auction()()
    rival, jockey = now.state.turn, now.state.jockey
    assert rival is not None
    assert jockey is not None
    balances = (10, 290) if jockey == 0 else (290, 10)
    now = replace(now, state=now.state.but(balances=balances))
    return now.then(rules.Bid(rival, 45))


def _after(number: int, choose: positions.Choice, *pressed: int) -> Callable[[], Played]:
    """The end of the first hand of a match, with those who have gone on."""

    def place() -> Played:
        now = until(
            match(numbered(number), choose=choose), lambda now: now.state.phase == "ready" and now.state.hand == 1
        )
        for seat in pressed:
            now = now.then(rules.Continue(seat), after_ms=8_000)
        return now

    return place


def _all_chips() -> Played:
    return until(match(numbered(124), balances=(240, 60)), lambda now: now.state.phase == "over")


def _capped() -> Played:
    for number in range(200):
        now = until(match(numbered(number), balances=(270, 30)), lambda now: now.state.phase == "over")
        last = [fact for _seq, fact in now.facts if isinstance(fact, rules.Transferred)][-1]
        if last.paid < last.due and last.cause == "placement":
            return now
    raise LookupError("nobody owes more than there is")


def _ended(command: rules.Command, after_ms: int = 5_000) -> Callable[[], Played]:
    return lambda: _at_turn().then(command, after_ms=after_ms)


def _long() -> Played:
    """As many tiles as a hand can bring upon the table before it ends: the other half of the set lies in no chain."""
    return until(match(numbered(29)), lambda now: len(_tiles(now)) == 26)


def _full_arms() -> Played:
    return until(match(numbered(518), choose=one_of_them), lambda now: now.seq == 41)


def _many(count: int) -> Callable[[], Played]:
    """One holds nearly all the sixes, the other draws until there is one."""
    sixes = "66 56 46 36 26 16"
    boneyard = ["55", "45", "35", "25", "15", "05", "44", "34", "24", "14", "04", "33", "23"]

    def place() -> Played:
        drawn = count - 6  # one of them is laid again
        first = " ".join(f"{low}{high}" for low, high in ((0, 0), (0, 1), (0, 2), (0, 3), (1, 1), (1, 2), (1, 3)))
        order = [*boneyard[: drawn - 1], "06", *boneyard[drawn - 1 :]]
        deal = positions.written(first, f"{sixes} 22", " ".join(order))
        now = until(match(deal), lambda now: len(now.state.held[0]) == count + 1)
        now = until(
            _on(now),
            lambda now: now.state.turn == 0 and now.state.must_play is None and bool(rules.previews(now.state)),
        )
        return with_bank(now, 88_000)

    return place


def _on(now: Played) -> Iterator[Played]:
    while True:
        yield now
        command = most_points(now.state, 0) if rules.previews(now.state) else rules.legal_commands(now.state)[0]
        now = now.then(command)


def _curtain() -> Played:
    return until(
        match(numbered(1540), choose=one_of_them, shared_device=True),
        lambda now: now.state.phase == "curtain" and len(_tiles(now)) > 5,
    )


def _first_curtain() -> Played:
    return until(match(numbered(1540), shared_device=True), lambda now: now.state.phase == "curtain")


def _plays(now: Played) -> bool:
    return now.state.phase == "play" and now.state.turn is not None


def _tiles(now: Played) -> tuple[rules.Tile, ...]:
    return now.state.layout.tiles


def _little_time(turn_ms: int) -> Callable[[], Played]:
    return lambda: with_bank(_at_turn(), turn_ms)


def _away(near: int) -> tuple[int | None, ...]:
    return (None, 14_000) if near == 0 else (14_000, None)


def _provisional(names: tuple[tuple[str, str], tuple[str, str]]) -> tuple[tuple[str, str], tuple[str, str]]:
    return ((names[0][0], "1512?"), names[1])


GROUPS: Mapping[str, Mapping[str, Case]] = {
    "Before Start": {
        "start": Case("Nobody has pressed", _start(), 0),
        "start-waiting": Case("I have pressed", _start(0), 0),
        "start-other": Case("The other has pressed", _start(1), 0),
        "start-spectator": Case("Seen by a spectator", _start(1), "nobody"),
    },
    "Turns": {
        "your-turn": Case("Your turn", _at_turn),
        "picked": Case("A tile is picked", _at_turn, act="pick"),
        "aimed": Case("A place is aimed at", _at_turn, act="aim"),
        "sent": Case("Played, not yet confirmed", _at_turn, act="sent"),
        "refused": Case("A tile that does not fit", _at_turn, act="refuse"),
        "ends-only": Case("Hints: ends only", _at_turn, changes={"prefs": Prefs(hints=False)}),
        "move-list": Case("The list of moves", _at_turn, changes={"prefs": Prefs(move_list=True)}),
        "opponents-turn": Case("The opponent's turn", _at_turn, "other"),
        "must-draw": Case("Nothing fits", _must_draw),
        "drew": Case("The drawn tile fits", _must_play),
        "opponent-drew": Case("The opponent draws", _must_play, "other"),
        "passed": Case("The other has passed", _passed),
        "passed-yourself": Case("I have passed", _passed, "other"),
        "opening": Case("Empty cloth: open with the highest tile", _opening),
        "opening-free": Case("Empty cloth: open with any tile", _free_opening),
        "opening-other": Case("Empty cloth: the other opens", _opening, "other"),
        "resign": Case("Resignation is asked twice", _at_turn, act="resign"),
        "resign-casual": Case("Resignation of a casual match", _at_turn, act="resign", changes={"rated": False}),
    },
    "Auction": {
        "auction-first": Case("First decision, of the non-jockey", _auction()),
        "auction-raise": Case("Raise as jockey, with discount", _auction("20")),
        "auction-answer": Case("Answer of the non-jockey", _auction("20 35")),
        "auction-waiting": Case("The other decides", _auction("20"), "other"),
        "auction-first-waiting": Case("The other decides first", _auction(), "other"),
        "auction-long": Case("Many bids", _auction("15 20 25 30 35 40 45 50 55 60")),
        "auction-everything": Case("A bid that loses the match", _everything),
        "auction-everything-asked": Case("A bid that loses the match: asked again", _everything, act="bid"),
        "auction-spectator": Case("Seen by a spectator", _auction("20 35"), "nobody"),
        "auction-declined": Case("Automatic: no bid, too few points", _declined_for_them, after_ms=200, act="forced"),
        "auction-declined-yours": Case(
            "Automatic: no bid of yours", _declined_for_them, "other", after_ms=200, act="forced"
        ),
        "auction-accepted": Case(
            "Automatic: accepted, no raise is possible", _accepted_for_them, after_ms=200, act="forced"
        ),
        "auction-accepted-yours": Case(
            "Automatic: accepted for you", _accepted_for_them, "other", after_ms=200, act="forced"
        ),
    },
    "Clocks and connection": {
        "bank-runs": Case("The delay is used up", _at_turn, after_ms=34_000),
        "low-time": Case("Low time", _little_time(8_400), after_ms=10_000),
        "low-time-delay": Case("Low time, in the delay", _little_time(17_000)),
        "low-time-other": Case("Low time of the opponent", _little_time(8_400), "other", after_ms=10_000),
        "time-up": Case("The time is up, not yet judged", _little_time(8_400), after_ms=18_400),
        "reconnecting": Case("Reconnecting", _at_turn, act="lost"),
        "back": Case("Connection back", _at_turn, act="back"),
        "away": Case("The opponent is away", _at_turn, changes={"away": _away}),
        "away-on-turn": Case("The opponent is away, on turn", _at_turn, "other", changes={"away": _away}),
        "spectator": Case("Spectator", _at_turn, "nobody"),
    },
    "End of a hand": {
        "settlement-out": Case("You went out: jockey", _after(124, one_of_them), "winner"),
        "settlement-out-other": Case("The other went out", _after(124, one_of_them), "loser"),
        "settlement-blocked": Case("Blocked: lighter", _after(70, most_points), "winner"),
        "settlement-blocked-heavier": Case("Blocked: heavier", _after(518, one_of_them), "loser"),
        "settlement-blocked-equal": Case("Blocked: equal", _after(1044, one_of_them), 0),
        "settlement-waiting": Case("Waiting for the other", _after(124, one_of_them, 0), 0),
        "settlement-other-waits": Case("The other has gone on", _after(70, most_points, 1), 0),
        "settlement-spectator": Case("Seen by a spectator", _after(70, most_points), "nobody"),
    },
    "Result": {
        "victory-chips": Case("Victory: all chips", _all_chips, "winner"),
        "defeat-chips": Case("Defeat: all chips", _all_chips, "loser"),
        "victory-capped": Case("Victory: more was due than paid", _capped, "winner"),
        "defeat-capped": Case("Defeat: more was due than paid", _capped, "loser"),
        "victory-time": Case("Victory: time", _ended(rules.ExpireTime(), 400_000), "winner"),
        "defeat-time": Case("Defeat: time", _ended(rules.ExpireTime(), 400_000), "loser"),
        "victory-resigned": Case("Victory: the other resigned", _ended(rules.Resign(1)), "winner"),
        "defeat-resigned": Case("Defeat: you resigned", _ended(rules.Resign(1)), "loser"),
        "cancelled": Case(
            "No result: cancelled", lambda: _start(0)().then(rules.CancelUnstarted((1,)), after_ms=60_000), 0
        ),
        "aborted": Case("No result: aborted by a timing fault", _ended(rules.VoidForFault()), 0),
        "casual": Case(
            "Casual match",
            _ended(rules.Resign(0)),
            "winner",
            changes={"rated": False, "result": lambda near: Result(1, "resign")},
        ),
        "provisional": Case("Provisional rating", _all_chips, "winner", names=_provisional((NEAR, FAR))),
        "result-spectator": Case("Seen by a spectator", _all_chips, "nobody"),
    },
    "Opened": {
        "log": Case("The score log, on a phone over the table", _at_turn, act="log"),
        "log-row": Case("Why a row of the log scored", _at_turn, act="row"),
        "describe": Case("The table in words", _at_turn, act="words"),
        "sum": Case("How the ends add up", _at_turn, act="sum"),
        "proof-start": Case("How the first deal can be checked", _start(0), 0, act="proof"),
        "proof-settlement": Case("How a deal can be checked", _after(70, most_points), "winner", act="proof"),
        "ratings-why": Case("Why the ratings moved", _all_chips, "winner", act="why"),
        "rules-beside": Case("The rules beside the table", _at_turn, act="rules"),
        "keys": Case("The keys", _at_turn, act="keys"),
        "sound": Case("What is heard", _at_turn, act="sound"),
    },
    "One device": {
        "curtain-first": Case("Curtain before the first turn", _first_curtain),
        "curtain": Case("Curtain in a hand", _curtain),
    },
    "Tight places": {
        "lone-spinner": Case("A lone spinner", _lone_spinner),
        "one-tile": Case("One tile, no spinner", _one_tile),
        "long-chain": Case("26 tiles on the table", _long),
        "long-chain-other": Case("26 tiles on the table, other side", _long, "other"),
        "full-arms": Case("Four full arms", _full_arms, "nobody"),
        "hand-of-12": Case("A hand of 12", _many(12)),
        "hand-of-20": Case("A hand of 20", _many(20)),
        "hand-of-20-other": Case("The opponent holds 20", _many(20), "other"),
        "long-names": Case(
            "Very long names",
            _at_turn,
            names=(("Konstantynopolitańczykowianecz", "2101"), ("Szczepan Brzęczyszczykiewicz II", "1987?")),
        ),
        "ebony": Case("Ebony tiles", _at_turn, act="pick", tiles="ebony"),
        "rtl": Case("Right to left", _at_turn, act="pick", direction="rtl"),
        "rtl-settlement": Case("Right to left, end of a hand", _after(70, most_points), "winner", direction="rtl"),
    },
}

CASES: Mapping[str, Case] = {name: case for group in GROUPS.values() for name, case in group.items()}
