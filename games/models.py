"""What is stored of a match: the match, its seats, its deals and its log.

No rules live here and nothing here changes a match: `games.service` is the only writer.
`MatchEvent` is the record; `Match.snapshot` is the state after `Match.seq`, and a few columns
of `Match` repeat what queries ask for. Seeds, nonces, snapshots, commands and facts are secret
while a hand runs: no `__str__` names them, and ways out go through `games.access` and
`games.rules.sight`.
"""

from __future__ import annotations

import secrets

from django.conf import settings
from django.db import models
from django.db.models import F, Q

PUBLIC_ID_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ"
PUBLIC_ID_LENGTH = 10


def new_public_id() -> str:
    """A random name for a match: 10 characters that need no quoting in an address."""
    return "".join(secrets.choice(PUBLIC_ID_ALPHABET) for _ in range(PUBLIC_ID_LENGTH))


class Match(models.Model):
    """A match and where it stands after `seq` accepted commands."""

    class Status(models.TextChoices):
        WAITING = "waiting"  # before the first deal
        PLAYING = "playing"
        FINISHED = "finished"  # won by balance, time or resignation
        CANCELLED = "cancelled"  # D-1
        ABORTED = "aborted"  # D-28

    RUNNING = (Status.WAITING, Status.PLAYING)

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    variant = models.CharField(max_length=32, default="spectacular-bid")
    options = models.JSONField(default=dict, blank=True)
    rules_version = models.CharField(max_length=16)
    rated = models.BooleanField(default=False)
    pool = models.CharField(max_length=64, blank=True, default="")
    status = models.CharField(max_length=9, choices=Status, default=Status.WAITING)
    phase = models.CharField(max_length=8, default="ready")
    seq = models.PositiveIntegerField(default=0)
    # The state before the first command, as JSON text. Kept, so that a log can be folded without
    # knowing how the rules of its day began a match.
    origin = models.TextField(editable=False)
    # The state after `seq`. Text, not a JSON column: the service decodes it only when its cache misses.
    snapshot = models.TextField(editable=False)
    # User ids by seat (null: a guest), so that a command needs no statement to know its sender's seat.
    player_ids = models.JSONField(default=list)
    # A match of two people at one browser: the digest of the key that this browser holds (D-4, games.device).
    # Empty: everybody has a seat and a device of their own.
    device = models.CharField(max_length=64, blank=True, default="", editable=False)
    turn_seat = models.PositiveSmallIntegerField(null=True, blank=True)
    deadline_ms = models.BigIntegerField(null=True, blank=True)  # SB-70
    cap_ms = models.BigIntegerField(null=True, blank=True)  # D-1, D-2
    hand_no = models.PositiveIntegerField(default=0)
    ending = models.CharField(max_length=16, blank=True, default="")
    winner = models.PositiveSmallIntegerField(null=True, blank=True)
    absent = models.JSONField(default=list, blank=True)  # seats that never started (D-1)
    void_reason = models.CharField(max_length=200, blank=True, default="")
    voided_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)  # the first deal
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "matches"
        constraints = (
            models.CheckConstraint(
                name="games_match_status_known",
                condition=Q(status__in=("waiting", "playing", "finished", "cancelled", "aborted")),
            ),
            # D-4: there is nobody whom it could be counted for.
            models.CheckConstraint(
                name="games_match_at_one_device_unrated",
                condition=Q(device="") | Q(rated=False, pool=""),
            ),
            models.UniqueConstraint(
                name="games_match_one_running_at_device",
                fields=("device",),
                condition=~Q(device="") & Q(status__in=("waiting", "playing")),
            ),
            models.CheckConstraint(
                name="games_match_clock_only_while_playing",
                condition=Q(deadline_ms__isnull=True) | Q(status="playing", turn_seat__isnull=False),
            ),
            models.CheckConstraint(
                name="games_match_cap_only_while_running",
                condition=Q(cap_ms__isnull=True) | Q(status__in=("waiting", "playing")),
            ),
            models.CheckConstraint(
                name="games_match_winner_only_when_finished",
                condition=Q(status="finished", winner__isnull=False) | (~Q(status="finished") & Q(winner__isnull=True)),
            ),
            models.CheckConstraint(
                name="games_match_over_has_ending",
                condition=(
                    Q(status__in=("waiting", "playing"), ending="", ended_at__isnull=True)
                    | (Q(status__in=("finished", "cancelled", "aborted"), ended_at__isnull=False) & ~Q(ending=""))
                ),
            ),
        )
        indexes = (
            # Only running matches are due (see the constraints). Not on the status: SQLite uses such an
            # index for a query with parameters only if it asks for nothing but "is not null".
            models.Index(
                name="games_match_due_deadline", fields=["deadline_ms"], condition=Q(deadline_ms__isnull=False)
            ),
            models.Index(name="games_match_due_cap", fields=["cap_ms"], condition=Q(cap_ms__isnull=False)),
            models.Index(name="games_match_by_status", fields=["status", "-created_at"]),
        )

    def __str__(self) -> str:
        return f"match {self.public_id}"

    @property
    def is_running(self) -> bool:
        """Whether somebody may still act in it."""
        return self.status in self.RUNNING

    @property
    def counts(self) -> bool:
        """Whether a win moves ratings: in a rated match, from the first deal on (D-34)."""
        return self.rated and self.hand_no > 0


