"""The messages of a context as a table: role, why it is there, text, tokens, their sum and how full the window is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QCoreApplication, QModelIndex, QObject, QPersistentModelIndex, Qt

from gui.icons import icon
from gui.number_text import full_count, short_count
from model.context_listing import ListedMessage, Mark

translate = QCoreApplication.translate

Index = QModelIndex | QPersistentModelIndex
NO_INDEX = QModelIndex()

ROLE, MARK, TEXT, TOKENS, SUM = range(5)
MARK_ICONS: dict[Mark, str] = {
    "summary": "compaction",
    "branch summary": "branch_summary",
    "kept": "kept",
    "edited": "edit",
    "pruned": "trash",
    "not sent": "close",
}


@dataclass(frozen=True, slots=True)
class TableRow:
    """A message of the context, with the beginning of its text on one line."""

    message: ListedMessage
    beginning: str


class ContextTable(QAbstractTableModel):
    """Signals are those of the model. `window` is the model's context window in tokens, None when it is not known."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.rows: tuple[TableRow, ...] = ()
        self.window: int | None = None
        self.marks_in_words = True
        """Whether a mark says what it is beside its icon."""

    def show(self, rows: tuple[TableRow, ...], window: int | None) -> None:
        """Show other messages."""
        self.beginResetModel()
        self.rows, self.window = rows, window
        self.endResetModel()

    def rowCount(self, parent: Index = NO_INDEX) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = NO_INDEX) -> int:
        return 0 if parent.isValid() else 5

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row, column = self.rows[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(row, column)
        if role == Qt.ItemDataRole.DecorationRole and column == MARK and row.message.marks:
            return icon(MARK_ICONS[row.message.marks[0]])
        if role == Qt.ItemDataRole.TextAlignmentRole and column >= TOKENS:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tip(row, column)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            if column == MARK:
                return ", ".join(map(mark_name, row.message.marks))
            return self._spoken(row) if column == ROLE else self._text(row, column)
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            names = (self.tr("Role"), self.tr("Mark"), self.tr("Text"), self.tr("Tokens"), self.tr("Sum"))
            return names[section]
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if section >= TOKENS else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return None

    def _text(self, row: TableRow, column: int) -> str:
        message = row.message
        if column == ROLE:
            return role_name(message.role)
        if column == MARK:
            return ", ".join(map(mark_name, message.marks)) if self.marks_in_words else ""
        if column == TEXT:
            return row.beginning
        return short_count(message.tokens if column == TOKENS else message.total)

    def _tip(self, row: TableRow, column: int) -> str | None:
        message = row.message
        if column == MARK:
            names = "" if self.marks_in_words else ", ".join(map(mark_name, message.marks))
            return "\n".join(filter(None, (names, *map(mark_tip, message.marks)))) or None
        if column == TOKENS:
            return self.tr("{0} tokens (the agents' estimate)").format(full_count(message.tokens))
        if column == SUM:
            total = self.tr("{0} tokens up to here").format(full_count(message.total))
            share = self._share(message.total)
            return f"{total}, {share}" if share else total
        return None

    def _share(self, tokens: int) -> str:
        return "" if not self.window else share_text(tokens, self.window)

    def _spoken(self, row: TableRow) -> str:
        message = row.message
        parts = [
            role_name(message.role),
            *map(mark_name, message.marks),
            row.beginning,
            self.tr("{0} tokens (the agents' estimate)").format(full_count(message.tokens)),
            self.tr("{0} tokens up to here").format(full_count(message.total)),
            self._share(message.total),
        ]
        return ", ".join(filter(None, parts))


def share_text(tokens: int, window: int) -> str:
    """Return how much of the window some tokens take."""
    return translate("ContextTable", "{0} % of the window").format(full_count(round(tokens * 100 / window)))


def role_name(role: str) -> str:
    """Return the role of a message in the window's language."""
    names = {
        "system": translate("ContextTable", "system"),
        "developer": translate("ContextTable", "developer"),
        "user": translate("ContextTable", "user"),
        "assistant": translate("ContextTable", "assistant"),
        "toolResult": translate("ContextTable", "tool result"),
        "bashExecution": translate("ContextTable", "bash command"),
        "pythonExecution": translate("ContextTable", "Python code"),
        "custom": translate("ContextTable", "note"),
        "hookMessage": translate("ContextTable", "note"),
        "branchSummary": translate("ContextTable", "branch summary"),
        "compactionSummary": translate("ContextTable", "summary"),
        "fileMention": translate("ContextTable", "files"),
    }
    return names.get(role, role[:40])


def mark_name(mark: Mark) -> str:
    """Return the word for a mark."""
    return {
        "summary": translate("ContextTable", "summary"),
        "branch summary": translate("ContextTable", "branch summary"),
        "kept": translate("ContextTable", "kept"),
        "edited": translate("ContextTable", "edited"),
        "pruned": translate("ContextTable", "pruned"),
        "not sent": translate("ContextTable", "not sent"),
    }[mark]


def mark_tip(mark: Mark) -> str:
    """Return what a mark means."""
    return {
        "summary": translate("ContextTable", "The summary of what a compaction took out of the context"),
        "branch summary": translate("ContextTable", "The summary of a branch that was left"),
        "kept": translate("ContextTable", "Kept word for word by the latest compaction"),
        "edited": translate("ContextTable", "Its content was replaced by a context edit"),
        "pruned": translate("ContextTable", "A tool output that was replaced by a notice"),
        "not sent": translate("ContextTable", "In the session, but not sent to the model"),
    }[mark]
