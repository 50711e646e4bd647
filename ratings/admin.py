"""Ratings and the ledger in the admin: to look at only."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from ratings.models import Rating, RatingChange


class _LookOnly(admin.ModelAdmin):
    """Nothing can be added, changed or deleted here."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody."""
        return False


@admin.register(Rating)
class RatingAdmin(_LookOnly):
    """Where accounts stand."""

    list_display = ("user", "pool", "value_centi", "games", "peak_centi", "changed")
    list_filter = ("pool",)
    search_fields = ("user__username",)
    list_select_related = ("user",)


@admin.register(RatingChange)
class RatingChangeAdmin(_LookOnly):
    """The ledger."""

    list_display = (
        "id",
        "user",
        "pool",
        "match_label",
        "before_centi",
        "delta_centi",
        "after_centi",
        "reason",
        "flagged",
        "created",
    )
    list_filter = ("pool", "reason", "flagged")
    search_fields = ("user__username", "match_label")
    list_select_related = ("user",)
