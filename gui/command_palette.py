"""The command palette: every action by name, found by a few letters, with its shortcut. Keyboard only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, QSettings, QSize, Qt
from PySide6.QtGui import (
    QAction,
    QColor,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QPainter,
    QPen,
    QStandardItem,
    QStandardItemModel,
)
from PySide6.QtWidgets import (
    QFrame,
    QLineEdit,
    QListView,
    QMainWindow,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
)

from gui.fuzzy import folded, fuzzy_match
from gui.selected_rows import selection_pen
from gui.shortcuts import Shortcuts, menu_places, plain_text, shortcut_text
from gui.theme import current_theme
from gui.widgets import label

MOST_LINES = 12
RECENT_KEY = "recent_commands"
MOST_RECENT = 6
ACTION_ROLE, PLACES_ROLE, NOTE_ROLE = (Qt.ItemDataRole.UserRole + number for number in range(1, 4))
PADDING = 12
MARGIN = 10
WITH_MENU, WITH_TIP = -1000, -2000  # the scores of commands that are not found by their own names
LAST_LATIN = "\u024f"
PUNCTUATION = "…–—‘’“”›"
Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class _Command:
    action: QAction
    text: str
    menu: str
    tip: str


class CommandPalette(QFrame):
    """Lies over the window while it is used; Escape or a click elsewhere closes it and gives the keyboard back."""

    def __init__(self, window: QMainWindow, shortcuts: Shortcuts, settings: QSettings) -> None:
        super().__init__(window)
        self._window = window
        self._shortcuts = shortcuts
        self._settings = settings
        self._commands: list[_Command] = []
        self._focus_before: QObject | None = None
        self.setObjectName("command_palette")
        self.setAutoFillBackground(True)
        self.setAccessibleName(self.tr("Command palette"))
        self.pattern = QLineEdit()
        self.pattern.setPlaceholderText(self.tr("Type a few letters of a command"))
        self.pattern.setAccessibleName(self.tr("Command"))
        self.pattern.textChanged.connect(self._filter)
        self.pattern.installEventFilter(self)
        self.list = QListView()
        self.list.setAccessibleName(self.tr("Commands"))
        self.list.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.list.setUniformItemSizes(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._model = QStandardItemModel(self)
        self.list.setModel(self._model)
        self.list.setItemDelegate(_CommandDelegate(self.list))
        self.list.clicked.connect(lambda index: self.run_at(index.row()))
        self._nothing = label(self.tr("No command has these letters."), style="muted")
        self._nothing.setContentsMargins(PADDING, 6, PADDING, 8)
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        column.setSpacing(8)
        column.addWidget(self.pattern)
        column.addWidget(self.list)
        column.addWidget(self._nothing)
        self.hide()

    def open(self) -> None:
        """Show all commands, those used last in front."""
        self._focus_before = self._window.focusWidget()
        menus = menu_places(self._window)
        recent = self._recent()
        actions = [action for action in self._shortcuts.actions() if action.objectName() != "open_palette"]
        actions.sort(key=lambda action: _order(action.objectName(), recent))
        self._commands = [
            _Command(action, plain_text(action), menus.get(action.objectName(), ""), action.statusTip())
            for action in actions
        ]
        self.pattern.clear()
        self._filter("")
        self._place()
        self.show()
        self.raise_()
        self.pattern.setFocus(Qt.FocusReason.PopupFocusReason)

    def close_palette(self) -> None:
        """Hide the palette and give the keyboard back."""
        self.hide()
        if isinstance(self._focus_before, QObject) and hasattr(self._focus_before, "setFocus"):
            self._focus_before.setFocus()
        self._focus_before = None

    def texts(self) -> list[str]:
        """Return the commands that are shown, in order."""
        return [self._model.item(row).text() for row in range(self._model.rowCount())]

    def run_at(self, row: int) -> None:
        """Close the palette and run the command in that line, if it can be run now."""
        item = self._model.item(row)
        action = item.data(ACTION_ROLE) if item is not None else None
        if not isinstance(action, QAction) or not action.isEnabled():
            return
        self.close_palette()
        names = [action.objectName(), *(name for name in self._recent() if name != action.objectName())]
        self._settings.setValue(RECENT_KEY, ",".join(names[:MOST_RECENT]))
        action.trigger()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The keys of the field: up, down, Enter, Escape; losing the keyboard closes the palette."""
        if event.type() == QEvent.Type.FocusOut and self.isVisible() and self._window.isActiveWindow():
            self.hide()
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return super().eventFilter(watched, event)
        steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 8, Qt.Key.Key_PageUp: -8}
        if event.key() in steps:
            self._move(steps[Qt.Key(event.key())])
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.run_at(self.list.currentIndex().row())
        elif event.key() == Qt.Key.Key_Escape:
            self.close_palette()
        elif event.key() not in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
            return super().eventFilter(watched, event)
        return True

    def _move(self, step: int) -> None:
        count = self._model.rowCount()
        if not count:
            return
        row = self.list.currentIndex().row() + step
        row = row % count if abs(step) == 1 else max(0, min(count - 1, row))
        self.list.setCurrentIndex(self._model.index(row, 0))
        self._tell(row)

    def _tell(self, row: int) -> None:
        """The keyboard stays in the field, so what is chosen is said there."""
        self.pattern.setAccessibleDescription(self._model.item(row).accessibleText())

    def _filter(self, pattern: str) -> None:
        self._model.clear()
        for command, places, note in _found(self._commands, pattern):
            item = QStandardItem(command.text)
            item.setData(command.action, ACTION_ROLE)
            item.setData(places, PLACES_ROLE)
            parts = [note] if command.action.isEnabled() else [note, self.tr("not possible now")]
            item.setData(" · ".join(part for part in parts if part), NOTE_ROLE)
            said = [command.text, *parts[:1], shortcut_text(command.action), *parts[1:]]
            item.setAccessibleText(", ".join(part for part in said if part))
            self._model.appendRow(item)
        has_some = self._model.rowCount() > 0
        self.list.setVisible(has_some)
        self._nothing.setVisible(not has_some)
        if has_some:
            self.list.setCurrentIndex(self._model.index(0, 0))
            self._tell(0)
        self._place()

    def _recent(self) -> list[str]:
        value = self._settings.value(RECENT_KEY, "")
        return [name for name in str(value).split(",") if name]

    def _place(self) -> None:
        """In the upper middle of the window, as high as its lines, as far as there is room for them."""
        top = max(8, self._window.height() // 10)
        line = self.list.sizeHintForRow(0) if self._model.rowCount() else 0
        around = self.pattern.sizeHint().height() + 4 * MARGIN
        most = max(1, min(MOST_LINES, (self._window.height() - top - around) // max(1, line)))
        self.list.setFixedHeight(line * min(most, max(1, self._model.rowCount())))
        width = min(self._window.width() - 40, self.fontMetrics().averageCharWidth() * 86)
        self.setFixedWidth(max(200, width))
        self.adjustSize()
        self.move((self._window.width() - self.width()) // 2, top)


class _CommandDelegate(QStyledItemDelegate):
    """A line: the command with the matching letters in bold, its menu, and its shortcut at the end."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(100, round(QFontMetrics(option.font).height() * 1.9))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme = current_theme()
        action = index.data(ACTION_ROLE)
        enabled = isinstance(action, QAction) and action.isEnabled()
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            width, tone = selection_pen(has_keyboard=False)  # that is in the field
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(tone), width))
            painter.setBrush(QColor(theme.selection))
            painter.drawRoundedRect(QRectF(option.rect).adjusted(1, 1, -1, -1), 5, 5)
        box: QRect = option.rect.adjusted(PADDING, 0, -PADDING, 0)
        keys = shortcut_text(action) if isinstance(action, QAction) else ""
        metrics = QFontMetrics(option.font)
        keys_width = metrics.horizontalAdvance(keys) + PADDING if keys else 0
        direction = option.direction
        painter.setFont(option.font)
        painter.setPen(QColor(theme.muted))
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # "Ctrl+," stays as it is on the keys
        _draw(painter, box, direction, box.width() - keys_width, keys_width, keys, at_end=True)
        painter.setLayoutDirection(direction)
        text, places = str(index.data(Qt.ItemDataRole.DisplayRole)), index.data(PLACES_ROLE) or ()
        painter.setPen(QColor(theme.text if enabled else theme.muted))
        x = _draw_marked(painter, box, direction, text, places)
        note = index.data(NOTE_ROLE) or ""
        room = box.width() - keys_width - x - PADDING
        if note and room > 40:
            painter.setPen(QColor(theme.muted))
            shown = metrics.elidedText(str(note), Qt.TextElideMode.ElideRight, room)
            _draw(painter, box, direction, x + PADDING, room, shown)
        painter.restore()


def _found(commands: Sequence[_Command], pattern: str) -> list[tuple[_Command, tuple[int, ...], str]]:
    """The commands that match, the best first, with the places of the letters and a note.

    What cannot be run now comes after what can. A command is also found by words of its menu's name, and of the
    sentence that says what it does.
    """
    ranked: list[tuple[bool, int, int, _Command, tuple[int, ...], str]] = []
    words = folded(pattern).split()
    for number, command in enumerate(commands):
        match = fuzzy_match(pattern, command.text)
        score, places, note = (match.score, match.places, command.menu) if match is not None else (0, (), command.menu)
        if match is None:
            name, tip = folded(f"{command.menu} {command.text}"), folded(command.tip)
            if all(word in name for word in words):
                score = WITH_MENU
            elif all(word in name or word in tip for word in words):
                score, note = WITH_TIP, command.tip
            else:
                continue
        ranked.append((not command.action.isEnabled(), -score, number, command, places, note))
    ranked.sort(key=lambda each: each[:3])
    return [(command, places, note) for _off, _score, _number, command, places, note in ranked]


def _order(name: str, recent: list[str]) -> int:
    return recent.index(name) if name in recent else len(recent)


def _draw(
    painter: QPainter,
    box: QRect,
    direction: Qt.LayoutDirection,
    x: int,
    width: int,
    text: str,
    *,
    at_end: bool = False,
) -> None:
    """Draw text `x` pixels from the leading edge of `box`."""
    place = QStyle.visualRect(direction, box, QRect(box.left() + x, box.top(), width, box.height()))
    side = Qt.AlignmentFlag.AlignRight if at_end else Qt.AlignmentFlag.AlignLeft
    painter.drawText(place, int(QStyle.visualAlignment(direction, side | Qt.AlignmentFlag.AlignVCenter)), text)


def _draw_marked(painter: QPainter, box: QRect, direction: Qt.LayoutDirection, text: str, places: Sequence[int]) -> int:
    """Draw a command's name with the letters at `places` in bold; return its width."""
    normal, bold = QFont(painter.font()), QFont(painter.font())
    bold.setWeight(QFont.Weight.Bold)
    is_mirrored = direction == Qt.LayoutDirection.RightToLeft
    if is_mirrored or any(
        char > LAST_LATIN and char not in PUNCTUATION for char in text
    ):  # letters that join, or run from right to left, must not be drawn apart
        painter.setFont(normal)
        width = painter.fontMetrics().horizontalAdvance(text)
        _draw(painter, box, direction, 0, min(width + 2, box.width()), text)
        return width
    x = 0
    marked = set(places)
    start = 0
    while start < len(text):
        end = start + 1
        while end < len(text) and (end in marked) == (start in marked):
            end += 1
        painter.setFont(bold if start in marked else normal)
        piece = text[start:end]
        width = painter.fontMetrics().horizontalAdvance(piece)
        _draw(painter, box, direction, x, width + 2, piece)
        x += width
        start = end
    painter.setFont(normal)
    return x
