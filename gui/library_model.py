"""The item model of the library: shelves of sessions, and under a session what was found in it.

The rows are given as a whole (`show`) and kept as plain numbers; what a row says is made when it is painted.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QMimeData, QModelIndex, QObject, QPersistentModelIndex, Qt, QUrl

from gui.library_rows import LibraryRow, SessionTexts, session_texts, spoken_row
from gui.plain_tips import plain_tip
from services.library.lineage import Lineage
from services.library.sessions import LibrarySession

Index = QModelIndex | QPersistentModelIndex
NO_INDEX = QModelIndex()
MOST_SINGLE_CHANGES = 64  # that views are told one by one


class Role(IntEnum):
    """Data roles beside Qt's own: the row, and the words of a session's row."""

    ROW = Qt.ItemDataRole.UserRole + 1
    TEXTS = Qt.ItemDataRole.UserRole + 2
    IS_OPEN = Qt.ItemDataRole.UserRole + 3


_USABLE = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
_FLAGS = {
    (is_session, has_children): _USABLE
    | (Qt.ItemFlag.ItemIsDragEnabled if is_session else Qt.ItemFlag.NoItemFlags)
    | (Qt.ItemFlag.NoItemFlags if has_children else Qt.ItemFlag.ItemNeverHasChildren)
    for is_session in (True, False)
    for has_children in (True, False)
}


@dataclass(slots=True)
class _Node:
    row: LibraryRow | None
    parent: int
    number: int
    children: list[int] = field(default_factory=list)


class LibraryModel(QAbstractItemModel):
    """An index's internalId() is the place of its node; 0 is the hidden root."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._nodes = [_Node(None, 0, 0)]
        self._by_key: dict[str, int] = {}
        self._texts: dict[int, SessionTexts] = {}
        self._lineage = Lineage()
        self._shared: dict[int, tuple[float, float]] = {}
        self._open: frozenset[Path] = frozenset()

    # What is shown

    def show(self, rows: Sequence[LibraryRow], lineage: Lineage) -> bool:
        """Show `rows`. Returns True when the model was reset; where the rows are those that were there, only their
        contents change."""
        nodes = _nodes_of(rows)
        self._lineage = lineage
        self._texts.clear()
        if len(nodes) == len(self._nodes) and all(map(_same_place, nodes, self._nodes)):
            changed = [
                number for number, (old, new) in enumerate(zip(self._nodes, nodes, strict=True)) if _differ(old, new)
            ]
            self._nodes = nodes
            self._tell_changed(changed)
            return False
        self.beginResetModel()
        self._nodes = nodes
        self._by_key = {node.row.key: number for number, node in enumerate(nodes) if node.row is not None}
        self.endResetModel()
        return True

    def show_shared(self, shared: dict[int, tuple[float, float]]) -> None:
        """Say of forks how much of their cost is that of another session."""
        self._shared = shared
        self._texts.clear()
        self._tell_all_changed()

    def show_open(self, paths: Collection[Path]) -> None:
        """Mark the sessions that are open."""
        if self._open != frozenset(paths):
            self._open = frozenset(paths)
            self._texts.clear()
            self._tell_all_changed()

    def row_at(self, index: Index) -> LibraryRow | None:
        """Return the row that stands at `index`."""
        return self._nodes[index.internalId()].row if index.isValid() else None

    def session_at(self, index: Index) -> LibrarySession | None:
        """Return the session of a row, also of a row of a hit in it."""
        while index.isValid():
            row = self.row_at(index)
            if row is not None and row.session is not None:
                return row.session
            index = index.parent()
        return None

    def index_of(self, key: str) -> QModelIndex:
        """Return the place of the row with a key, an invalid one when there is none."""
        return self._index(self._by_key.get(key, 0))

    def origin_of(self, session: LibrarySession) -> LibrarySession | None:
        """Return the session that `session` was forked from, where that is known."""
        return self._lineage.origin(session)

    # Qt

    def index(self, row: int, column: int, parent: Index = NO_INDEX) -> QModelIndex:
        children = self._nodes[parent.internalId() if parent.isValid() else 0].children
        if column or not 0 <= row < len(children):
            return QModelIndex()
        return self.createIndex(row, 0, children[row])

    def parent(self, index: Index | None = None) -> Any:
        if index is None:
            return super().parent()
        return self._index(self._nodes[index.internalId()].parent) if index.isValid() else QModelIndex()

    def rowCount(self, parent: Index = NO_INDEX) -> int:
        return len(self._nodes[parent.internalId() if parent.isValid() else 0].children)

    def columnCount(self, parent: Index = NO_INDEX) -> int:
        return 1

    def hasChildren(self, parent: Index = NO_INDEX) -> bool:
        return self.rowCount(parent) > 0

    def flags(self, index: Index) -> Qt.ItemFlag:
        row = self.row_at(index)
        if row is None:
            return Qt.ItemFlag.NoItemFlags
        return _FLAGS[row.session is not None, bool(row.children)]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.row_at(index)
        if row is None:
            return None
        if role == Role.ROW:
            return row
        texts = self._texts_of(index.internalId(), row)
        if role == Role.TEXTS:
            return texts
        if role == Role.IS_OPEN:
            return row.session is not None and row.session.path in self._open
        if role == Qt.ItemDataRole.DisplayRole:
            return texts.title if texts is not None else row.hit.text if row.hit is not None else row.title
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(texts.tip if texts is not None else row.tip) or None
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return texts.spoken if texts is not None else spoken_row(row)
        return None

    def mimeTypes(self) -> list[str]:
        return ["text/uri-list"]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        data = QMimeData()
        sessions = (self.session_at(index) for index in indexes)
        data.setUrls([QUrl.fromLocalFile(str(session.path)) for session in sessions if session is not None])
        return data

    # Inside

    def _index(self, number: int) -> QModelIndex:
        return self.createIndex(self._nodes[number].number, 0, number) if number else QModelIndex()

    def _texts_of(self, number: int, row: LibraryRow) -> SessionTexts | None:
        session = row.session
        if session is None:
            return None
        if (known := self._texts.get(number)) is None:
            shared = self._shared.get(session.text_id or 0, (0.0, 0.0))
            known = self._texts[number] = session_texts(
                session,
                self._lineage.origin(session),
                time.time_ns() // 1_000_000,
                note=row.note,
                is_open=session.path in self._open,
                shared_cost=shared[1] if session.facts.parent_session else 0.0,
                has_time=row.has_time,
                tag=row.tag,
            )
        return known

    def _tell_changed(self, numbers: Sequence[int]) -> None:
        if len(numbers) > MOST_SINGLE_CHANGES:
            self._tell_all_changed()
            return
        for number in numbers:
            index = self._index(number)
            self.dataChanged.emit(index, index)

    def _tell_all_changed(self) -> None:
        for node in self._nodes:
            if node.children:
                self.dataChanged.emit(self._index(node.children[0]), self._index(node.children[-1]))


def _nodes_of(rows: Sequence[LibraryRow]) -> list[_Node]:
    """All rows as nodes, the groups one behind the other."""
    nodes = [_Node(None, 0, 0)]
    pending: list[tuple[int, Sequence[LibraryRow]]] = [(0, rows)]
    for parent, group in pending:  # grows while it is gone through
        for number, row in enumerate(group):
            nodes[parent].children.append(len(nodes))
            if row.children:
                pending.append((len(nodes), row.children))
            nodes.append(_Node(row, parent, number))
    return nodes


def _differ(one: _Node, other: _Node) -> bool:
    old, new = one.row, other.row
    if old is None or new is None:
        return False
    return (
        old.session is not new.session
        or old.hit is not new.hit
        or (old.title, old.note, old.tip, old.has_time, old.tag)
        != (new.title, new.note, new.tip, new.has_time, new.tag)
    )


def _same_place(one: _Node, other: _Node) -> bool:
    if one.row is None or other.row is None:
        return one.row is other.row
    return one.parent == other.parent and one.row.key == other.row.key and len(one.children) == len(other.children)
