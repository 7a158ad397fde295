"""Small widgets of the library: the search field, what stands in place of an empty list, and notices."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from gui.widgets import label


class SearchField(QLineEdit):
    """Signals: `list_wanted` for the down key."""

    list_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setPlaceholderText(self.tr("Search all sessions"))
        self.setAccessibleName(self.tr("Search all sessions"))
        self.setClearButtonEnabled(True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_PageDown):
            self.list_wanted.emit()
        elif event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)


class EmptyState(QWidget):
    """Says why there is no list, with the way out of it. Signals: `action_wanted`."""

    action_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.text = label(style="muted", wrap=True)
        self.text.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.button = QPushButton()
        self.button.clicked.connect(self.action_wanted)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 0, 16, 0)
        column.setSpacing(12)
        column.addStretch(2)
        column.addWidget(self.text)
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(3)

    def say(self, text: str, action: str = "") -> None:
        """Show a text, and a button where there is something to do."""
        self.text.setText(text)
        self.button.setText(action)
        self.button.setVisible(bool(action))


class Notice(QWidget):
    """What has just happened, with the next step."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("footer", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.text = label(wrap=True)
        self.action = QPushButton()
        self.dismiss = QPushButton(self.tr("Dismiss"))
        self._act: Callable[[], object] | None = None
        self.action.clicked.connect(self._run)
        self.dismiss.clicked.connect(self.hide)
        buttons = QHBoxLayout()
        buttons.addWidget(self.action)
        buttons.addWidget(self.dismiss)
        buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 8, 8, 8)
        column.setSpacing(6)
        column.addWidget(self.text)
        column.addLayout(buttons)
        self.hide()

    def say(self, text: str, action: str = "", act: Callable[[], object] | None = None) -> None:
        """Show a message; `action` names the button that calls `act`."""
        self.text.setText(text)
        self.text.setAccessibleName(text)
        self._act = act
        self.action.setText(action)
        self.action.setVisible(act is not None)
        self.show()

    def _run(self) -> None:
        self.hide()
        if self._act is not None:
            self._act()
