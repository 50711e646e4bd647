"""A site that cannot start says why in one line, and leaves what is stored as it was."""

import os
import resource
import socket
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from django.core.management.base import CommandError

from config.preflight import check_log_dir, check_sqlite_file
from config.supervisor import Supervisor
from tests.stack import refused_start

REFUSED_PASSWORD = b'SFATAL\0VFATAL\0C28P01\0Mpassword authentication failed for user "ann"\0\0'


def sound_database(path: Path) -> bytes:
    """A small database of several pages; its content."""
    with closing(sqlite3.connect(path)) as file:
        file.execute("CREATE TABLE tiles (name TEXT NOT NULL)")
        file.executemany("INSERT INTO tiles VALUES (?)", [("x" * 100,)] * 500)
        file.commit()
    return path.read_bytes()


@pytest.fixture
def answering_refusal() -> Iterator[int]:
    """The port of a PostgreSQL that knows no such password."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            line, _address = server.accept()
            with line:
                line.recv(1024)
                line.sendall(b"E" + (len(REFUSED_PASSWORD) + 4).to_bytes(4, "big") + REFUSED_PASSWORD)

        thread = threading.Thread(target=answer)
        thread.start()
        yield server.getsockname()[1]
        thread.join(10)


@pytest.mark.parametrize("damage", ["another file", "cut off", "a page overwritten"])
def test_a_damaged_database_is_named_and_left_alone(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "boneyard.sqlite3"
    whole = sound_database(path)
    content = {
        "another file": b"no database " * 1_000,
        "cut off": whole[: len(whole) // 2],
        "a page overwritten": whole[:8192] + b"\xaa" * 4096 + whole[12288:],
    }[damage]
    path.write_bytes(content)
    with pytest.raises(CommandError, match=r"the database is damaged .* Move the file away") as refused:
        check_sqlite_file(path)
    assert str(refused.value).startswith(f"{path}: ")
    assert "\n" not in str(refused.value)
    assert path.read_bytes() == content


def test_a_sound_database_and_none_yet_will_do(tmp_path: Path) -> None:
    path = tmp_path / "odd name?#.sqlite3"
    check_sqlite_file(path)
    assert not path.exists()
    path.touch()
    check_sqlite_file(path)
    sound_database(path)
    check_sqlite_file(path)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="there is no such folder"):
        check_sqlite_file(tmp_path / "none" / "boneyard.sqlite3")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
@pytest.mark.parametrize("which", ["the file", "its folder"])
def test_a_database_that_cannot_be_written_to_is_named(tmp_path: Path, which: str) -> None:
    path = tmp_path / "boneyard.sqlite3"
    sound_database(path)
    place = path if which == "the file" else tmp_path
    place.chmod(0o500)
    try:
        with pytest.raises(CommandError, match=r"cannot be written there") as refused:
            check_sqlite_file(path)
    finally:
        place.chmod(0o700)
    assert str(refused.value).startswith(f"{place}: ")


def test_a_place_for_the_logs_that_is_none_is_named(tmp_path: Path) -> None:
    check_log_dir(tmp_path / "log")
    (tmp_path / "file").touch()
    with pytest.raises(CommandError, match=f"^{tmp_path}/file: the logs cannot be written there: File exists.$"):
        check_log_dir(tmp_path / "file")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a disk that is always full is Linux's")
def test_a_log_that_cannot_be_written_is_said_once(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "web.log").symlink_to("/dev/full")
    supervisor = Supervisor([], stop_order=[], log_dir=tmp_path)
    for line in ("one", "two"):
        supervisor.log("web", line)
    told = capfd.readouterr()
    assert told.out.splitlines() == [
        "web | one",
        f"{tmp_path}/web.log cannot be written: [Errno 28] No space left on device",
        "web | two",
    ]
    assert told.err == ""


@pytest.mark.real_stack
def test_the_site_does_not_start_on_a_damaged_database(tmp_path: Path) -> None:
    path = tmp_path / "boneyard.sqlite3"
    path.write_bytes(b"no database " * 1_000)
    refused = refused_start(tmp_path)
    assert refused.startswith(f"CommandError: {path}: the database is damaged (file is not a database). ")
    assert refused.count("\n") == 1
    assert path.read_bytes() == b"no database " * 1_000


@pytest.mark.real_stack
def test_a_full_disk_is_one_clear_line(tmp_path: Path) -> None:
    """Files that may not grow are as near to it as a test comes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (65_536, hard))
    try:
        refused = refused_start(tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    place = tmp_path / "boneyard.sqlite3"
    assert refused == f"CommandError: The database in {place} cannot be brought up to date: disk I/O error\n"


@pytest.mark.real_stack
def test_a_postgresql_that_does_not_answer_is_one_clear_line(tmp_path: Path) -> None:
    refused = refused_start(tmp_path, database=f"postgresql://nobody:secret@/none?host={tmp_path}")
    assert refused.startswith("CommandError: The database does not answer: ")
    assert refused.count("\n") == 1
    assert "secret" not in refused


@pytest.mark.real_stack
def test_a_refused_password_is_one_clear_line(tmp_path: Path, answering_refusal: int) -> None:
    url = f"postgresql://ann:secret@127.0.0.1:{answering_refusal}/none?sslmode=disable&gssencmode=disable"
    refused = refused_start(tmp_path, database=url)
    assert refused.startswith("CommandError: The database does not answer: ")
    assert refused.endswith('password authentication failed for user "ann"\n')
    assert refused.count("\n") == 1
    assert "secret" not in refused


@pytest.mark.real_stack
def test_a_valkey_that_does_not_answer_is_one_clear_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    refused = refused_start(tmp_path, extra_env={"VALKEY_URL": f"redis://:secret@127.0.0.1:{port}/0"})
    assert refused.startswith("CommandError: The Valkey that VALKEY_URL names does not answer: ")
    assert refused.count("\n") == 1
    assert "secret" not in refused


@pytest.mark.real_stack
def test_a_damaged_file_of_our_own_valkey_is_one_clear_line(tmp_path: Path) -> None:
    manifest = tmp_path / "valkey" / "appendonlydir" / "appendonly.aof.manifest"
    manifest.parent.mkdir(parents=True)
    manifest.write_text("no manifest\n")
    refused = refused_start(tmp_path)
    assert refused.startswith("CommandError: Valkey does not start: ")
    assert f"{tmp_path / 'valkey'} " in refused
    assert refused.count("\n") == 1
    assert manifest.read_text() == "no manifest\n"
