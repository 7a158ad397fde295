"""The question before writing into a session that another program seems to be at work in."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from gui.widgets import label
from services.questions import RecentWriter, WriterAnswer


class WriterDialog(QDialog):
    """Signal: `answered` (WriterAnswer), exactly once. Escape and closing the dialog stop."""

    answered = Signal(str)

    def __init__(self, writer: RecentWriter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._answer: WriterAnswer = "stop"
        self.setWindowTitle(self.tr("Another program is writing"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        seconds = round(writer.seconds_ago)
        self.title = label(
            self.tr("Another program wrote into this session {0} seconds ago").format(seconds), style="title", wrap=True
        )
        note = label(
            self.tr(
                "If an agent is at work in it, two writers make branches that nobody asked for. Nothing is overwritten "
                "either way. Stop the agent first, or write all the same."
            ),
            style="muted",
            wrap=True,
        )
        self.write_button = QPushButton(self.tr("&Write anyway"))
        self.stop_button = QPushButton(self.tr("Do &not write"))
        self.stop_button.setProperty("primary", True)
        self.stop_button.setDefault(True)
        self.write_button.clicked.connect(self._write)
        self.stop_button.clicked.connect(self.reject)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.write_button)
        buttons.addWidget(self.stop_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(12)
        column.addWidget(self.title)
        column.addWidget(note)
        column.addLayout(buttons)
        self.setMinimumWidth(460)
        self.finished.connect(lambda _result: self.answered.emit(self._answer))

    def _write(self) -> None:
        self._answer = "write"
        self.accept()

    def showEvent(self, event: object) -> None:
        super().showEvent(event)  # type: ignore[arg-type]
        self.stop_button.setFocus(Qt.FocusReason.OtherFocusReason)
