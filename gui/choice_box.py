"""A choice between texts that may be longer than there is room for."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QStyle, QStyleOptionComboBox, QWidget

LEAST_CHARACTERS = 12


class ChoiceBox(QComboBox):
    """As wide as its longest text where there is room, and narrower where not: then its text ends in "…".

    The list that drops down is as wide as its texts all the same.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.setMinimumWidth(self.fontMetrics().averageCharWidth() * LEAST_CHARACTERS)

    def initStyleOption(self, option: QStyleOptionComboBox) -> None:
        super().initStyleOption(option)
        if self.width() >= self.sizeHint().width():
            return
        field = self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, self
        )
        option.currentText = option.fontMetrics.elidedText(
            option.currentText, Qt.TextElideMode.ElideRight, field.width()
        )

    def showPopup(self) -> None:
        self.view().setMinimumWidth(min(self.sizeHint().width(), self.screen().availableSize().width()))
        super().showPopup()
