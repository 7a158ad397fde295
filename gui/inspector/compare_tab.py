"""The *Compare* tab: two branches side by side from their common ancestor on.

On the left is the active path, or the branch that a person pinned there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QGridLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QSplitter,
    QTableView,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from gui.entry_delegate import ICONS, TONES
from gui.icons import icon_pixmap
from gui.inspector.parts import Parts
from gui.inspector.tab_scroll import TabScroll
from gui.number_text import full_count, price, span_text
from gui.plain_tips import plain_tip
from gui.selected_rows import outline_selected_rows
from gui.session_rows import SessionRows
from gui.stretched_column import StretchedColumn
from gui.theme import current_theme
from gui.widgets import FactName, TextView, label, laid_out_once, on_side, rule
from model.branch_comparison import BranchFigures, FileUse
from model.entry_preview import Speaker
from model.runs import Rows

Index = QModelIndex | QPersistentModelIndex
NO_INDEX = QModelIndex()
NO_ROWS: Rows = np.empty(0, np.int32)
ROW_HEIGHT, ICON_SIZE = 1.6, 1.0  # of the font
ICON, TEXT = range(2)  # columns of messages
NOTHING = "–"  # where there is no figure
NAMED: frozenset[Speaker] = frozenset({"tool", "terminal", "note"})  # an icon alone does not tell which
ANSWERED = frozenset(
    {
        Qt.ItemDataRole.DisplayRole,
        Qt.ItemDataRole.ToolTipRole,
        Qt.ItemDataRole.DecorationRole,
        Qt.ItemDataRole.AccessibleTextRole,
    }
)


@dataclass(frozen=True, slots=True)
class Comparison:
    """What the tab shows. `ancestor` is the title of the common ancestor, empty when the branches share no entry.

    `left_rows` and `right_rows` are the entry rows of the messages on both sides.
    """

    ancestor: str
    left: BranchFigures
    right: BranchFigures
    files: Sequence[FileUse]
    left_rows: Rows
    right_rows: Rows


class _Messages(QAbstractTableModel):
    """The messages of one branch; only those that are painted are read."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.rows = NO_ROWS
        self.icon_side = 16
        self._owner = parent
        self._source: SessionRows | None = None

    def show(self, rows: Rows, source: SessionRows | None, *, goes_on: bool = False) -> bool:
        """Show `rows`. True when those that were there stay: `goes_on`, and new ones at most follow behind them."""
        count = len(self.rows)
        if goes_on and 0 < count <= len(rows) and np.array_equal(rows[:count], self.rows):
            self._source = source
            if len(rows) > count:
                self.beginInsertRows(NO_INDEX, count, len(rows) - 1)
                self.rows = rows
                self.endInsertRows()
            return True
        self.beginResetModel()
        self.rows, self._source = rows, source
        self.endResetModel()
        return False

    def rowCount(self, parent: Index = NO_INDEX) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = NO_INDEX) -> int:
        return 0 if parent.isValid() else 2

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if self._source is None or role not in ANSWERED:
            return None
        content = self._source.content(int(self.rows[index.row()]))
        speaker = content.preview.speaker
        whole = f"{content.name} · {content.preview.text}"
        if index.column() == ICON:
            if role == Qt.ItemDataRole.DecorationRole:
                tone = current_theme().tone(TONES[speaker]).name()
                return icon_pixmap(ICONS[speaker], tone, self.icon_side, self._owner.devicePixelRatioF())
            if role == Qt.ItemDataRole.AccessibleTextRole:
                return content.name
            return plain_tip(whole) if role == Qt.ItemDataRole.ToolTipRole else None
        if role == Qt.ItemDataRole.DisplayRole and speaker not in NAMED:
            return content.preview.text  # the icon says who
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(whole)
        return None if role == Qt.ItemDataRole.DecorationRole else whole


