"""What a site consists of: the command line of each process, and what it is told. config/supervisor.py runs them."""

import os
import signal
import sys

from django.conf import settings
from django.core.management.base import CommandError

from config.environment import BASE_DIR, LOCAL_HOSTS, valkey_socket
from config.services import ServiceMissing, find_valkey, valkey_answers, valkey_command
from config.supervisor import Program

FRAME_LIMIT_BYTES = 16_384
# This one holds for what is sent, too, and a whole table is some 40 KB; what comes in is bounded by the frame.
MESSAGE_LIMIT_BYTES = 262_144
EVERY_ADDRESS = ("0.0.0.0", "::")
ROOT_WARNING = "You're running the worker with superuser privileges"
# The whole stop takes 3 s at most.
STOP_ORDER = (("beat",), ("web",), ("worker", "clock"), ("valkey",))
STOP_WITHIN_S = {"beat": 0.2, "web": 0.8, "worker": 0.9, "clock": 0.9, "valkey": 0.3}


def programs(listener: int, bind: str) -> list[Program]:
    """What a site consists of, in the order it starts. `listener`: the web's listening socket."""
    environment = child_environment(bind)
    # Celery's word about root is for its pickle days: only JSON is accepted here.
    celery = [sys.executable, "-W", f"ignore:{ROOT_WARNING}", "-m", "celery", "-q", "-A", "config.celery"]
    worker = [*celery, "worker", "-P", "threads", "--without-gossip", "--without-mingle", "-l", "WARNING"]
    frame, message = str(FRAME_LIMIT_BYTES), str(MESSAGE_LIMIT_BYTES)
    web = [
        *(sys.executable, "-m", "daphne", "--fd", str(listener), "-v", "0", "--no-server-name"),
        *("--websocket-max-message-size", message, "--websocket-max-frame-size", frame),
        # No limit on the life of a socket: a table may stay open for days.
        *("--websocket_timeout", "-1", "--application-close-timeout", "5"),
        "config.asgi:application",
    ]
    commands = {
        "web": web,
        "clock": [*worker, "-Q", "clock", "-c", "2", "-n", "clock@%h"],
        "worker": [*worker, "-Q", "default", "-c", "4", "-n", "worker@%h"],
        # Beat's plan is in the code: nothing to keep in a file that a crash could spoil.
        "beat": [*celery, "beat", "-S", "celery.beat:Scheduler", "--pidfile=", "-l", "WARNING"],
    }
    valkey = [valkey_program(environment)] if settings.VALKEY_IS_OURS else []
    return valkey + [
        Program(
            name,
            command,
            stop_within_s=STOP_WITHIN_S[name],
            environment=environment,
            pass_fds=(listener,) if name == "web" else (),
        )
        for name, command in commands.items()
    ]


def valkey_program(environment: dict[str, str]) -> Program:
    """Our own Valkey: an append-only file under var/, and a socket that only this user can reach."""
    path = valkey_socket(settings.VAR_DIR)
    directory = settings.VAR_DIR / "valkey"
    directory.mkdir(parents=True, exist_ok=True)
    try:
        command = valkey_command(find_valkey(), socket_path=path, directory=directory, keep=True)
    except ServiceMissing as missing:
        raise CommandError(str(missing)) from missing
    return Program(
        "valkey",
        command,
        stop_within_s=STOP_WITHIN_S["valkey"],
        environment=environment,
        last_signal=signal.SIGTERM,  # it writes its file out
        is_quiet=True,
        is_up=lambda: valkey_answers(path),
    )


def child_environment(bind: str) -> dict[str, str]:
    """The environment of the children: as ours, and what `up` knows of the site."""
    hosts = [host for host in settings.ALLOWED_HOSTS if host not in LOCAL_HOSTS]
    if bind not in EVERY_ADDRESS:
        hosts.append(f"[{bind}]" if ":" in bind else bind)
    python_path = [str(BASE_DIR), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "PYTHONPATH": os.pathsep.join(python_path),
        "PYTHONUNBUFFERED": "1",
        "BONEYARD_HOSTS": ",".join(hosts),
    }
