"""Work in small steps, one a turn of the event loop, so that the window answers in between."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QDialog, QWidget
from shiboken6 import isValid

from services.right_of_way import WINDOW


@contextmanager
def right_of_way() -> Iterator[None]:
    """Have workers wait while something is shown, and while Qt lays out what it changed, which comes behind it."""
    WINDOW.take()
    try:
        yield
    finally:
        QTimer.singleShot(0, WINDOW.give_back)  # behind all that is posted by now


def paint_next_turn(widget: QWidget) -> None:
    """Have a widget painted in the next turn of the event loop: to change it and to paint it are two turns."""
    widget.setUpdatesEnabled(False)
    QTimer.singleShot(1, widget, lambda: widget.setUpdatesEnabled(True))


class LaterTurns(QTimer):
    """Does what it was asked to, each thing in a turn of its own and once, however often it was asked in between."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._asked: dict[Callable[[], object], None] = {}  # in this order
        self.setInterval(1)  # as `Turns`
        self.timeout.connect(self._do_first)

    @property
    def is_waiting(self) -> bool:
        """Whether something is still to be done."""
        return bool(self._asked)

    def ask(self, act: Callable[[], object]) -> None:
        """Have `act` called soon. What waits already keeps its turn: a key that repeats does not starve it."""
        self._asked.setdefault(act)
        if not self.isActive():
            self.start()

    def do_now(self) -> None:
        """Do all that waits in this turn."""
        while self._asked:
            self._do_first()

    def close(self) -> None:
        """Forget what waits."""
        self._asked.clear()
        self.stop()

    def _do_first(self) -> None:
        act = next(iter(self._asked), None)
        if act is None:
            self.stop()
            return
        del self._asked[act]
        if not self._asked:
            self.stop()
        with right_of_way():
            act()


class Turns(QTimer):
    """Takes `steps` one after the other, each in a turn of its own, until they end or `stop()` is called."""

    def __init__(self, steps: Iterable[Callable[[], object]], parent: QObject) -> None:
        super().__init__(parent)
        self._steps = iter(steps)
        self.setInterval(1)  # not 0: what waits, such as painting, comes first
        self.timeout.connect(self._take_step)

    def _take_step(self) -> None:
        if (step := next(self._steps, None)) is None:
            if isValid(self):  # the steps may have been all that kept the owner, and with it this
                self.stop()
        else:
            with right_of_way():
                step()


def open_next_turn(dialog: QDialog, *steps: Callable[[], object]) -> None:
    """Open a dialog that was just made: to make it, each of `steps` and to lay it out have a turn each.

    Once closed it is not opened.
    """
    opening = Turns((*steps, dialog.open), dialog)
    dialog.finished.connect(opening.stop)
    opening.start()
