"""Runs the site's processes: starts them, restarts what falls, stops them in order.

Each child has a session of its own, so that Ctrl-C in a terminal reaches the supervisor
alone, which then stops the children one after another. Knows nothing of what they do.
"""

import asyncio
import contextlib
import logging
import os
import signal
import sys
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Protocol

from config.leash import IS_LINUX, die_with_parent, leashed

FIRST_RESTART_S = 0.1
LAST_RESTART_S = 5.0
STEADY_AFTER_S = 10.0  # a child that lived this long starts over with a short wait
KILLED_WITHIN_S = 0.5
LINE_LIMIT_BYTES = 64 * 1024
LOG_BYTES = 5_000_000
LOG_FILES = 3


class StartFailed(Exception):
    """A program ended before it was up for the first time. `last_words`: its last line, "" if it had none."""

    def __init__(self, name: str, how: str, last_words: str) -> None:
        super().__init__(f"{name} ended ({how}): {last_words}")
        self.name = name
        self.last_words = last_words


class Log(Protocol):
    """Keeps one line of a child."""

    def __call__(self, name: str, line: str, *, on_terminal: bool = True) -> None: ...


@dataclass(frozen=True, slots=True)
class Program:
    """What is run, and how it ends: by SIGTERM, and by SIGKILL when it takes more than `stop_within_s`."""

    name: str
    command: Sequence[str]
    stop_within_s: float
    environment: Mapping[str, str]
    pass_fds: tuple[int, ...] = ()
    # What the kernel sends when the supervisor itself is killed.
    last_signal: signal.Signals = signal.SIGKILL
    # Its lines go to its own file only.
    is_quiet: bool = False
    # True as soon as the programs after this one may start.
    is_up: Callable[[], bool] | None = None


class Child:
    """One program, kept running until it is stopped."""

    def __init__(self, program: Program, log: Log) -> None:
        self.program = program
        self.log = log
        self.process: asyncio.subprocess.Process | None = None
        self.stop_asked = asyncio.Event()
        self.first_end: str | None = None
        self.last_words = ""

    async def keep_running(self) -> None:
        """Returns after `stop`; until then a program that ends is started again, after a growing wait."""
        wait_s = FIRST_RESTART_S
        while not self.stop_asked.is_set():
            started_s = time.monotonic()
            try:
                how = describe_exit(await self.run_once())
            except OSError as error:  # no memory, no process left: that may pass
                how = str(error)
            self.first_end = self.first_end or how
            if self.stop_asked.is_set():
                return
            if time.monotonic() - started_s > STEADY_AFTER_S:
                wait_s = FIRST_RESTART_S
            self.log(self.program.name, f"ended ({how}), starts again in {wait_s:.1f} s")
            await asyncio.sleep(wait_s)
            wait_s = min(2 * wait_s, LAST_RESTART_S)

    async def run_once(self) -> int:
        command = list(self.program.command)
        self.process = await asyncio.create_subprocess_exec(
            *(command if IS_LINUX else leashed(command)),
            stdin=asyncio.subprocess.DEVNULL if IS_LINUX else asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            env=dict(self.program.environment),
            pass_fds=self.program.pass_fds,
            start_new_session=True,
            preexec_fn=die_with_parent(self.program.last_signal),
            limit=LINE_LIMIT_BYTES,
        )
        await self.pass_lines_on(self.process)
        return await self.process.wait()

    async def pass_lines_on(self, process: asyncio.subprocess.Process) -> None:
        """Until the program closes its output."""
        assert process.stdout is not None
        while True:
            try:
                line = await process.stdout.readline()
            except ValueError:  # longer than LINE_LIMIT_BYTES: what was read of it is dropped
                continue
            if not line:
                return
            text = line.decode(errors="replace").rstrip()
            self.last_words = text or self.last_words
            self.log(self.program.name, text, on_terminal=not self.program.is_quiet)

    async def stop(self) -> None:
        """SIGTERM, then SIGKILL for whatever is left of its session."""
        self.stop_asked.set()
        process = self.process
        if process is None:
            return
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.terminate()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), self.program.stop_within_s)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        # What had to be killed is gone, not only told to go, before the next group is stopped.
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), KILLED_WITHIN_S)


