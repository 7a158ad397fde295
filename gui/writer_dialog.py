"""The question before writing into a session that another program seems to be at work in."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from gui.dialog_size import resize_to_font
from gui.number_text import full_count
from gui.widgets import TextView, label
from services.questions import RecentWriter, WriterAnswer


class WriterDialog(QDialog):
    """Signal: `answered` (WriterAnswer), exactly once. Escape and closing the dialog stop."""

    answered = Signal(str)

    def __init__(self, writer: RecentWriter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._answer: WriterAnswer = "stop"
        self.setWindowTitle(self.tr("Another program is writing"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.title = label(self._title(writer), style="title", wrap=True)
        note = label(self._note(writer), style="muted", wrap=True)
        self.text = TextView(monospace=True)
        self.text.setAccessibleName(self.tr("Text that is not saved yet"))
        self.text.show_text(writer.text)
        self.text.setVisible(bool(writer.text))
        self.copy_button = QPushButton(self.tr("&Copy the text"))
        self.copy_button.setVisible(bool(writer.text))
        self.copy_button.clicked.connect(lambda: QGuiApplication.clipboard().setText(writer.text))
        self.write_button = QPushButton(self.tr("&Write anyway"))
        self.stop_button = QPushButton(self.tr("Do &not write"))
        self.stop_button.setProperty("primary", True)
        self.stop_button.setDefault(True)
        self.write_button.clicked.connect(self._write)
        self.stop_button.clicked.connect(self.reject)
        buttons = QHBoxLayout()
        buttons.addWidget(self.copy_button)
        buttons.addStretch(1)
        buttons.addWidget(self.write_button)
        buttons.addWidget(self.stop_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(12)
        column.addWidget(self.title)
        column.addWidget(note)
        column.addWidget(self.text, 1)
        column.addStretch(0 if writer.text else 1)
        column.addLayout(buttons)
        self.finished.connect(lambda _result: self.answered.emit(self._answer))
        resize_to_font(self, 64, 24 if writer.text else None)

    def _title(self, writer: RecentWriter) -> str:
        if writer.entry_count == 1:
            return self.tr("Another program went on from here meanwhile, with 1 entry")
        if writer.entry_count:
            return self.tr("Another program went on from here meanwhile, with {0} entries").format(
                full_count(writer.entry_count)
            )
        seconds = round(writer.seconds_ago)
        return self.tr("Another program wrote into this session {0} seconds ago").format(seconds)

    def _note(self, writer: RecentWriter) -> str:
        if writer.entry_count:
            return self.tr(
                "What would be written now would stand beside its entries, on a branch of its own, and agents would "
                "resume there: what the other program wrote would be left. Nothing has been written yet."
            )
        return self.tr(
            "If an agent is at work in it, two writers make branches that nobody asked for. Nothing is overwritten "
            "either way. Stop the agent first, or write all the same."
        )

    def _write(self) -> None:
        self._answer = "write"
        self.accept()

    def showEvent(self, event: object) -> None:
        super().showEvent(event)  # type: ignore[arg-type]
        self.stop_button.setFocus(Qt.FocusReason.OtherFocusReason)
