"""Signing in with a name or an e-mail address, and who a session stands for."""

from typing import Any

from allauth.account.auth_backends import AuthenticationBackend

from accounts.models import User
from accounts.names import name_key


class AccountBackend(AuthenticationBackend):
    """As allauth's, but a name is found by its key.

    allauth compares names by the database's idea of case, which on SQLite ends with ASCII: Şule
    could not sign in as şule.
    """

    def _authenticate_by_username(self, username: str, password: str) -> User | None:
        user = User.objects.filter(username_key=name_key(username)).first()
        return self._check_password(user, password)

    def get_user(self, user_id: Any) -> User | None:
        """The account of a session, with its preferences: every page speaks its language."""
        user = User.objects.select_related("preferences").filter(pk=user_id).first()
        return user if user is not None and self.user_can_authenticate(user) else None
