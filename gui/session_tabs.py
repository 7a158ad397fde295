"""The open sessions, one a tab."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QStackedWidget, QTabBar, QTabWidget, QWidget

if TYPE_CHECKING:
    from gui.session_pane import SessionPane

PREPARE_MS = 2000  # after which a person is likely to be looking rather than waiting


class SessionTabs(QTabWidget):
    """Signals: `pane_opened` (SessionPane) before it loads; `pane_changed` when another one, or none, is in front;
    `pane_closed` when there is one less.
    """

    pane_opened = Signal(object)
    pane_changed = Signal()
    pane_closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setDocumentMode(True)
        self.setMovable(True)
        self.setTabsClosable(True)
        self.tabBar().setDrawBase(False)
        self.tabBar().setAccessibleName(self.tr("Open sessions"))
        self.setTabBarAutoHide(True)
        self._fit_focus()
        self.tabCloseRequested.connect(self._close_at)
        self.currentChanged.connect(self.pane_changed)
        self._spare: SessionPane | None = None

    def prepare(self) -> None:
        """Make the widgets of the next session while nobody waits for them; not any more once the window is closed."""
        if self._spare is None and self.window().isVisible():
            self._spare = self._make_pane()
            self._spare.hide()
            self._spare.prepare()

    def prepare_soon(self) -> None:
        """Prepare when what has just been asked for is likely to be over."""
        QTimer.singleShot(PREPARE_MS, self, self.prepare)

    def current_pane(self) -> SessionPane | None:
        """Return the session in front."""
        pane = self.currentWidget()
        return pane if pane is not None else None  # type: ignore[return-value]

    def panes(self) -> Iterator[SessionPane]:
        """Yield all open sessions."""
        for number in range(self.count()):
            yield self.widget(number)  # type: ignore[misc]

    @property
    def is_busy(self) -> bool:
        """Whether something of an open session is being read, computed or run."""
        return any(
            not pane.is_prepared or pane.document.is_reading or pane.is_computing or pane.runner.is_running
            for pane in self.panes()
        )

    def open_path(self, path: Path, entry_id: str | None = None) -> None:
        """Show the session file `path`, opening it unless it is open, and select an entry in it."""
        pane = next((pane for pane in self.panes() if pane.document.path == path), None)
        if pane is None:
            pane = self._add(path)
        self.setCurrentWidget(pane)
        if entry_id is not None:
            pane.select_when_ready(entry_id)

    def close_pane(self, pane: SessionPane) -> None:
        """Close a session: running work is stopped, nothing is lost."""
        pane.close_session()
        self.removeTab(self.indexOf(pane))
        pane.delete_in_turns()
        self.pane_closed.emit()

    def rename(self, path: Path, name: str) -> bool:
        """Give the session of an open file a name; False when it isn't open."""
        pane = next((pane for pane in self.panes() if pane.document.path == path), None)
        if pane is None or not pane.is_prepared or pane.document.is_loading:
            return False  # its file is not known yet
        pane.edits.set_session_name(name)
        return True

    def close_all(self) -> None:
        """Close all sessions."""
        for pane in list(self.panes()):
            self.close_pane(pane)
        self._drop_prepared()

    def name_tab(self, pane: SessionPane) -> None:
        """Show the session's name, or its file's, on its tab."""
        number = self.indexOf(pane)
        path = pane.document.path
        text = pane.session_name() or path.name
        self.setTabText(number, text.replace("&", "&&"))
        self.setTabToolTip(number, str(path))
        for side in (QTabBar.ButtonPosition.LeftSide, QTabBar.ButtonPosition.RightSide):
            if (button := self.tabBar().tabButton(number, side)) is not None:
                button.setAccessibleName(self.tr("Close {0}").format(text))

    def tabInserted(self, index: int) -> None:
        super().tabInserted(index)
        self._fit_focus()

    def tabRemoved(self, index: int) -> None:
        super().tabRemoved(index)
        self._fit_focus()

    def _fit_focus(self) -> None:
        """Let Tab come to the bar when it can be seen: it goes no further from one that hides, nor from the widget."""
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        if self.count() > 1:
            self.tabBar().setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def _make_pane(self) -> SessionPane:
        # Not by import statements: the Qt bindings look into the source of a module that one names first.
        make_pane: Callable[..., SessionPane] = import_module("gui.session_pane").SessionPane
        # Where a tab's page belongs: widgets that get another parent when they are shown are all styled anew.
        return make_pane(import_module("services.session_setup").window_session, self.findChild(QStackedWidget) or self)

    def _drop_prepared(self) -> None:
        if self._spare is not None:
            self._spare.close_session()
            self._spare.deleteLater()
            self._spare = None

    def _add(self, path: Path) -> SessionPane:
        pane, self._spare = self._spare or self._make_pane(), None
        pane.document.path = path
        self.addTab(pane, "")
        self.name_tab(pane)
        pane.state_changed.connect(lambda: self.name_tab(pane))
        self.pane_opened.emit(pane)
        pane.load(path)
        return pane

    def _close_at(self, number: int) -> None:
        self.close_pane(self.widget(number))  # type: ignore[arg-type]
