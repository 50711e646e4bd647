"""Children that do not outlive their parent."""

import ctypes
import os
import signal
import sys
from collections.abc import Callable

PR_SET_PDEATHSIG = 1
IS_LINUX = sys.platform == "linux"
# Loaded here: between fork and exec the child only makes the call.
_libc = ctypes.CDLL(None, use_errno=True) if IS_LINUX else None


def die_with_parent(last_signal: int = signal.SIGKILL) -> Callable[[], None]:
    """For `preexec_fn`: the kernel sends `last_signal` to the child when this process ends, however it ends.

    Linux only; elsewhere it does nothing. The kernel watches the thread that forks, so
    call it from the main thread.
    """
    parent = os.getpid()

    def tie() -> None:
        if _libc is None:
            return
        _libc.prctl(PR_SET_PDEATHSIG, last_signal, 0, 0, 0)
        if os.getppid() != parent:  # the parent ended before the call above
            os._exit(1)

    return tie
