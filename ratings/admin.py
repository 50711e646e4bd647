"""Ratings and the ledger in the admin: to look at only."""

from django.contrib import admin

from accounts.read_only import ReadOnly
from ratings.models import Rating, RatingChange


@admin.register(Rating)
class RatingAdmin(ReadOnly, admin.ModelAdmin):
    """Where accounts stand."""

    list_display = ("user", "pool", "value_centi", "games", "peak_centi", "changed")
    list_filter = ("pool",)
    search_fields = ("user__username",)
    list_select_related = ("user",)


@admin.register(RatingChange)
class RatingChangeAdmin(ReadOnly, admin.ModelAdmin):
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
