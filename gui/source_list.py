"""Where a line of a digest comes from: its entries, each of which can be gone to."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QFrame, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from gui.number_text import full_count
from gui.widgets import displayable, label

MOST_SOURCES = 100  # that are listed; nobody walks through more
LINES = 4


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
        self.list.setFrameShape(QFrame.Shape.NoFrame)
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
                item = QListWidgetItem(displayable(self._title_of(entry_id)) or entry_id)
                item.setData(Qt.ItemDataRole.UserRole, entry_id)
                self.list.addItem(item)
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
        if item is not None:
            self.entry_wanted.emit(item.data(Qt.ItemDataRole.UserRole))
