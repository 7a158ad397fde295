"""The library at the left of the window: a dock that is there at once and filled after the first paint."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSettings, QSize, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gui.dock_title import Dock, DockTitle

if TYPE_CHECKING:
    from gui.library_pane import LibraryPane

FIRST_CHARACTERS, LEAST_CHARACTERS = 34, 20


class _Inside(QWidget):
    """What is in the dock, the list when it is there; as wide as a session's facts need."""

    def __init__(self) -> None:
        super().__init__()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)

    def take(self, pane: QWidget) -> None:
        """Hold the list."""
        self._column.addWidget(pane)

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().averageCharWidth() * FIRST_CHARACTERS, self.fontMetrics().height() * 24)


class LibraryDock(Dock):
    """Signals: `open_wanted` (Path, entry id or None); `said` (sentence) for the status bar; `filled` when
    the list is there.

    `rename_open(path, name)` is asked to rename a session that is open; it returns False when it isn't.
    """

    open_wanted = Signal(object, object)
    said = Signal(str)
    filled = Signal()

    def __init__(self, settings: QSettings | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Library"))
        self.setObjectName("library")
        self.setTitleBarWidget(DockTitle(self, self.tr("Hide the library")))
        self.setAllowedAreas(Qt.DockWidgetArea.LeftDockWidgetArea | Qt.DockWidgetArea.RightDockWidgetArea)
        self.setAcceptDrops(True)
        self.setMinimumWidth(self.fontMetrics().averageCharWidth() * LEAST_CHARACTERS)
        self._inside = _Inside()
        self.setWidget(self._inside)
        self.rename_open: Callable[[Path, str], bool] = lambda _path, _name: False
        self.pane: LibraryPane | None = None
        self._settings = settings
        self._open: frozenset[Path] = frozenset()
        self._current: Path | None = None
        self._is_closed = False

    def start(self) -> None:
        """Make the list and look for sessions; not any more once the library is closed."""
        if self._is_closed:
            return
        if self.pane is None:
            from gui.library_pane import LibraryPane

            self.pane = LibraryPane(self._settings)
            self.pane.actions_.rename_open = self.rename_open
            self.pane.actions_.open_wanted.connect(self.open_wanted)
            self.pane.actions_.said.connect(self.said)
            self._inside.take(self.pane)
            self.pane.show_open(self._open, self._current)
            self.filled.emit()
        self.refresh()

    def refresh(self) -> None:
        """Look for sessions again."""
        if self.pane is not None:
            self.pane.control.refresh()

    def close_library(self) -> None:
        """Stop all work."""
        self._is_closed = True
        if self.pane is not None:
            self.pane.close_library()

    def show_open(self, paths: Collection[Path], current: Path | None = None) -> None:
        """Mark the sessions that are open and bring the one in front into sight."""
        self._open, self._current = frozenset(paths), current
        if self.pane is not None:
            self.pane.show_open(paths, current)

    def search(self) -> None:
        """Give the keyboard to the search field."""
        self.show()
        if self.pane is not None:
            self.pane.field.setFocus()
            self.pane.field.selectAll()

    def event(self, event: QEvent) -> bool:
        """Look again when the window comes to the front: an agent may have been at work."""
        if event.type() == QEvent.Type.WindowActivate and self.pane is not None:
            self.pane.control.check()
        return super().event(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        is_own = self.pane is not None and event.source() is self.pane.view
        if not is_own and any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        if paths and self.pane is not None:
            event.acceptProposedAction()
            self.pane.take_dropped(paths)
