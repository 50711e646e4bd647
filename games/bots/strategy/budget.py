"""How long a search may go on."""

import time


class Budget:
    """So many seconds of this thread's processor time, or so many iterations.

    Processor time, so that a crowded machine makes a player slower and not weaker.
    """

    __slots__ = ("_begun", "_iterations", "_seconds", "done")

    def __init__(self, *, seconds: float, iterations: int | None = None) -> None:
        self._seconds = seconds
        self._iterations = iterations
        self._begun = time.thread_time()
        self.done = 0

    def share(self) -> float:
        """The share that is used up, 1.0 or more at the end."""
        if self._iterations is not None:
            return self.done / max(1, self._iterations)
        return (time.thread_time() - self._begun) / self._seconds if self._seconds > 0 else 1.0
