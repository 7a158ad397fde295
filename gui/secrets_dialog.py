"""The question before a prompt that looks as if it held secrets leaves this machine: mask, send, or stop."""

from __future__ import annotations

from collections import Counter

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QTableWidget, QVBoxLayout, QWidget

from gui.plain_table import plain_table
from gui.translation import shown
from gui.widgets import label
from services.questions import SecretsAnswer, SecretsFound

translate = QCoreApplication.translate

MOST_LINES = 8


class SecretsDialog(QDialog):
    """Signal: `answered` (SecretsAnswer), exactly once. Escape and closing the dialog stop."""

    answered = Signal(str)

    def __init__(self, found: SecretsFound, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._answer: SecretsAnswer = "stop"
        self.setWindowTitle(self.tr("Likely secrets"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        count = len(found.secrets)
        title = (
            self.tr("What looks like a secret would be sent to {0}")
            if count == 1
            else self.tr("{1} likely secrets would be sent to {0}")
        )
        self.title = label(title.format(found.host, self.locale().toString(count)), style="title", wrap=True)
        self.table = _table(found, self)
        self.note = label(
            self.tr(
                "Masked, each is replaced by a note of its kind. The session file stays as it is. "
                "Your answer holds for {0} until the session is closed."
            ).format(found.host),
            style="muted",
            wrap=True,
        )
        self.mask_button = QPushButton(self.tr("&Mask and send"))
        self.mask_button.setProperty("primary", True)
        self.mask_button.setDefault(True)
        self.send_button = QPushButton(self.tr("&Send as it is"))
        self.stop_button = QPushButton(self.tr("S&top"))
        for button, answer in ((self.mask_button, "mask"), (self.send_button, "send"), (self.stop_button, "stop")):
            button.clicked.connect(lambda _checked=False, answer=answer: self._take(answer))
        buttons = QHBoxLayout()
        buttons.addWidget(self.mask_button)
        buttons.addWidget(self.send_button)
        buttons.addStretch(1)
        buttons.addWidget(label(self.tr("Esc stops · nothing has been sent"), style="muted"))
        buttons.addWidget(self.stop_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(12)
        column.addWidget(self.title)
        column.addWidget(self.table)
        column.addWidget(self.note)
        column.addStretch(1)
        column.addLayout(buttons)
        self.finished.connect(lambda _result: self.answered.emit(self._answer))
        width = self.fontMetrics().averageCharWidth() * 92
        self.resize(width, column.heightForWidth(width))
        self.mask_button.setFocus()

    def _take(self, answer: SecretsAnswer) -> None:
        self._answer = answer
        self.done(QDialog.DialogCode.Accepted if answer != "stop" else QDialog.DialogCode.Rejected)


def _table(found: SecretsFound, parent: SecretsDialog) -> QTableWidget:
    """What was found, each once, with how often."""
    counts = Counter((shown(secret.kind), shown(secret.preview)) for secret in found.secrets)
    headers = [
        translate("SecretsDialog", "Kind"),
        translate("SecretsDialog", "Begins with"),
        translate("SecretsDialog", "Times"),
    ]
    rows = [(kind, preview, parent.locale().toString(count)) for (kind, preview), count in counts.items()]
    name = translate("SecretsDialog", "Likely secrets")
    return plain_table(name, headers, rows, parent, numbers=(2,), most_lines=MOST_LINES)
