"""The button that folds and unfolds what is below it."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QStyleOptionToolButton, QToolButton, QWidget

LEAST_CHARACTERS = 16


class FoldButton(QToolButton):
    """Checked while it is unfolded. Where there is no room for its text, that ends in "…"."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_measured = False
        self.setText(text)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setCheckable(True)
        self.setAutoRaise(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(self.sizePolicy().Policy.Preferred, self.sizePolicy().Policy.Fixed)

    def sizeHint(self) -> QSize:
        self._is_measured = True  # Qt asks for the option, whose text is to be whole then
        size = super().sizeHint()
        self._is_measured = False
        return size

    def minimumSizeHint(self) -> QSize:
        whole = self.sizeHint()
        return QSize(min(whole.width(), self.fontMetrics().averageCharWidth() * LEAST_CHARACTERS), whole.height())

    def initStyleOption(self, option: QStyleOptionToolButton) -> None:
        super().initStyleOption(option)
        if not self._is_measured and (missing := self.sizeHint().width() - self.width()) > 0:
            room = self.fontMetrics().horizontalAdvance(self.text()) - missing
            option.text = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, room)
