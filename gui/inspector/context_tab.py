"""The *Context* tab: exactly what the model would see with the leaf at the selected entry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QSplitter, QTableView, QVBoxLayout, QWidget

from gui.number_text import full_count, short_count
from gui.widgets import TextView, label

Index = QModelIndex | QPersistentModelIndex
NO_INDEX = QModelIndex()


@dataclass(frozen=True, slots=True)
class ContextMessage:
    """A message of the context: its role for the model, its estimate, the sum up to it, and its text."""

    entry_id: str | None
    role: str
    tokens: int
    total: int
    text: str


@dataclass(frozen=True, slots=True)
class ContextView:
    """The context at an entry. `window` is the model's context window in tokens, None when it is not known."""

    messages: tuple[ContextMessage, ...]
    tokens: int
    model: str
    thinking_level: str
    window: int | None = None


class _Messages(QAbstractTableModel):
    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.messages: tuple[ContextMessage, ...] = ()

    def show(self, messages: tuple[ContextMessage, ...]) -> None:
        self.beginResetModel()
        self.messages = messages
        self.endResetModel()

    def rowCount(self, parent: Index = NO_INDEX) -> int:
        return 0 if parent.isValid() else len(self.messages)

    def columnCount(self, parent: Index = NO_INDEX) -> int:
        return 0 if parent.isValid() else 4

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        message = self.messages[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            first_line = " ".join(message.text[:300].split())
            return (message.role, first_line, short_count(message.tokens), short_count(message.total))[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() > 1:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return (self.tr("Role"), self.tr("Text"), self.tr("Tokens"), self.tr("Sum"))[section]
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if section > 1 else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return None


class ContextTab(QWidget):
    """Signal: `entry_wanted` (entry id) when a message is activated."""

    entry_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = label(style="title", wrap=True)
        self._facts = label(style="muted", wrap=True)
        self._messages = _Messages(self)
        self.table = QTableView()
        self.table.setModel(self._messages)
        self.table.setAccessibleName(self.tr("Messages of the context"))
        self.table.setShowGrid(False)
        self.table.setWordWrap(False)
        self.table.setTabKeyNavigation(False)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.table.verticalHeader().setDefaultSectionSize(round(self.fontMetrics().height() * 1.6))
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        header.setHighlightSections(False)
        metrics = self.fontMetrics()
        for column, widest in ((0, "toolResult"), (2, "999.9k"), (3, "999.9k")):
            header.resizeSection(column, metrics.horizontalAdvance(widest) + metrics.height() + 8)
        self.text = TextView()
        self.text.setAccessibleName(self.tr("Text of the message"))
        self.table.selectionModel().currentRowChanged.connect(self._show_message)
        self.table.activated.connect(self._want_entry)
        splitter = QSplitter(Qt.Orientation.Vertical)
        splitter.addWidget(self.table)
        splitter.addWidget(self.text)
        splitter.setStretchFactor(0, 3)
        splitter.setStretchFactor(1, 2)
        splitter.setChildrenCollapsible(False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 12, 14, 12)
        layout.addWidget(self._title)
        layout.addWidget(self._facts)
        layout.addWidget(splitter, 1)
        self.show_context(None)

    def show_context(self, context: ContextView | None) -> None:
        """Show a context, or that there is none to show."""
        self.text.show_text("")
        if context is None:
            self._title.setText(self.tr("No context"))
            self._facts.setText(self.tr("Select an entry to see what the model would be sent there."))
            self._messages.show(())
            return
        count = len(context.messages)
        self._title.setText(
            self.tr("1 message would be sent") if count == 1 else self.tr("{0} messages would be sent").format(count)
        )
        total = self.tr("{0} tokens (the agents' estimate)").format(full_count(context.tokens))
        if context.window:
            total += self.tr(" of {0}").format(full_count(context.window))
        parts = [total, context.model, self.tr("thinking {0}").format(context.thinking_level)]
        self._facts.setText(" · ".join(filter(None, parts)))
        self._messages.show(context.messages)

    def show_waiting(self) -> None:
        """Say that a context is being built."""
        self._title.setText(self.tr("Building the context…"))
        self._facts.setText("")

    def _show_message(self, current: QModelIndex, _previous: QModelIndex) -> None:
        if current.isValid():
            self.text.show_text(self._messages.messages[current.row()].text)

    def _want_entry(self, index: QModelIndex) -> None:
        entry_id = self._messages.messages[index.row()].entry_id
        if entry_id is not None:
            self.entry_wanted.emit(entry_id)
