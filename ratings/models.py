"""Ratings, and the ledger that explains each of them.

All rating figures are integers in hundredths of a point (`_centi`): 1500.00 is 150000.
The ledger refers to a match by its public id, not by a key: ratings know nothing of games.
"""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ratings.elo import FLOOR_CENTI, INITIAL_CENTI

POOL_MAX_LENGTH = 60


class Rating(models.Model):
    """Where one account stands in one pool. No row means: not rated there yet."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="ratings")
    pool = models.CharField(max_length=POOL_MAX_LENGTH)
    value_centi = models.IntegerField(default=INITIAL_CENTI)
    # Rated matches that still count: a match taken back is taken off here too.
    games = models.IntegerField(default=0)
    # The highest `after` of any ledger row; never lowered.
    peak_centi = models.IntegerField(default=INITIAL_CENTI)
    changed = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("rating")
        verbose_name_plural = _("ratings")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["user", "pool"], name="ratings_rating_once"),
            models.CheckConstraint(condition=Q(value_centi__gte=FLOOR_CENTI), name="ratings_rating_floor"),
            models.CheckConstraint(condition=Q(games__gte=0), name="ratings_rating_games"),
            models.CheckConstraint(condition=Q(peak_centi__gte=F("value_centi")), name="ratings_rating_peak"),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["pool", "-value_centi"], name="ratings_rating_list")
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.pool} {self.value_centi}"


class RatingChange(models.Model):
    """One line of the ledger: appended, never changed, never removed.

    The database itself refuses UPDATE and DELETE. A mistake is put right by a further row that
    names the one it undoes. Rows of a result carry everything the arithmetic used, so that it
    can be done again, by this formula or by another.
    """

    class Reason(models.TextChoices):
        RESULT = "result", _("match result")
        FLOOR = "floor", _("match result, stopped at the floor")
        FARM_LIMIT = "farm-limit", _("match result, gain limited against the same opponent")
        VOID_FAULT = "void-fault", _("taken back: fault of the service")
        REVERSAL = "reversal", _("taken back")
        REFUND = "refund", _("refund")
        ADMIN = "admin", _("correction")

    RESULTS: ClassVar[tuple[str, ...]] = (Reason.RESULT, Reason.FLOOR, Reason.FARM_LIMIT)

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="rating_changes")
    pool = models.CharField(max_length=POOL_MAX_LENGTH)
    match_label = models.CharField(max_length=32, blank=True)
    # Account ids of the other side, ascending, joined by commas: "17" or "17,23".
    opponents_key = models.CharField(max_length=64, blank=True)

    # Frozen at the start of the match. A side's rating is the mean of its players'.
    own_centi = models.IntegerField(null=True)
    own_side_centi = models.IntegerField(null=True)
    opposing_centi = models.IntegerField(null=True)
    own_games = models.IntegerField(null=True)
    opposing_games = models.IntegerField(null=True)
    k = models.IntegerField(null=True)
    farming_factor = models.FloatField(null=True)

    expected = models.FloatField(null=True)
    score = models.FloatField(null=True)
    before_centi = models.IntegerField()
    delta_centi = models.IntegerField()
    after_centi = models.IntegerField()
    reason = models.CharField(max_length=16, choices=Reason)
    undoes = models.ForeignKey("self", on_delete=models.PROTECT, null=True, related_name="undone_by")
    note = models.CharField(max_length=200, blank=True)
    # A quick win of a young account: for people to look at, without holding anything back.
    flagged = models.BooleanField(default=False)
    policy_version = models.CharField(max_length=8)
    created = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("rating change")
        verbose_name_plural = _("rating changes")
        ordering: ClassVar[list[str]] = ["id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["match_label", "user", "reason"], condition=~Q(match_label=""), name="ratings_change_once"
            ),
            models.UniqueConstraint(
                fields=["match_label", "user"],
                condition=Q(reason__in=["result", "floor", "farm-limit"]),
                name="ratings_change_one_result",
            ),
            models.UniqueConstraint(
                fields=["undoes"], condition=Q(undoes__isnull=False), name="ratings_change_undone_once"
            ),
            models.CheckConstraint(
                condition=Q(after_centi=F("before_centi") + F("delta_centi")), name="ratings_change_adds_up"
            ),
            models.CheckConstraint(
                condition=~Q(reason__in=["result", "floor", "farm-limit"])
                | Q(
                    own_centi__isnull=False,
                    own_side_centi__isnull=False,
                    opposing_centi__isnull=False,
                    own_games__isnull=False,
                    opposing_games__isnull=False,
                    k__isnull=False,
                    farming_factor__isnull=False,
                    expected__isnull=False,
                    score__isnull=False,
                ),
                name="ratings_change_inputs",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["user", "pool", "-id"], name="ratings_change_history"),
            models.Index(fields=["user", "opponents_key", "-created"], name="ratings_change_pair"),
            models.Index(fields=["match_label"], name="ratings_change_match"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.pool} {self.delta_centi:+d} {self.reason}"
