"""The cut line in the tree as something to take hold of: hovering shows that it can be moved, dragging moves it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QLabel

from gui.session_tree_model import SessionTreeModel
from gui.session_tree_view import SessionTreeView

REACH = 5  # pixels above and below the line
WIDEST = 60  # of the average character, of what is said beside the pointer


class CutHandle(QObject):
    """Watches the mouse over a tree.

    Signals: `dragged` (entry row) for the row before which the line is held; `dropped` when it is let go.
    """

    dragged = Signal(int)
    dropped = Signal()

    def __init__(self, tree: SessionTreeView, model: SessionTreeModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tree = tree
        self._model = model
        self._is_held = False
        self._held_at: int | None = None
        self._where = QPoint()
        self.words = QLabel(tree.viewport())
        """What is said beside the pointer while the line is held."""
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        self.words.setProperty("floating", True)
        self.words.setWordWrap(True)
        self.words.setMargin(6)
        self.words.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.words.hide()
        tree.viewport().installEventFilter(self)

    def explain(self, sentence: str) -> None:
        """Say beside the pointer what became of the line, or why it cannot be there. Only while it is held."""
        if not self._is_held:
            return
        metrics = self.words.fontMetrics()
        viewport = self._tree.viewport().rect()
        width = min(WIDEST * metrics.averageCharWidth(), viewport.width() - 8)
        self.words.setText(sentence)
        needed = metrics.boundingRect(QRect(0, 0, width - 16, 10_000), Qt.TextFlag.TextWordWrap, sentence)
        self.words.resize(needed.width() + 18, needed.height() + 14)
        self._place_words()
        self.words.show()

    def _place_words(self) -> None:
        """Beside the pointer or else beside the line, within the tree, and never over the line that it is about."""
        viewport, gap, height = self._tree.viewport().rect(), self._tree.fontMetrics().height(), self.words.height()
        line = self._line()
        below = [self._where.y() + gap] + ([line + 2 * REACH] if line is not None else [])
        above = [self._where.y() - gap - height] + ([line - 2 * REACH - height] if line is not None else [])
        tops = [below[0], above[0], *below[1:], *above[1:]]
        fitting = [top for top in tops if top >= 0 and top + height <= viewport.bottom()]
        beside = [top for top in fitting if line is None or not top - REACH <= line <= top + height + REACH]
        left = min(max(4, self._where.x() - self.words.width() // 2), viewport.right() - self.words.width() - 4)
        self.words.move(left, (beside or fitting or tops[1:])[0])

    def _line(self) -> int | None:
        """Where the cut that is previewed is drawn, None when it is out of sight."""
        tree = self._tree
        index, bottom = tree.indexAt(QPoint(0, 0)), tree.viewport().height()
        while index.isValid() and (rect := tree.visualRect(index)).top() < bottom:
            content = self._model.content(index)
            if content is not None and content.is_cut and content.cut_owner == "preview":
                return rect.top()
            index = tree.indexBelow(index)
        return None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QMouseEvent):
            return False
        where = event.position().toPoint()
        if event.type() == QEvent.Type.MouseMove:
            return self._move(where)
        if event.type() == QEvent.Type.MouseButtonPress and event.button() == Qt.MouseButton.LeftButton:
            self._is_held = self._is_at_line(where)
            return self._is_held  # the press selects nothing
        if event.type() == QEvent.Type.MouseButtonRelease and self._is_held:
            self._is_held, self._held_at = False, None
            self.words.hide()
            self._tree.viewport().unsetCursor()
            self.dropped.emit()
            return True
        return False

    def _move(self, where: QPoint) -> bool:
        if not self._is_held:
            if self._is_at_line(where):
                self._tree.viewport().setCursor(Qt.CursorShape.SplitVCursor)
            else:
                self._tree.viewport().unsetCursor()
            return False
        self._where = where
        self._scroll_at_edges(where)
        row = self._row_below(where)
        if row is not None and row != self._held_at:
            self._held_at = row
            self.dragged.emit(row)
        if self.words.isVisible():
            self._place_words()
        return True

    def _is_at_line(self, where: QPoint) -> bool:
        """Whether the cut line, the upper edge of the first row that is kept, is within reach, and can be moved."""
        index = self._tree.indexAt(QPoint(where.x(), where.y() + REACH))
        content = self._model.content(index) if index.isValid() else None
        if content is None or not content.is_cut or content.cut_owner != "preview":
            return False
        return abs(self._tree.visualRect(index).top() - where.y()) <= REACH

    def _row_below(self, where: QPoint) -> int | None:
        """The entry row whose upper edge is nearest to the pointer."""
        index = self._tree.indexAt(where)
        if not index.isValid():
            return None
        rect = self._tree.visualRect(index)
        if where.y() > rect.center().y() and (below := self._tree.indexBelow(index)).isValid():
            index = below
        return self._model.entry_row(index)

    def _scroll_at_edges(self, where: QPoint) -> None:
        bar = self._tree.verticalScrollBar()
        height = self._tree.viewport().height()
        margin = self._tree.fontMetrics().height()
        if where.y() < margin:
            bar.setValue(bar.value() - margin)
        elif where.y() > height - margin:
            bar.setValue(bar.value() + margin)
