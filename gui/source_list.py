"""Where a line of a digest comes from: its entries, each of which can be gone to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QFrame, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from gui.number_text import full_count
from gui.selected_rows import outline_selected_rows
from gui.widgets import displayable, label

MOST_SOURCES = 500  # that are listed; nobody walks through more
LINES = 4


class SourceItem(QListWidgetItem):
    """Its title is made when it is painted first: that decodes the entry."""

    def __init__(self, entry_id: str, title_of: Callable[[str], str]) -> None:
        super().__init__()
        self.entry_id = entry_id
        self._title_of = title_of
        self._title: str | None = None

    def data(self, role: int) -> Any:
        if role != Qt.ItemDataRole.DisplayRole:
            return super().data(role)
        if self._title is None:
            self._title = displayable(self._title_of(self.entry_id)) or self.entry_id
        return self._title


class SourceList(QWidget):
    """The entries of one line. `title_of` says who speaks in an entry and how it begins.

    Signal: `entry_wanted` (entry id) for the row that is clicked, or walked to with the arrow keys, or on Enter.
    """

    entry_wanted = Signal(str)

    def __init__(self, title_of: Callable[[str], str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title_of = title_of
        self._ids: tuple[str, ...] | None = None
        self.caption = label(style="caption")
        self.list = QListWidget()
        outline_selected_rows(self.list)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setUniformItemSizes(True)
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setAccessibleName(self.tr("Entries that this line comes from"))
        self.list.itemClicked.connect(self._show_entry)
        self.list.itemActivated.connect(self._show_entry)
        self.list.currentItemChanged.connect(lambda item, _before: self._show_entry(item))
        self.list.setFixedHeight(self.list.fontMetrics().lineSpacing() * LINES + 12)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.caption)
        column.addWidget(self.list)
        self.show_sources(())

    def show_sources(self, ids: tuple[str, ...]) -> None:
        """List the entries `ids`."""
        if ids == self._ids:
            return
        self._ids = ids
        with QSignalBlocker(self.list):
            self.list.clear()
            for entry_id in ids[:MOST_SOURCES]:
                self.list.addItem(SourceItem(entry_id, self._title_of))
            if ids:
                self.list.setCurrentRow(0)
        self.list.setEnabled(bool(ids))
        if not ids:
            self.caption.setText(self.tr("THIS LINE COMES FROM NO ENTRY"))
        elif len(ids) == 1:
            self.caption.setText(self.tr("THIS LINE COMES FROM ONE ENTRY"))
        else:
            self.caption.setText(self.tr("THIS LINE COMES FROM {0} ENTRIES").format(full_count(len(ids))))

    def _show_entry(self, item: QListWidgetItem | None) -> None:
        if isinstance(item, SourceItem):
            self.entry_wanted.emit(item.entry_id)
