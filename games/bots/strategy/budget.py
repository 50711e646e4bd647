"""How long a search may go on."""

import time
from typing import Final

_BESIDE_S: Final = 0.000_2


class Budget:
    """So many seconds of this thread's processor time, or so many iterations.

    Processor time, so that a crowded machine makes a player slower and not weaker.
    """

    __slots__ = ("_begun", "_iterations", "_last", "_seconds", "done")

    def __init__(self, *, seconds: float, iterations: int | None = None) -> None:
        self._seconds = seconds
        self._iterations = iterations
        self._begun = self._last = time.thread_time()
        self.done = 0

    def share(self) -> float:
        """The share that is used up, 1.0 or more at the end.

        Of time, a next step as long as the last is counted in, and what is done beside the steps, so
        that it is hardly overdrawn.
        """
        if self._iterations is not None:
            return self.done / max(1, self._iterations)
        now = time.thread_time()
        step, self._last = now - self._last, now
        return (now + step + _BESIDE_S - self._begun) / self._seconds if self._seconds > 0 else 1.0
