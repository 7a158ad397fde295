"""The branches of a session as a list: what each is about, how large it is, when it was last worked on.

Field report T14. A line is read from the session when it is painted, so that thousands of branches cost nothing.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QPushButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from gui.dialog_size import resize_to_font
from gui.number_text import ago, full_count, full_time, short_count
from gui.plain_tips import plain_tip
from gui.selected_rows import outline_selected_rows
from gui.stretched_column import StretchedColumn
from gui.widgets import label
from model.entry_index import INVALID_TIME
from model.entry_kinds import Role
from model.outline import Outline
from model.runs import NO_ROW
from model.session_graph import Extent

if TYPE_CHECKING:
    from gui.session_document import SessionDocument
    from gui.session_pane import SessionPane

Index = QModelIndex | QPersistentModelIndex
NO_INDEX = QModelIndex()


LEAST_ABOUT = 24  # characters of how a branch begins


class BranchColumn(IntEnum):
    """Columns of the list."""

    ABOUT = 0
    ENTRIES = 1
    TOKENS = 2
    LAST = 3
    ACTIVE = 4


@dataclass(frozen=True, slots=True)
class _Branch:
    row: int
    """The entry row to go to: the head of the branch, or the leaf for the active path."""
    extent: Extent
    is_active: bool


class BranchListModel(QAbstractTableModel):
    """The active path, then the branches of an outline from top to bottom."""

    def __init__(self, document: SessionDocument, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._branches = _branches(document)
        self._now_ms = round(time.time() * 1000)

    @property
    def hidden_count(self) -> int:
        """How many branches of the session have no row, since the filter hides all that is in them."""
        return 0 if self._document.outline is None else _hidden_count(self._document.outline)

    def row_at(self, index: Index) -> int | None:
        """Return the entry row to go to."""
        return self._branches[index.row()].row if index.isValid() else None

    def rowCount(self, parent: Index = NO_INDEX) -> int:
        return 0 if parent.isValid() else len(self._branches)

    def columnCount(self, parent: Index = NO_INDEX) -> int:
        return 0 if parent.isValid() else len(BranchColumn)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        branch = self._branches[index.row()]
        column = BranchColumn(index.column())
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(branch, column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return (
                full_time(branch.extent.last_ms)
                if column == BranchColumn.LAST
                else plain_tip(self._text(branch, column))
            )
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _side(column) | Qt.AlignmentFlag.AlignVCenter
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _side(section) | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.DisplayRole:
            return [
                self.tr("First prompt"),
                self.tr("Entries"),
                self.tr("Tokens"),
                self.tr("Last activity"),
                self.tr("Where you are"),
            ][section]
        return None

    def _text(self, branch: _Branch, column: BranchColumn) -> str:
        if column == BranchColumn.ABOUT:
            return self._about(branch)
        if column == BranchColumn.ENTRIES:
            return full_count(branch.extent.entries)
        if column == BranchColumn.TOKENS:
            return short_count(branch.extent.tokens)
        if column == BranchColumn.LAST:
            return ago(branch.extent.last_ms, self._now_ms)
        return self.tr("active") if branch.is_active else ""

    def _about(self, branch: _Branch) -> str:
        """The first thing that a person said in the branch, or what it begins with."""
        rows, index, graph, outline = (
            self._document.rows, self._document.index, self._document.graph, self._document.outline,
        )  # fmt: skip
        if rows is None or index is None or graph is None or outline is None or branch.row >= index.count:
            return ""
        if branch.row == outline.shown_leaf and branch.row not in outline.branch_starts:
            stretch = outline.trunk
        else:
            run, skipped = outline.branch_starts.get(branch.row, (int(graph.runs.run_of[branch.row]), 0))
            stretch = graph.runs.rows(run)[skipped:]
        said = stretch[index.role[stretch] == Role.USER]
        return rows.content(int(said[0]) if len(said) else branch.row).preview.text


def _side(column: int) -> Qt.AlignmentFlag:
    """Texts begin together, numbers and times end together, the mark stands in the middle."""
    if column == BranchColumn.ABOUT:
        return Qt.AlignmentFlag.AlignLeading
    return Qt.AlignmentFlag.AlignHCenter if column == BranchColumn.ACTIVE else Qt.AlignmentFlag.AlignRight


class _Table(QTableView):
    """Enter goes to the branch."""

    chosen = Signal(QModelIndex)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.chosen.emit(self.currentIndex())
        else:
            super().keyPressEvent(event)


class BranchListDialog(QDialog):
    """Signal: `chosen` (entry row) for the branch to go to."""

    chosen = Signal(int)

    def __init__(self, document: SessionDocument, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Branches"))
        self.model = BranchListModel(document, self)
        self.table = _Table()
        outline_selected_rows(self.table)
        self.table.setModel(self.model)
        self.table.setAccessibleName(self.tr("Branches of this session"))
        self.table.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        self.table.setEditTriggers(QTableView.EditTrigger.NoEditTriggers)
        self.table.setTabKeyNavigation(False)
        self.table.setShowGrid(False)
        self.table.setWordWrap(False)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(round(self.fontMetrics().height() * 1.75))
        header = self.table.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionsClickable(False)
        unit = self.fontMetrics().averageCharWidth()
        for column, width in zip(list(BranchColumn)[1:], (12, 11, 18, 18), strict=True):
            header.resizeSection(column, width * unit)
        StretchedColumn(self.table, BranchColumn.ABOUT, LEAST_ABOUT)
        self.table.chosen.connect(self._choose)
        self.table.doubleClicked.connect(self._choose)
        self.go = QPushButton(self.tr("Go to it"))
        self.go.setProperty("primary", True)
        self.go.setDefault(True)
        self.go.setEnabled(self.model.rowCount() > 0)
        self.go.clicked.connect(lambda: self._choose(self.table.currentIndex()))
        box = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        box.rejected.connect(self.reject)
        buttons = QHBoxLayout()
        buttons.addWidget(self.go)
        buttons.addWidget(box, 1)
        column_layout = QVBoxLayout(self)
        column_layout.setContentsMargins(20, 18, 20, 16)
        column_layout.setSpacing(12)
        column_layout.addWidget(label(self._count_text(), style="muted"))
        column_layout.addWidget(self.table, 1)
        column_layout.addLayout(buttons)
        resize_to_font(self, 120, 30)
        if self.model.rowCount():
            self.table.setCurrentIndex(self.model.index(0, 0))  # selectRow() selects nothing from right to left
        self.table.setFocus()

    def _count_text(self) -> str:
        count, hidden = self.model.rowCount(), self.model.hidden_count
        text = self.tr("1 branch") if count == 1 else self.tr("{0} branches").format(full_count(count))
        if not hidden:
            return text
        more = (
            self.tr("1 more is hidden by the filter")
            if hidden == 1
            else self.tr("{0} more are hidden by the filter").format(full_count(hidden))
        )
        return f"{text} · {more}"

    def _choose(self, index: Index) -> None:
        row = self.model.row_at(index)
        if row is not None:
            self.accept()
            self.chosen.emit(row)


def open_branch_list(pane: SessionPane) -> None:
    """Show the branches of the session; choosing one selects its first entry."""
    if pane.document.outline is None:
        return
    dialog = BranchListDialog(pane.document, pane)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.chosen.connect(pane.jumps.to_row)
    QTimer.singleShot(1, dialog, dialog.open)  # a turn to make it, one to lay it out


def _branches(document: SessionDocument) -> list[_Branch]:
    outline, order, index, graph = document.outline, document.order, document.index, document.graph
    if outline is None or order is None or index is None or graph is None:
        return []
    found = [] if outline.shown_leaf == NO_ROW else [_Branch(outline.shown_leaf, _extent_of_trunk(outline), True)]
    on_path = np.zeros(index.count, np.bool_)
    on_path[outline.trunk] = True
    heads = sorted(outline.hides, key=lambda head: int(order.place[head]))
    return found + [_Branch(head, outline.hides[head], bool(on_path[head])) for head in heads]


def _hidden_count(outline: Outline) -> int:
    """Every leaf ends a branch; the one that ends the spine folds under no row."""
    runs, spine_end = outline.graph.runs, outline.spine_end
    leaves = sum(not runs.children[run] for run in range(len(runs)))
    run = NO_ROW if spine_end == NO_ROW else int(runs.run_of[spine_end])
    ends_at_leaf = run != NO_ROW and runs.tail(run) == spine_end and not runs.children[run]
    return max(0, leaves - ends_at_leaf - len(outline.hides))


def _extent_of_trunk(outline: Outline) -> Extent:
    graph, trunk = outline.graph, outline.trunk
    times = graph.time_ms[trunk]
    known = times[times != INVALID_TIME]
    tokens = int(np.maximum(graph.estimate[trunk], 0).sum())
    return Extent(len(trunk), tokens, int(known.max()) if len(known) else None)
