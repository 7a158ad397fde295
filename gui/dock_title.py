"""The title of a dock: a thin line with its name to take hold of, and buttons to float and to close it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QBoxLayout, QDockWidget, QHBoxLayout, QWidget

from gui.icons import icon_pixmap
from gui.theme import current_theme
from gui.widgets import label

PADDING = 3
START = 16  # where the text of the library and of the tabs begins


class DockButton(QAbstractButton):
    """A small icon: the buttons of the style have wider edges."""

    def __init__(self, name: str, text: str, side: int) -> None:
        super().__init__()
        self._name = name
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFixedSize(side, side)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the menu and its shortcut do the same
        self.setAccessibleName(text)
        self.setToolTip(text)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current_theme()
        painter = QPainter(self)
        side = self.width() * 3 // 4
        tone = theme.text if self.underMouse() else theme.muted
        at = (self.width() - side) // 2
        painter.drawPixmap(at, at, icon_pixmap(self._name, tone, side, self.devicePixelRatioF()))


class DockTitle(QWidget):
    """Lies along the top of a dock. Where nothing else takes the mouse, the dock can be dragged by it."""

    def __init__(self, dock: QDockWidget, close_text: str) -> None:
        super().__init__(dock)
        self._dock = dock
        side = self.fontMetrics().height()
        self.float_button = DockButton("dock_float", self.tr("A window of its own, or back"), side)
        self.float_button.clicked.connect(lambda: dock.setFloating(not dock.isFloating()))
        self.close_button = DockButton("dock_close", close_text, side)
        self.close_button.clicked.connect(dock.close)
        self._lay_out()

    def _lay_out(self) -> None:
        row = self._box(QHBoxLayout(self))
        row.setContentsMargins(PADDING, PADDING, PADDING, 0)
        row.addSpacing(START - PADDING)
        row.addWidget(label(self._dock.windowTitle(), style="caption"))
        row.addStretch(1)
        row.addWidget(self.float_button)
        row.addWidget(self.close_button)

    def _box(self, box: QBoxLayout) -> QBoxLayout:
        box.setContentsMargins(PADDING, PADDING, PADDING, PADDING)
        box.setSpacing(0)
        return box


class Dock(QDockWidget):
    """Can be moved, floated and closed. Signal: `closed` by the user."""

    closed = Signal()

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.closed.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw an edge around a window of its own, which gets none from the desktop."""
        super().paintEvent(event)
        if self.isFloating():
            painter = QPainter(self)
            painter.setPen(QColor(current_theme().edge))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
