"""Columns of an account that keep themselves in one form."""

from typing import Any

from django.db import models

from accounts.names import name_key


class NameKeyField(models.CharField):
    """The key of the user name; written with every insert and update, never by hand."""

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        """The key of the name the row is about to hold, in bulk inserts too."""
        # Only an account has such a column, and its name beside it.
        key = name_key(model_instance.username)  # type: ignore[attr-defined]
        setattr(model_instance, self.attname, key)
        return key


class LowercaseEmailField(models.EmailField):
    """An e-mail address stored and looked up in lower case.

    Lowered here and not by the database: SQLite knows the case of ASCII letters only.
    """

    def get_prep_value(self, value: Any) -> Any:
        """The value for the database, in lower case."""
        prepared = super().get_prep_value(value)
        return prepared.lower() if isinstance(prepared, str) else prepared

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        """The value for the database; the instance sees it too."""
        value = super().pre_save(model_instance, add)
        if isinstance(value, str):
            value = value.lower()
            setattr(model_instance, self.attname, value)
        return value
