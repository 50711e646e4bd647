"""Issue, list and revoke the API tokens of an account."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.errors import TokenRefused, UnknownToken
from accounts.models import ApiToken, User
from accounts.service import issue_token, revoke_token

REFUSALS = {
    "rated-matches": "this account has played rated matches as a person; make another one for the program",
    "playing": "this account is in a match",
    "closed": "this account is closed",
}


class Command(BaseCommand):
    """Without an option: a new token, printed once. The account is a program's from then on, for good."""

    help = "Issue an API token for USER (which marks the account as a program for good), list or revoke them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """USER, and what to do."""
        parser.add_argument("user", metavar="USER", help="the account's name")
        action = parser.add_mutually_exclusive_group()
        action.add_argument("--list", action="store_true", help="list the tokens of the account")
        action.add_argument("--revoke", type=int, metavar="ID", help="revoke the token with this number")

    def handle(self, *args: Any, **options: Any) -> None:
        """Do it, or say why not."""
        try:
            user = User.objects.get_by_natural_key(options["user"])
        except User.DoesNotExist:
            raise CommandError(f"there is no account {options['user']}") from None
        if options["list"]:
            self._list(user)
        elif options["revoke"] is not None:
            self._revoke(user, options["revoke"])
        else:
            self._issue(user)

    def _issue(self, user: User) -> None:
        try:
            raw = issue_token(user)
        except TokenRefused as refusal:
            raise CommandError(REFUSALS.get(refusal.code, refusal.code)) from None
        self.stderr.write(f"{user.username} is a program's account from now on. The token is shown this once:")
        self.stdout.write(raw)

    def _list(self, user: User) -> None:
        for token in ApiToken.objects.filter(user=user):
            used = f"used {token.last_used:%Y-%m-%d %H:%M}" if token.last_used else "never used"
            state = f"revoked {token.revoked:%Y-%m-%d %H:%M}" if token.revoked else "valid"
            scopes = ",".join(token.scopes)
            self.stdout.write(f"{token.pk}\t{state}\t{scopes}\tissued {token.created:%Y-%m-%d %H:%M}\t{used}")

    def _revoke(self, user: User, token_id: int) -> None:
        try:
            revoke_token(user, token_id)
        except UnknownToken:
            raise CommandError(f"{user.username} has no token {token_id}") from None
        self.stdout.write(f"token {token_id} is revoked")
