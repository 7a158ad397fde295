"""The problems of a file as a list: line, byte, what was found and what was done about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QStyleOptionViewItem, QTreeView, QWidget

from gui.number_text import full_count
from gui.plain_tips import plain_tip
from gui.selected_rows import OutlinedRows
from gui.translation import shown
from model.records import Problem, ProblemKind

Index = QModelIndex | QPersistentModelIndex
NO_INDEX = QModelIndex()
ENDLESS = 100_000
NUMBERS = (0, 1)  # columns
TEXT, GAP = 2, 3  # the gap stands before the text
ROW_HEIGHT = 1.6  # of the font
MARGIN = 4  # of a text in its cell
MOST_WRAPPED = 300  # of more problems, each is a line, and the one that is pointed at stands below as a whole


class ProblemModel(QAbstractTableModel):
    """Holds nothing but the problems; what a row says is made when it is painted."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.problems: Sequence[Problem] = ()

    def show(self, problems: Sequence[Problem]) -> None:
        """Replace the problems."""
        self.beginResetModel()
        self.problems = problems
        self.endResetModel()

    def text(self, problem: Problem) -> str:
        """Return what was found, and what was done about it."""
        done: dict[ProblemKind, str] = {
            "unreadable": self.tr("It was left out."),
            "recovered": self.tr("What was found is shown."),
            "hole": self.tr("This was skipped."),
            "not an object": self.tr("It was left out; the line can be read here."),
            "unfinished": self.tr("It is shown as soon as it is complete."),
            "no id": self.tr("It was left out; the line can be read here."),
            "repeated id": self.tr(
                "It can be read here; if it says something else, a repaired copy keeps it under a new id."
            ),
            "mixed dialects": self.tr("It is read by the rules of the agent with more marks."),
        }
        message = shown(problem.message)
        return f"{message} {done[problem.kind]}" if problem.kind in done else message

    # Qt

    def rowCount(self, parent: Index = NO_INDEX) -> int:
        return 0 if parent.isValid() else len(self.problems)

    def columnCount(self, parent: Index = NO_INDEX) -> int:
        return 0 if parent.isValid() else 4

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        problem = self.problems[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            if index.column() == TEXT:
                return self.text(problem)
            if index.column() == GAP:
                return None
            number = problem.offset if index.column() else problem.line
            return full_count(number) if number or index.column() else "?"
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() in NUMBERS:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(self.text(problem))
        if role == Qt.ItemDataRole.AccessibleTextRole and index.column() == 0:
            return self.tr("Line {0}, byte {1}: {2}").format(problem.line, problem.offset, self.text(problem))
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return (self.tr("Line"), self.tr("Byte"), self.tr("What was found"), "")[section]
        if role == Qt.ItemDataRole.TextAlignmentRole and section in NUMBERS:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None


class _Rows(OutlinedRows):
    """Rows as high as their texts."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        view = option.widget
        metrics = option.fontMetrics
        lines = metrics.height()
        if index.column() == TEXT and isinstance(view, QTreeView) and view.wordWrap():
            room = QRect(0, 0, view.columnWidth(TEXT) - 2 * MARGIN, ENDLESS)
            lines = metrics.boundingRect(room, Qt.TextFlag.TextWordWrap.value, str(index.data())).height()
        width = super().sizeHint(option, index).width()
        if index.column() in NUMBERS:
            width += metrics.averageCharWidth()
        return QSize(width, lines + round(metrics.height() * (ROW_HEIGHT - 1)))


class ProblemList(QTreeView):
    """Signals: `chosen` (Problem) for Enter or a double click; `pointed_at` (Problem or None)."""

    chosen = Signal(object)
    pointed_at = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = ProblemModel(self)
        self.setModel(self._model)
        self.setAccessibleName(self.tr("Problems in the file"))
        self.setRootIsDecorated(False)
        self.setItemDelegate(_Rows(self))
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setFrameShape(QTreeView.Shape.NoFrame)
        header = self.header()
        header.setSectionsMovable(False)
        header.setMinimumSectionSize(self.fontMetrics().averageCharWidth())
        header.moveSection(GAP, TEXT)
        header.setSectionResizeMode(GAP, QHeaderView.ResizeMode.Fixed)
        header.resizeSection(GAP, self.fontMetrics().averageCharWidth())
        header.sectionResized.connect(lambda *_: self.scheduleDelayedItemsLayout())
        for column in NUMBERS:
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        self.doubleClicked.connect(lambda _index: self.choose())
        self.selectionModel().currentChanged.connect(lambda *_: self.pointed_at.emit(self.current()))

    def show_problems(self, problems: Sequence[Problem]) -> None:
        """Replace the problems; the one that was pointed at stays so, if it is still there."""
        before = self.current()
        is_wrapped = len(problems) <= MOST_WRAPPED
        self.setWordWrap(is_wrapped)
        self.setUniformRowHeights(not is_wrapped)
        self._model.show(problems)
        row = problems.index(before) if before in problems else 0
        self.setCurrentIndex(self._model.index(row, 0) if problems else NO_INDEX)
        self.pointed_at.emit(self.current())

    def current(self) -> Problem | None:
        """Return the problem that the keyboard is at."""
        row = self.currentIndex().row()
        return self._model.problems[row] if 0 <= row < len(self._model.problems) else None

    def choose(self) -> None:
        """Go to what the current problem is about."""
        if (problem := self.current()) is not None:
            self.chosen.emit(problem)

    def text(self, problem: Problem) -> str:
        """Return a problem in words."""
        return self._model.text(problem)

    def copy(self) -> int:
        """Put the selected problems, or all where one at most is selected, on the clipboard; return how many."""
        rows = sorted({index.row() for index in self.selectionModel().selectedRows()})
        problems = self._model.problems
        chosen = [problems[row] for row in rows] if len(rows) > 1 else list(problems)
        lines = [f"{problem.line}\t{problem.offset}\t{problem.kind}\t{self.text(problem)}\n" for problem in chosen]
        QGuiApplication.clipboard().setText("".join(lines))
        return len(chosen)

    # Qt

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.choose()
        else:
            super().keyPressEvent(event)
