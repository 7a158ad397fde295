"""What layouts of our own share: they hold items in a row, and their height follows from their width."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QStyle, QWidget


class ItemLayout(QLayout):
    """A layout without margins whose items are in `items`, in the order of reading."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)

    def place(self, item: QLayoutItem, place: QRect, within: QRect) -> None:
        """Put an item at a place, or at the mirrored one where people read from right to left."""
        owner = self.parentWidget()
        direction = owner.layoutDirection() if owner is not None else Qt.LayoutDirection.LeftToRight
        item.setGeometry(QStyle.visualRect(direction, within, place))

    # Qt

    def addItem(self, item: QLayoutItem) -> None:
        self.items.append(item)

    def count(self) -> int:
        return len(self.items)

    def itemAt(self, index: int) -> QLayoutItem | None:  # None: there is no such item
        return self.items[index] if 0 <= index < len(self.items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self.items.pop(index) if 0 <= index < len(self.items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True
