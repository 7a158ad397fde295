"""Radio buttons and check boxes whose text goes on below where there is no room for it on one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QRadioButton, QSizePolicy, QStyleOptionButton, QWidget

from gui.check_box import CheckBox

LEAST_CHARACTERS = 18  # of a line

if TYPE_CHECKING:
    _Button = QRadioButton
else:
    _Button = object


def wrapped(text: str, metrics: QFontMetrics, width: int) -> str:
    """Return a text with line breaks in place of blanks, so that its lines fit `width` pixels if they can."""
    lines: list[str] = []
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and metrics.horizontalAdvance(longer.replace("&", "")) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return "\n".join(lines)


class _Lines:
    """The text of a button in lines. `whole` is the size that it needs with all of it on one."""

    def __init__(self, text: str, metrics: QFontMetrics, whole: QSize) -> None:
        self._text, self._metrics, self._whole = text, metrics, whole
        self._beside = max(0, whole.width() - metrics.horizontalAdvance(text.replace("&", "")))

    def text(self, width: int) -> str:
        """The text for a width."""
        return self._text if width >= self._whole.width() else wrapped(self._text, self._metrics, width - self._beside)

    def height(self, width: int) -> int:
        """The height for a width."""
        return self._whole.height() + self.text(width).count("\n") * self._metrics.lineSpacing()

    def least(self) -> QSize:
        """The least size."""
        width = self._metrics.averageCharWidth() * LEAST_CHARACTERS + self._beside
        return QSize(min(self._whole.width(), width), self._whole.height())


class _Wrapping(_Button):
    """What both kinds of button do beside being one. Stands before Qt's class among the bases."""

    _is_measured = False

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def sizeHint(self) -> QSize:
        self._is_measured = True  # Qt asks for the option, whose text is to be whole then
        size = super().sizeHint()
        self._is_measured = False
        return size

    def initStyleOption(self, option: QStyleOptionButton) -> None:
        super().initStyleOption(option)
        if not self._is_measured:
            option.text = self._lines().text(self.width())

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._lines().height(width)

    def minimumSizeHint(self) -> QSize:
        return self._lines().least()

    def _lines(self) -> _Lines:
        return _Lines(self.text(), self.fontMetrics(), self.sizeHint())


class WrappingRadioButton(_Wrapping, QRadioButton):
    """A radio button with a text of several lines where it must be."""


class WrappingCheckBox(_Wrapping, CheckBox):
    """A check box with a text of several lines where it must be."""
