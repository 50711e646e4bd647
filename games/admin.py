"""Matches for operators: to look at, never to change, and nothing of a hand that still runs (D-32)."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from accounts.read_only import ReadOnly
from games.models import Hand, Match, Seat


class SeatInline(ReadOnly, admin.TabularInline):
    model = Seat
    fields = ("index", "side", "user", "points", "rating_at_start", "k_at_start", "games_at_start", "farming_factor")
    readonly_fields = fields
    extra = 0


class HandInline(ReadOnly, admin.TabularInline):
    model = Hand
    fields = ("number", "commitment", "revealed_seed", "opener", "dealt_ms", "over_ms", "ending")
    readonly_fields = fields
    extra = 0

    @admin.display(description="seed")
    def revealed_seed(self, hand: Hand) -> str:
        """The seed once the hand is over."""
        return hand.seed if hand.over_ms is not None else "—"


@admin.register(Match)
class MatchAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("public_id", "variant", "rated", "status", "phase", "seq", "hand_no", "ending", "created_at")
    list_filter = ("status", "variant", "rated", "ending")
    search_fields = ("public_id", "seats__user__username")
    # The snapshot holds the tiles of both hands; it is not among these.
    fields = (
        "public_id",
        "variant",
        "options",
        "rules_version",
        "rated",
        "pool",
        "status",
        "phase",
        "seq",
        "turn_seat",
        "deadline_ms",
        "cap_ms",
        "hand_no",
        "ending",
        "winner",
        "absent",
        "void_reason",
        "voided_at",
        "created_at",
        "started_at",
        "ended_at",
    )
    readonly_fields = fields
    inlines = (SeatInline, HandInline)

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        """Only of what is shown: an address that filters by the snapshot would tell tile after tile."""
        return lookup.split("__")[0] in self.fields and super().lookup_allowed(lookup, value, request)
