"""Elo, the arithmetic alone: expected score, K, change. Values in, values out.

Ratings are integers in hundredths of a point (`_centi`). The formula is the logistic one of
Elo, "The Rating of Chessplayers, Past and Present" (1978); where a figure follows the practice
of others the function says whose. Nothing here reads a clock, a row or a setting.
"""

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal

POLICY_VERSION = "1"

INITIAL_CENTI = 150_000
FLOOR_CENTI = 40_000
MASTER_CENTI = 240_000
GAP_LIMIT_CENTI = 60_000

PROVISIONAL_GAMES = 30
UNSETTLED_GAMES = 10

K_NEW = 40
K_SETTLED = 20
K_MASTER = 10


def expected(own_centi: int, opposing_centi: int) -> float:
    """The score to be expected, 0 to 1: one over 1 + 10^((Rb - Ra)/400).

    No clamp at 400 points: the curve needs none, and the clamp that FIDE had was farmed
    until it was narrowed in 2025.

    >>> expected(150_000, 150_000)
    0.5
    >>> round(expected(190_000, 150_000), 3)
    0.909
    """
    return 1 / (1 + 10 ** ((opposing_centi - own_centi) / 40_000))


def base_k(games: int, peak_centi: int) -> int:
    """K by the account's own standing in the pool: 40 for the first 30 games, then 20; 10 for good from 2400.

    The steps of FIDE's rating regulations (8.3.3). K 40 for 30 games brings a newcomer
    close to his strength, K 20 afterwards keeps the noise near 43 points.

    >>> base_k(0, INITIAL_CENTI), base_k(30, INITIAL_CENTI), base_k(30, MASTER_CENTI)
    (40, 20, 10)
    """
    if peak_centi >= MASTER_CENTI:
        return K_MASTER
    return K_NEW if games < PROVISIONAL_GAMES else K_SETTLED


def k_factor(games: int, peak_centi: int, opposing_games: int) -> int:
    """K for one match: halved while the other side has fewer than 10 games in the pool.

    A rating that is hardly known yet should not move others much; lichess damps the
    same case by the opponent's rating deviation.

    >>> k_factor(100, INITIAL_CENTI, opposing_games=9), k_factor(100, INITIAL_CENTI, opposing_games=10)
    (10, 20)
    """
    k = base_k(games, peak_centi)
    return k // 2 if opposing_games < UNSETTLED_GAMES else k


def change_centi(own_centi: int, opposing_centi: int, score: float, k: int, farming_factor: float = 1.0) -> int:
    """What a result moves, K * (S - E), in hundredths, before the floor.

    Rounded once, half away from zero, so that equal K gives opposite changes. A gain
    is multiplied by the farming factor, a loss never.

    >>> change_centi(150_000, 150_000, 1, 20), change_centi(150_000, 150_000, 0, 20)
    (1000, -1000)
    >>> change_centi(150_000, 150_000, 1, 20, farming_factor=0.5)
    500
    """
    # E of the weaker side is taken as 1 - E of the stronger, or the last bit of the two
    # could differ and with it the rounding.
    if own_centi <= opposing_centi:
        surplus = score - expected(own_centi, opposing_centi)
    else:
        surplus = (score - 1) + expected(opposing_centi, own_centi)
    raw = Decimal(k * 100) * Decimal(surplus)
    if raw > 0:
        raw *= Decimal(farming_factor)
    return int(raw.quantize(Decimal(1), rounding=ROUND_HALF_UP))


def apply_floor(before_centi: int, delta_centi: int) -> int:
    """The change that is left when no rating may fall under 400.

    lichess keeps the same least rating of 400.

    >>> apply_floor(40_300, -1_000), apply_floor(40_300, 1_000)
    (-300, 1000)
    """
    return max(delta_centi, FLOOR_CENTI - before_centi)


def side_centi(ratings_centi: Sequence[int]) -> int:
    """The rating of a side: the mean of its players', half away from zero.

    >>> side_centi([150_000]), side_centi([150_000, 150_001])
    (150000, 150001)
    """
    mean = Decimal(sum(ratings_centi)) / len(ratings_centi)
    return int(mean.quantize(Decimal(1), rounding=ROUND_HALF_UP))


def is_gap_too_wide(own_centi: int, opposing_centi: int) -> bool:
    """More than 600 points apart: such a match is casual.

    After FIDE's rule for rapid and blitz of December 2024 (7.3.1).

    >>> is_gap_too_wide(210_000, 150_000), is_gap_too_wide(210_001, 150_000)
    (False, True)
    """
    return abs(own_centi - opposing_centi) > GAP_LIMIT_CENTI


def is_provisional(games: int) -> bool:
    """Under 30 games a rating carries a question mark and stays out of the lists, as on lichess.

    >>> is_provisional(29), is_provisional(30)
    (True, False)
    """
    return games < PROVISIONAL_GAMES


def farming_factor(straight_wins: int) -> float:
    """What is left of a gain after so many wins running over one opponent in seven days.

    Whole for the first three, half for the next three, nothing after six. lichess halves
    the gains of repeated wins over bots in the same spirit.

    >>> [farming_factor(wins) for wins in (0, 2, 3, 5, 6)]
    [1.0, 1.0, 0.5, 0.5, 0.0]
    """
    if straight_wins < 3:
        return 1.0
    return 0.5 if straight_wins < 6 else 0.0


def shown_points(value_centi: int) -> int:
    """A rating as it is shown: whole points, half away from zero. The only rounding for display.

    >>> shown_points(150_050), shown_points(150_049)
    (1501, 1500)
    """
    return int((Decimal(value_centi) / 100).quantize(Decimal(1), rounding=ROUND_HALF_UP))
