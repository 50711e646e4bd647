"""Tokens of programs."""

from datetime import UTC, datetime
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from accounts.errors import TokenRefused, UnknownToken
from accounts.models import ApiToken, User
from accounts.service import issue_token, revoke_token, user_for_token
from accounts.signals import token_wanted
from ratings.service import freeze, pool_for, record_result

pytestmark = pytest.mark.django_db


@pytest.fixture
def robot() -> User:
    return User.objects.create_user("robot")


def play_rated(one: User, other: User) -> None:
    pool = pool_for("spectacular-bid", 2, programs=one.is_program)
    seats = freeze([one, other], pool)
    record_result(pool=pool, match_label="m1", seats=seats, scores=[1, 0], at=datetime(2026, 11, 1, tzinfo=UTC))


def test_a_token_stands_for_its_account(robot):
    raw = issue_token(robot)
    assert user_for_token(raw) == robot
    assert user_for_token(raw + "x") is None
    assert user_for_token("") is None
    assert user_for_token("x" * 100_000) is None


def test_only_a_hash_is_kept(robot):
    raw = issue_token(robot)
    row = ApiToken.objects.values().get()
    assert raw not in str(row)
    assert len(row["hash"]) == 64
    assert len(raw) > 40


def test_a_token_marks_its_account_as_a_program(robot):
    issue_token(robot)
    assert robot.is_program
    assert User.objects.get(pk=robot.pk).is_program


def test_the_mark_outlives_the_token(robot):
    issue_token(robot)
    revoke_token(robot, ApiToken.objects.get().pk)
    assert User.objects.get(pk=robot.pk).is_program


def test_a_person_with_rated_matches_gets_none(robot):
    play_rated(robot, User.objects.create_user("Bob"))
    with pytest.raises(TokenRefused) as refused:
        issue_token(robot)
    assert refused.value.code == "rated-matches"
    assert not User.objects.get(pk=robot.pk).is_program
    assert not ApiToken.objects.exists()


def test_a_program_with_rated_matches_gets_another(robot):
    other = User.objects.create_user("robot two")
    issue_token(other)
    issue_token(robot)
    play_rated(robot, other)
    assert user_for_token(issue_token(robot)) == robot


def test_others_may_refuse(robot):
    def refuse(sender, user, **kwargs):
        return "playing"

    token_wanted.connect(refuse)
    try:
        with pytest.raises(TokenRefused) as refused:
            issue_token(robot)
    finally:
        token_wanted.disconnect(refuse)
    assert refused.value.code == "playing"
    assert not User.objects.get(pk=robot.pk).is_program


def test_a_match_that_ends_while_others_are_asked_is_seen(robot):
    """Whoever answers last about a running match, its result is looked for afterwards."""

    def match_ends(sender, user, **kwargs):
        play_rated(user, User.objects.create_user("Bob"))
        return ""

    token_wanted.connect(match_ends)
    try:
        with pytest.raises(TokenRefused) as refused:
            issue_token(robot)
    finally:
        token_wanted.disconnect(match_ends)
    assert refused.value.code == "rated-matches"


def test_a_revoked_token_is_no_token(robot):
    raw, other = issue_token(robot), issue_token(robot)
    revoke_token(robot, ApiToken.objects.earliest("pk").pk)
    assert user_for_token(raw) is None
    assert user_for_token(other) == robot


def test_nobody_revokes_a_stranger_s_token(robot):
    raw = issue_token(robot)
    with pytest.raises(UnknownToken):
        revoke_token(User.objects.create_user("Charlie"), ApiToken.objects.get().pk)
    assert user_for_token(raw) == robot


def test_a_closed_account_has_no_tokens(robot):
    raw = issue_token(robot)
    User.objects.filter(pk=robot.pk).update(is_active=False)
    assert user_for_token(raw) is None
    with pytest.raises(TokenRefused):
        issue_token(robot)


def test_a_token_without_the_scope_does_not_do(robot):
    raw = issue_token(robot)
    ApiToken.objects.update(scopes=["read"])
    assert user_for_token(raw) is None
    assert user_for_token(raw, scope="read") == robot


def test_use_is_noted_by_the_minute(robot, django_assert_num_queries):
    raw = issue_token(robot)
    with django_assert_num_queries(2):
        user_for_token(raw)
    assert ApiToken.objects.get().last_used is not None
    with django_assert_num_queries(1):
        user_for_token(raw)


def run(*args: str) -> str:
    out = StringIO()
    call_command("api_token", *args, stdout=out, stderr=StringIO())
    return out.getvalue()


def test_the_command_issues_lists_and_revokes(robot):
    raw = run("ROBOT").strip()
    assert user_for_token(raw) == robot
    listing = run("robot", "--list")
    assert "valid" in listing
    assert raw not in listing
    number = listing.split()[0]
    run("robot", "--revoke", number)
    assert user_for_token(raw) is None
    assert "revoked" in run("robot", "--list")


def test_the_command_says_why_not(robot):
    play_rated(robot, User.objects.create_user("Bob"))
    with pytest.raises(CommandError, match="rated matches"):
        run("robot")
    with pytest.raises(CommandError, match="no account"):
        run("nobody")
    with pytest.raises(CommandError, match="no token"):
        run("robot", "--revoke", "7")
