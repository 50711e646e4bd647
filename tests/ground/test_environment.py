"""What the environment may say, and how it is refused."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from config import environment
from config.environment import BadEnvironment, read_environment
from tests.stack import ROOT


@pytest.fixture(autouse=True)
def _bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing is set but the folder."""
    for name in list(os.environ):
        if name.startswith("BONEYARD_") or name in ("DATABASE_URL", "VALKEY_URL"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("BONEYARD_VAR", str(tmp_path))


def refusal() -> str:
    with pytest.raises(BadEnvironment) as refused:
        read_environment()
    return str(refused.value)


def test_the_defaults_are_one_club_on_one_machine(tmp_path: Path) -> None:
    found = read_environment()
    assert not found.debug
    assert found.hosts == ("localhost", "127.0.0.1", "[::1]")
    assert found.database["ENGINE"] == "django.db.backends.sqlite3"
    assert found.database["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert found.valkey_is_ours
    assert (found.grace_ms, found.start_cap_ms, found.continue_cap_ms) == (500, 60_000, 30_000)
    assert found.test_deals is None


def test_an_unknown_name_is_refused_with_the_nearest_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BONEYARD_HOST", "dominoes.example")
    assert refusal() == "boneyard: BONEYARD_HOST is not a setting. Did you mean BONEYARD_HOSTS?"


@pytest.mark.parametrize(
    ("name", "value", "refused"),
    [
        ("BONEYARD_DEBUG", "perhaps", "BONEYARD_DEBUG: "),
        ("BONEYARD_GRACE_MS", "0", "BONEYARD_GRACE_MS: "),
        ("BONEYARD_GRACE_MS", "half a second", "BONEYARD_GRACE_MS: "),
        ("BONEYARD_LOG_LEVEL", "LOUD", "BONEYARD_LOG_LEVEL: "),
        ("BONEYARD_TRUSTED_PROXIES", "-1", "BONEYARD_TRUSTED_PROXIES: "),
        ("BONEYARD_TEST_DEALS", "/nowhere/deals.json", "BONEYARD_TEST_DEALS: there is no file /nowhere/deals.json."),
        ("BONEYARD_MAIL_URL", "pigeon://loft", "BONEYARD_MAIL_URL: expected "),
        ("DATABASE_URL", "mysql://localhost/boneyard", "DATABASE_URL: expected "),
        ("DATABASE_URL", "postgresql://localhost", "DATABASE_URL: expected "),
        ("DATABASE_URL", "postgresql://localhost:port/boneyard", "DATABASE_URL: the port "),
        ("VALKEY_URL", "localhost:6379", "VALKEY_URL: expected "),
        ("VALKEY_URL", "redis://localhost/first", "VALKEY_URL: the database "),
    ],
)
def test_a_bad_value_is_refused_by_name(monkeypatch: pytest.MonkeyPatch, name: str, value: str, refused: str) -> None:
    monkeypatch.setenv(name, value)
    assert refusal().startswith(f"boneyard: {refused}")


def test_every_fault_is_named_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BONEYARD_DEBUG", "perhaps")
    monkeypatch.setenv("BONEYARD_TIMERS", "perhaps")
    assert len(refusal().splitlines()) == 2


def test_a_database_address_is_read_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://ann:s%40fe@db.example:5433/bones?sslmode=require")
    found = read_environment().database
    assert found["ENGINE"] == "django.db.backends.postgresql"
    assert (found["USER"], found["PASSWORD"], found["HOST"], found["PORT"]) == ("ann", "s@fe", "db.example", "5433")
    assert (found["NAME"], found["OPTIONS"]) == ("bones", {"sslmode": "require"})


def test_a_database_may_be_behind_a_unix_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://ann@/bones?host=/run/postgresql")
    found = read_environment().database
    assert (found["HOST"], found["PORT"], found["OPTIONS"]) == ("/run/postgresql", "", {})


@pytest.mark.parametrize(
    ("url", "number", "broker"),
    [
        ("redis://valkey.example", 0, "redis://valkey.example/0"),
        ("rediss://:word@valkey.example:6380/3", 3, "rediss://:word@valkey.example:6380/3"),
        ("unix:///run/valkey.sock?db=2", 2, "redis+socket:///run/valkey.sock?virtual_host=2"),
        ("unix:///run/valkey.sock", 0, "redis+socket:///run/valkey.sock?virtual_host=0"),
    ],
)
def test_a_valkey_address_is_understood_alike_by_all(
    monkeypatch: pytest.MonkeyPatch, url: str, number: int, broker: str
) -> None:
    monkeypatch.setenv("VALKEY_URL", url)
    found = read_environment()
    assert not found.valkey_is_ours
    assert environment.valkey_number(found.valkey_url) == number
    assert environment.broker_url(found.valkey_url) == broker


def test_a_long_path_gets_a_short_socket(tmp_path: Path) -> None:
    assert environment.valkey_socket(tmp_path / "var") == tmp_path / "var" / "valkey.sock"
    deep = tmp_path / ("d" * 120)
    short = environment.valkey_socket(deep)
    assert len(os.fsencode(short)) <= environment.SOCKET_PATH_LIMIT
    assert short == environment.valkey_socket(deep)
    assert short != environment.valkey_socket(deep / "other")


def test_mail_goes_to_a_server_when_one_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BONEYARD_MAIL_URL", "smtp://ann:word@mail.example?tls=1")
    found = read_environment().mail
    assert (found["EMAIL_HOST"], found["EMAIL_PORT"], found["EMAIL_USE_TLS"]) == ("mail.example", 587, True)


def test_the_site_does_not_start_and_says_why_in_one_line() -> None:
    """No traceback, whichever way in."""
    for command in (["manage.py", "up"], ["-m", "daphne", "config.asgi:application"]):
        started = subprocess.run(
            [sys.executable, *command],
            cwd=ROOT,
            env={**os.environ, "BONEYARD_DEBIG": "1"},
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )
        assert started.returncode == 1
        assert started.stderr == "boneyard: BONEYARD_DEBIG is not a setting. Did you mean BONEYARD_DEBUG?\n"
