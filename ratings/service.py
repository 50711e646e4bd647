"""Ratings read, promised, recorded and taken back: the only place that writes them.

A match is rated in three steps. `freeze` reads what counts when it starts; the caller keeps
that. `preview` says from the same figures what each result would move. `record_result` applies
exactly this when the match is over, inside the caller's transaction, and appends to the ledger.
Matches are named by label only: ratings know nothing of games.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import takewhile
from typing import TYPE_CHECKING, Protocol

from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils import timezone

from ratings import elo
from ratings.messages import points_text, pool_name, rating_text, signed_text
from ratings.models import Rating, RatingChange

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from accounts.models import User

PROGRAMS_SUFFIX = "-programs"

DAY_LIMIT = 5
WEEK_LIMIT = 20
DAY = timedelta(hours=24)
WEEK = timedelta(days=7)

# A win this quick by an account this young is marked for people to look at.
QUICK_WIN_MS = 60_000
YOUNG_ACCOUNT = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class RatingFigure:
    """A rating as it stands; `value_centi` and `peak_centi` in hundredths of a point."""

    user_id: int
    pool: str
    value_centi: int = elo.INITIAL_CENTI
    games: int = 0
    peak_centi: int = elo.INITIAL_CENTI

    @property
    def is_provisional(self) -> bool:
        """Whether it carries a question mark."""
        return elo.is_provisional(self.games)

    @property
    def text(self) -> str:
        """As shown: "1512", or "1512?" while provisional."""
        return rating_text(self.value_centi, self.games)


@dataclass(frozen=True, slots=True)
class Frozen:
    """What counts for one player of a match, as it was when the match started.

    `rating` in hundredths of a point; `k` already halved against a newcomer; `farming_factor`
    1, 0.5 or 0, for gains only.
    """

    user_id: int
    rating: int
    k: int
    games: int
    farming_factor: float
    provisional: bool


class FrozenLike(Protocol):
    """What `record_result` asks of a seat; `Frozen` is one."""

    @property
    def user_id(self) -> int: ...
    @property
    def rating(self) -> int: ...
    @property
    def k(self) -> int: ...
    @property
    def games(self) -> int: ...
    @property
    def farming_factor(self) -> float: ...


@dataclass(frozen=True, slots=True)
class Stake:
    """What one match can move for one player, in hundredths of a point."""

    user_id: int
    win_centi: int
    draw_centi: int
    loss_centi: int
    k: int

    @property
    def gain_text(self) -> str:
        """What a win brings, "+9.2"."""
        return signed_text(self.win_centi)

    @property
    def loss_text(self) -> str:
        """What a loss costs, "−10.8"."""
        return signed_text(self.loss_centi)

    @property
    def text(self) -> str:
        """Both, with K: "+9.2 / −10.8 (K 20)"."""
        return f"{self.gain_text} / {self.loss_text} (K {self.k})"


@dataclass(frozen=True, slots=True)
class Preview:
    """The stakes of both players; the plain attributes are the first one's."""

    own: Stake
    other: Stake

    @property
    def k(self) -> int:
        """The first player's K."""
        return self.own.k

    @property
    def gain_text(self) -> str:
        """What a win brings the first player."""
        return self.own.gain_text

    @property
    def loss_text(self) -> str:
        """What a loss costs the first player."""
        return self.own.loss_text

    @property
    def text(self) -> str:
        """The first player's stakes in a line."""
        return self.own.text


@dataclass(frozen=True, slots=True)
class Terms:
    """How a match against one opponent would count: casual, with the reason, or rated for a stake."""

    casual_reason: str
    stake: Stake | None


@dataclass(frozen=True, slots=True)
class ShownChange:
    """One line of the ledger, ready for a page; ratings with a question mark while they were provisional."""

    match_label: str
    opponents: tuple[str, ...]
    before_text: str
    after_text: str
    delta_centi: int
    delta_text: str
    reason: str
    reason_text: str
    created: datetime
    # What the arithmetic of a result used; None for other lines.
    expected: float | None
    k: int | None
    farming_factor: float | None


@dataclass(frozen=True, slots=True)
class RatingCard:
    """A rating and its last changes: the context of `ratings/_card.html`."""

    pool: str
    pool_name: str
    figure: RatingFigure
    peak_text: str
    matches_to_list: int
    changes: tuple[ShownChange, ...]


