"""Python's cyclic collector, only at moments when nobody waits.

Its full runs hold the interpreter, and with it the window, for as long as there are objects to look at: half a second
while a worker has decoded a long path. Nearly everything here is freed by reference counts alone, so what is left can
wait. Source: performance, 7.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, QTimer

PAUSE_MS: Final = 10_000
MOST_PAUSES: Final = 30  # without a run, however busy the window is


class IdleCollector(QTimer):
    """Collects now and then while `is_busy` says no."""

    def __init__(self, is_busy: Callable[[], bool], parent: QObject) -> None:
        super().__init__(parent)
        self._is_busy = is_busy
        self._pauses = 0
        self._everything = False
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
        """Collect what was made since the last run, unless the window is busy."""
        self._pauses += 1
        if self._is_busy() and self._pauses < MOST_PAUSES:
            return
        self._pauses = 0
        gc.collect(2 if self._everything else 1)
        self._everything = False
