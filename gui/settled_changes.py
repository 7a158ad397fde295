"""Does something once, a moment after the last of many changes."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QElapsedTimer, QEvent, QObject, QTimer, SignalInstance
from PySide6.QtWidgets import QDockWidget

PAUSE_MS = 2000
MOST_MS = 10_000  # from the first change on, however many follow
SEEN_EVENTS = frozenset({QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.WindowStateChange})


class SettledChanges(QObject):
    """Calls `act` when nothing was noted for two seconds, at the latest ten seconds after what was noted first."""

    def __init__(self, act: Callable[[], None], parent: QObject) -> None:
        super().__init__(parent)
        self._is_over = False
        self._first = QElapsedTimer()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(act)

    @property
    def is_waiting(self) -> bool:
        """Whether something was noted and not acted upon yet."""
        return self._timer.isActive()

    def note(self, *_: object) -> None:
        """Something changed."""
        if self._is_over:
            return
        if not self._timer.isActive():
            self._first.start()
        if self._first.elapsed() < MOST_MS - PAUSE_MS:
            self._timer.start(PAUSE_MS)

    def end(self) -> None:
        """Forget what was noted, and note nothing any more."""
        self._is_over = True
        self._timer.stop()

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Note that a widget in which this is installed has another place or size."""
        if event.type() in SEEN_EVENTS:
            self.note()
        return False


def dock_changes(dock: QDockWidget) -> tuple[SignalInstance, ...]:
    """Return the signals of a dock that is put elsewhere, shown or hidden; its size is not among them."""
    return dock.dockLocationChanged, dock.topLevelChanged, dock.visibilityChanged
