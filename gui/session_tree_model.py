"""The item model of the tree view: native book-keeping, Python only for the rows that are painted.

Qt lays out every unfolded row on every insertion and asks the model about each. Answered in Python that costs a quarter
of a second at 100 000 rows; `QStandardItemModel` answers in C++, from rows that hold no items but a null pointer.
What a row shows comes from `RowSource`, by entry row, when it is painted.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Protocol

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QStandardItem, QStandardItemModel

from gui.plain_tips import plain_tip
from gui.row_content import RowContent
from gui.tree_columns import Column

if TYPE_CHECKING:
    from model.outline import Outline

Index = QModelIndex | QPersistentModelIndex
NO_INDEX = QModelIndex()
TOP_LEVEL = -1
ROWS_FILLED_AT_ONCE = 120


class Role(IntEnum):
    """Data roles beside Qt's own: the entry row, and all that the delegate paints."""

    ENTRY_ROW = Qt.ItemDataRole.UserRole + 1
    CONTENT = Qt.ItemDataRole.UserRole + 2


class RowSource(Protocol):
    """Tells what the row of an entry shows; called for painted rows only."""

    def content(self, row: int) -> RowContent:
        """Return what to paint for entry `row`."""
        ...


class SessionTreeModel(QStandardItemModel):
    """Rows of an `Outline`; the groups under folded rows are filled in when they are first unfolded.

    Signal: `shown` when another outline is shown.
    """

    shown = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.dataChanged.disconnect()  # the base looks for the item of every cell then, to tell that items changed
        self.setColumnCount(len(Column))
        self._outline: Outline | None = None
        self._source: RowSource | None = None
        # An index of QStandardItemModel carries the address of the item that holds the row: one a group.
        self._owner_at: dict[int, int] = {}
        self._filled: set[int] = set()
        # A long session has thousands of branch points on its trunk. Those nearest to the leaf get their rows at once,
        # the others in later turns of the event loop.
        self._waiting: dict[int, None] = {}
        self._filling = QTimer(self)
        self._filling.setInterval(0)
        self._filling.timeout.connect(self._fill_some)

    @property
    def outline(self) -> Outline | None:
        """The outline that is shown."""
        return self._outline

    def show(self, outline: Outline | None, source: RowSource | None) -> bool:
        """Show `outline`. Returns True when the rows that were there stay, and new ones were only added behind them.

        Otherwise all rows are replaced, and the view has to restore selection and folds.
        """
        stays = self._show(outline, source)
        self.shown.emit()
        return stays

    def _show(self, outline: Outline | None, source: RowSource | None) -> bool:
        self._source = source
        if outline is not None and self._outline is not None:
            if outline.grown_from is self._outline:
                self._append(outline)
                return True
            if self._grows_into(outline):
                self._grow(outline)
                return True
        self._filling.stop()
        self._waiting = {}
        if count := self.rowCount():
            self.removeRows(0, count)
        self._owner_at.clear()
        self._filled.clear()
        self._outline = outline
        if outline is not None and (top := outline.group(TOP_LEVEL)) is not None and len(top):
            self.insertRows(0, len(top))
            self._filled.add(TOP_LEVEL)
            self._owner_at[self.index(0, 0).internalId()] = TOP_LEVEL
            self._waiting = dict.fromkeys(outline.branching(TOP_LEVEL))
            self._fill_some()
        return False

    def fill_all(self) -> None:
        """Give all rows of the top level their rows now, instead of some in each turn of the event loop."""
        while self._waiting:
            self._fill_some()

    @property
    def is_filling(self) -> bool:
        """Whether rows of the top level have rows below them which are still to be filled in."""
        return bool(self._waiting)

    def index_of(self, row: int, column: int = Column.ENTRY) -> QModelIndex:
        """Return the index of entry `row`, filling in the groups above it; invalid when the filter hides it."""
        outline = self._outline
        if outline is None or not 0 <= row < len(outline.owner) or not outline.is_shown(row):
            return QModelIndex()
        parent = QModelIndex()
        for owner in outline.owners(row):
            if not parent.isValid() and owner in self._waiting:
                del self._waiting[owner]
                self._give_rows(owner, NO_INDEX)
            parent = self.index(int(outline.position[owner]), 0, parent)
            self.fill(parent)
        return self.index(int(outline.position[row]), column, parent)

    def entry_row(self, index: Index) -> int | None:
        """Return the entry row that `index` shows."""
        if not index.isValid() or self._outline is None:
            return None
        owner = self._owner_at.get(index.internalId())
        group = None if owner is None else self._outline.group(owner)
        if group is None or index.row() >= len(group):
            return None  # asked in the middle of an insertion
        return int(group[index.row()])

    def content(self, index: Index) -> RowContent | None:
        """Return what to paint for `index`, like `data(index, Role.CONTENT)` but without a way through Qt."""
        if self._source is None or (row := self.entry_row(index)) is None:
            return None
        return self._source.content(row)

    def fill(self, index: Index) -> None:
        """Make the groups under the rows of `index` known, so that these rows can be unfolded."""
        owner = self.entry_row(index)
        if owner is None or owner in self._filled or self._outline is None:
            return
        if self._outline.group(owner) is not None:
            self._adopt(owner, index)

    def branches(self, owner: int = TOP_LEVEL, parent: Index = NO_INDEX) -> Iterator[tuple[int, QModelIndex]]:
        """Yield the entry rows and indexes under `parent`, which shows entry `owner`, that have rows of their own.

        Without those whose rows are still to be filled in: they cannot be unfolded yet.
        """
        if self._outline is not None:
            for owned in self._outline.branching(owner):
                if owned not in self._waiting:
                    yield owned, self.index(int(self._outline.position[owned]), 0, parent)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if self._source is None or (row := self.entry_row(index)) is None:
            return None
        if role == Role.CONTENT:
            return self._source.content(row)
        if role == Role.ENTRY_ROW:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return self._source.content(row).column_text(index.column())
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._source.content(row).spoken(index.column(), self._level(index))
        if role == Qt.ItemDataRole.ToolTipRole and index.column() in (Column.ENTRY, Column.TIME):
            content = self._source.content(row)
            return content.time_tip if index.column() == Column.TIME else plain_tip(content.tip)
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() != Column.ENTRY:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.column_name(Column(section))
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignLeading if section == Column.ENTRY else Qt.AlignmentFlag.AlignRight
            return side | Qt.AlignmentFlag.AlignVCenter
        return None

    def column_name(self, column: Column) -> str:
        """Return the title of a column."""
        names = {
            Column.ENTRY: self.tr("Entry"),
            Column.TOKENS: self.tr("Tokens"),
            Column.CONTEXT: self.tr("Context"),
            Column.COST: self.tr("Cost"),
            Column.TIME: self.tr("Time"),
        }
        return names[column]

    def refresh(self) -> None:
        """Paint all rows again: texts, marks or numbers changed, but not which rows there are."""
        if count := self.rowCount():
            self.dataChanged.emit(self.index(0, 0), self.index(count - 1, len(Column) - 1))

    def _level(self, index: Index) -> int:
        """Depth of a row in the view, the top level being 1."""
        level = 1
        parent = index.parent()
        while parent.isValid():
            level += 1
            parent = parent.parent()
        return level

    def _adopt(self, owner: int, index: Index) -> None:
        """Remember whose rows lie under `index`, and give the rows among them that have groups their row counts."""
        outline = self._outline
        assert outline is not None
        self._filled.add(owner)
        first = self.index(0, 0, index)
        self._owner_at[first.internalId()] = owner
        for owned in outline.branching(owner):
            self._give_rows(owned, index)

    def _fill_some(self) -> None:
        for _ in range(min(ROWS_FILLED_AT_ONCE, len(self._waiting))):
            owner, _nothing = self._waiting.popitem()  # the last one
            self._give_rows(owner, NO_INDEX)
        if self._waiting:
            self._filling.start()
        else:
            self._filling.stop()

    def _give_rows(self, owner: int, parent: Index) -> None:
        """Give the row of entry `owner`, which stands under `parent`, as many rows as the outline has under it."""
        outline = self._outline
        assert outline is not None
        below = outline.group(owner)
        assert below is not None
        self._set_row_count(self._item(self.index(int(outline.position[owner]), 0, parent)), owner, len(below))

    def _item(self, index: Index) -> QStandardItem:
        item = self.itemFromIndex(index)  # made on demand: rows without rows below need none
        if item.columnCount() < len(Column):
            item.setColumnCount(len(Column))
        return item

    def _set_row_count(self, item: QStandardItem, owner: int, count: int) -> None:
        item.insertRows(item.rowCount(), count - item.rowCount())
        self._owner_at[self.index(0, 0, item.index()).internalId()] = owner

    def _grows_into(self, outline: Outline) -> bool:
        """Tell whether each group that is filled in only gains rows at its end."""
        assert self._outline is not None
        for owner in self._filled | {TOP_LEVEL}:
            old, new = self._outline.group(owner), outline.group(owner)
            if old is None or not len(old) or new is None or len(new) < len(old):
                return False
            if (old != new[: len(old)]).any():
                return False
            for owned in self._outline.branching(owner):
                below, now = self._outline.group(owned), outline.group(owned)
                if below is None or now is None or len(now) < len(below) or (below != now[: len(below)]).any():
                    return False
        return True

    def _append(self, outline: Outline) -> None:
        """Take in an outline that is the present one with more rows behind its leaf."""
        self._outline = outline
        top = outline.group(TOP_LEVEL)
        assert top is not None
        if added := len(top) - self.rowCount():
            self.insertRows(self.rowCount(), added)

    def _grow(self, outline: Outline) -> None:
        self.fill_all()
        filled = sorted(self._filled, key=lambda owner: len(outline.owners(owner)) if owner >= 0 else -1)
        self._outline = outline
        for owner in filled:
            group = outline.group(owner)
            assert group is not None
            index = self.index_of(owner) if owner >= 0 else QModelIndex()
            have = self.rowCount(index)
            if len(group) > have:
                if owner >= 0:
                    self.itemFromIndex(index).insertRows(have, len(group) - have)
                else:
                    self.insertRows(have, len(group) - have)
            for owned in outline.branching(owner):
                below = outline.group(owned)
                assert below is not None
                item = self._item(self.index(int(outline.position[owned]), 0, index))
                if len(below) > item.rowCount():
                    self._set_row_count(item, owned, len(below))
