"""Escape stops what runs, wherever the focus is."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication


class StopKey(QObject):
    """Watches all key presses of the application while `is_running` says that there is something to `stop`."""

    def __init__(self, is_running: Callable[[], bool], stop: Callable[[], None], parent: QObject) -> None:
        super().__init__(parent)
        self._is_running = is_running
        self._stop = stop
        self._is_watching = False

    def watch(self) -> None:
        """Start or end watching, as there is something running or not: a filter costs a call for every event."""
        application = QApplication.instance()
        wanted = self._is_running()
        if application is not None and wanted != self._is_watching:
            self._is_watching = wanted
            if wanted:
                application.installEventFilter(self)
            else:
                application.removeEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and self._stops(event):
            event.accept()  # now it comes back as a key press, to whatever has the focus
            return False
        if event.type() == QEvent.Type.KeyPress and self._stops(event):
            self._stop()
            return QApplication.activePopupWidget() is None  # an open menu closes as well
        return False

    def _stops(self, event: QEvent) -> bool:
        return isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape and self._is_running()