def pool_for(variant: str, seats: int, programs: bool) -> str:
    """The pool a match of these is rated in.

    Only default options are rated (CL-30), so there is one target and one clock for each.

    >>> pool_for("spectacular-bid", 2, programs=False), pool_for("goat", 4, programs=True)
    ('spectacular-bid-duel', 'goat-pairs-programs')
    """
    return f"{variant}-{'duel' if seats == 2 else 'pairs'}{PROGRAMS_SUFFIX if programs else ''}"


def is_program_pool(pool: str) -> bool:
    """Whether programs are rated here, and nobody else."""
    return pool.endswith(PROGRAMS_SUFFIX)


def rating_of(user: "User", pool: str) -> RatingFigure:
    """Where the account stands in the pool."""
    return ratings_of([user], pool)[user.pk]


def ratings_of(users: Iterable["User"], pool: str) -> dict[int, RatingFigure]:
    """Where each account stands in the pool, by account id, in one query."""
    ids = [user.pk for user in users]
    figures = {user_id: RatingFigure(user_id, pool) for user_id in ids}
    for row in Rating.objects.filter(user_id__in=ids, pool=pool):
        figures[row.user_id] = RatingFigure(row.user_id, pool, row.value_centi, row.games, row.peak_centi)
    return figures


def has_rated_matches(user: "User") -> bool:
    """Whether the ledger holds a result of this account, in any pool, taken back or not."""
    return RatingChange.objects.filter(user=user, reason__in=RatingChange.RESULTS).exists()


def casual_reason(
    owner: "User", taker: "User", pool: str, *, at: datetime | None = None, is_fixture: bool = False, running: int = 0
) -> str:
    """Why a match of these two in this pool would not be rated; "" when it would be.

    "same-person" · "program" (programs are rated among themselves only) · "gap" (over 600
    points) · "day-limit", "week-limit" (5 and 20 rated matches of one pair in rolling 24 hours
    and 7 days, in all pools together; a league's fixtures are exempt).

    `running` is how many rated matches the two play at the moment: they count as well.
    """
    recent = [] if is_fixture else _recent_results(owner.pk, [taker.pk], at or timezone.now())
    figures = ratings_of([owner, taker], pool)
    return _casual_reason(owner, taker, pool, figures, recent, at or timezone.now(), 0 if is_fixture else running)


def terms_against(
    viewer: "User",
    opponents: Iterable["User"],
    pool: str,
    *,
    at: datetime | None = None,
    running: Mapping[int, int] | None = None,
) -> dict[int, Terms]:
    """`casual_reason` and the viewer's stake against each opponent, by their ids, in two queries for all.

    `running`: how many rated matches the viewer plays with each of them at the moment.
    """
    at = at or timezone.now()
    others = {other.pk: other for other in opponents}
    figures = ratings_of([viewer, *others.values()], pool)
    recent = defaultdict(list)
    for result in _recent_results(viewer.pk, others, at):
        recent[result.opponents_key].append(result)
    terms = {}
    for user_id, other in others.items():
        results = recent[_opponents_key([user_id])]
        reason = _casual_reason(other, viewer, pool, figures, results, at, (running or {}).get(user_id, 0))
        stake = None
        if not reason:
            own, opposing = figures[viewer.pk], figures[user_id]
            seats = [
                _frozen(own, [opposing], _straight_wins(result.score for result in results)),
                _frozen(opposing, [own], 0),
            ]
            stake = _stake(seats, 0, own.value_centi)
        terms[user_id] = Terms(reason, stake)
    return terms


def freeze(users: Sequence["User"], pool: str, *, at: datetime | None = None) -> list[Frozen]:
    """What counts for each player of a match that starts now, in seat order.

    Two seats, or four with the partners at 0 and 2, 1 and 3. Read from the database each time: the
    rating of a match that ended a moment ago is in it.
    """
    figures = ratings_of(users, pool)
    ids = [user.pk for user in users]
    at = at or timezone.now()
    frozen = []
    for index, user_id in enumerate(ids):
        opponents = _opponents(ids, index)
        scores = _results_of(user_id, [_opponents_key(opponents)], at).values_list("score", flat=True)
        frozen.append(_frozen(figures[user_id], [figures[other] for other in opponents], _straight_wins(scores)))
    return frozen