class LogFile(RotatingFileHandler):
    """A child's own file. That it cannot be written to is said once, and the child runs on without."""

    was_told = False

    def handleError(self, record: logging.LogRecord) -> None:
        """In the midst of the fault, as `logging` calls it: a trace for each line would bury the terminal."""
        if not self.was_told:
            self.was_told = True
            with contextlib.suppress(OSError):
                sys.stdout.write(f"{self.baseFilename} cannot be written: {sys.exc_info()[1]}\n")
                sys.stdout.flush()


class Supervisor:
    """All programs of a site. `stop_order`: names; those of one group are stopped together."""

    def __init__(self, programs: Sequence[Program], *, stop_order: Sequence[Sequence[str]], log_dir: Path) -> None:
        self.log_dir = log_dir
        self.loggers: dict[str, logging.Logger] = {}
        self.children = {program.name: Child(program, self.log) for program in programs}
        self.stop_order = stop_order
        self.width = max(map(len, self.children), default=0)
        self.stop_asked = asyncio.Event()

    async def run(self, when_started: Callable[[], Awaitable[None]]) -> None:
        """Runs everything until SIGINT, SIGTERM or SIGHUP. `when_started` is begun once all programs are.

        Raises StartFailed, after everything is stopped, for a program that ended before it was up.
        """
        loop = asyncio.get_running_loop()
        # A closed terminal stops the site too, unless it was started to outlive it.
        hang_up = [signal.SIGHUP] if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN else []
        for number in (signal.SIGINT, signal.SIGTERM, *hang_up):
            loop.add_signal_handler(number, self.stop_asked.set)
        running: list[asyncio.Task[None]] = []
        starting = asyncio.create_task(self.start(running, when_started))
        starting.add_done_callback(self.stop_if_failed)
        await self.stop_asked.wait()
        starting.cancel()
        for group in self.stop_order:
            await asyncio.gather(*(self.children[name].stop() for name in group if name in self.children))
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        with contextlib.suppress(asyncio.CancelledError):
            await starting

    def stop_if_failed(self, starting: asyncio.Task[None]) -> None:
        if not starting.cancelled() and starting.exception() is not None:
            self.stop_asked.set()

    async def start(self, running: list[asyncio.Task[None]], when_started: Callable[[], Awaitable[None]]) -> None:
        for child in self.children.values():
            running.append(asyncio.create_task(child.keep_running()))
            is_up = child.program.is_up
            while is_up is not None and not is_up():
                if child.first_end is not None:
                    raise StartFailed(child.program.name, child.first_end, child.last_words)
                await asyncio.sleep(0.01)
        await when_started()

    def log(self, name: str, line: str, *, on_terminal: bool = True) -> None:
        """To the terminal under the child's name, and to its own file."""
        if on_terminal:
            with contextlib.suppress(OSError):  # nobody reads the terminal any more
                sys.stdout.write(f"{name:<{self.width}} | {line}\n")
                sys.stdout.flush()
        if name not in self.loggers:
            self.loggers[name] = self.file_logger(name)
        self.loggers[name].info(line)

    def file_logger(self, name: str) -> logging.Logger:
        handler = LogFile(
            self.log_dir / f"{name}.log", maxBytes=LOG_BYTES, backupCount=LOG_FILES, encoding="utf-8", delay=True
        )
        handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
        logger = logging.getLogger(f"boneyard.child.{name}")
        logger.propagate = False
        logger.setLevel(logging.INFO)
        logger.handlers = [handler]
        return logger


def describe_exit(code: int) -> str:
    """An exit code in words; a negative one is the signal that ended the process."""
    if code >= 0:
        return f"code {code}"
    return signal.Signals(-code).name
