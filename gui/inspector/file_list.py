"""Which files were read and modified: a list that unfolds, for the keyboard too, and can be copied."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from gui.inspector.fold_button import FoldButton
from gui.number_text import full_count
from gui.selected_rows import outline_selected_rows

MOST_LINES = 8
LINE = 1.6  # of the font


class _Files(QTreeWidget):
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            items = (self.topLevelItem(place) for place in range(self.topLevelItemCount()))
            all_items = [item for item in items if item is not None]
            chosen = [item for item in all_items if item.isSelected()] or all_items
            QGuiApplication.clipboard().setText("\n".join(item.text(0) for item in chosen))
        else:
            super().keyPressEvent(event)


class FileList(QWidget):
    """Hidden while there are no files. It stays folded or unfolded, whatever is shown."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._files: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
        self.fold = FoldButton()
        self.fold.toggled.connect(self._follow_fold)
        self.list = _Files()
        self.list.setAccessibleName(self.tr("Files"))
        self.list.setToolTip(self.tr("Ctrl+C copies the paths"))
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.list.setHeaderHidden(True)
        self.list.setColumnCount(2)
        self.list.header().setStretchLastSection(False)
        self.list.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.list.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        outline_selected_rows(self.list)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.fold, 0, Qt.AlignmentFlag.AlignLeading)
        column.addWidget(self.list)
        self.show_files((), ())

    def show_files(self, read: Sequence[str], modified: Sequence[str]) -> None:
        """Show other files."""
        self._files = (tuple(read), tuple(modified))
        self.fold.setText(
            self.tr("Files: {0} read, {1} modified").format(full_count(len(read)), full_count(len(modified)))
        )
        self.setVisible(self.count > 0)
        self._follow_fold()

    @property
    def count(self) -> int:
        """How many files there are."""
        return sum(map(len, self._files))

    def _follow_fold(self, *_: object) -> None:
        is_open = self.fold.isChecked()
        self.list.setVisible(is_open)
        self.list.clear()
        if not is_open:
            return
        height = round(self.fontMetrics().height() * LINE)
        for paths, word in zip(self._files, (self.tr("read"), self.tr("modified")), strict=True):
            for path in paths:
                item = QTreeWidgetItem([path, word])
                item.setSizeHint(0, QSize(0, height))
                item.setToolTip(0, path)
                self.list.addTopLevelItem(item)
        lines = min(MOST_LINES, self.list.topLevelItemCount())
        self.list.setFixedHeight(lines * height + 2 * self.list.frameWidth() + 2)
