"""A strip above the tree for what a person should know: failures with the next step, notices, loading."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QElapsedTimer, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QProgressBar, QPushButton, QWidget

from gui.translation import shown
from gui.widgets import label

UPDATE_MS = 100
LEAST_CHARACTERS = 28  # of the text in a line beside the buttons


class Banner(QWidget):
    """One message at a time, with a button for the next step, perhaps one for another, and one to dismiss it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("banner", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.text = label(wrap=True)
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setMaximumWidth(220)
        self.progress.setAccessibleName(self.tr("Progress"))
        self.action = QPushButton()
        self.other_action = QPushButton(self.tr("Show it"))
        self.dismiss = QPushButton(self.tr("Dismiss"))
        self._since_update = QElapsedTimer()
        self._since_update.start()
        self._act: Callable[[], None] | None = None
        self._other_act: Callable[[], None] | None = None
        self.action.clicked.connect(self._run_action)
        self.other_action.clicked.connect(self._run_other_action)
        self.dismiss.clicked.connect(self.hide)
        self._buttons = QHBoxLayout()
        self._buttons.addStretch()
        for widget in (self.progress, self.action, self.other_action, self.dismiss):
            self._buttons.addWidget(widget)
        self._layout = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._layout.setContentsMargins(12, 6, 12, 6)
        self._layout.addWidget(self.text, 1)
        self._layout.addLayout(self._buttons)
        self.hide()

    def say(
        self,
        text: str,
        action: str = "",
        act: Callable[[], None] | None = None,
        other_action: str = "",
        other_act: Callable[[], None] | None = None,
    ) -> None:
        """Show a message; `action` names the button for the next step, which calls `act`; so does the other one."""
        self._show(text, action, act)
        self._other_act = other_act
        if other_act is not None:
            self.other_action.setText(other_action)
            self.other_action.show()
        self.progress.hide()
        self.dismiss.show()
        self._arrange()

    def show_progress(self, text: str, done: int, total: int, action: str, act: Callable[[], None]) -> None:
        """Show how far something is, with a button to stop it."""
        if self._act != act or self.text.text() != shown(text):
            self._show(text, action, act)
        elif not self._since_update.hasExpired(UPDATE_MS):
            return  # a bar paints itself, and all that waits around it, at each new value
        self._since_update.restart()
        self.progress.setVisible(total > 0)  # a bar without an end moves all the time and says nothing
        self.dismiss.hide()
        self.progress.setRange(0, 1000)  # bars count in 32 bits, files do not
        self.progress.setValue(done * 1000 // total if total else 0)
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def minimumSizeHint(self) -> QSize:
        size, margins = super().minimumSizeHint(), self._layout.contentsMargins()
        size.setWidth(self._buttons.minimumSize().width() + margins.left() + margins.right())  # when they are below
        return size

    def _arrange(self) -> None:
        """Put the buttons below the text where they would leave it too little room."""
        margins = self._layout.contentsMargins()
        room = self.width() - margins.left() - margins.right() - self._buttons.sizeHint().width()
        is_narrow = room < self.fontMetrics().averageCharWidth() * LEAST_CHARACTERS
        direction = QBoxLayout.Direction.TopToBottom if is_narrow else QBoxLayout.Direction.LeftToRight
        if self._layout.direction() != direction:
            self._layout.setDirection(direction)

    def _show(self, text: str, action: str, act: Callable[[], None] | None) -> None:
        self.text.setText(shown(text))
        self.text.setAccessibleName(shown(text))
        self._act = act
        self.action.setText(action)
        self.action.setVisible(act is not None)
        self._other_act = None
        self.other_action.hide()
        self.show()

    def _run_action(self) -> None:
        if self._act is not None:
            self._act()

    def _run_other_action(self) -> None:
        if self._other_act is not None:
            self._other_act()