def preview(user_a: "User", user_b: "User", pool: str, *, at: datetime | None = None) -> Preview:
    """What each result of a duel would move for both: the very figures `record_result` applies.

    (Unless another match of theirs ends in between and the floor comes into it.)
    """
    seats = freeze([user_a, user_b], pool, at=at)
    figures = ratings_of([user_a, user_b], pool)
    own, other = (_stake(seats, index, figures[seat.user_id].value_centi) for index, seat in enumerate(seats))
    return Preview(own, other)


def record_result(
    *,
    pool: str,
    match_label: str,
    seats: Sequence[FrozenLike],
    scores: Sequence[float],
    at: datetime,
    play_ms: int | None = None,
) -> list[RatingChange]:
    """Rate a finished match; the ledger rows in seat order.

    `scores` per seat: 1 won, 0 lost, ½ tied, partners alike. The change follows from what was
    frozen and is added to the rating as it is now. Recording the same match again changes
    nothing and gives the same rows. `play_ms`, how long was played, lets a quick win of a young
    account be flagged. Runs in the caller's transaction; rating rows are locked in the order
    of their accounts.

    Raises ValueError when seats and scores do not make a result.
    """
    _check_result(seats, scores)
    ids = [seat.user_id for seat in seats]
    with transaction.atomic(savepoint=False):
        # Who had games when the match began has a row.
        rows = _lock_ratings(ids, pool, new=[seat.user_id for seat in seats if seat.games == 0])
        results = RatingChange.objects.filter(match_label=match_label, reason__in=RatingChange.RESULTS)
        if results.exists():
            recorded = {row.user_id: row for row in results}
            return [recorded[user_id] for user_id in ids]
        quick = _young_accounts(ids, at) if play_ms is not None and play_ms < QUICK_WIN_MS else frozenset()
        changes = []
        for index, (seat, score) in enumerate(zip(seats, scores, strict=True)):
            change = _result_row(pool, match_label, seats, index, score, rows[seat.user_id].value_centi, at)
            change.flagged = score == 1 and seat.user_id in quick
            changes.append(change)
        _append(changes, rows, games=1)
    return changes


def reverse_result(
    match_label: str, reason: str = RatingChange.Reason.VOID_FAULT, *, at: datetime | None = None, note: str = ""
) -> list[RatingChange]:
    """Take the result of a match back by counter rows; those rows, in the order of the accounts.

    `reason` is "void-fault" or "reversal". The ratings of today are moved back by what the
    match had moved (never under the floor); no earlier row changes. The match no longer counts
    as a game of the pool; the peak stays. Doing it again changes nothing. A match that was
    never rated has nothing to take back.
    """
    at = at or timezone.now()
    with transaction.atomic(savepoint=False):
        results = list(
            RatingChange.objects.filter(match_label=match_label, reason__in=RatingChange.RESULTS).order_by("user_id")
        )
        if not results:
            return []
        rows = _lock_ratings([result.user_id for result in results], results[0].pool)
        recorded = list(RatingChange.objects.filter(undoes__in=results).order_by("user_id"))
        if recorded:
            return recorded
        counters = []
        for result in results:
            before_centi = rows[result.user_id].value_centi
            delta_centi = elo.apply_floor(before_centi, -result.delta_centi)
            counter = RatingChange(
                user_id=result.user_id,
                pool=result.pool,
                match_label=match_label,
                opponents_key=result.opponents_key,
                before_centi=before_centi,
                delta_centi=delta_centi,
                after_centi=before_centi + delta_centi,
                reason=reason,
                undoes=result,
                note=note,
                policy_version=elo.POLICY_VERSION,
                created=at,
            )
            counters.append(counter)
        _append(counters, rows, games=-1)
    return counters


def last_changes(user: "User", pool: str, limit: int = 10) -> list[ShownChange]:
    """The last lines of the ledger for this account and pool, newest first, in two queries."""
    rows = RatingChange.objects.filter(user=user, pool=pool).select_related("undoes")
    changes = list(rows.order_by("-id")[:limit])
    ids = {user_id for change in changes for user_id in _opponent_ids(change)}
    names = dict(get_user_model().objects.filter(pk__in=ids).values_list("pk", "username"))
    return [_shown(change, names) for change in changes]


def changes_of_match(match_label: str) -> dict[int, ShownChange]:
    """What a rated match moved, by account id, without opponents' names; empty when nothing, or taken back."""
    rows = RatingChange.objects.filter(match_label=match_label, reason__in=RatingChange.RESULTS, undone_by__isnull=True)
    return {row.user_id: _shown(row, {}) for row in rows}


