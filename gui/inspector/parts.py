"""Parts of a tab that share its height."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QSplitter, QWidget


class Parts(QSplitter):
    """Parts one below the other, with handles between. They need no more than is said when they are added."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self.setChildrenCollapsible(False)

    def add(self, part: QWidget, least_lines: float, share: int, place: int = -1) -> None:
        """Add a part that is at least so many lines of text high."""
        part.setMinimumHeight(round(self.fontMetrics().height() * least_lines))
        self.insertWidget(self.count() if place < 0 else place, part)
        self.setStretchFactor(self.indexOf(part), share)

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()
