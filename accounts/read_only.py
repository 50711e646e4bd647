"""Rows that the admin shows and cannot touch."""

from typing import Any

from django.http import HttpRequest


class ReadOnly:
    """For admin classes and inlines: no adding, changing or deleting. What writes such rows is a service."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
