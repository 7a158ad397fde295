"""A summary that is stored already: folded until somebody wants to read it, by its sections, and to be copied."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from gui.inspector.fold_button import FoldButton
from gui.summary_text import SummaryText

LINES = 14


@dataclass(frozen=True, slots=True)
class StoredSummary:
    """The texts of a compaction entry."""

    text: str
    short: str | None = None


class StoredSummaryBox(QWidget):
    """Hidden while there is no summary."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._summary: StoredSummary | None = None
        self._is_filled = False
        self.fold = FoldButton(self.tr("What was summarised before"))
        self.fold.toggled.connect(self._follow_fold)
        self.sections = SummaryText()
        self.sections.setAccessibleName(self.tr("Sections of the stored summary"))
        self.sections.setMinimumHeight(self.fontMetrics().lineSpacing() * LINES)
        self.copy = QPushButton(self.tr("Copy summary"))
        self.copy.clicked.connect(self._copy)
        head = QHBoxLayout()
        head.addWidget(self.fold)
        head.addStretch(1)
        head.addWidget(self.copy)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addLayout(head)
        column.addWidget(self.sections, 1)
        self.show_summary(None)

    def show_summary(self, summary: StoredSummary | None, *, unfolded: bool = False) -> None:
        """Offer a summary to be read; `unfolded`: it is what the tab is about now."""
        if summary != self._summary:
            self._summary, self._is_filled = summary, False
        self.setVisible(summary is not None)
        if unfolded:
            self.fold.setChecked(True)
        self._follow_fold()

    @property
    def has_summary(self) -> bool:
        """Whether there is one to be read."""
        return self._summary is not None

    def _follow_fold(self, *_: object) -> None:
        is_open = self.fold.isChecked()
        self.sections.setVisible(is_open)
        self.copy.setVisible(is_open)
        if is_open and not self._is_filled and self._summary is not None:
            self._is_filled = True
            self.sections.show_summary(self._summary.text, self._summary.short)

    def _copy(self) -> None:
        if self._summary is not None:
            QGuiApplication.clipboard().setText(self._summary.text)
