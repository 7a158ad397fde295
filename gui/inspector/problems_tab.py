"""The *Problems* tab: everything odd that was found in the file, where, and what was done about it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from gui.number_text import full_count
from gui.translation import shown
from gui.widgets import label
from model.records import Problem

MOST_SHOWN = 5000


class ProblemsTab(QWidget):
    """Signal: `repair_wanted` (path of the copy to write)."""

    repair_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = label(style="title", wrap=True)
        self._text = label(style="muted", wrap=True)
        self.list = QTreeWidget()
        self.list.setAccessibleName(self.tr("Problems in the file"))
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setHeaderLabels([self.tr("Line"), self.tr("Byte"), self.tr("What was found, and what was done")])
        header = self.list.header()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self._repair = QPushButton(self.tr("Save a repaired copy…"))
        self._repair.setToolTip(self.tr("Write a clean file beside this one; the original stays as it is"))
        self._repair.clicked.connect(self._choose_copy)
        row = QHBoxLayout()
        row.addWidget(self._repair)
        row.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 12, 14, 12)
        layout.addWidget(self._title)
        layout.addWidget(self._text)
        layout.addWidget(self.list, 1)
        layout.addLayout(row)

    def show_problems(self, problems: Sequence[Problem], read_only: str | None) -> None:
        """List `problems`; `read_only` is the sentence why the file cannot be changed, or None."""
        count = len(problems)
        self._title.setText(self.tr("1 problem") if count == 1 else self.tr("{0} problems").format(full_count(count)))
        self._text.setText(shown(read_only or "") or self.tr("All other entries are shown. The file itself was not changed."))
        self.list.clear()
        for problem in problems[:MOST_SHOWN]:
            message = shown(problem.message)
            item = QTreeWidgetItem([str(problem.line or ""), str(problem.offset or 0), message])
            item.setToolTip(2, message)
            for column in (0, 1):
                item.setTextAlignment(column, Qt.AlignmentFlag.AlignRight)
            self.list.addTopLevelItem(item)

    def _choose_copy(self) -> None:
        dialog = QFileDialog(self, self.tr("Save a repaired copy"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("jsonl")
        dialog.fileSelected.connect(self.repair_wanted)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()
