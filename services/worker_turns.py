"""Workers take turns: of those that compute, one goes on at a time.

Python runs one thread at a time anyway. Several workers that all want to go on only keep the window's thread waiting
longer for its turn: what takes it 4 ms beside one busy worker takes it 30 beside three.
"""

import threading
import time
from collections import deque
from typing import Final, Self

TURN_S: Final = 0.003
"""How long a worker computes at least before it lets another one go on."""
LONGEST_WAIT_S: Final = 0.02
"""How long a worker waits for the one whose turn it is, which may be reading from a slow disk."""

_NOBODY: Final = 0
_NEXT: Final = -1  # the turn was passed on to one that has not woken up yet


class WorkerTurns:
    """Taken with `with` for as long as a thread computes, which passes it on now and then by `give`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._owner = _NOBODY
        self._since = 0.0
        self._waiting: deque[threading.Event] = deque()
        self._computing: set[int] = set()

    def __enter__(self) -> Self:
        self._computing.add(threading.get_ident())
        self._take()
        return self

    def __exit__(self, *_error: object) -> None:
        self._computing.discard(threading.get_ident())
        self._pass_on()

    def give(self) -> None:
        """Let others go on that wait for it, when this thread computes and had its turn."""
        me = threading.get_ident()
        if me not in self._computing:
            return
        if self._owner != me:  # it was away for long, and another one went on
            self._take()
        elif self._waiting and time.perf_counter() - self._since >= TURN_S:
            self._pass_on()
            self._take()

    def _take(self) -> None:
        woken = threading.Event()
        with self._lock:
            is_free = self._owner == _NOBODY
            if is_free:
                self._own()
            else:
                self._waiting.append(woken)
        if is_free:
            return
        woken.wait(LONGEST_WAIT_S)
        with self._lock:
            if not woken.is_set():
                self._waiting.remove(woken)
            self._own()

    def _own(self) -> None:
        self._owner = threading.get_ident()
        self._since = time.perf_counter()

    def _pass_on(self) -> None:
        with self._lock:
            if self._owner != threading.get_ident():
                return
            if self._waiting:
                self._owner = _NEXT
                self._waiting.popleft().set()
            else:
                self._owner = _NOBODY


WORKERS: Final = WorkerTurns()
