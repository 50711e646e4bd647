"""What the environment may say, and how it is refused."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from config import addresses, environment
from config.addresses import BadEnvironment
from config.environment import read_environment
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


def test_the_prefix_alone_is_no_likeness(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BONEYARD_FOO", "1")
    assert refusal() == "boneyard: BONEYARD_FOO is not a setting."


def test_the_sites_folder_is_of_its_account_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BONEYARD_VAR", str(tmp_path / "deeper" / "site"))
    assert stat.S_IMODE(read_environment().var_dir.stat().st_mode) == 0o700


@pytest.mark.parametrize(
    ("name", "value", "refused"),
    [
        ("BONEYARD_DEBUG", "perhaps", "BONEYARD_DEBUG: expected true or false"),
        ("BONEYARD_GRACE_MS", "0", "BONEYARD_GRACE_MS: "),
        ("BONEYARD_GRACE_MS", "half a second", "BONEYARD_GRACE_MS: "),
        ("BONEYARD_LOG_LEVEL", "LOUD", "BONEYARD_LOG_LEVEL: "),
        ("BONEYARD_TRUSTED_PROXIES", "-1", "BONEYARD_TRUSTED_PROXIES: "),
        ("BONEYARD_TEST_DEALS", "/nowhere/deals.json", "BONEYARD_TEST_DEALS: there is no file /nowhere/deals.json."),
        ("BONEYARD_TRUSTED_PROXIES", "99999999999", "BONEYARD_TRUSTED_PROXIES: "),
        ("BONEYARD_GRACE_MS", "1" + "0" * 23, "BONEYARD_GRACE_MS: "),
        ("BONEYARD_START_CAP_MS", "86400001", "BONEYARD_START_CAP_MS: "),
        ("BONEYARD_CONTINUE_CAP_MS", "1" + "0" * 23, "BONEYARD_CONTINUE_CAP_MS: "),
        ("BONEYARD_SECRET_KEY", "x", "BONEYARD_SECRET_KEY: a secret key has 32 random characters or more."),
        ("BONEYARD_SECRET_KEY", " " * 40, "BONEYARD_SECRET_KEY: a secret key has 32 random characters or more."),
        (
            "BONEYARD_HOSTS",
            "https://dominoes.example",
            "BONEYARD_HOSTS: 'https://dominoes.example' is not a host name.",
        ),
        ("BONEYARD_HOSTS", "dominoes.example:8000", "BONEYARD_HOSTS: 'dominoes.example:8000' is not a host name."),
        ("BONEYARD_HOSTS", "dominoes.example other.example", "BONEYARD_HOSTS: "),
        ("BONEYARD_HOSTS", "*", "BONEYARD_HOSTS: * would let any name in"),
        ("BONEYARD_VAR", "/etc/passwd", "BONEYARD_VAR: /etc/passwd cannot be the site's folder: "),
        ("BONEYARD_VAR", "/dev/null/var", "BONEYARD_VAR: /dev/null/var cannot be the site's folder: "),
        ("BONEYARD_MAIL_FROM", "Ann <ann@example>\nBcc: all@example", "BONEYARD_MAIL_FROM: expected "),
        ("BONEYARD_MAIL_FROM", "nobody", "BONEYARD_MAIL_FROM: expected "),
        ("BONEYARD_MAIL_URL", "pigeon://loft", "BONEYARD_MAIL_URL: expected "),
        ("BONEYARD_MAIL_URL", "smtp://mail.example:99999", "BONEYARD_MAIL_URL: the port "),
        ("DATABASE_URL", "postgresql://localhost:99999/boneyard", "DATABASE_URL: the port "),
        ("DATABASE_URL", "postgresql://[::1/boneyard", "DATABASE_URL: expected "),
        ("VALKEY_URL", "redis://localhost:99999/0", "VALKEY_URL: the port "),
        ("VALKEY_URL", "redis://localhost:abc/0", "VALKEY_URL: the port "),
        ("VALKEY_URL", "redis://[::1/0", "VALKEY_URL: expected "),
        ("VALKEY_URL", "redis://localhost/²", "VALKEY_URL: the database "),
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


def test_an_empty_value_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a compose file writes it that passes on what is not set."""
    for name in ("SECRET_KEY", "HOSTS", "TEST_DEALS"):
        monkeypatch.setenv(f"BONEYARD_{name}", "")
    monkeypatch.setenv("VALKEY_URL", "")
    monkeypatch.setenv("DATABASE_URL", "")
    found = read_environment()
    assert (found.test_deals, found.hosts, found.valkey_is_ours) == (None, environment.LOCAL_HOSTS, True)
    monkeypatch.setenv("BONEYARD_SECRET_KEY", "k" * 40)
    monkeypatch.setenv("DATABASE_URL", "postgresql://db.example/boneyard")
    monkeypatch.setenv("VALKEY_URL", "redis://valkey.example")
    monkeypatch.setenv("BONEYARD_VAR", "")
    assert read_environment().var_dir == environment.BASE_DIR / "var"


