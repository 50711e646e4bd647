"""What `town` has written into a site, in a process of that site."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from allauth.account.forms import default_token_generator
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.account.utils import user_pk_to_url_str
from django.conf import settings
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games import clock_source, rules
from games.models import Match
from ratings.models import RatingChange
from tests.browser.script import START_BALANCES, best_play, deal, write_deals
from tests.browser.town import BUSY, CAREFUL, JOINED, KNOWN, LONG_MS, NOW, PASSWORD, PAST, PLAIN, STAFF
from tests.drivers import Table
from tests.factories import unguarded

ENDGAME, LITTLE = 731, 10  # a deal in which some tiles take so few points


def settle() -> dict[str, dict[str, str]]:
    """See `town.settle`."""
    plain, known, careful, busy, staff = (_person(name) for name in (PLAIN, KNOWN, CAREFUL, BUSY, STAFF))
    staff.is_staff = True
    staff.save()
    careful.set_password(PASSWORD)
    careful.save()
    EmailAddress.objects.create(user=careful, email=careful.email, primary=True, verified=True)
    waiting = EmailAddress.objects.create(user=careful, email="ayse.ozturk@example.net", primary=False, verified=False)
    for opponent, is_won, balances, rated, (month, day) in PAST:
        _play(known, _person(opponent), is_won, balances, rated, datetime(2026, month, day, 20, 15, tzinfo=UTC))
    sessions = {user.username: _session(user) for user in (plain, known, careful, busy, staff)}
    # A link to a new password holds until the next time somebody signs in.
    reset = {"uidb36": user_pk_to_url_str(careful), "key": default_token_generator.make_token(careful)}
    return {
        "sessions": sessions,
        "addresses": {
            "confirm": reverse("account_confirm_email", args=[EmailConfirmationHMAC(waiting).key]),
            "reset": reverse("account_reset_password_from_key", kwargs=reset),
        },
    }


def crowd() -> None:
    """Matches whose clocks have time enough."""
    for first, second, balances in NOW:
        _deal(balances, banks_ms=(LONG_MS, LONG_MS))
        Table.dealt(clock_source.now_ms, users=[_person(first), _person(second)])
    _deal(START_BALANCES)


def _person(name: str) -> User:
    user = User.objects.filter(username=name).first()
    if user is None:
        user = User(username=name, email=f"person{User.objects.count()}@example.org", date_joined=JOINED)
        user.set_unusable_password()
        user.save()
    return user


def _session(user: User) -> str:
    client = Client()
    client.force_login(user, backend=settings.AUTHENTICATION_BACKENDS[0])
    return str(client.cookies[settings.SESSION_COOKIE_NAME].value)


def _play(user: User, opponent: User, is_won: bool, balances: tuple[int, int], rated: bool, at: datetime) -> None:
    """A match of the past: won by the last chips, or given up at these balances."""
    is_played = not balances[1]
    _deal((balances[0] - LITTLE, LITTLE) if is_played else balances)
    table = Table.dealt(clock_source.now_ms, users=[user, opponent], rated=rated)
    while is_played and table.state.phase != "over":
        table.send(best_play(table.state))
    if not is_played:
        table.send(rules.Resign(1 if is_won else 0))
    with unguarded():
        Match.objects.filter(pk=table.match_id).update(created_at=at, started_at=at, ended_at=at)
        RatingChange.objects.filter(match_label=table.public_id).update(created=at)


def _deal(balances: Sequence[int], *, banks_ms: Sequence[int] | None = None) -> None:
    write_deals(Path(settings.TEST_DEALS), [deal(ENDGAME)], balances=balances, banks_ms=banks_ms)
