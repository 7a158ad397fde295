"""A row of widgets that goes on below where it gets too narrow."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtWidgets import QLayoutItem, QWidget

from gui.item_layout import ItemLayout


class FlowLayout(ItemLayout):
    """Needs no more width than its widest item. With `last_at_end`, the last item of a single row stands at its end."""

    def __init__(self, parent: QWidget | None = None, *, last_at_end: bool = False) -> None:
        super().__init__(parent)
        self._last_at_end = last_at_end

    # Qt

    def heightForWidth(self, width: int) -> int:
        return self._arrange(QRect(0, 0, width, 0), moves=False)

    def sizeHint(self) -> QSize:
        shown = self._shown()
        width = sum(item.sizeHint().width() for item in shown) + self._gap() * max(0, len(shown) - 1)
        return QSize(width, max((item.sizeHint().height() for item in shown), default=0))

    def minimumSize(self) -> QSize:
        shown = [item.minimumSize() for item in self._shown()]
        return QSize(max((size.width() for size in shown), default=0), max((s.height() for s in shown), default=0))

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._arrange(rect, moves=True)

    # Inside

    def _gap(self) -> int:
        return max(0, self.spacing())

    def _shown(self) -> list[QLayoutItem]:
        return [item for item in self.items if not item.isEmpty()]

    def _rows(self, width: int) -> list[list[tuple[QLayoutItem, QSize]]]:
        rows: list[list[tuple[QLayoutItem, QSize]]] = [[]]
        left = width
        for item in self._shown():
            size = item.sizeHint().expandedTo(item.minimumSize())
            size.setWidth(min(size.width(), width))
            if rows[-1] and size.width() > left:
                rows.append([])
                left = width
            rows[-1].append((item, size))
            left -= size.width() + self._gap()
        return rows

    def _arrange(self, rect: QRect, *, moves: bool) -> int:
        """Return the height of all rows; with `moves`, put the items where they belong."""
        top, rows = rect.top(), self._rows(rect.width())
        for row in rows:
            height = max((size.height() for _item, size in row), default=0)
            left = rect.left()
            for item, size in row:
                is_last = self._last_at_end and len(rows) == 1 and item is row[-1][0]
                start = rect.right() + 1 - size.width() if is_last else left
                if moves:
                    place = QRect(QPoint(start, top + (height - size.height()) // 2), size)
                    self.place(item, place, rect)
                left += size.width() + self._gap()
            top += height + self._gap()
        return top - self._gap() - rect.top()
