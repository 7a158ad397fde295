"""Has the window come back where it was and with its docks as they were. Written soon after they changed."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QSettings, QSize, QThreadPool
from PySide6.QtWidgets import QDockWidget, QMainWindow, QWidget

from gui.settled_changes import SettledChanges, dock_changes

STATE_FOLDER = "branchwork_state_folder"  # property of an application that leaves no traces


class WindowMemory(SettledChanges):
    """Keeps place and size of a window, and its docks and tool bars, in the settings of the window."""

    def __init__(self, window: QMainWindow, settings: QSettings) -> None:
        super().__init__(self._keep, window)
        self._window = window
        self._settings = settings

    def restore(self, first_size: QSize, inside: QWidget) -> None:
        """Bring the window back, or give it its first size; then follow it. `inside` has what its docks leave."""
        geometry, state = self._settings.value("geometry"), self._settings.value("state")
        if geometry is None or not self._window.restoreGeometry(geometry):
            self._window.resize(first_size)
        if state is not None:
            self._window.restoreState(state)
        self._window.installEventFilter(self)
        inside.installEventFilter(self)
        for dock in self._window.findChildren(QDockWidget):
            for change in dock_changes(dock):
                change.connect(self.note)

    def close(self) -> None:
        """Keep what is so now."""
        self.end()
        for name, value in self._changed().items():
            self._settings.setValue(name, value)

    def _keep(self) -> None:
        if changed := self._changed():
            write_settings(self._settings, changed)

    def _changed(self) -> dict[str, object]:
        now = {"geometry": self._window.saveGeometry(), "state": self._window.saveState()}
        return {name: value for name, value in now.items() if self._settings.value(name) != value}


def write_settings(settings: QSettings, values: dict[str, object]) -> None:
    """Set values on a worker, after which `settings` has them, too. It would wait for the disk on this thread."""
    QThreadPool.globalInstance().start(partial(_write, settings.fileName(), settings.format(), values))


def _write(file: str, format: QSettings.Format, values: dict[str, object]) -> None:
    settings = QSettings(file, format)
    for name, value in values.items():
        settings.setValue(name, value)
    settings.sync()
