"""A strip above the tree for what a person should know: failures with the next step, notices, loading."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QElapsedTimer, Qt
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QWidget

from gui.translation import shown
from gui.widgets import label

UPDATE_MS = 100


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
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 6, 12, 6)
        layout.addWidget(self.text, 1)
        layout.addWidget(self.progress)
        layout.addWidget(self.action)
        layout.addWidget(self.other_action)
        layout.addWidget(self.dismiss)
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
