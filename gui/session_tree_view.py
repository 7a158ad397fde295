"""The tree: a `QTreeView` that paints its rows itself, with the guides of branches and the gutter before them."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence, Set

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPoint, QRect, Qt, Signal, SignalInstance
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QStyleOptionViewItem, QTreeView, QWidget

from gui.entry_delegate import EntryDelegate, color
from gui.row_content import Group, RowContent
from gui.selected_rows import selection_mark
from gui.session_tree_model import NO_INDEX, TOP_LEVEL, SessionTreeModel
from gui.theme import current_theme
from gui.tree_columns import Column
from gui.tree_guides import GUTTER_WIDTH, Guides
from gui.tree_header import TreeHeader
from gui.turns import LaterTurns, right_of_way
from model.outline import Outline

FRAME_S = 0.008
"""How long rows are painted in one frame while a person scrolls; what is left follows in the next one."""


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
        self._cells: list[tuple[Column, int, int]] = []
        self._current = QModelIndex()
        self._is_scrolled = False
        self._paint_until = math.inf  # on the clock of `time.perf_counter`
        self._left_out = -1  # the top of the first row that there was no time for, -1 for none
        self.guides = Guides()
        self.cut_words = self.tr("cut · drag to move")
        """What is said at a cut that is previewed."""
        self.setItemDelegate(self._delegate)
        self.setModel(model)
        self.tree_header = TreeHeader({column: model.column_name(column) for column in Column}, self)
        self.setHeader(self.tree_header)
        self.tree_header.prepare()
        self.tree_header.left.connect(self.setFocus)
        self.setIndentation(0)  # levels are shown by guides
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
        self._fit_to_font()
        self.expanded.connect(model.fill)
        model.shown.connect(self._fit_guides)
        self.doubleClicked.connect(self._choose)
        self.followers = LaterTurns(self)
        self.verticalScrollBar().actionTriggered.connect(self._note_scrolling)

    # What is shown

    def follow_selection(self, follow: Callable[[], object]) -> None:
        """Have `follow` called in a turn of its own after the current row has changed, and was painted."""
        self.entry_selected.connect(lambda _row: self.followers.ask(follow))

    def folds(self, owner: int = TOP_LEVEL, parent: QModelIndex = NO_INDEX) -> tuple[set[int], set[int]]:
        """Return the entry rows that are unfolded, and the branch points that are folded though they need not be.

        Only of what can be seen under `parent`, which shows entry `owner`.
        """
        outline = self._model.outline
        unfolded: set[int] = set()
        folded: set[int] = set()
        pending: list[tuple[int, QModelIndex]] = [(owner, parent)]
        while pending and outline is not None:
            for row, index in self._model.branches(*pending.pop()):
                if self.isExpanded(index):
                    pending.append((row, index))
                    unfolded.add(row)
                elif row not in outline.hides:
                    folded.add(row)
        return unfolded, folded

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

    def scroll_to_top(self, row: int, offset: int = 0) -> None:
        """Have entry `row` as the first one in view, with `offset` pixels of it above the edge."""
        index = self._model.index_of(row)
        if index.isValid() and self.visualRect(index).isValid():
            self.scrollTo(index, QTreeView.ScrollHint.PositionAtTop)
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() + offset)

    def scrollTo(
        self,
        index: QModelIndex | QPersistentModelIndex,
        hint: QTreeView.ScrollHint = QTreeView.ScrollHint.EnsureVisible,
    ) -> None:
        """Have the row of `index` in view, all of it: Qt leaves its last line of pixels below the edge."""
        super().scrollTo(index, hint)
        if self.visualRect(index).bottom() == self.viewport().height():
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() + 1)

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

    def restore_folds(self, unfolded_heads: Set[int], folded_points: Set[int]) -> None:
        """Unfold all branch points but `folded_points`, and the branch heads in `unfolded_heads` (entry rows).

        Of very many branch points only those nearest to the leaf are unfolded: their rows are there at once.
        """
        outline = self._model.outline
        if outline is None:
            return
        for head in unfolded_heads:
            self._model.index_of(head)  # fills in what lies around it
        pending: list[tuple[int, QModelIndex]] = [(TOP_LEVEL, QModelIndex())]
        while pending:
            for row, index in self._model.branches(*pending.pop()):
                is_open = row in unfolded_heads if row in outline.hides else row not in folded_points
                if is_open and not self.isExpanded(index):
                    # With a layout pending, Qt only remembers what is unfolded, instead of laying out all rows each
                    # time. It takes time itself, and is spared where nothing is to be unfolded.
                    self.scheduleDelayedItemsLayout()
                    self.expand(index)
                if is_open:
                    self._model.fill(index)
                    pending.append((row, index))

    def dataChanged(
        self,
        top_left: QModelIndex | QPersistentModelIndex,
        bottom_right: QModelIndex | QPersistentModelIndex,
        roles: Sequence[int] = (),
    ) -> None:
        """Paint again. `QTreeView` would look for both rows among all, to see whether their height has changed."""
        QAbstractItemView.dataChanged(self, top_left, bottom_right, roles)

    # Painting

    def _note_scrolling(self, _action: int) -> None:
        """By wheel or bar; where a row is gone to, or a picture is made, the rows are painted at once."""
        self._is_scrolled = True

    def paintEvent(self, event: QPaintEvent) -> None:
        header = self.header()
        self._cells = [
            (column, header.sectionViewportPosition(column), header.sectionSize(column))
            for column in Column
            if not header.isSectionHidden(column)
        ]
        self._current = self.currentIndex()
        self._paint_until = time.perf_counter() + FRAME_S if self._is_scrolled else math.inf
        self._is_scrolled, self._left_out = False, -1
        super().paintEvent(event)
        if self._left_out >= 0:
            self.viewport().update(QRect(0, self._left_out, self.viewport().width(), self.viewport().height()))

    def drawRow(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        top, height = option.rect.top(), option.rect.height()
        if self._left_out < 0 and time.perf_counter() > self._paint_until:
            self._left_out = max(0, top)
        if self._left_out >= 0:
            return
        row = self._model.entry_row(index)
        content = self._model.content(index)
        outline = self._model.outline
        if row is None or content is None or outline is None:
            return
        full = QRect(0, top, self.viewport().width(), height)
        is_current = index == self._current
        if is_current and self.selectionModel().isSelected(index):
            painter.fillRect(full, color(current_theme().selection))
        # Drawn cell by cell: the style would lay its own idea of a selected row over everything.
        direction = self.layoutDirection()
        mirrored = direction == Qt.LayoutDirection.RightToLeft
        is_folded = not self.isExpanded(index)
        for column, start, width in self._cells:
            if column != Column.ENTRY:
                self._delegate.paint_cell(
                    painter, QRect(start, top, width, height), direction, column, content, folded=is_folded
                )
                continue
            lead = self.guides.lead
            left = start if mirrored else start + lead
            cell = QRect(left, top, max(0, width - lead), height)
            branch = QRect(start + width - lead if mirrored else start, top, lead, height)
            self._paint_guides(painter, branch, row, outline, content, mirrored=mirrored, folded=is_folded)
            self._delegate.paint_cell(
                painter, cell, direction, column, content, folded=is_folded, cut_words=self.cut_words
            )
        if is_current and (self.hasFocus() or self.selectionModel().isSelected(index)):
            selection_mark(painter, full, has_keyboard=self.hasFocus())
        if content.is_cut:
            can_move = content.cut_owner == "preview"
            style = Qt.PenStyle.DashLine if can_move else Qt.PenStyle.SolidLine
            painter.setPen(QPen(color(current_theme().kept), 2.0, style))
            painter.drawLine(0, top + 1, full.right(), top + 1)

    def _paint_guides(
        self,
        painter: QPainter,
        branch: QRect,
        row: int,
        outline: Outline,
        content: RowContent,
        *,
        mirrored: bool,
        folded: bool,
    ) -> None:
        if mirrored:  # draw as for left-to-right, seen in a mirror
            painter.save()
            painter.translate(branch.left() + branch.right() + 1, 0)
            painter.scale(-1, 1)
        if content.group != Group.NONE:
            theme = current_theme()
            tone = {Group.SUMMARIZED: theme.summarized, Group.TURN_PREFIX: theme.turn_prefix, Group.KEPT: theme.kept}
            painter.fillRect(
                QRect(branch.left() + 2, branch.top(), GUTTER_WIDTH, branch.height()), color(tone[content.group])
            )
        is_folded = folded if outline.group(row) is not None else None
        self.guides.paint(painter, branch, row, outline, content, is_folded=is_folded)
        if mirrored:
            painter.restore()

    # The levels

    def _follow_levels(self, index: QModelIndex | QPersistentModelIndex) -> None:
        """Show the guides around the level of a row, where there are more levels than guides."""
        row, outline = self._model.entry_row(index), self._model.outline
        if row is not None and outline is not None and self.guides.follow(len(outline.owners(row))):
            self.viewport().update()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        super().scrollContentsBy(dx, dy)
        outline = self._model.outline
        if dy and outline is not None and self.guides.are_too_few and not self._is_in_sight(self.currentIndex()):
            self._follow_levels(self.indexAt(QPoint(1, self.viewport().height() // 2)))

    def _is_in_sight(self, index: QModelIndex) -> bool:
        rect = self.visualRect(index)
        return rect.isValid() and rect.intersects(self.viewport().rect())

    def _fold_mark_at(self, where: QPoint) -> QModelIndex:
        """The row whose fold mark is at a place, an invalid index when there is none."""
        index = self.indexAt(where)
        row, outline = self._model.entry_row(index), self._model.outline
        if row is None or outline is None or outline.group(row) is None:
            return QModelIndex()
        header = self.header()
        start, width = header.sectionViewportPosition(Column.ENTRY), header.sectionSize(Column.ENTRY)
        x = start + width - where.x() if self.isRightToLeft() else where.x() - start
        return index if self.guides.is_fold_mark(x, len(outline.owners(row))) else QModelIndex()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            index = self._fold_mark_at(event.position().toPoint())
            if index.isValid():
                self.setExpanded(index, not self.isExpanded(index))
                return
        super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self._fold_mark_at(event.position().toPoint()).isValid():
            self.mousePressEvent(event)  # folding twice goes nowhere else
        else:
            super().mouseDoubleClickEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the leaf and the current row in sight when the view gets lower, as by a composer that grows."""
        kept = [index for index in self._marked_rows() if self._was_in_sight(index, event.oldSize().height())]
        super().resizeEvent(event)
        self.tree_header.resize_for(self.viewport().width())
        for index in kept:
            self.scrollTo(index)

    def _marked_rows(self) -> list[QModelIndex]:
        outline = self._model.outline
        leaf = QModelIndex() if outline is None else self._model.index_of(outline.shown_leaf)
        return [leaf, self.currentIndex()]

    def _was_in_sight(self, index: QModelIndex, height: int) -> bool:
        rect = self.visualRect(index)
        return rect.isValid() and rect.top() >= 0 and rect.bottom() <= height

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit_to_font()

    def _fit_to_font(self) -> None:
        self._delegate.use_font(self.font())
        self.guides.use_unit(self.fontMetrics().height())
        self.tree_header.fit_to_font()
        self._fit_guides()
        self.scheduleDelayedItemsLayout()

    def _fit_guides(self) -> None:
        """Make room for the levels that there are. The text starts at the same place whatever the level of a row."""
        outline = self._model.outline
        self.guides.make_room(0 if outline is None else outline.deepest_level)
        self.tree_header.set_lead(self.guides.lead)

    # What a person does

    def currentChanged(
        self, current: QModelIndex | QPersistentModelIndex, previous: QModelIndex | QPersistentModelIndex
    ) -> None:
        with right_of_way():
            super().currentChanged(current, previous)
            self._follow_levels(current)
            row = self._model.entry_row(current)
            self.entry_selected.emit(TOP_LEVEL if row is None else row)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row = self.current_entry()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and row is not None:
            modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
            if modifiers == Qt.KeyboardModifier.ControlModifier:
                self._act(self.entry_taken, row)
                return
            if modifiers == Qt.KeyboardModifier.NoModifier:
                self._act(self.entry_chosen, row)
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
            self._act(self.entry_chosen, row)

    def _act(self, act: SignalInstance, row: int) -> None:
        """What follows the selection comes first: its preview, a turn later, would take the place of what was asked."""
        self.followers.do_now()
        act.emit(row)
