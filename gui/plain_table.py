"""A small table to read: for what a question is about."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem, QWidget

from gui.plain_tips import plain_tip
from gui.selected_rows import outline_selected_rows
from gui.stretched_column import StretchedColumn


def plain_table(
    name: str,
    headers: Sequence[str],
    rows: Sequence[Sequence[str]],
    parent: QWidget,
    *,
    numbers: Collection[int] = (),
    most_lines: int = 8,
) -> QTableWidget:
    """Return a table of texts, as high as its rows and at most `most_lines`. `numbers` are the columns on the right.

    `name` is what a screen reader calls it.
    """
    table = QTableWidget(len(rows), len(headers), parent)
    outline_selected_rows(table)
    table.setHorizontalHeaderLabels(list(headers))
    table.setAccessibleName(name)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setTabKeyNavigation(False)
    table.verticalHeader().hide()
    table.setShowGrid(False)
    on_the_right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
    for line, texts in enumerate(rows):
        for column, text in enumerate(texts):
            item = QTableWidgetItem(text)
            item.setToolTip(plain_tip(text))
            if column in numbers:
                item.setTextAlignment(on_the_right)
            table.setItem(line, column, item)
    header = table.horizontalHeader()
    header.setHighlightSections(False)
    header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    modes = QHeaderView.ResizeMode
    widest = max((column for column in range(len(headers)) if column not in numbers), default=-1)
    for column in range(len(headers)):
        if column in numbers:
            caption = table.horizontalHeaderItem(column)
            if caption is not None:
                caption.setTextAlignment(on_the_right)
        if column != widest:
            header.setSectionResizeMode(column, modes.ResizeToContents)
    if widest >= 0:
        StretchedColumn(table, widest)
    row_height = table.fontMetrics().height() + 12
    table.verticalHeader().setDefaultSectionSize(row_height)
    lines = min(most_lines, max(1, len(rows)))
    table.setFixedHeight(header.sizeHint().height() + lines * row_height + 4)
    return table
