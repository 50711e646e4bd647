"""Sessions in the database, found by keys that look like keys."""

from typing import Any

from django.contrib.sessions.backends import db


class SessionStore(db.SessionStore):
    """Django's, but for a cookie that no server set: it names no session, and no database is asked for it.

    A quoted cookie can hold a NUL, which PostgreSQL refuses to look up.
    """

    def _validate_session_key(self, key: Any) -> bool:
        return isinstance(key, str) and 8 <= len(key) <= 40 and key.isascii() and key.isalnum()
