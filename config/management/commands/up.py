"""`manage.py up`: the whole site on this machine, until Ctrl-C."""

import asyncio
import errno
import fcntl
import os
import socket
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connections

from config.environment import LOCAL_HOSTS, valkey_socket
from config.preflight import check_database, check_log_dir, check_valkey, one_line, which_database
from config.prepare import migrate, prepare
from config.programs import EVERY_ADDRESS, STOP_ORDER, programs
from config.supervisor import StartFailed, Supervisor

BACKLOG = 512
READY_EVERY_S = 0.1
READY_LIMIT_S = 2.0
# What a file system says without naming a file.
DISK_FAULTS = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.EFBIG)


class Command(BaseCommand):
    help = "Serves the site: Valkey, web, workers and beat, restarted when they fall, stopped in order by Ctrl-C."
    requires_system_checks = ()  # run below, once what they look at is there

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=port_number, default=8000, help="0 takes any free port (default 8000)")
        parser.add_argument("--bind", default="127.0.0.1", help="address to listen on (default 127.0.0.1)")

    def handle(self, *args: Any, port: int, bind: str, **options: Any) -> None:
        try:
            with sole_instance(settings.VAR_DIR / "boneyard.lock"), listening(bind, port) as listener:
                self.get_ready()
                with socket_folder(valkey_socket(settings.VAR_DIR)):
                    asyncio.run(self.serve(listener, bind))
        except OSError as error:
            if error.filename is None and error.errno not in DISK_FAULTS:
                raise
            # A file of the site that cannot be read or written.
            raise CommandError(f"{error.filename or 'A file of the site'}: {error.strerror}.") from error
        except StartFailed as failed:
            raise CommandError(why_not_started(failed)) from failed
        self.say("Stopped.")
        os._exit(0)  # Python's own way out takes this process half a second, and there is nothing left to close

    def get_ready(self) -> None:
        """Everything short of starting the processes."""
        check_log_dir(log_dir())
        check_database()
        if not settings.VALKEY_IS_OURS:
            check_valkey()
        try:
            migrate(self.say)
        except DatabaseError as error:
            raise CommandError(f"{which_database()} cannot be brought up to date: {one_line(error)}") from error
        prepare(self.say)
        self.check(display_num_errors=False)
        connections.close_all()

    async def serve(self, listener: socket.socket, bind: str) -> None:
        port = listener.getsockname()[1]
        supervisor = Supervisor(programs(listener.fileno(), bind), stop_order=STOP_ORDER, log_dir=log_dir())

        async def announce() -> None:
            while not await is_ready(bind, port):
                await asyncio.sleep(READY_EVERY_S)
            self.say(f"Boneyard is ready: {site_url(bind, port)}")

        await supervisor.run(announce)

    def say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()


def log_dir() -> Path:
    """A file for what each process says."""
    return Path(settings.VAR_DIR) / "log"


def why_not_started(failed: StartFailed) -> str:
    """The one line about a program that would not start. Only Valkey is waited for."""
    reason = failed.last_words.rpartition(" # ")[2] or "it says nothing"
    return (
        f"Valkey does not start: {reason.rstrip('.')}. If its files in {settings.VAR_DIR / 'valkey'} are damaged, "
        "move that folder away and start again: no account, match or session is kept there."
    )


def port_number(word: str) -> int:
    if not (word.isascii() and word.isdecimal() and int(word) < 65_536):
        raise ArgumentTypeError("a port is a number from 0 to 65535")
    return int(word)


async def is_ready(bind: str, port: int) -> bool:
    """Whether /readyz is green."""
    address = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(bind, bind)
    try:
        async with asyncio.timeout(READY_LIMIT_S):
            reader, writer = await asyncio.open_connection(address, port)
            try:
                writer.write(b"GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                status_line = await reader.readline()
            finally:
                writer.close()
    except (OSError, TimeoutError):
        return False
    return b" 200 " in status_line


def site_url(bind: str, port: int) -> str:
    """The address to open on this machine."""
    host = "localhost" if bind in EVERY_ADDRESS or bind in LOCAL_HOSTS else bind
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


@contextmanager
def sole_instance(path: Path) -> Iterator[None]:
    """Holds the lock that refuses a second instance on the same files."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            raise CommandError(f"Boneyard is already running here (process {file.read().strip()}).") from None
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()
        yield


@contextmanager
def socket_folder(path: Path) -> Iterator[None]:
    """Where our Valkey listens, if that is not among the site's files: there as long as the site runs."""
    folder = path.parent
    if folder == settings.VAR_DIR or not settings.VALKEY_IS_OURS:
        yield
        return
    folder.mkdir(mode=0o700, exist_ok=True)  # one that a killed site left serves again: the name is this site's
    place = folder.lstat()
    if place.st_uid != os.getuid() or folder.is_symlink() or place.st_mode & 0o077:
        raise CommandError(f"{folder} is not ours alone: remove it, or set BONEYARD_VAR to a shorter path.")
    try:
        yield
    finally:
        with suppress(OSError):
            path.unlink(missing_ok=True)  # a Valkey that had to be killed leaves it
            folder.rmdir()


@contextmanager
def listening(bind: str, port: int) -> Iterator[socket.socket]:
    """The site's listening socket. It is the supervisor's own, so that a caller waits while the web restarts."""
    family = socket.AF_INET6 if ":" in bind else socket.AF_INET
    try:
        listener = socket.create_server((bind, port), family=family, backlog=BACKLOG)
    except OSError as error:
        number = error.errno or 0  # below zero: of looking up the name, where strerror knows nothing
        reason = os.strerror(number) if number > 0 else "there is no such address"
        raise CommandError(f"Cannot listen on {bind}, port {port}: {reason}.") from None
    with listener:
        yield listener
