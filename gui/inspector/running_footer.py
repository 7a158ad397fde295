"""The foot of a tab that does something: its button stands alone; while it runs, the way to stop takes its place."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from gui.widgets import label


class RunningFooter(QWidget):
    """`offer_more_room` puts another way to go on after a run beside its buttons.

    Signal: `stop_wanted`.
    """

    stop_wanted = Signal()

    def __init__(self, buttons: Sequence[QPushButton], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("footer", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._buttons = list(buttons)
        self.stop_button = QPushButton(self.tr("Stop"))
        self.stop_button.clicked.connect(self.stop_wanted)
        self.again = QPushButton(self.tr("Try again with twice the room"))
        self.again.clicked.connect(self._go_on)
        self._act: Callable[[], None] | None = None
        self.state = label(style="muted", wrap=True)
        self.is_running = False
        layout = QHBoxLayout(self)
        layout.setContentsMargins(14, 10, 14, 10)
        for button in self._buttons:
            layout.addWidget(button)
        layout.addWidget(self.again)
        layout.addWidget(self.stop_button)
        layout.addWidget(self.state, 1)
        self.set_running(False)

    def set_running(self, running: bool) -> None:
        """Show the buttons, or how to stop what they started."""
        self.is_running = running
        for button in self._buttons:
            button.setVisible(not running)
        self.stop_button.setVisible(running)
        self.again.setVisible(not running and self._act is not None)
        self.state.setText(self.tr("or press Esc · nothing has been written yet") if running else "")
        if running:  # what had the keyboard is switched off while it runs
            self.stop_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def offer_more_room(self, act: Callable[[], None] | None) -> None:
        """Offer to try again by `act`, until the next run; None takes the offer back."""
        self._act = act
        self.again.setVisible(act is not None and not self.is_running)

    def _go_on(self) -> None:
        if (act := self._act) is not None:
            act()

    def say(self, text: str) -> None:
        """Show how the last run ended, or what it is doing."""
        self.state.setText(text)
