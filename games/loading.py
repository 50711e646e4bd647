"""What the live table reads from the database: a match as a whole, what changed since, where all of them stand.

Few queries, plain values, no locks. Everything read here holds secrets and goes no further than `games.live`.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass, field

from games import rules
from games.errors import NoSuchMatch
from games.models import Hand, Match, MatchEvent, Seat
from games.table import Reckoning, Result, SeatCard, Totals
from ratings.models import RatingChange
from ratings.service import ShownChange, changes_of_match

SINCE_LIMIT = 200  # more than this many versions behind: read the match as a whole
CENTI = 100  # ratings are stored in hundredths

NumberedFact = tuple[int, rules.Fact]


@dataclass(frozen=True, slots=True)
class Details:
    """What changes with a hand, not with a move."""

    cap_ms: int | None
    commitment: str
    seed: str
    result: Result | None


@dataclass(frozen=True, slots=True)
class Loaded:
    """A match as the database has it. `facts` are those of the hand on the table, numbered by `seq`."""

    match_id: int
    public_id: str
    seq: int
    rated: bool
    device: str = field(repr=False)  # the digest of the only browser that may see it; "" for everybody's (D-4)
    seats: tuple[SeatCard, ...]
    state: rules.MatchState = field(repr=False)
    facts: tuple[NumberedFact, ...] = field(repr=False)
    details: Details = field(repr=False)


def load_match(public_id: str) -> Loaded:
    """The match as it is now. Raises `NoSuchMatch`.

    Row and log are read one after the other; events beyond the row's `seq` belong to moves made in between and
    are left out.
    """
    row = Match.objects.filter(public_id=public_id).values("id", "seq", "snapshot", "rated", "device").first()
    if row is None:
        raise NoSuchMatch
    state = _decode(row["snapshot"])
    events = MatchEvent.objects.filter(match_id=row["id"], hand_no=state.hand, seq__lte=row["seq"]).order_by("seq")
    facts = [(seq, rules.load_fact(fact)) for seq, told in events.values_list("seq", "facts") for fact in told]
    return Loaded(
        match_id=row["id"],
        public_id=public_id,
        seq=row["seq"],
        rated=row["rated"],
        device=row["device"],
        seats=_seat_cards(row["id"]),
        state=state,
        facts=tuple(facts),
        details=load_details(row["id"], state),
    )


def load_seq(public_id: str, *, device: str = "") -> int | None:
    """Where the database has this match; None when there is none, or none for this device."""
    return Match.objects.filter(public_id=public_id, device__in=("", device)).values_list("seq", flat=True).first()


def load_details(match_id: int, state: rules.MatchState) -> Details:
    """What the table shows beside the state. The seed of a hand only when that hand is over (D-32)."""
    row = Match.objects.values("public_id", "cap_ms", "ended_at", "rated", "player_ids").get(pk=match_id)
    hands = {
        number: (commitment, seed if over_ms is not None else "")
        for number, commitment, seed, over_ms in Hand.objects.filter(
            match_id=match_id, number__in=(state.hand, state.hand + 1)
        ).values_list("number", "commitment", "seed", "over_ms")
    }
    stands = state.phase in ("ready", "over")
    coming = state.hand + 1 if state.phase == "ready" else state.hand
    return Details(
        cap_ms=row["cap_ms"],
        commitment=hands.get(coming, ("", ""))[0],
        seed=hands.get(state.hand, ("", ""))[1] if stands else "",
        result=_result(match_id, row["public_id"], row["player_ids"], row["rated"], state)
        if state.phase == "over"
        else None,
    )


def load_since(match_id: int, seq: int) -> list[tuple[int, list[rules.Fact]]] | None:
    """The facts of each version after `seq`, in order; None when there is a gap or far too many."""
    events = MatchEvent.objects.filter(match_id=match_id, seq__gt=seq).order_by("seq")
    rows = list(events.values_list("seq", "facts")[:SINCE_LIMIT])
    if len(rows) == SINCE_LIMIT or [row[0] for row in rows] != list(range(seq + 1, seq + 1 + len(rows))):
        return None
    return [(row_seq, [rules.load_fact(fact) for fact in told]) for row_seq, told in rows]


def load_seqs(match_ids: Collection[int]) -> dict[int, int]:
    """Where the database has each match; one query."""
    return dict(Match.objects.filter(pk__in=match_ids).values_list("pk", "seq"))


def rating_text(centi: int | None, *, provisional: bool = False) -> str:
    """A rating as shown next to a name: "1684", or "1512?" while it is provisional."""
    if centi is None:
        return ""
    return f"{(centi + CENTI // 2) // CENTI}{'?' if provisional else ''}"


def _decode(text: str) -> rules.MatchState:
    return rules.load_state(json.loads(text))


def _seat_cards(match_id: int) -> tuple[SeatCard, ...]:
    rows = Seat.objects.filter(match_id=match_id).order_by("index")
    return tuple(
        SeatCard(
            index=index,
            user_id=user_id,
            name=account or name,
            rating_text=rating_text(centi, provisional=bool(provisional)),
            is_program=bool(is_program),
            provisional=bool(provisional),
        )
        for index, user_id, account, name, is_program, centi, provisional in rows.values_list(
            "index", "user_id", "user__username", "name", "user__is_program", "rating_at_start", "provisional_at_start"
        )
    )


def _result(
    match_id: int, public_id: str, player_ids: list[int | None], rated: bool, state: rules.MatchState
) -> Result:
    changes = changes_of_match(public_id) if rated else {}
    by_seat = [changes.get(user_id) if user_id is not None else None for user_id in player_ids]
    return Result(
        winner=state.winner,
        ending=state.ending or "",
        ratings=tuple(None if change is None else (change.before_text, change.after_text) for change in by_seat)
        if changes
        else None,
        reference=public_id,
        reckonings=tuple(_reckoning(change) for change in by_seat) if changes else None,
        totals=_totals(match_id, len(player_ids)) if state.hand > 0 else None,
    )


def _reckoning(change: ShownChange | None) -> Reckoning | None:
    if change is None or change.expected is None or change.k is None:
        return None
    return Reckoning(
        expected=change.expected,
        k=change.k,
        delta_centi=change.delta_centi,
        farming_factor=1.0 if change.farming_factor is None else change.farming_factor,
        is_floored=change.reason == RatingChange.Reason.FLOOR,
    )


def _totals(match_id: int, seats: int) -> Totals:
    """Added up from the whole log, which is read for this once the match is over and not before."""
    won, scored, paid = [0] * seats, [0] * seats, [0] * seats
    for facts in MatchEvent.objects.filter(match_id=match_id).values_list("facts", flat=True).iterator():
        for fact in facts:
            if fact["type"] == "played":
                scored[fact["seat"]] += fact["due"]
            elif fact["type"] == "transferred" and fact["cause"] == "bid":
                paid[fact["payer"]] += fact["paid"]
            elif fact["type"] == "hand_over" and fact["winner"] is not None:
                won[fact["winner"]] += 1
    return Totals(tuple(won), tuple(scored), tuple(paid))