def test_hosts_are_names_however_they_are_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BONEYARD_HOSTS", "Dominoes.example, .club.example,[2001:db8::1] ,localhost,")
    hosts = read_environment().hosts
    assert hosts == (*environment.LOCAL_HOSTS, "dominoes.example", ".club.example", "[2001:db8::1]")
    assert environment.secure_origins(hosts[3:5]) == ["https://dominoes.example", "https://*.club.example"]


def test_any_host_is_for_debugging_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BONEYARD_HOSTS", "*")
    monkeypatch.setenv("BONEYARD_DEBUG", "1")
    assert "*" in read_environment().hosts


def test_the_key_is_read_without_blanks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BONEYARD_SECRET_KEY", f" {'k' * 40}\n")
    assert read_environment().secret_key == "k" * 40


@pytest.mark.parametrize("content", [b"", b"\n", b"short\n", b"\xff\xfe" * 40])
def test_a_kept_key_that_was_never_written_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "secret-key").write_bytes(content)
    assert refusal() == f"boneyard: {tmp_path}/secret-key: a secret key has 32 random characters or more."


def test_a_key_that_cannot_be_kept_is_named(tmp_path: Path) -> None:
    (tmp_path / "secret-key").mkdir()
    assert refusal().startswith(f"boneyard: {tmp_path}/secret-key: the secret key cannot be kept there: ")


def test_no_refusal_shows_a_password(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DATABASE_URL", "VALKEY_URL", "BONEYARD_MAIL_URL"):
        for url in ("redis://:se/cret@host/0", "redis://ann:secret@[host/0", "redis://ann:secret@host:70000/0"):
            with monkeypatch.context() as patch:
                patch.setenv(name, url)
                assert "cret" not in refusal()


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ("no json", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ("[]" * 2, "is not JSON"),
        ("3", "expected a list of deals"),
        ("{}", "expected a list of deals"),
        ('{"deal": []}', "expected a list of deals"),
        ('{"deals": 3}', "deals is not a list"),
        ("[3]", "28 tiles"),
        ('[["0|0"]]', "28 tiles"),
        ("[[[], {}]]", "28 tiles"),
        ('{"balances": [150]}', "balances is not a pair"),
        ('{"balances": ["150", 150]}', "balances is not a pair"),
        ('{"banks_ms": [-1, 5]}', "banks_ms is not a pair"),
    ],
)
def test_prepared_deals_that_are_none_stop_the_site(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, content: str, fault: str
) -> None:
    path = tmp_path / "deals.json"
    path.write_text(content)
    monkeypatch.setenv("BONEYARD_TEST_DEALS", str(path))
    told = refusal()
    assert told.startswith(f"boneyard: BONEYARD_TEST_DEALS: {path}")
    assert fault in told


def test_every_fault_is_named_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BONEYARD_DEBUG", "perhaps")
    monkeypatch.setenv("BONEYARD_TIMERS", "perhaps")
    assert len(refusal().splitlines()) == 2


def test_a_database_address_is_read_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://ann:s%40fe@db.example:5433/bones?sslmode=require")
    found = read_environment().database
    assert found["ENGINE"] == "django.db.backends.postgresql"
    assert (found["USER"], found["PASSWORD"], found["HOST"], found["PORT"]) == ("ann", "s@fe", "db.example", "5433")
    assert (found["NAME"], found["OPTIONS"]) == ("bones", {"connect_timeout": "10", "sslmode": "require"})


def test_a_database_may_be_behind_a_unix_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://ann@/bones?host=/run/postgresql")
    found = read_environment().database
    assert (found["HOST"], found["PORT"], found["OPTIONS"]) == ("/run/postgresql", "", {"connect_timeout": "10"})


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
    assert addresses.valkey_number(found.valkey_url) == number
    assert addresses.broker_url(found.valkey_url) == broker


def test_a_long_path_gets_a_short_socket() -> None:
    """Of paths that are not there: that of a temporary folder may be long already."""
    assert environment.valkey_socket(Path("/srv/var")) == Path("/srv/var/valkey.sock")
    deep = Path("/srv") / ("d" * 120)
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
