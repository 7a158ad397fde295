"""Who writes a summary: the choice that the tabs *Navigate* and *Compaction* offer."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QWidget

from gui.translation import shown
from services.operations import SummarizerInfo


class SummarizerChoice(QComboBox):
    """`currentData()` is the id of the chosen one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._chosen: str | None = None
        self.setAccessibleName(self.tr("Summary written by"))
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.activated.connect(self._remember)

    def offer(self, summarizers: Sequence[SummarizerInfo]) -> None:
        """Offer `summarizers`; the first one is chosen unless the user chose another one."""
        self.clear()
        for each in summarizers:
            self.addItem(shown(each.name), each.id)
            self.setItemData(self.count() - 1, shown(each.description), Qt.ItemDataRole.ToolTipRole)
        self.setCurrentIndex(max(0, self.findData(self._chosen)))

    def _remember(self, _index: int) -> None:
        self._chosen = self.currentData()
