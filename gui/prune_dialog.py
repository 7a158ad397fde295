"""The preview of pruning by hand: which tool outputs give way to a notice, and what that saves."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QHBoxLayout,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from gui.dialog_size import resize_to_font
from gui.number_text import full_count
from gui.selected_rows import outline_selected_rows
from gui.stretched_column import StretchedColumn
from gui.widgets import label
from model.pruning import Pruning
from model.settings import PruningSettings

translate = QCoreApplication.translate

MOST_ROWS = 500


class PruneDialog(QDialog):
    """Signal: `prune_wanted`."""

    prune_wanted = Signal()

    def __init__(self, planned: Pruning, policy: PruningSettings, dialect: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Prune tool outputs"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.prune_button = QPushButton(self.tr("&Prune"))
        self.prune_button.setProperty("primary", True)
        self.cancel_button = QPushButton(self.tr("Close") if not planned.results else self.tr("Cancel"))
        self.cancel_button.clicked.connect(self.reject)
        self.prune_button.clicked.connect(self._prune)
        self.prune_button.setVisible(bool(planned.results))
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(12)
        if planned.results:
            title = self.tr("{0} tool outputs give way to a notice, about {1} tokens are saved").format(
                len(planned.results), full_count(planned.tokens_saved)
            )
        else:
            title = self.tr("Nothing to prune")
        self.title = label(title, style="title", wrap=True)
        self.note = label(self._note(planned, policy, dialect), style="muted", wrap=True)
        column.addWidget(self.title)
        self.table = _table(planned, self)
        self.table.setVisible(bool(planned.results))
        column.addWidget(self.table, 1)
        column.addWidget(self.note)
        buttons = QHBoxLayout()
        buttons.addWidget(self.prune_button)
        buttons.addStretch(1)
        buttons.addWidget(self.cancel_button)
        column.addLayout(buttons)
        resize_to_font(self, 80, 26 if planned.results else None)

    def _prune(self) -> None:
        self.prune_wanted.emit()
        self.accept()

    def _note(self, planned: Pruning, policy: PruningSettings, dialect: str) -> str:
        if not planned.results:
            return self.tr(
                "The newest {0} tokens of tool outputs stay, and so do the outputs of {1}; less than {2} tokens in all "
                "are not worth it. The settings hold these numbers."
            ).format(
                full_count(policy.protect_tokens),
                ", ".join(policy.protected_tools) or self.tr("no tool"),
                full_count(policy.minimum_savings),
            )
        if dialect == "omp":
            return self.tr(
                "The file is rewritten in one step. It is kept as it was beside the new one, with the ending .bak."
            )
        return self.tr(
            "Nothing is rewritten: one context edit for each output is appended, and the model sees the notice instead."
        )


def _table(planned: Pruning, dialog: QWidget) -> QTableWidget:
    shown = planned.results[:MOST_ROWS]
    table = QTableWidget(len(shown), 4, dialog)
    outline_selected_rows(table)
    table.setHorizontalHeaderLabels(
        [
            translate("PruneDialog", "Tool"),
            translate("PruneDialog", "Entry"),
            translate("PruneDialog", "Tokens"),
            translate("PruneDialog", "Saves"),
        ]
    )
    table.setAccessibleName(translate("PruneDialog", "Tool outputs that are pruned"))
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setTabKeyNavigation(False)
    table.setShowGrid(False)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.verticalHeader().hide()
    header = table.horizontalHeader()
    header.setHighlightSections(False)
    right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
    for place in range(table.columnCount()):
        side = right if place >= 2 else Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        table.model().setHeaderData(place, Qt.Orientation.Horizontal, side, Qt.ItemDataRole.TextAlignmentRole)
    cells = [
        (
            str(result.message.get("toolName") or "?"),
            result.entry_id or "",
            full_count(result.tokens),
            full_count(result.tokens_saved),
        )
        for result in shown
    ]
    for row, texts in enumerate(cells):
        for place, text in enumerate(texts):
            item = QTableWidgetItem(text)
            if place >= 2:
                item.setTextAlignment(right)
            table.setItem(row, place, item)
    if shown:
        table.setCurrentCell(0, 0)
    for place in range(1, table.columnCount()):  # a header that follows its contents measures all of them, repeatedly
        longest = max(range(len(cells)), key=lambda row: len(cells[row][place]), default=0)
        width = table.sizeHintForIndex(table.model().index(longest, place)).width()
        header.resizeSection(place, max(header.sectionSizeHint(place), width + 1))
    StretchedColumn(table, 0)
    return table
