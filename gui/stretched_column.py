"""A column of a table that takes the room that the others leave, as long as that is enough to read it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QHeaderView, QTableView, QTreeView

LEAST_CHARACTERS = 12


class StretchedColumn(QObject):
    """Belongs to the table. Where there is less room than `least_characters`, the table scrolls sideways instead."""

    def __init__(self, table: QTableView | QTreeView, column: int, least_characters: int = LEAST_CHARACTERS) -> None:
        super().__init__(table)
        self._table, self._column, self._least_characters = table, column, least_characters
        self._header = table.header() if isinstance(table, QTreeView) else table.horizontalHeader()
        self._header.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        self._header.sectionResized.connect(self._follow_section)
        table.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Show):
            self._fit()
        return False

    def _follow_section(self, section: int, *_sizes: int) -> None:
        if section != self._column:
            self._fit()

    def _fit(self) -> None:
        header, column = self._header, self._column
        others = sum(header.sectionSize(each) for each in range(header.count()) if each != column)
        room = self._table.viewport().width() - others
        unit = self._table.fontMetrics().averageCharWidth()
        least = max(self._least_characters * unit, header.sectionSizeHint(column))
        modes = QHeaderView.ResizeMode
        mode = modes.Stretch if room >= least else modes.Interactive
        if header.sectionResizeMode(column) != mode:
            header.setSectionResizeMode(column, mode)
        if mode == modes.Interactive and header.sectionSize(column) != least:
            header.resizeSection(column, least)