class CompareTab(QWidget):
    """Signals: `row_wanted` (entry row) when a message is activated; `text_wanted` (entry row) when one is to be read;
    `ancestor_wanted`; `unpin_wanted` when the active path is to be on the left again.
    """

    row_wanted = Signal(int)
    text_wanted = Signal(int)
    ancestor_wanted = Signal()
    unpin_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._body = QWidget()
        scroll = TabScroll(self._body, self)
        self._title = label(style="title", wrap=True)
        self.text = label(style="muted", wrap=True)
        self.pinned = label(wrap=True)
        self.unpin = QPushButton(self.tr("Compare with the active path"), self._body)
        self.unpin.setProperty("link", True)
        self.unpin.clicked.connect(self.unpin_wanted)
        self._figures = QWidget(self._body)
        self.ancestor = QPushButton(self.tr("Show it"), self._figures)
        self.ancestor.setAccessibleName(self.tr("Show the common ancestor"))
        self.ancestor.setToolTip(self.tr("Show the common ancestor"))
        self.ancestor.setProperty("link", True)
        self.ancestor.clicked.connect(self.ancestor_wanted)
        self._grid = QGridLayout(self._figures)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setVerticalSpacing(2)
        self._grid.setHorizontalSpacing(8)
        self._grid.setColumnStretch(0, 1)
        self._names = {
            "head": "",
            "entries": self.tr("Entries"),
            "user": self.tr("User messages"),
            "answers": self.tr("Answers"),
            "failed": self.tr("Failed or aborted answers"),
            "tools": self.tr("Tool results"),
            "tokens": self.tr("Tokens (the agents' estimate)"),
            "used": self.tr("Tokens used (recorded)"),
            "cost": self.tr("Cost (recorded)"),
            "time": self.tr("From first to last"),
            "files": self.tr("Files only read · modified"),
        }
        self._values = {key: self._figure_row(key) for key in self._names}
        self.left, self.right = _Messages(self), _Messages(self)
        self.left_view = self._message_view(self.left, self.tr("Messages of the active path"))
        self.right_view = self._message_view(self.right, self.tr("Messages of the other branch"))
        self.files = QTreeWidget()
        outline_selected_rows(self.files)
        self.files.setAccessibleName(self.tr("Files of both branches"))
        self.files.setRootIsDecorated(False)
        self.files.setUniformRowHeights(True)
        self.files.setHeaderLabels([self.tr("File"), self.tr("Active path"), self.tr("Other branch")])
        self.files.header().setStretchLastSection(False)
        self.files.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        StretchedColumn(self.files, 0)
        self.files.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self._parts = Parts(self._body)
        sides = QSplitter(Qt.Orientation.Horizontal, self._parts)
        self._left_caption = label(self.tr("Active path"), style="caption")
        captions = (self._left_caption, label(self.tr("Other branch"), style="caption"))
        for caption, view in zip(captions, (self.left_view, self.right_view), strict=True):
            sides.addWidget(_captioned(caption, view, sides))
        sides.setChildrenCollapsible(False)
        self._parts.add(sides, least_lines=12, share=3)
        self._parts.add(self.files, least_lines=8, share=2)
        self._shown_files: Sequence[FileUse] | None = None
        self.message: TextView | None = None  # made when a message is read
        layout = QVBoxLayout(self._body)
        layout.setContentsMargins(14, 12, 14, 12)
        layout.addWidget(self._title)
        layout.addWidget(self.pinned)
        layout.addWidget(self.unpin, 0, Qt.AlignmentFlag.AlignLeading)
        layout.addWidget(self.text)
        layout.addWidget(self._figures)
        layout.addWidget(self._parts, 1)
        self._filler = QWidget()
        layout.addWidget(self._filler, 1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scroll)
        self.show_pinned("")
        self.show_nothing("")

    def show_pinned(self, title: str) -> None:
        """Say through which entry the branch on the left goes; nothing: it is the active path."""
        self._is_pinned = bool(title)
        self.pinned.setText(self.tr("Pinned: the branch of “{0}”").format(title))
        with laid_out_once(self._body):
            self.pinned.setVisible(self._is_pinned)
            self.unpin.setVisible(self._is_pinned)
        self._left_caption.setText(self._left_name())
        self.left_view.setAccessibleName(
            self.tr("Messages of the pinned branch") if title else self.tr("Messages of the active path")
        )
        self.files.headerItem().setText(1, self._left_name())

    def _left_name(self) -> str:
        return self.tr("Pinned branch") if self._is_pinned else self.tr("Active path")

    def show_nothing(self, sentence: str) -> None:
        """Say why there is nothing to compare."""
        self._title.setText(self.tr("Compare two branches"))
        self.text.setText(sentence)
        self.left.show(NO_ROWS, None)
        self.right.show(NO_ROWS, None)
        self._set_empty(True)

    def show_waiting(self) -> None:
        """Say that the branches are being read."""
        self.text.setText(self.tr("Reading both branches…"))

    def show_message(self, text: str) -> None:
        """Show the whole text of the message that was asked for, below both branches."""
        if self.message is None:
            self.message = TextView()
            self.message.setAccessibleName(self.tr("Text of the message"))
            self._parts.add(self.message, least_lines=6, share=2, place=1)
            self.setTabOrder(self.right_view, self.message)
        self.message.show_text(text)
        self.message.show()

    def show_comparison(self, comparison: Comparison, source: SessionRows, *, goes_on: bool = False) -> None:
        """Show both branches; `source` tells what each message says.

        `goes_on`: the entry rows are those of what is shown, so that what is read in it stays where it is.
        """
        self._title.setText(
            self.tr("Pinned branch and other branch") if self._is_pinned else self.tr("Active path and other branch")
        )
        self.text.setText(
            self.tr("They part after “{0}”.").format(comparison.ancestor)
            if comparison.ancestor
            else self.tr("They share no entry.")
        )
        self._set_empty(False)
        self.ancestor.setVisible(bool(comparison.ancestor))
        self._show_figures(comparison.left, comparison.right)
        left_stays = self.left.show(comparison.left_rows, source, goes_on=goes_on)
        right_stays = self.right.show(comparison.right_rows, source, goes_on=goes_on)
        if self.message is not None and not (left_stays and right_stays):
            self.message.hide()
        self._show_files(comparison.files)

    def _show_files(self, files: Sequence[FileUse]) -> None:
        if files == self._shown_files:
            return
        self._shown_files = files
        self.files.clear()
        names = {"read": self.tr("read"), "modified": self.tr("modified"), None: NOTHING}
        for file in files:
            item = QTreeWidgetItem([file.path, names[file.left], names[file.right]])
            item.setSizeHint(0, QSize(0, round(self.fontMetrics().height() * ROW_HEIGHT)))
            item.setToolTip(0, plain_tip(file.path))
            self.files.addTopLevelItem(item)
        self.files.setVisible(bool(files))

    def figure(self, key: str) -> tuple[str, str]:
        """Return what is shown as one figure of both branches."""
        left, right = self._values[key]
        return left.text(), right.text()

    def _show_figures(self, left: BranchFigures, right: BranchFigures) -> None:
        def count(key: str, field: str) -> None:
            self._set_figure(key, full_count(getattr(left, field)), full_count(getattr(right, field)))

        both = (left, right)
        self._set_figure("head", self._left_name(), self.tr("Other branch"))
        count("entries", "entries")
        count("user", "user_messages")
        count("answers", "answers")
        count("failed", "failed_answers")
        count("tools", "tool_results")
        count("tokens", "tokens")
        self._set_figure("used", *(full_count(round(side.totals.tokens)) for side in both))
        self._set_figure("cost", *map(_cost, both))
        self._set_figure("time", *map(_span, both))
        self._set_figure("files", *map(_file_counts, both))

    def _figure_row(self, key: str) -> tuple[FactName, FactName]:
        """Make the row of a figure, and return the labels of its values. Qt shows rows that come later one by one."""
        row = self._grid.rowCount()
        style = "caption" if key == "head" else None
        cells = (FactName("", style=style), FactName("", style=style))
        if key == "head":
            self._grid.addWidget(self.ancestor, row, 0, Qt.AlignmentFlag.AlignLeading)
        else:
            self._grid.addWidget(FactName(self._names[key]), row, 0)
        for column, cell in enumerate(cells, start=1):
            cell.setAlignment(on_side(Qt.AlignmentFlag.AlignRight))
            cell.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            self._grid.addWidget(cell, row, column)
        self._grid.addWidget(rule(), row + 1, 0, 1, 3)
        return cells

    def _set_figure(self, key: str, left: str, right: str) -> None:
        name = self._names[key]
        sides = (self.tr("pinned branch") if self._is_pinned else self.tr("active path"), self.tr("other branch"))
        for side, cell, value in zip(sides, self._values[key], (left, right), strict=True):
            cell.setText(value)
            cell.setAccessibleName(f"{name}, {side}: {value}")

    def _set_empty(self, empty: bool) -> None:
        with laid_out_once(self._body, self._figures):
            for widget in (self.ancestor, self._figures, self._parts):
                widget.setVisible(not empty)
            self._filler.setVisible(empty)

    def _message_view(self, model: _Messages, name: str) -> QTableView:
        view = QTableView()
        view.setModel(model)
        view.setAccessibleName(name)
        view.setShowGrid(False)
        view.setWordWrap(False)
        view.setTabKeyNavigation(False)
        view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        view.horizontalHeader().hide()
        view.horizontalHeader().setSectionResizeMode(TEXT, QHeaderView.ResizeMode.Stretch)
        model.icon_side = round(self.fontMetrics().height() * ICON_SIZE)
        view.horizontalHeader().setMinimumSectionSize(model.icon_side)
        view.horizontalHeader().resizeSection(ICON, model.icon_side + self.fontMetrics().height() // 2)
        outline_selected_rows(view)
        view.verticalHeader().hide()
        view.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        view.verticalHeader().setDefaultSectionSize(round(self.fontMetrics().height() * ROW_HEIGHT))
        view.activated.connect(lambda index: self.row_wanted.emit(int(model.rows[index.row()])))
        view.selectionModel().currentRowChanged.connect(
            lambda current, _previous: (
                self.text_wanted.emit(int(model.rows[current.row()])) if current.isValid() else None
            )
        )
        return view


def _captioned(caption: QLabel, widget: QWidget, parent: QWidget) -> QWidget:
    box = QWidget(parent)
    column = QVBoxLayout(box)
    column.setContentsMargins(0, 6, 0, 0)
    column.addWidget(caption)
    column.addWidget(widget, 1)
    return box


def _file_counts(figures: BranchFigures) -> str:
    return f"{full_count(len(figures.files.read_files))} · {full_count(len(figures.files.modified_files))}"


def _cost(figures: BranchFigures) -> str:
    return price(figures.totals.cost) if figures.totals.cost else NOTHING


def _span(figures: BranchFigures) -> str:
    if figures.first_ms is None or figures.last_ms is None:
        return NOTHING
    return span_text(figures.last_ms - figures.first_ms)
