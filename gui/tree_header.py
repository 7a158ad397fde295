"""The header of the tree: which columns there are and how wide, by mouse, by menu and by keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QContextMenuEvent, QFocusEvent, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QHeaderView, QMenu, QWidget

from gui.theme import current_theme
from gui.tree_columns import OPTIONAL, Column

DROPPED_FIRST = (Column.COST, Column.CONTEXT, Column.TIME, Column.TOKENS)
WIDEST = {Column.TOKENS: "999.9k", Column.CONTEXT: "999.9k", Column.COST: "Σ $99.99", Column.TIME: "28 Mmm 00:00"}
NARROWEST_ENTRY = 42  # of the average character; before it gets narrower, columns are dropped
NARROWEST, WIDEST_OF_ALL = 4.0, 40.0
STEP = 1.0


class TreeHeader(QHeaderView):
    """Widths are kept in units of the average character, so that they follow the font.

    Signals: `columns_changed` when other columns are wanted or a width was changed by the user; `left` when the
    keyboard should go back to the rows; `said` (sentence).
    """

    columns_changed = Signal()
    left = Signal()
    said = Signal(str)

    def __init__(self, names: Mapping[Column, str], parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._names = names
        self._wanted = set(OPTIONAL)
        self._widths: dict[Column, float] = {}
        self._at = Column.TOKENS
        self._lead = 0
        self._is_arranging = False
        self.setSectionsMovable(False)
        self.setSectionsClickable(False)
        self.setStretchLastSection(False)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # by `adjust` only: it's no stop on the way to the inspector
        self.setAccessibleName(self.tr("Columns"))
        self.setAccessibleDescription(
            self.tr("Left and right choose a column, Shift+left and Shift+right change its width, Delete hides it.")
        )
        self.sectionResized.connect(self._note_width)

    # What is shown

    def prepare(self) -> None:
        """Set up the columns, as soon as there is a model."""
        self.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.setSectionResizeMode(Column.ENTRY, QHeaderView.ResizeMode.Stretch)
        self.fit_to_font()

    def wants(self, column: Column) -> bool:
        """Return whether a column is to be shown where there is room for it."""
        return column in self._wanted

    def want(self, column: Column, wanted: bool) -> None:
        """Show or hide a column."""
        if wanted != (column in self._wanted):
            self._wanted ^= {column}
            self._arrange()
            self.columns_changed.emit()

    def reset(self) -> None:
        """Show all columns at their first widths."""
        self._wanted, self._widths = set(OPTIONAL), {}
        self.fit_to_font()
        self.columns_changed.emit()

    def chosen(self) -> dict[str, Any]:
        """Return what `restore` takes."""
        return {
            "shown": [column.name for column in OPTIONAL if column in self._wanted],
            "widths": {column.name: round(width, 2) for column, width in self._widths.items()},
        }

    def restore(self, state: Any) -> None:
        """Show what `state` says, as far as it makes sense."""
        if not isinstance(state, dict):
            return
        shown, widths = state.get("shown"), state.get("widths")
        if isinstance(shown, list):
            self._wanted = {column for column in OPTIONAL if column.name in shown}
        if isinstance(widths, dict):
            self._widths = {
                column: min(max(float(width), NARROWEST), WIDEST_OF_ALL)
                for column in OPTIONAL
                if isinstance(width := widths.get(column.name), int | float) and width == width
            }
        self.fit_to_font()

    def set_lead(self, lead: int) -> None:
        """The first column begins with `lead` pixels of guides."""
        if lead != self._lead:
            self._lead = lead
            self._arrange()

    def fit_to_font(self) -> None:
        """Give the columns their widths in this font."""
        unit = self.fontMetrics().averageCharWidth()
        self._is_arranging = True
        self.setMinimumSectionSize(round(NARROWEST * unit))
        for column in OPTIONAL:
            self.resizeSection(column, round(self._width(column) * unit))
        self._is_arranging = False
        self._arrange()

    # By menu

    def fill_menu(self, menu: QMenu) -> None:
        """Add a switch for each column to `menu`."""
        for column in OPTIONAL:
            action = menu.addAction(self._names[column])
            action.setCheckable(True)
            action.setChecked(column in self._wanted)
            action.setEnabled(not (column in self._wanted and self.isSectionHidden(column)))
            if not action.isEnabled():
                action.setText(self.tr("{0} (no room now)").format(self._names[column]))
            action.toggled.connect(lambda on, column=column: self.want(column, on))
        menu.addSeparator()
        menu.addAction(self.tr("All columns at their first widths")).triggered.connect(self.reset)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.fill_menu(menu)
        where = event.globalPos()
        if event.reason() != QContextMenuEvent.Reason.Mouse:
            where = self.viewport().mapToGlobal(self._section_rect(self._at).bottomLeft())
        menu.popup(where)
        event.accept()

    # By keys

    def adjust(self) -> None:
        """Take the keyboard."""
        if self.isSectionHidden(self._at):
            self._at = next(iter(self._shown()), Column.ENTRY)
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._say_width()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        widens = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        direction = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()), 0)
        if self.isRightToLeft():
            direction = -direction
        if direction and widens:
            self._widen(direction)
        elif direction:
            self._step(direction)
        elif event.key() == Qt.Key.Key_Plus:
            self._widen(1)
        elif event.key() == Qt.Key.Key_Minus:
            self._widen(-1)
        elif event.key() == Qt.Key.Key_Delete and self._at != Column.ENTRY:
            self._hide()
        elif event.key() in (Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down):
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def paintSection(self, painter: QPainter, rect: QRect, logical: int) -> None:
        painter.save()
        if logical == Column.ENTRY:
            rect = self._paint_lead(painter, rect)
        super().paintSection(painter, rect, logical)
        painter.restore()
        if self.hasFocus() and logical == self._at:
            painter.setPen(QPen(QColor(current_theme().accent), 1.0))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(rect.adjusted(0, 0, -1, -1))

    def _paint_lead(self, painter: QPainter, rect: QRect) -> QRect:
        """Paint what lies above the guides, without the name; return the rest, where the texts of rows begin."""
        is_mirrored = self.isRightToLeft()
        lead = min(self._lead, rect.width())
        empty = QRect(rect.right() + 1 - lead if is_mirrored else rect.left(), rect.top(), lead, rect.height())
        painter.fillRect(empty, self.palette().base())
        painter.fillRect(QRect(empty.left(), empty.bottom(), lead, 1), QColor(current_theme().line))
        return rect.adjusted(0, 0, -lead, 0) if is_mirrored else rect.adjusted(lead, 0, 0, 0)

    def resize_for(self, width: int) -> None:
        """Drop and bring back columns for a view of so many pixels."""
        self._arrange(width)

    # Inside

    def _arrange(self, width: int | None = None) -> None:
        unit = self.fontMetrics().averageCharWidth()
        room = (self.viewport().width() if width is None else width) - NARROWEST_ENTRY * unit - self._lead
        taken = {column: round(self._width(column) * unit) for column in self._wanted}
        for column in DROPPED_FIRST:
            if sum(taken.values()) > room:
                taken.pop(column, None)
        self._is_arranging = True
        for column in OPTIONAL:
            if self.isSectionHidden(column) == (column in taken):
                self.setSectionHidden(column, column not in taken)
            if column in taken:
                self.resizeSection(column, taken[column])
        self._is_arranging = False

    def _width(self, column: Column) -> float:
        if (width := self._widths.get(column)) is not None:
            return width
        metrics = self.fontMetrics()
        widest = max(map(metrics.horizontalAdvance, (WIDEST[column], self._names[column])))
        return (widest + metrics.height() + 4) / metrics.averageCharWidth()

    def _note_width(self, logical: int, _old: int, new: int) -> None:
        if not self._is_arranging and logical != Column.ENTRY and new:
            self._widths[Column(logical)] = new / self.fontMetrics().averageCharWidth()
            self.columns_changed.emit()

    def _shown(self) -> Sequence[Column]:
        return [column for column in OPTIONAL if not self.isSectionHidden(column)]

    def _step(self, direction: int) -> None:
        shown = self._shown()
        if shown:
            at = shown.index(self._at) if self._at in shown else -direction
            self._at = shown[(at + direction) % len(shown)]
            self.viewport().update()
            self._say_width()

    def _widen(self, direction: int) -> None:
        if self._at in self._shown():
            width = min(max(self._width(self._at) + STEP * direction, NARROWEST), WIDEST_OF_ALL)
            self._widths[self._at] = width
            self._arrange()
            self.columns_changed.emit()
            self._say_width()

    def _hide(self) -> None:
        column = self._at
        self._step(1)
        self.want(column, False)
        self.said.emit(self.tr("{0} is hidden. View › Columns shows it again.").format(self._names[column]))
        if not self._shown():
            self.left.emit()

    def _say_width(self) -> None:
        if self._at in self._shown():
            self.said.emit(
                self.tr("{0}: {1} characters wide. Shift+left and Shift+right change that.").format(
                    self._names[self._at], round(self._width(self._at))
                )
            )

    def _section_rect(self, column: Column) -> QRect:
        return QRect(
            QPoint(self.sectionViewportPosition(column), 0), QSize(self.sectionSize(column), self.viewport().height())
        )
