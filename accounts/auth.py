"""Signing in with a name or an e-mail address."""

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
