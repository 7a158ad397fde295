"""The tree: a `QTreeView` that draws the trunk, the guides of side branches, the folds and the gutter itself."""

from __future__ import annotations

from collections.abc import Set

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPoint, QPointF, QRect, Qt, Signal
from PySide6.QtGui import QColor, QContextMenuEvent, QFocusEvent, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QStyleOptionViewItem, QTreeView, QWidget

from gui.entry_delegate import EntryDelegate, focus_ring
from gui.row_content import Group, RowContent
from gui.session_tree_model import TOP_LEVEL, Column, Index, SessionTreeModel
from gui.theme import current_theme
from model.outline import Outline

GUTTER_WIDTH = 5


class SessionTreeView(QTreeView):
    """Shows a `SessionTreeModel`.

    Signals: `entry_selected` (entry row, -1 for none) when the current row changes; `entry_chosen` (entry row) for
    Enter or a double click; `entry_taken` (entry row) for "go there, no questions"; `menu_wanted` (place on the screen)
    for the menu of the current row.
    """

    entry_selected = Signal(int)
    entry_chosen = Signal(int)
    entry_taken = Signal(int)
    menu_wanted = Signal(QPoint)

    def __init__(self, model: SessionTreeModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._delegate = EntryDelegate(self)
        self._restoring = False
        self.setItemDelegate(self._delegate)
        self.setModel(model)
        self.setUniformRowHeights(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setAllColumnsShowFocus(True)
        self.setExpandsOnDoubleClick(False)
        self.setAnimated(False)
        self.setMouseTracking(True)
        self.setAccessibleName(self.tr("Session tree"))
        self.setFrameShape(QTreeView.Shape.NoFrame)
        self.header().setSectionsMovable(False)
        self.header().setStretchLastSection(False)
        self._fit_to_font()
        self.expanded.connect(model.fill)
        self.doubleClicked.connect(self._choose)

    # What is shown

    def unfolded_heads(self) -> set[int]:
        """Return the entry rows of the branch heads that are unfolded."""
        found: set[int] = set()
        pending = [QModelIndex()]
        while pending:
            parent = pending.pop()
            for index in self._model.branches(parent):
                if self.isExpanded(index):
                    pending.append(index)
                    if (row := self._model.entry_row(index)) is not None:
                        found.add(row)
        return found

    def select_entry(self, row: int, *, centre: bool = False) -> bool:
        """Make entry `row` the current row, unfolding what is around it; False when the filter hides it."""
        index = self._model.index_of(row)
        if not index.isValid():
            return False
        outline = self._model.outline
        assert outline is not None
        for owner in outline.owners(row):
            self.setExpanded(self._model.index_of(owner), True)
        self.setCurrentIndex(index)
        self.scrollTo(index, QTreeView.ScrollHint.PositionAtCenter if centre else QTreeView.ScrollHint.EnsureVisible)
        return True

    def current_entry(self) -> int | None:
        """Return the entry row of the current row."""
        return self._model.entry_row(self.currentIndex())

    def entries_in_view(self, *, folded_heads: bool = False) -> list[int]:
        """Return the entry rows of the rows that can be seen, with or without the heads of folded branches."""
        outline = self._model.outline
        found: list[int] = []
        index = self.indexAt(QPoint(1, 1))
        bottom = self.viewport().height()
        while outline is not None and index.isValid() and self.visualRect(index).top() < bottom:
            row = self._model.entry_row(index)
            if row is not None and (folded_heads or row not in outline.hides or self.isExpanded(index)):
                found.append(row)
            index = self.indexBelow(index)
        return found

    def folded_points(self) -> set[int]:
        """Return the entry rows of the branch points that are folded although their branches could be seen."""
        outline = self._model.outline
        if outline is None:
            return set()
        found: set[int] = set()
        unfilled = self._model.unfilled
        pending = [QModelIndex()]
        while pending:
            parent = pending.pop()
            for index in self._model.branches(parent):
                row = self._model.entry_row(index)
                if self.isExpanded(index):
                    pending.append(index)
                elif row is not None and row not in outline.hides and row not in unfilled:
                    found.add(row)
        return found

    def restore_folds(self, unfolded_heads: Set[int], folded_points: Set[int]) -> None:
        """Unfold all branch points but `folded_points`, and the branch heads in `unfolded_heads` (entry rows).

        Of very many branch points only those nearest to the leaf are unfolded: their rows are there at once.
        """
        outline = self._model.outline
        if outline is None:
            return
        # With a layout pending, Qt only remembers what is unfolded, instead of laying out all rows each time.
        self.scheduleDelayedItemsLayout()
        unfilled = self._model.unfilled
        pending = [QModelIndex()]
        while pending:
            for index in self._model.branches(pending.pop()):
                row = self._model.entry_row(index)
                if row in unfilled:
                    continue
                is_open = row in unfolded_heads if row in outline.hides else row not in folded_points
                if is_open and not self.isExpanded(index):
                    self.expand(index)
                if is_open:
                    self._model.fill(index)
                    pending.append(index)

    # Painting

    def drawRow(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        content = self._model.content(index)
        if content is None:
            return
        theme = current_theme()
        rect: QRect = option.rect
        full = QRect(0, rect.top(), self.viewport().width(), rect.height())
        if self.selectionModel().isSelected(index):
            painter.fillRect(full, QColor(theme.selection))
        # Drawn cell by cell: the style would lay its own idea of a selected row over everything.
        header = self.header()
        start = header.sectionViewportPosition(Column.ENTRY)
        width = header.sectionSize(Column.ENTRY)
        cell = self.visualRect(index)
        branch = QRect(start, rect.top(), cell.left() - start, rect.height())
        if self.isRightToLeft():
            branch = QRect(cell.right() + 1, rect.top(), start + width - cell.right() - 1, rect.height())
        self.drawBranches(painter, branch, index)
        folded = not self.isExpanded(index)
        self._delegate.paint_cell(painter, cell, self.layoutDirection(), Column.ENTRY, content, folded=folded)
        for column in (Column.TOKENS, Column.CONTEXT, Column.TIME):
            cell.setRect(header.sectionViewportPosition(column), rect.top(), header.sectionSize(column), rect.height())
            self._delegate.paint_cell(painter, cell, self.layoutDirection(), column, content)
        if index == self.currentIndex() and self.hasFocus():
            focus_ring(painter, self, full)
        if content.is_cut:
            self._paint_cut(painter, full)

    def drawBranches(self, painter: QPainter, rect: QRect, index: QModelIndex | QPersistentModelIndex) -> None:
        content = self._model.content(index)
        if content is None:
            return
        mirrored = self.isRightToLeft()
        painter.save()
        if mirrored:  # draw as for left-to-right, seen in a mirror
            painter.translate(rect.left() + rect.right() + 1, 0)
            painter.scale(-1, 1)
        self._paint_gutter(painter, rect, content.group)
        self._paint_lines(painter, rect, index, content)
        if self._has_rows(index):
            self._paint_chevron(painter, self._cell(rect, index), folded=not self.isExpanded(index))
        painter.restore()

    def _has_rows(self, index: Index) -> bool:
        return self._model.hasChildren(index)

    def _cell(self, rect: QRect, index: Index) -> QRect:
        """The part of the branch area that belongs to the level of `index`, seen left to right."""
        return QRect(rect.right() + 1 - self.indentation(), rect.top(), self.indentation(), rect.height())

    def _paint_gutter(self, painter: QPainter, rect: QRect, group: Group) -> None:
        if group == Group.NONE:
            return
        theme = current_theme()
        color = {Group.SUMMARIZED: theme.summarized, Group.TURN_PREFIX: theme.turn_prefix, Group.KEPT: theme.kept}[
            group
        ]
        painter.fillRect(QRect(rect.left() + 2, rect.top(), GUTTER_WIDTH, rect.height()), QColor(color))

    def _paint_lines(self, painter: QPainter, rect: QRect, index: Index, content: RowContent) -> None:
        """The trunk as one accent line, the run of a side branch as a thin one, a tick for each branch head."""
        theme = current_theme()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle = rect.top() + rect.height() / 2
        trunk_x = rect.left() + self._trunk_x()
        outline = self._model.outline
        if outline is None:
            return
        if self._is_beside_trunk(index, outline):
            starts_here = not index.parent().isValid() and index.row() == self._first_trunk_row(outline)
            top = middle if starts_here else rect.top()
            bottom = middle if content.is_leaf else rect.bottom() + 1
            painter.setPen(QPen(QColor(theme.accent), 2.0, c=Qt.PenCapStyle.FlatCap))
            painter.drawLine(QPointF(trunk_x, top), QPointF(trunk_x, bottom))
        if content.is_leaf:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.accent))
            painter.drawEllipse(QPointF(trunk_x, middle), 4.0, 4.0)
        painter.setPen(QPen(QColor(theme.muted), 1.0))
        line = index
        level_right = rect.right() + 1 - self.indentation()
        is_own_level = True
        while line.parent().isValid():
            parent = line.parent()
            x = level_right - self.indentation() / 2 + self._chevron_shift()
            is_last = line.row() == self._model.rowCount(parent) - 1
            if is_own_level:
                painter.drawLine(QPointF(x, rect.top()), QPointF(x, middle if is_last else rect.bottom() + 1))
                if content.hides is not None:
                    painter.drawLine(QPointF(x, middle), QPointF(level_right + self.indentation() / 4, middle))
            elif not is_last:
                painter.drawLine(QPointF(x, rect.top()), QPointF(x, rect.bottom() + 1))
            is_own_level = False
            level_right -= self.indentation()
            line = parent

    def _paint_chevron(self, painter: QPainter, cell: QRect, *, folded: bool) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        centre = QPointF(cell.center()) + QPointF(self._chevron_shift(), 0.5)
        size = self.fontMetrics().height() / 4.5
        painter.setPen(QPen(QColor(current_theme().muted), 1.5, c=Qt.PenCapStyle.RoundCap, j=Qt.PenJoinStyle.RoundJoin))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if folded:
            points = [QPointF(-size / 2, -size), QPointF(size / 2, 0), QPointF(-size / 2, size)]
        else:
            points = [QPointF(-size, -size / 2), QPointF(0, size / 2), QPointF(size, -size / 2)]
        painter.drawPolyline([centre + point for point in points])

    def _paint_cut(self, painter: QPainter, full: QRect) -> None:
        theme = current_theme()
        painter.save()
        pen = QPen(QColor(theme.kept), 2.0, Qt.PenStyle.DashLine)
        painter.setPen(pen)
        y = full.top() + 1
        painter.drawLine(QPoint(full.left(), y), QPoint(full.right(), y))
        text = self.tr("cut · drag to move")
        width = self.fontMetrics().horizontalAdvance(text) + 12
        at = full.right() - width - 8 if not self.isRightToLeft() else full.left() + 8
        box = QRect(at, full.top(), width, self.fontMetrics().height())
        painter.fillRect(box, QColor(theme.window))
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), text)
        painter.restore()

    def _trunk_x(self) -> float:
        return GUTTER_WIDTH + 6.0

    def _chevron_shift(self) -> float:
        """Fold marks stand right of the middle of their level, since the first level has gutter and trunk line, too."""
        return (GUTTER_WIDTH + 6.0) / 2

    def _first_trunk_row(self, outline: Outline) -> int:
        return self._model.rowCount() - outline.shown_trunk_count

    def _is_beside_trunk(self, index: Index, outline: Outline) -> bool:
        """Whether the trunk runs through or past a row: from its first entry to the leaf, no further."""
        if not outline.shown_trunk_count:
            return False
        top = index
        while top.parent().isValid():
            top = top.parent()
        is_past_leaf = top != index and top.row() == self._model.rowCount() - 1
        return top.row() >= self._first_trunk_row(outline) and not is_past_leaf

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit_to_font()

    def _fit_to_font(self) -> None:
        self._delegate.use_font(self.font())
        metrics = self.fontMetrics()
        self.setIndentation(round(metrics.height() * 1.1) + GUTTER_WIDTH + 6)
        header = self.header()
        header.setSectionResizeMode(Column.ENTRY, QHeaderView.ResizeMode.Stretch)
        header.setMinimumSectionSize(metrics.averageCharWidth() * 6)
        for column, widest in (
            (Column.TOKENS, "999.9k"),
            (Column.CONTEXT, self._model.headerData(Column.CONTEXT, Qt.Orientation.Horizontal)),
            (Column.TIME, "28 Mmm 00:00"),
        ):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive)
            header.resizeSection(column, metrics.horizontalAdvance(widest) + metrics.height() + 4)
        self.scheduleDelayedItemsLayout()

    # What a person does

    def currentChanged(
        self, current: QModelIndex | QPersistentModelIndex, previous: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().currentChanged(current, previous)
        row = self._model.entry_row(current)
        self.entry_selected.emit(TOP_LEVEL if row is None else row)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row = self.current_entry()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and row is not None:
            modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
            if modifiers == Qt.KeyboardModifier.ControlModifier:
                self.entry_taken.emit(row)
                return
            if modifiers == Qt.KeyboardModifier.NoModifier:
                self.entry_chosen.emit(row)
                return
        super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """By mouse at the pointer, by the menu key or Shift+F10 below the row that has the keyboard."""
        index = self.currentIndex()
        if event.reason() == QContextMenuEvent.Reason.Mouse:
            index = self.indexAt(event.pos())
            self.setCurrentIndex(index)
            where = event.globalPos()
        else:
            self.scrollTo(index)
            row = self.visualRect(index)
            where = self.viewport().mapToGlobal(row.bottomRight() if self.isRightToLeft() else row.bottomLeft())
        if index.isValid():
            self.menu_wanted.emit(where)
        event.accept()

    def keyboardSearch(self, search: str) -> None:
        """Typed letters do not jump: with a hundred thousand rows that would decode them all."""

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def _choose(self, index: QModelIndex) -> None:
        if (row := self._model.entry_row(index)) is not None:
            self.entry_chosen.emit(row)
