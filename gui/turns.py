"""Work in small steps, one a turn of the event loop, so that the window answers in between."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QObject, QTimer

from services.right_of_way import WINDOW


class Turns(QTimer):
    """Takes `steps` one after the other, each in a turn of its own, until they end or `stop()` is called."""

    def __init__(self, steps: Iterable[Callable[[], object]], parent: QObject) -> None:
        super().__init__(parent)
        self._steps = iter(steps)
        self.setInterval(1)  # not 0: what waits, such as painting, comes first
        self.timeout.connect(self._take_step)

    def _take_step(self) -> None:
        if (step := next(self._steps, None)) is None:
            self.stop()
        else:
            with WINDOW:
                step()
