"""The button that folds and unfolds what is below it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import QStyleOptionToolButton, QToolButton, QWidget

from gui.icons import icon

LEAST_CHARACTERS = 16
MARK = 0.75  # of the height of the font


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
        side = round(self.fontMetrics().height() * MARK)
        self.setIconSize(QSize(side, side))
        self.toggled.connect(self._show_fold)
        self._show_fold()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LayoutDirectionChange:
            self._show_fold()

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

    def _show_fold(self, *_: object) -> None:
        """An icon, since Qt draws an arrow of its own over the text where people read from right to left."""
        inwards = "chevron_right" if self.layoutDirection() == Qt.LayoutDirection.LeftToRight else "chevron_left"
        self.setIcon(icon("chevron" if self.isChecked() else inwards))