def rating_card(user: "User", pool: str, limit: int = 10) -> RatingCard:
    """The rating in one pool with its last changes, for the player's page."""
    figure = rating_of(user, pool)
    return RatingCard(
        pool=pool,
        pool_name=pool_name(pool),
        figure=figure,
        peak_text=points_text(figure.peak_centi),
        matches_to_list=max(0, elo.PROVISIONAL_GAMES - figure.games),
        changes=tuple(last_changes(user, pool, limit)),
    )


def _opponents(ids: Sequence[int], index: int) -> list[int]:
    return [user_id for other, user_id in enumerate(ids) if (other - index) % 2]


def _opponents_key(ids: Iterable[int]) -> str:
    return ",".join(str(user_id) for user_id in sorted(ids))


def _opponent_ids(change: RatingChange) -> list[int]:
    return [int(user_id) for user_id in change.opponents_key.split(",") if user_id]


def _frozen(figure: RatingFigure, opposing: Sequence[RatingFigure], straight_wins: int) -> Frozen:
    return Frozen(
        user_id=figure.user_id,
        rating=figure.value_centi,
        k=elo.k_factor(figure.games, figure.peak_centi, min(other.games for other in opposing)),
        games=figure.games,
        farming_factor=elo.farming_factor(straight_wins),
        provisional=figure.is_provisional,
    )


def _casual_reason(
    owner: "User",
    taker: "User",
    pool: str,
    figures: Mapping[int, RatingFigure],
    recent: Sequence[RatingChange],
    at: datetime,
    running: int,
) -> str:
    if owner.pk == taker.pk:
        return "same-person"
    if {owner.is_program, taker.is_program} != {is_program_pool(pool)}:
        return "program"
    if elo.is_gap_too_wide(figures[owner.pk].value_centi, figures[taker.pk].value_centi):
        return "gap"
    if sum(result.created > at - DAY for result in recent) + running >= DAY_LIMIT:
        return "day-limit"
    return "week-limit" if len(recent) + running >= WEEK_LIMIT else ""


def _results_of(user_id: int, opponents_keys: Iterable[str], at: datetime) -> "QuerySet[RatingChange]":
    """Results of the last seven days against these sides that still stand, the last one first."""
    return RatingChange.objects.filter(
        user_id=user_id,
        opponents_key__in=list(opponents_keys),
        reason__in=RatingChange.RESULTS,
        undone_by__isnull=True,
        created__gt=at - WEEK,
    ).order_by("-id")


def _recent_results(user_id: int, opponents: Iterable[int], at: datetime) -> list[RatingChange]:
    """The same of duels, by account id of the opponent, with what limits and gains need."""
    keys = [_opponents_key([opponent]) for opponent in opponents]
    return list(_results_of(user_id, keys, at).only("opponents_key", "score", "created"))


def _straight_wins(scores: Iterable[float | None]) -> int:
    """How many of the scores, the last one first, are wins before the first that is none."""
    return sum(1 for _win in takewhile(lambda score: score == 1, scores))


def _sides_centi(seats: Sequence[FrozenLike], index: int) -> tuple[int, int]:
    """Rating of the seat's own side and of the other one."""
    by_parity = [[seat.rating for seat in seats[parity::2]] for parity in (0, 1)]
    return elo.side_centi(by_parity[index % 2]), elo.side_centi(by_parity[1 - index % 2])


def _due_centi(seats: Sequence[FrozenLike], index: int, score: float) -> int:
    """What a result moves for one seat before the floor."""
    own_centi, opposing_centi = _sides_centi(seats, index)
    seat = seats[index]
    return elo.change_centi(own_centi, opposing_centi, score, seat.k, float(seat.farming_factor))


def _stake(seats: Sequence[Frozen], index: int, now_centi: int) -> Stake:
    win, tie, loss = (elo.apply_floor(now_centi, _due_centi(seats, index, score)) for score in (1, 0.5, 0))
    return Stake(seats[index].user_id, win, tie, loss, seats[index].k)


def _check_result(seats: Sequence[FrozenLike], scores: Sequence[float]) -> None:
    if len(seats) not in (2, 4) or len(scores) != len(seats):
        raise ValueError("a result has two or four seats and a score for each")
    if len({seat.user_id for seat in seats}) != len(seats):
        raise ValueError("an account sits once in a match")
    if scores[0] + scores[1] != 1 or any(scores[index] != scores[index % 2] for index in range(len(scores))):
        raise ValueError("the scores of the two sides add up to 1")
    if any(score not in (0, 0.5, 1) for score in scores):
        raise ValueError("a score is 0, 0.5 or 1")


