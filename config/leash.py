"""Children that do not outlive their parent.

On Linux the kernel sees to it (`die_with_parent`). Elsewhere a small process stands between
(`leashed`, run as `python -m config.leash COMMAND`): it passes signals on, and ends the child
when its own standard input, a pipe that the parent holds, is closed.
"""

import ctypes
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence

PR_SET_PDEATHSIG = 1
IS_LINUX = sys.platform == "linux"
# Loaded here: between fork and exec the child only makes the call.
_libc = ctypes.CDLL(None, use_errno=True) if IS_LINUX else None


def die_with_parent(last_signal: signal.Signals = signal.SIGKILL) -> Callable[[], None]:
    """For `preexec_fn`: the kernel sends `last_signal` to the child when this process ends, however it ends.

    Linux only; elsewhere it does nothing. The kernel watches the thread that forks, so
    call it from the main thread.
    """
    parent = os.getpid()

    def tie() -> None:
        if _libc is None:
            return
        _libc.prctl(PR_SET_PDEATHSIG, int(last_signal), 0, 0, 0)
        if os.getppid() != parent:  # the parent ended before the call above
            os._exit(1)

    return tie


def leashed(command: Sequence[str]) -> list[str]:
    """The same command, ended when the standard input it is given is closed."""
    return [sys.executable, "-m", "config.leash", *command]


def main(command: Sequence[str]) -> int:
    """Runs `command`; its exit code, or 128 and the signal that ended it. See `leashed`."""
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, close_fds=False)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda received, frame: child.send_signal(received))

    def end_with_parent() -> None:
        while os.read(0, 4096):
            pass
        child.kill()

    threading.Thread(target=end_with_parent, daemon=True).start()
    code = child.wait()
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
