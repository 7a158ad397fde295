"""The foot of a tab that does something: its button stands alone; while it runs, the way to stop takes its place."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QApplication, QHBoxLayout, QPushButton, QWidget
from shiboken6 import isValid

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
        self._before: QWidget | None = None  # what had the keyboard when it began
        self._gives_back = False
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
        if running and not self.is_running:
            self._before = QApplication.focusWidget()
        elif not running and self.stop_button.hasFocus():
            self.stop_button.clearFocus()
            self._gives_back = True
        self.is_running = running
        if running:  # before the buttons are hidden: what is hidden hands the keyboard on to whatever comes next
            self.stop_button.show()
            self.stop_button.setFocus(Qt.FocusReason.OtherFocusReason)
        for button in self._buttons:
            button.setVisible(not running)
        self.stop_button.setVisible(running)
        self.again.setVisible(not running and self._act is not None)
        self.state.setText(self.tr("or press Esc · nothing has been written yet") if running else "")

    def give_back_focus(self) -> None:
        """After a run that had the keyboard: give it back to what had it before, or else to the first button."""
        if not self._gives_back:
            return  # whoever works elsewhere by now stays there
        self._gives_back = False
        for widget in (self._before, *self._buttons):
            if widget is not None and isValid(widget) and widget.isEnabled() and widget.isVisible():
                widget.setFocus(Qt.FocusReason.OtherFocusReason)
                return

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
