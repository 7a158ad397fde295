"""The answer while it arrives: above the composer, until its row is in the tree."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from gui.widgets import TextView, label

FLUSH_MS = 40  # streamed pieces are shown together: each one lays out its paragraph
HEIGHT_LINES = 9


class LiveAnswer(QWidget):
    """Shows what the model says now, and what it waits for."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pieces: list[str] = []
        self.state = label(style="muted", wrap=True)
        self.dismiss = QPushButton(self.tr("Close"))
        self.dismiss.clicked.connect(self.hide)
        self.text = TextView()
        self.text.setAccessibleName(self.tr("Answer that is arriving"))
        self._flush = QTimer(self)
        self._flush.setSingleShot(True)
        self._flush.setInterval(FLUSH_MS)
        self._flush.timeout.connect(self._show_pieces)
        self.setProperty("footer", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        head = QHBoxLayout()
        head.addWidget(self.state, 1)
        head.addWidget(self.dismiss)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 6, 12, 6)
        column.addLayout(head)
        column.addWidget(self.text)
        self.text.setFixedHeight(self.text.fontMetrics().lineSpacing() * HEIGHT_LINES)
        self.hide()

    def begin(self, sentence: str) -> None:
        """An answer begins to arrive."""
        self._pieces = []
        self.text.show_text("")
        self.text.hide()
        self.say(sentence)
        self.dismiss.hide()
        self.show()

    def add(self, text: str) -> None:
        """More of the answer arrived."""
        self._pieces.append(text)
        if not self._flush.isActive():
            self._flush.start()

    def say(self, sentence: str) -> None:
        """Say above the text what goes on."""
        self.state.setText(sentence)
        self.state.setAccessibleName(sentence)

    def end(self, *, keep: bool = False) -> None:
        """The answer is in the tree. With `keep` it's not: what arrived stays readable until it's closed."""
        self._show_pieces()
        if keep and self.text.toPlainText():
            self.dismiss.show()
        else:
            self.hide()

    def _show_pieces(self) -> None:
        self._flush.stop()
        pieces, self._pieces = self._pieces, []
        if pieces:
            self.text.show()
            self.text.follow("".join(pieces))
