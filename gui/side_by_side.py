"""Two parts beside each other, or below each other where that would be too narrow to read."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QStyle, QWidget


class SideBySide(QLayout):
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
        self._items: list[QLayoutItem] = []
        self._share, self._gap, self._least_characters = share, gap, least_characters
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(4)
        for part in (first, second):
            self.addChildLayout(part)
            self.addItem(part)

    # Qt

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:  # None: there is no such item
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        widths = self._widths(width)
        heights = [_height(item, each) for item, each in zip(self._items, widths, strict=True)]
        return max(heights) if self._are_beside(widths, width) else sum(heights) + self._between(heights)

    def sizeHint(self) -> QSize:
        hints = [item.sizeHint() for item in self._items]
        return QSize(sum(hint.width() for hint in hints) + self._gap, max(hint.height() for hint in hints))

    def minimumSize(self) -> QSize:
        least = [item.minimumSize() for item in self._items]
        return QSize(max(size.width() for size in least), max(size.height() for size in least))

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        widths = self._widths(rect.width())
        heights = [_height(item, each) for item, each in zip(self._items, widths, strict=True)]
        places = [rect.topLeft(), rect.topLeft() + QPoint(0, heights[0] + self._between(heights))]
        if self._are_beside(widths, rect.width()):
            heights = [rect.height()] * 2
            places[1] = rect.topLeft() + QPoint(rect.width() - widths[1], 0)
        owner = self.parentWidget()
        direction = owner.layoutDirection() if owner is not None else Qt.LayoutDirection.LeftToRight
        for item, place, width, height in zip(self._items, places, widths, heights, strict=True):
            item.setGeometry(QStyle.visualRect(direction, rect, QRect(place, QSize(width, height))))

    # Inside

    def _widths(self, width: int) -> tuple[int, int]:
        """Of both parts; both have all of it where they stand below each other."""
        first, second = self._items
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