class Seat(models.Model):
    """Who sits where, and the rating facts frozen when the match was made."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="seats")
    index = models.PositiveSmallIntegerField()
    side = models.PositiveSmallIntegerField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="seats"
    )
    name = models.CharField(max_length=30, blank=True, default="")  # of a guest
    # The person who is bound to this match while it runs. Unique: one active match per person;
    # null for programs, which may have several, and for everybody once the match is over.
    active_person = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="active_seat"
    )
    points = models.PositiveIntegerField(default=0)  # at the start; rewritten when the match ends
    # Hundredths of a rating point; null where nothing was frozen (unrated).
    rating_at_start = models.IntegerField(null=True, blank=True)
    k_at_start = models.PositiveSmallIntegerField(null=True, blank=True)
    games_at_start = models.PositiveIntegerField(null=True, blank=True)
    farming_factor = models.DecimalField(max_digits=6, decimal_places=4, null=True, blank=True)
    provisional_at_start = models.BooleanField(null=True, blank=True)

    class Meta:
        ordering = ("match_id", "index")
        constraints = (
            models.UniqueConstraint(name="games_seat_once", fields=["match", "index"]),
            models.UniqueConstraint(
                name="games_seat_user_once", fields=["match", "user"], condition=Q(user__isnull=False)
            ),
            models.CheckConstraint(name="games_seat_name_of_guest", condition=Q(name="") | Q(user__isnull=True)),
            models.CheckConstraint(
                name="games_seat_active_is_user",
                condition=Q(active_person__isnull=True) | Q(active_person=F("user")),
            ),
        )

    def __str__(self) -> str:
        return f"seat {self.index} of match {self.match_id}"


class Hand(models.Model):
    """One deal: committed to before Start or Continue, revealed when the hand is over (D-32)."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="hands")
    number = models.PositiveIntegerField()
    seed = models.CharField(max_length=64, editable=False)  # 32 bytes in hex; secret until the hand is over
    commitment = models.CharField(max_length=64, editable=False)
    nonces = models.JSONField(default=list, editable=False)  # hex or null, by seat
    opener = models.PositiveSmallIntegerField(null=True, blank=True)
    dealt_ms = models.BigIntegerField(null=True, blank=True)
    over_ms = models.BigIntegerField(null=True, blank=True)
    ending = models.CharField(max_length=16, blank=True, default="")  # domino, block or the match's ending

    class Meta:
        ordering = ("match_id", "number")
        constraints = (
            models.UniqueConstraint(name="games_hand_once", fields=["match", "number"]),
            models.CheckConstraint(
                name="games_hand_over_was_dealt", condition=Q(over_ms__isnull=True) | Q(dealt_ms__isnull=False)
            ),
        )

    def __str__(self) -> str:
        return f"hand {self.number} of match {self.match_id}"


class MatchEvent(models.Model):
    """One accepted command and the facts it led to. Written once, never changed."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="events", db_index=False)
    seq = models.PositiveIntegerField()
    hand_no = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField(null=True, blank=True)  # null: a command of the system
    kind = models.CharField(max_length=16)
    command = models.JSONField()
    # Null: the server acted by itself. Null and not empty, for the uniqueness below.
    command_id = models.CharField(max_length=64, null=True, blank=True)  # noqa: DJ001
    facts = models.JSONField()
    arrived_ms = models.BigIntegerField()  # D-25
    applied_ms = models.BigIntegerField()  # D-26

    class Meta:
        ordering = ("match_id", "seq")
        constraints = (
            models.UniqueConstraint(name="games_event_seq_once", fields=["match", "seq"]),
            models.UniqueConstraint(name="games_event_command_once", fields=["match", "seat", "command_id"]),
        )

    def __str__(self) -> str:
        return f"event {self.seq} of match {self.match_id}"
