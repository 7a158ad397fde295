"""The list of the library: shelves that fold, sessions, and what was found in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QContextMenuEvent, QFocusEvent, QKeyEvent, QKeySequence, QMouseEvent, QPainter
from PySide6.QtWidgets import QAbstractItemView, QMenu, QTreeView, QWidget

from gui.library_delegate import LibraryDelegate
from gui.library_model import Index, LibraryModel
from gui.library_rows import LibraryRow, RowKind
from services.library.lineage import Lineage
from services.library.sessions import LibrarySession


class LibraryView(QTreeView):
    """Signals: `chosen` for Enter or a double click on sessions or hits; `more_wanted` (LibraryRow) for the rest of a
    group; `typed` (text) when somebody types while the list has the keyboard.
    """

    chosen = Signal()
    more_wanted = Signal(object)
    typed = Signal(str)

    def __init__(self, model: LibraryModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._delegate = LibraryDelegate(self)
        self.folded: set[str] = set()
        """The keys of the shelves that somebody folded."""
        self.keys: Callable[[], Iterable[tuple[QKeySequence, QAction]]] = tuple
        """Tells what keys do while the list has the keyboard."""
        self.context_actions: Callable[[], Iterable[QAction | None]] = tuple
        """Makes the context menu; None stands for a line."""
        self.setModel(model)
        self.setItemDelegate(self._delegate)
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setIndentation(0)
        self.setExpandsOnDoubleClick(False)
        self.setAnimated(False)
        self.setMouseTracking(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setDragEnabled(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        self.setFrameShape(QTreeView.Shape.NoFrame)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setAccessibleName(self.tr("Library of sessions"))
        self.expanded.connect(lambda index: self._note_fold(index, is_folded=False))
        self.collapsed.connect(lambda index: self._note_fold(index, is_folded=True))
        self._delegate.use_font(self.font())

    # What is shown

    def show_rows(self, rows: Sequence[LibraryRow], lineage: Lineage) -> None:
        """Show `rows`; selection, folds and the place in the list stay where they are."""
        current, selected = self._key(self.currentIndex()), {self._key(index) for index in self.selectedIndexes()}
        anchor = self.indexAt(QPoint(1, 1))
        anchor_key, above = self._key(anchor), self.visualRect(anchor).top()
        if not self._model.show(rows, lineage):
            return
        self._unfold(rows)
        self._restore(current, selected)
        if anchor_key is not None and (index := self._model.index_of(anchor_key)).isValid():
            self.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtTop)
            self.verticalScrollBar().setValue(self.verticalScrollBar().value() - above)

    def selected_sessions(self) -> list[LibrarySession]:
        """Return the sessions of the selected rows, from top to bottom, each once."""
        indexes = sorted(self.selectedIndexes(), key=lambda index: self.visualRect(index).top())
        found = (self._model.session_at(index) for index in indexes)
        return list({session.path: session for session in found if session is not None}.values())

    def current_row(self) -> LibraryRow | None:
        """Return the row of the keyboard's place."""
        return self._model.row_at(self.currentIndex())

    def select_key(self, key: str, *, centre: bool = True) -> bool:
        """Select the row with a key and bring it into sight; False when there is none."""
        index = self._model.index_of(key)
        if not index.isValid():
            return False
        self.expand(index.parent())
        self.setCurrentIndex(index)
        hint = QAbstractItemView.ScrollHint
        self.scrollTo(index, hint.PositionAtCenter if centre else hint.EnsureVisible)
        return True

    # Qt

    def drawBranches(self, painter: QPainter, rect: object, index: QModelIndex | QPersistentModelIndex) -> None:
        """Nothing: there is no room for branches, and captions say themselves whether they are folded."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row = self.current_row()
        plain = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if (action := self._action_of(event)) is not None:
            action.trigger()  # does nothing while it is not available
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and plain == Qt.KeyboardModifier.NoModifier:
            self._choose(row)
        elif event.key() == Qt.Key.Key_Space and row is not None and row.kind is RowKind.SHELF:
            self._turn(self.currentIndex())
        elif event.key() == Qt.Key.Key_Up and self.currentIndex() == self._model.index(0, 0):
            self.typed.emit("")
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Keys of the list go before those of the window, where both have the same."""
        is_key = event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent)
        if is_key and self._action_of(event) is not None:  # type: ignore[arg-type]
            event.accept()
            return True
        return super().event(event)

    def keyboardSearch(self, search: str) -> None:
        """Typed letters look for sessions."""
        if search.strip():
            self.typed.emit(search)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        row = self._model.row_at(index)
        super().mouseReleaseEvent(event)
        is_plain = event.modifiers() == Qt.KeyboardModifier.NoModifier
        if event.button() == Qt.MouseButton.LeftButton and is_plain and row is not None:
            if row.kind is RowKind.SHELF:
                self._turn(index)
            elif row.kind is RowKind.MORE:
                self.more_wanted.emit(row)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        row = self._model.row_at(self.indexAt(event.position().toPoint()))
        if event.button() == Qt.MouseButton.LeftButton and row is not None and row.kind is not RowKind.SHELF:
            self._choose(row)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        where = event.globalPos()
        if event.reason() == QContextMenuEvent.Reason.Keyboard and self.currentIndex().isValid():
            where = self.viewport().mapToGlobal(self.visualRect(self.currentIndex()).center())
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for action in self.context_actions():
            if action is None:
                menu.addSeparator()
            else:
                menu.addAction(action)
        menu.popup(where)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if not self.currentIndex().isValid() and self._model.rowCount():
            self._restore(None, set())
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._delegate.use_font(self.font())
            self.scheduleDelayedItemsLayout()

    # Inside

    def _action_of(self, event: QKeyEvent) -> QAction | None:
        pressed = QKeySequence(event.keyCombination())
        return next((action for key, action in self.keys() if key == pressed), None)

    def _key(self, index: Index) -> str | None:
        row = self._model.row_at(index)
        return None if row is None else row.key

    def _unfold(self, rows: Iterable[LibraryRow]) -> None:
        """Unfold all groups but those that somebody folded."""
        # With a layout pending, Qt only remembers what is unfolded, instead of laying out all rows each time.
        self.scheduleDelayedItemsLayout()
        pending = list(rows)
        while pending:
            row = pending.pop()
            if row.children and row.key not in self.folded:
                self.setExpanded(self._model.index_of(row.key), True)
                pending += row.children
        self.executeDelayedItemsLayout()

    def _restore(self, current: str | None, selected: set[str | None]) -> None:
        selection = self.selectionModel()
        flags = selection.SelectionFlag
        index = self._model.index_of(current) if current is not None else QModelIndex()
        if index.isValid():
            selection.setCurrentIndex(index, flags.NoUpdate)
        elif self._model.rowCount():
            first = self._model.index(0, 0)
            inside = self._model.index(0, 0, first)
            selection.setCurrentIndex(inside if inside.isValid() and self.isExpanded(first) else first, flags.NoUpdate)
        for key in selected:
            if key is not None and (index := self._model.index_of(key)).isValid():
                selection.select(index, flags.Select)

    def _note_fold(self, index: QModelIndex, *, is_folded: bool) -> None:
        if (key := self._key(index)) is not None:
            (self.folded.add if is_folded else self.folded.discard)(key)

    def _choose(self, row: LibraryRow | None) -> None:
        if row is None:
            return
        if row.kind is RowKind.SHELF:
            self._turn(self.currentIndex())
        elif row.kind is RowKind.MORE:
            self.more_wanted.emit(row)
        else:
            self.chosen.emit()

    def _turn(self, index: QModelIndex) -> None:
        self.setExpanded(index, not self.isExpanded(index))