def _lock_ratings(ids: Sequence[int], pool: str, *, new: Sequence[int] = ()) -> dict[int, Rating]:
    """The rating rows, made for the `new` where they are missing, and locked, by account id.

    Always in the order of the accounts, so that two matches that end together cannot wait for
    each other in a ring.
    """
    ordered = sorted(ids)
    if new:
        made = [Rating(user_id=user_id, pool=pool) for user_id in sorted(new)]
        Rating.objects.bulk_create(made, ignore_conflicts=True)
    rows = Rating.objects.select_for_update().filter(user_id__in=ordered, pool=pool).order_by("user_id")
    return {row.user_id: row for row in rows}


def _young_accounts(ids: Sequence[int], at: datetime) -> frozenset[int]:
    young = get_user_model().objects.filter(pk__in=ids, date_joined__gt=at - YOUNG_ACCOUNT)
    return frozenset(young.values_list("pk", flat=True))


def _result_row(
    pool: str,
    match_label: str,
    seats: Sequence[FrozenLike],
    index: int,
    score: float,
    before_centi: int,
    at: datetime,
) -> RatingChange:
    seat = seats[index]
    ids = [other.user_id for other in seats]
    opponents = _opponents(ids, index)
    own_centi, opposing_centi = _sides_centi(seats, index)
    due_centi = _due_centi(seats, index, score)
    delta_centi = elo.apply_floor(before_centi, due_centi)
    expected = elo.expected(own_centi, opposing_centi)
    return RatingChange(
        user_id=seat.user_id,
        pool=pool,
        match_label=match_label,
        opponents_key=_opponents_key(opponents),
        own_centi=seat.rating,
        own_side_centi=own_centi,
        opposing_centi=opposing_centi,
        own_games=seat.games,
        opposing_games=min(other.games for other in seats if other.user_id in opponents),
        k=seat.k,
        farming_factor=float(seat.farming_factor),
        expected=expected,
        score=score,
        before_centi=before_centi,
        delta_centi=delta_centi,
        after_centi=before_centi + delta_centi,
        reason=_result_reason(delta_centi, due_centi, is_limited=score > expected and seat.farming_factor < 1),
        policy_version=elo.POLICY_VERSION,
        created=at,
    )


def _result_reason(delta_centi: int, due_centi: int, *, is_limited: bool) -> str:
    if delta_centi != due_centi:
        return RatingChange.Reason.FLOOR
    return RatingChange.Reason.FARM_LIMIT if is_limited else RatingChange.Reason.RESULT


def _append(changes: Sequence[RatingChange], rows: Mapping[int, Rating], *, games: int) -> None:
    """Write the ledger rows, in this order, and bring the ratings along."""
    RatingChange.objects.bulk_create(changes)
    for change in changes:
        row = rows[change.user_id]
        Rating.objects.filter(pk=row.pk).update(
            value_centi=change.after_centi,
            peak_centi=max(row.peak_centi, change.after_centi),
            games=row.games + games,
            changed=change.created,
        )


def _shown(change: RatingChange, names: dict[int, str]) -> ShownChange:
    before_games, after_games = _games_around(change)
    return ShownChange(
        match_label=change.match_label,
        opponents=tuple(names[user_id] for user_id in _opponent_ids(change) if user_id in names),
        before_text=rating_text(change.before_centi, before_games),
        after_text=rating_text(change.after_centi, after_games),
        delta_centi=change.delta_centi,
        delta_text=signed_text(change.delta_centi),
        reason=change.reason,
        reason_text=str(RatingChange.Reason(change.reason).label),
        created=change.created,
        expected=change.expected,
        k=change.k,
        farming_factor=change.farming_factor,
    )


def _games_around(change: RatingChange) -> tuple[int, int]:
    """How many games the account had before and after a line; a counter row goes back over those of its match."""
    counted = change.undoes or change
    if counted.own_games is None:  # neither a result nor the counter row of one: it moves points, not games
        return elo.PROVISIONAL_GAMES, elo.PROVISIONAL_GAMES
    games = (counted.own_games, counted.own_games + 1)
    return games if counted is change else games[::-1]
