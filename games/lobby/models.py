"""Open offers of a match in the lobby. No rules, no pairing: see `service.py`."""

import secrets

from django.conf import settings
from django.db import models
from django.db.models import Q


def new_public_id() -> str:
    """Ten characters of a URL-safe alphabet that no one can guess."""
    return secrets.token_urlsafe(8)[:10]


class Offer(models.Model):
    """One offer to play; taken, cancelled or expired exactly once.

    An offer lives as long as its owner is seen: `seen_at_ms` is moved on by every
    socket and page of the owner's, and an offer that has not been seen for
    `OWNER_GONE_MS` is expired (see `service.expire_offers`).
    """

    class Status(models.TextChoices):
        OPEN = "open"
        TAKEN = "taken"
        CANCELLED = "cancelled"
        EXPIRED = "expired"

    public_id = models.CharField(max_length=10, unique=True, default=new_public_id, editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="offers")
    # A person has one open offer at a time, a program any number: the constraint below needs it on the row.
    by_program = models.BooleanField(default=False)
    variant = models.CharField(max_length=32)
    options = models.JSONField(default=dict)
    rated = models.BooleanField(default=True)
    pool = models.CharField(max_length=64)
    status = models.CharField(max_length=9, choices=Status.choices, default=Status.OPEN)
    taken_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="taken_offers"
    )
    match = models.ForeignKey("games.Match", null=True, blank=True, on_delete=models.SET_NULL, related_name="offers")
    created_at_ms = models.BigIntegerField()
    expires_at_ms = models.BigIntegerField()
    seen_at_ms = models.BigIntegerField()

    class Meta:
        ordering = ("created_at_ms", "id")
        constraints = (
            models.UniqueConstraint(
                fields=("owner",), condition=Q(status="open", by_program=False), name="one_open_offer_a_person"
            ),
            models.CheckConstraint(
                condition=Q(status__in=("open", "taken", "cancelled", "expired")), name="offer_status_known"
            ),
        )
        indexes = (models.Index(fields=("status", "seen_at_ms"), name="offer_open", condition=Q(status="open")),)

    def __str__(self) -> str:
        return f"{self.public_id} {self.variant} {self.status}"
