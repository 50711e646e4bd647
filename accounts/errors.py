"""Refusals of accounts.

AccountError
├── TokenRefused      an account may not become a program's
└── UnknownToken      no such token of this account
"""


class AccountError(Exception):
    """Carries a `code` and no prose."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class TokenRefused(AccountError):
    """The account has played rated matches, is in a match, or is closed."""


class UnknownToken(AccountError):
    """The account has no such token."""
