"""Python's cyclic collector, only at moments when nobody waits.

Its full runs hold the interpreter, and with it the window, for as long as there are objects to look at: half a second
while a worker has decoded a long path. Nearly everything here is freed by reference counts alone, so what is left can
wait until nobody has done anything for a moment. Source: performance, 7.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, QTimer

PAUSE_MS: Final = 2_000
MOST_WORK_S: Final = 0.06  # of processor time, of the window's thread in a pause in which nobody does anything
LEAST_OBJECTS: Final = 700  # that came since the last run and are still there; as Python's own runs
MOST_PAUSES: Final = 150  # without a run, however busy the window is


class IdleCollector(QTimer):
    """Collects behind a pause in which the window had next to nothing to do, and `is_busy` says no."""

    def __init__(self, is_busy: Callable[[], bool], parent: QObject) -> None:
        super().__init__(parent)
        self._is_busy = is_busy
        self._pauses = 0
        self._everything = False
        self._worked_s = time.thread_time()  # by the end of the last pause
        self.setInterval(PAUSE_MS)
        self.timeout.connect(self.collect)

    def take_over(self) -> None:
        """From now on nothing is collected in between; what was made so far lives as long as the program."""
        gc.freeze()
        gc.disable()
        self.start()

    def note_closed(self) -> None:
        """Have everything looked at the next time: a session was closed."""
        self._everything = True

    def collect(self) -> None:
        """Collect what was made since the last run, unless that is little or the window is busy.

        To be called on the window's thread.
        """
        before, self._worked_s = self._worked_s, time.thread_time()
        if gc.get_count()[0] < LEAST_OBJECTS and not self._everything:
            return
        self._pauses += 1
        works = self._worked_s - before > MOST_WORK_S
        if (works or self._is_busy()) and self._pauses < MOST_PAUSES:
            return
        self._pauses = 0
        gc.collect(2 if self._everything else 1)
        self._everything = False
        self._worked_s = time.thread_time()
