"""Selected rows are outlined: the ground of a row differs too little from that of others to be the only sign of it."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QModelIndex, QPersistentModelIndex, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QTreeView,
)

from gui.theme import current_theme
from gui.widgets import text_direction


def selection_mark(painter: QPainter, rect: QRect, *, has_keyboard: bool) -> None:
    """Outline a selected row inside `rect`: with a strong ring where the keyboard is, else with a thin line."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    width, tone = selection_pen(has_keyboard=has_keyboard)
    painter.setPen(QPen(QColor(tone), width, j=Qt.PenJoinStyle.MiterJoin))
    inset = width / 2
    painter.drawRect(QRectF(rect).adjusted(inset, inset, -inset, -inset))
    painter.restore()


def selection_pen(*, has_keyboard: bool) -> tuple[float, str]:
    """Return width and colour of the outline of a selected row."""
    theme = current_theme()
    return (2.0, theme.accent) if has_keyboard else (1.0, theme.edge)


def outline_selected_rows(view: QAbstractItemView) -> None:
    """Have a plain list, table or tree outline its selected rows."""
    view.setItemDelegate(OutlinedRows(view))


class OutlinedRows(QStyledItemDelegate):
    """Paints cells as the style does, with their part of the outline of the row. Texts keep their own direction."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        super().initStyleOption(option, index)
        if option.state & QStyle.StateFlag.State_Selected:
            option.state &= ~QStyle.StateFlag.State_HasFocus  # the outline says it
        direction = text_direction(option.text) if option.icon.isNull() else None
        if direction is not None and direction != option.direction:
            # The text decides how it is read and where it is cut, the window on which side of the cell it stands.
            side = QStyle.visualAlignment(option.direction, option.displayAlignment)
            option.displayAlignment = side | Qt.AlignmentFlag.AlignAbsolute
            option.direction = direction

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        view = option.widget
        is_selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if is_selected:
            painter.fillRect(option.rect, QColor(current_theme().selection))
            option = QStyleOptionViewItem(option)
            option.state &= ~(QStyle.StateFlag.State_HasFocus | QStyle.StateFlag.State_MouseOver)
        super().paint(painter, option, index)
        if is_selected and isinstance(view, QAbstractItemView):
            has_keyboard = view.hasFocus() and index.sibling(index.row(), 0) == view.currentIndex().siblingAtColumn(0)
            painter.save()
            width, tone = selection_pen(has_keyboard=has_keyboard)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            painter.setPen(QPen(QColor(tone), width, c=Qt.PenCapStyle.SquareCap))
            painter.drawLines(_outline(option.rect, width, *_ends(view, index.column())))
            painter.restore()


def _outline(cell: QRect, width: float, is_left_end: bool, is_right_end: bool) -> list[QLineF]:
    """The lines above and below a cell, and at the ends of its row those beside it."""
    inset = width / 2
    box = QRectF(cell).adjusted(inset, inset, -inset, -inset)
    lines = [QLineF(box.topLeft(), box.topRight()), QLineF(box.bottomLeft(), box.bottomRight())]
    if is_left_end:
        lines.append(QLineF(box.topLeft(), box.bottomLeft()))
    if is_right_end:
        lines.append(QLineF(box.topRight(), box.bottomRight()))
    return lines


def _ends(view: QAbstractItemView, column: int) -> tuple[bool, bool]:
    """Whether a cell is at the left and at the right end of what its view selects at once."""
    header: QHeaderView | None = None
    if isinstance(view, QTreeView):
        header = view.header()
    elif isinstance(view, QTableView) and view.selectionBehavior() == QAbstractItemView.SelectionBehavior.SelectRows:
        header = view.horizontalHeader()
    if header is None:
        return True, True
    shown = [place for place in range(header.count()) if not header.isSectionHidden(header.logicalIndex(place))]
    first, last = (header.logicalIndex(place) == column for place in (shown[0], shown[-1]))
    return (last, first) if view.isRightToLeft() else (first, last)
