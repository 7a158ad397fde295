"""A text that is read and copied as a whole, such as a path."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QTextLayout
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.widgets import TextView

SIDE, TOP = 9, 6  # pixels around the text, with the border


class WholeText(TextView):
    """As high as its text, in every width, and broken where it has no blanks; a label would cut it there.

    Unlike the text of a label that is `breakable`, what is copied has no breaks.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(0)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_text(self, text: str) -> None:
        """Replace the text, and take the room that it needs."""
        super().show_text(text)
        self.updateGeometry()

    def text(self) -> str:
        """Return all of the text."""
        return self.toPlainText()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        layout = QTextLayout(self.text(), self.font())
        layout.setTextOption(self.document().defaultTextOption())
        layout.beginLayout()
        count = 0
        while (line := layout.createLine()).isValid():
            line.setLineWidth(max(1, width - 2 * SIDE))
            count += 1
        layout.endLayout()
        return max(1, count) * self.fontMetrics().lineSpacing() + 2 * TOP

    def sizeHint(self) -> QSize:
        return QSize(0, self.heightForWidth(max(self.width(), 1)))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.fontMetrics().lineSpacing() + 2 * TOP)
