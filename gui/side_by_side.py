"""Two parts beside each other, or below each other where that would be too narrow to read."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget

from gui.item_layout import ItemLayout


class SideBySide(ItemLayout):
    """Lays out two layouts: the second one has `share` of the width, at least what it needs, or just that without one.

    They stand below each other where the first one would have less than it needs, or than `least_characters` of the
    font.
    """

    def __init__(
        self,
        first: QLayout,
        second: QLayout,
        *,
        share: float | None = None,
        gap: int = 24,
        least_characters: int = 16,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._share, self._gap, self._least_characters = share, gap, least_characters
        self.setSpacing(4)
        for part in (first, second):
            self.addChildLayout(part)
            self.addItem(part)

    # Qt

    def heightForWidth(self, width: int) -> int:
        widths = self._widths(width)
        heights = [_height(item, each) for item, each in zip(self.items, widths, strict=True)]
        return max(heights) if self._are_beside(widths, width) else sum(heights) + self._between(heights)

    def sizeHint(self) -> QSize:
        hints = [item.sizeHint() for item in self.items]
        return QSize(sum(hint.width() for hint in hints) + self._gap, max(hint.height() for hint in hints))

    def minimumSize(self) -> QSize:
        least = [item.minimumSize() for item in self.items]
        return QSize(max(size.width() for size in least), max(size.height() for size in least))

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        widths = self._widths(rect.width())
        heights = [_height(item, each) for item, each in zip(self.items, widths, strict=True)]
        places = [rect.topLeft(), rect.topLeft() + QPoint(0, heights[0] + self._between(heights))]
        if self._are_beside(widths, rect.width()):
            heights = [rect.height()] * 2
            places[1] = rect.topLeft() + QPoint(rect.width() - widths[1], 0)
        for item, place, width, height in zip(self.items, places, widths, heights, strict=True):
            self.place(item, QRect(place, QSize(width, height)), rect)

    # Inside

    def _widths(self, width: int) -> tuple[int, int]:
        """Of both parts; both have all of it where they stand below each other."""
        first, second = self.items
        if self._share is None and (second.isEmpty() or first.isEmpty()):
            return width, width
        needed = second.minimumSize().width()
        wide = second.sizeHint().width() if self._share is None else round((width - self._gap) * self._share)
        wide = max(needed, wide)
        left = width - self._gap - wide
        owner = self.parentWidget()
        unit = owner.fontMetrics().averageCharWidth() if owner is not None else 0
        least = max(self._least_characters * unit, first.minimumSize().width())
        return (left, wide) if left >= least else (width, width)

    def _are_beside(self, widths: tuple[int, int], width: int) -> bool:
        return sum(widths) <= width

    def _between(self, heights: list[int]) -> int:
        return self.spacing() if all(heights) else 0


def _height(item: QLayoutItem, width: int) -> int:
    if item.isEmpty():
        return 0
    return item.heightForWidth(width) if item.hasHeightForWidth() else item.sizeHint().height()
