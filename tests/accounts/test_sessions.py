"""Sockets hear that their session is over."""

from urllib.parse import unquote

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import ApiToken, User
from accounts.service import announce_session_ended, close_account, issue_token, revoke_token, session_digest

from .conftest import PASSWORD

pytestmark = pytest.mark.django_db


def test_signing_out_ends_the_sockets_of_this_session(client, alice, told, django_capture_on_commit_callbacks):
    client.force_login(alice)
    key = client.session.session_key
    with django_capture_on_commit_callbacks(execute=True):
        client.post(reverse("account_logout"))
    assert told == [(f"user.{alice.pk}", {"type": "session.ended", "user": alice.pk, "session": session_digest(key)})]


def test_the_message_does_not_hold_the_key(alice, told, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        announce_session_ended(alice.pk, "secret-key")
    assert "secret-key" not in str(told)


def test_a_new_password_makes_every_socket_show_again_that_it_may_stay(
    client, alice, told, django_capture_on_commit_callbacks
):
    client.force_login(alice)
    with django_capture_on_commit_callbacks(execute=True):
        client.post(
            reverse("account_change_password"),
            {"oldpassword": PASSWORD, "password1": "another-room-8", "password2": "another-room-8"},
        )
    assert told == [(f"user.{alice.pk}", {"type": "session.ended", "user": alice.pk, "session": None})]


def test_closing_an_account_ends_everything(client, alice, told, django_capture_on_commit_callbacks):
    client.force_login(alice)
    issue_token(alice)
    with django_capture_on_commit_callbacks(execute=True):
        close_account(alice)
    assert told == [(f"user.{alice.pk}", {"type": "session.ended", "user": alice.pk, "session": None})]
    assert client.get(reverse("settings")).status_code == 302
    assert not ApiToken.objects.filter(revoked__isnull=True).exists()


def test_a_revoked_token_ends_its_sockets(alice, told, django_capture_on_commit_callbacks):
    issue_token(alice)
    with django_capture_on_commit_callbacks(execute=True):
        revoke_token(alice, ApiToken.objects.get().pk)
        revoke_token(alice, ApiToken.objects.get().pk)
    assert told == [(f"user.{alice.pk}", {"type": "session.ended", "user": alice.pk, "session": None})]


def test_a_dead_layer_does_not_keep_anybody_signed_in(client, alice, monkeypatch, django_capture_on_commit_callbacks):
    class DeadLayer:
        async def group_send(self, group: str, message: dict) -> None:
            raise ConnectionError

    monkeypatch.setattr("accounts.service.get_channel_layer", DeadLayer)
    client.force_login(alice)
    with django_capture_on_commit_callbacks(execute=True):
        assert client.post(reverse("account_logout")).status_code == 302
    assert "_auth_user_id" not in client.session


def all_of(user: User) -> list:
    """What is told when every session of the account may have ended."""
    return [(f"user.{user.pk}", {"type": "session.ended", "user": user.pk, "session": None})]


@pytest.mark.parametrize("fields", [None, ["password", "is_active"]])
@pytest.mark.parametrize("is_closed", [False, True])
def test_an_account_changed_by_hand_ends_its_sockets(
    alice, told, django_capture_on_commit_callbacks, django_assert_num_queries, fields, is_closed
):
    """In the shell, or by whatever else saves an account; nothing is asked of the database for it."""
    user = User.objects.get(pk=alice.pk)
    if is_closed:
        user.is_active = False
    else:
        user.set_password("another-room-8")
    with django_capture_on_commit_callbacks(execute=True), django_assert_num_queries(1):
        user.save(update_fields=fields)
    assert told == all_of(alice)
    with django_capture_on_commit_callbacks(execute=True):
        user.save()
    assert told == all_of(alice)


def test_an_account_changed_in_part_ends_its_sockets_only_when_that_is_saved(
    alice, told, django_capture_on_commit_callbacks
):
    user = User.objects.only("username").get(pk=alice.pk)
    user.password = "!"
    with django_capture_on_commit_callbacks(execute=True):
        user.save(update_fields=["username"])
    assert told == []
    with django_capture_on_commit_callbacks(execute=True):
        user.save(update_fields=["password"])
    assert told == all_of(alice)


def test_saving_anything_else_ends_nothing(client, alice, told, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        client.login(username=alice.username, password=PASSWORD)
        user = User.objects.get(pk=alice.pk)
        user.email = "alice@example.org"
        user.save()
        User.objects.create_user("Newcomer", password=PASSWORD)
        issue_token(alice)
    assert told == []


def test_a_deleted_account_ends_its_sockets(alice, told, django_capture_on_commit_callbacks):
    expected = all_of(alice)
    with django_capture_on_commit_callbacks(execute=True):
        alice.delete()
    assert told == expected


@pytest.mark.parametrize("is_deleted", [False, True])
def test_a_token_changed_by_hand_ends_its_sockets(alice, told, django_capture_on_commit_callbacks, is_deleted):
    issue_token(alice)
    token = ApiToken.objects.get()
    token.revoked = timezone.now()
    with django_capture_on_commit_callbacks(execute=True):
        token.delete() if is_deleted else token.save()
    assert told == all_of(alice)


@pytest.fixture
def staff(client) -> User:
    user = User.objects.create_superuser("Operator", password=PASSWORD)
    client.force_login(user)
    return user


def test_closing_an_account_in_the_admin_ends_its_sockets(
    client, staff, alice, told, django_capture_on_commit_callbacks
):
    path = reverse("admin:accounts_user_change", args=[alice.pk])
    assert client.get(path).status_code == 200
    with django_capture_on_commit_callbacks(execute=True):
        answer = client.post(path, {"username": alice.username, "email": alice.email})
    assert answer.status_code == 302
    assert told == [(f"user.{alice.pk}", {"type": "session.ended", "user": alice.pk, "session": None})]


def test_a_new_password_in_the_admin_ends_sockets(client, staff, alice, told, django_capture_on_commit_callbacks):
    path = reverse("admin:auth_user_password_change", args=[alice.pk])
    with django_capture_on_commit_callbacks(execute=True):
        answer = client.post(path, {"password1": "another-room-8", "password2": "another-room-8"})
    assert answer.status_code == 302
    assert told == [(f"user.{alice.pk}", {"type": "session.ended", "user": alice.pk, "session": None})]


def test_the_admin_makes_accounts_and_shows_no_token(client, staff, alice):
    answer = client.post(
        reverse("admin:accounts_user_add"),
        {"username": "Żaneta", "email": "", "password1": "another-room-8", "password2": "another-room-8"},
    )
    assert answer.status_code == 302
    assert User.objects.get_by_natural_key("żaneta").check_password("another-room-8")
    issue_token(alice)
    token = ApiToken.objects.get()
    page = client.get(reverse("admin:accounts_apitoken_change", args=[token.pk])).content.decode()
    assert token.hash not in page
    assert client.get(reverse("admin:accounts_apitoken_changelist")).status_code == 200
    assert client.get(reverse("admin:accounts_apitoken_add")).status_code == 403


def test_the_admin_is_no_second_way_to_sign_in(client, staff):
    """B217: its own page would know no limits."""
    client.logout()
    signing_in = f"{reverse('account_login')}?next={reverse('admin:index')}"
    way = client.get(reverse("admin:index"), follow=True).redirect_chain
    assert unquote(way[-1][0]) == signing_in
    answer = client.post(reverse("admin:login"), {"username": staff.username, "password": PASSWORD})
    assert answer.url.startswith(reverse("account_login"))
    assert "_auth_user_id" not in client.session


def test_who_is_not_staff_is_refused_by_the_admin(client, alice):
    client.force_login(alice)
    assert client.get(reverse("admin:index"), follow=True).status_code == 403
