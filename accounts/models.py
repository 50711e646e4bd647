"""People and programs that hold an account."""

from django.contrib.auth.models import AbstractUser


class User(AbstractUser):
    """Who plays: a person, or a program (see `ApiToken`)."""
