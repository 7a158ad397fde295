"""The window's thread has the right of way: while it paints or shows a result, workers stop at their checks.

Python runs one thread at a time. Painting calls in and out of it thousands of times, and at each of them a busy worker
takes its turn: what costs 15 ms alone takes 40 ms beside one. A worker that waits instead loses no more than the window
takes, and at most `LONGEST_WAIT_S` a check, so that it comes to its end whatever the window does. For a window that has
not moved for `LONGEST_TURN_S` nobody waits: it may be waiting itself, for that worker.
"""

import threading
import time
from typing import Final, Self

LONGEST_WAIT_S: Final = 0.02
LONGEST_TURN_S: Final = 0.1


class RightOfWay:
    """Taken by one thread with `with`, as often as it likes, also within itself; respected by all others."""

    def __init__(self) -> None:
        self._is_free = threading.Event()
        self._is_free.set()
        self._owner = 0
        self._depth = 0
        self._since = 0.0

    def __enter__(self) -> Self:
        self.take()
        return self

    def __exit__(self, *_error: object) -> None:
        self.give_back()

    def take(self) -> None:
        """Have the others wait until it is given back as often as it was taken."""
        self._depth += 1
        self._since = time.perf_counter()
        if self._depth == 1:
            self._owner = threading.get_ident()
            self._is_free.clear()

    def give_back(self) -> None:
        """Let the others go on, unless it was taken more than once."""
        self._depth -= 1
        if self._depth == 0:
            self._is_free.set()

    @property
    def is_taken(self) -> bool:
        """Whether a thread has it."""
        return not self._is_free.is_set()

    def give(self) -> None:
        """Wait while another thread has it."""
        if self._is_free.is_set() or threading.get_ident() == self._owner:
            return
        if time.perf_counter() - self._since < LONGEST_TURN_S:
            self._is_free.wait(LONGEST_WAIT_S)


WINDOW: Final = RightOfWay()
