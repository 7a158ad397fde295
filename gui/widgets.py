"""Small widgets that several places of the window use."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from unicodedata import bidirectional

from PySide6.QtCore import QCoreApplication, QMimeData, QPointF, QSize, Qt
from PySide6.QtGui import (
    QFont,
    QFontDatabase,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QTextCursor,
    QTextOption,
)
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QGridLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QSizePolicy,
    QStyle,
    QToolButton,
    QWidget,
)

from gui.long_lines import CONTINUES, selected_text, set_continues, with_text
from gui.number_text import full_count
from gui.turns import LaterTurns
from model.rich_text import broken_line

CLIP_CHARACTERS = 64 * 1024
FIRST_CHARACTERS = 16 * 1024  # of a long text; what is left of its first piece follows in the next turn
LINE_CHARACTERS = 1000
BREAK_CHARACTERS = 12
_UNBROKEN = re.compile(r"\S{20,}")
NEAR_LINES = 3
_NOTE = 2  # the state of a paragraph with words of ours
_BREAK_WIDTH = 9  # pixels
TITLE_SIZE = 1.15  # of the window's font
VALUE_CHARACTERS = 16  # the least room for a fact


def on_side(side: Qt.AlignmentFlag) -> Qt.AlignmentFlag:
    """Return the alignment of a label at `side` (left or right as in a left-to-right window), whatever its text.

    Left alone, a label would take its side from the script of its text, so that columns fall apart.
    """
    mirrored = QStyle.visualAlignment(QApplication.layoutDirection(), side | Qt.AlignmentFlag.AlignVCenter)
    return mirrored | Qt.AlignmentFlag.AlignAbsolute


def label(text: str = "", *, style: str | None = None, wrap: bool = False) -> QLabel:
    """Return a label for plain text; `style` is "muted", "caption", "title", "notice" or "problem"."""
    made = QLabel(text)
    made.setTextFormat(Qt.TextFormat.PlainText)  # texts of a session are never markup
    made.setWordWrap(wrap)
    made.setAlignment(on_side(Qt.AlignmentFlag.AlignLeft))
    set_style(made, style)
    if wrap:
        made.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
    return made


def set_style(made: QLabel, style: str | None) -> None:
    """Make a label look like its `style`, see `label`."""
    # By palette and font where they will do: each rule of the style sheet costs every widget that is made.
    if style in ("muted", "caption"):
        made.setForegroundRole(QPalette.ColorRole.PlaceholderText)
    if style in ("caption", "title"):
        font = made.font()
        font.setWeight(QFont.Weight.DemiBold)
        if style == "title" and font.pointSizeF() > 0:
            font.setPointSizeF(font.pointSizeF() * TITLE_SIZE)
        made.setFont(font)
    if style in ("notice", "problem"):
        made.setProperty(style, True)


def breakable(text: str) -> str:
    """Return a text that a label can wrap: with places to do so in stretches without a blank, which it would clip."""
    return _UNBROKEN.sub(lambda match: "\u200b".join(broken_line(match[0], BREAK_CHARACTERS)), text)


def make_clearable(field: QLineEdit) -> None:
    """Give a field a button that empties it, with a name for screen readers."""
    field.setClearButtonEnabled(True)
    for button in field.findChildren(QToolButton):
        button.setAccessibleName(QCoreApplication.translate("SearchBar", "Clear"))


@contextmanager
def laid_out_once(*containers: QWidget) -> Iterator[None]:
    """Lay out what `containers` hold once, before it is painted, however many parts of it are shown meanwhile.

    Qt lays out a container, and what that is in, anew whenever a part of it is shown.
    """
    layouts = [layout for layout in (container.layout() for container in containers) if layout and layout.isEnabled()]
    for layout in layouts:
        layout.setEnabled(False)
    try:
        yield
    finally:
        for layout in layouts:
            layout.setEnabled(True)


def rule() -> QFrame:
    """Return a thin horizontal line."""
    line = QFrame()
    line.setProperty("rule", True)
    return line


def fixed_font() -> QFont:
    """Return the font for code and output."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    if (size := QApplication.font().pointSizeF()) > font.pointSizeF():  # who reads large letters reads all so
        font.setPointSizeF(size)
    return font


def runs_from_right(text: str) -> bool:
    """Tell whether the first letter of a text that has a direction runs from right to left."""
    directions = (bidirectional(char) for char in text)
    return next((direction for direction in directions if direction in ("L", "R", "AL")), "L") != "L"


class TextView(QPlainTextEdit):
    """Read-only text of any size and shape.

    Qt lays out a line of a megabyte for a minute, so that long lines are broken, with a mark at each break, and long
    texts are shown piece by piece: the next one comes when the end is reached. What is copied has no breaks of ours,
    and it is all of the text when all is selected. Each paragraph keeps its reading direction.
    """

    def __init__(self, parent: QWidget | None = None, *, monospace: bool = False) -> None:
        super().__init__(parent)
        self._whole: str | None = ""  # what is shown, None while it is streamed
        self._end = 0  # of the part that is shown so far
        self._later = LaterTurns(self)
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setProperty("quiet", True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        option = self.document().defaultTextOption()
        option.setTextDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        self.document().setDefaultTextOption(option)
        self.verticalScrollBar().valueChanged.connect(self._go_on)
        if monospace:
            self.setFont(fixed_font())

    def show_text(self, text: str) -> None:
        """Replace the text; one that is shown already stays as it is scrolled."""
        whole = whole_characters(text)
        if whole == self._whole and whole:
            return
        self.clear()
        self._whole, self._end = whole, 0
        self._show_piece(FIRST_CHARACTERS)
        self.moveCursor(QTextCursor.MoveOperation.Start)
        if self._end < len(whole):
            self._later.ask(self._fill)

    @property
    def is_filling(self) -> bool:
        """Whether the rest of a first piece is still to come."""
        return self._later.is_waiting

    def clear(self) -> None:
        """Show nothing."""
        super().clear()
        self._whole, self._end = "", 0

    def follow(self, text: str) -> None:
        """Add streamed text at the end, and keep the end in sight unless the user scrolled away from it."""
        bar = self.verticalScrollBar()
        at_end = bar.value() >= bar.maximum()
        self._whole = None
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertText(text)
        if at_end:
            bar.setValue(bar.maximum())

    def selected_text(self) -> str:
        """Return what is selected, without breaks and words of ours; all of the text where all is selected."""
        cursor, last = self.textCursor(), self.document().characterCount() - 1
        if self._whole is not None and (cursor.selectionStart(), cursor.selectionEnd()) == (0, last):
            return self._whole
        note = self.document().lastBlock()
        if note.userState() == _NOTE and cursor.selectionEnd() >= note.position():
            start = min(cursor.selectionStart(), note.position() - 1)
            cursor.setPosition(start)
            cursor.setPosition(note.position() - 1, QTextCursor.MoveMode.KeepAnchor)
        return selected_text(cursor)

    def createMimeDataFromSelection(self) -> QMimeData:
        return with_text(super().createMimeDataFromSelection(), self.selected_text())

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        block, offset = self.firstVisibleBlock(), self.contentOffset()
        painter: QPainter | None = None
        while block.isValid() and (top := self.blockBoundingGeometry(block).translated(offset)).top() < self.height():
            following = block.next()
            if following.userState() == CONTINUES and (layout := block.layout()).lineCount():
                if painter is None:
                    painter = QPainter(self.viewport())
                    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                    painter.setPen(QPen(self.palette().color(QPalette.ColorRole.Link), 1.2))
                line = layout.lineAt(layout.lineCount() - 1)
                box = line.naturalTextRect().translated(top.topLeft())
                _draw_break(painter, min(box.right() + 3, self.viewport().width() - _BREAK_WIDTH - 2), box.center().y())
            block = following

    def _go_on(self, value: int) -> None:
        """Show the next piece of the text when its end was reached."""
        bar = self.verticalScrollBar()
        is_near = value > 0 and value >= bar.maximum() - NEAR_LINES  # keys may not lead quite to the end
        if self._whole is not None and self._end < len(self._whole) and is_near:
            before, end = self.textCursor(), self.document().lastBlock().position() - 1
            self._show_piece()
            if before.position() >= end:  # else it would go along to the new end, and no key would lead there
                before.setPosition(min(before.anchor(), end))
                before.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
                self.setTextCursor(before)

    def _fill(self) -> None:
        if self._whole is not None and 0 < self._end < min(len(self._whole), CLIP_CHARACTERS // 2):
            self._show_piece(CLIP_CHARACTERS - self._end)

    def _show_piece(self, length: int = CLIP_CHARACTERS) -> None:
        whole, start = self._whole or "", self._end
        end = min(len(whole), start + length)
        if end < len(whole):
            end = whole.rfind("\n", start + length // 2, end) + 1 or end
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        if self.document().lastBlock().userState() == _NOTE:
            cursor.setPosition(self.document().lastBlock().position() - 1)
            cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
            cursor.removeSelectedText()
        lines = whole[start:end].removesuffix("\n" if end < len(whole) else "").split("\n")
        for number, (text, goes_on) in enumerate(_paragraphs(lines, goes_on=start > 0 and whole[start - 1] != "\n")):
            cursor.movePosition(QTextCursor.MoveOperation.End)
            if start or number:
                cursor.insertBlock()
            first = cursor.block()
            cursor.insertText(text)
            if goes_on:
                set_continues(first)
        self._end = end
        if end < len(whole):
            cursor.insertBlock()
            words = QCoreApplication.translate("TextView", "[… {0} more characters]")
            cursor.insertText(words.format(full_count(len(whole) - end)))
            cursor.block().setUserState(_NOTE)
        cursor.endEditBlock()


def _paragraphs(lines: Iterable[str], *, goes_on: bool) -> Iterator[tuple[str, bool]]:
    """Yield some lines, as many at once as can be, and whether the first of them goes on with the line before."""
    together: list[str] = []
    for line in lines:
        for place, part in enumerate(broken_line(line)):
            if place:
                yield "\n".join(together), goes_on
                together, goes_on = [], True
            together.append(part)
    yield "\n".join(together), goes_on


def _draw_break(painter: QPainter, x: float, y: float) -> None:
    """The sign of a line that goes on below: an arrow that turns back."""
    right, bottom = x + _BREAK_WIDTH - 1, y + 3
    painter.drawPolyline([QPointF(x, y - 3), QPointF(right, y - 3), QPointF(right, bottom), QPointF(x + 1, bottom)])
    painter.drawPolyline([QPointF(x + 4, bottom - 3), QPointF(x + 1, bottom), QPointF(x + 4, bottom + 3)])


def displayable(text: str) -> str:
    """Return `text` clipped to what a person reads at once, with over-long lines broken."""
    clipped = text[:CLIP_CHARACTERS]
    lines = clipped.split("\n")
    if any(len(line) > LINE_CHARACTERS for line in lines):
        clipped = "\n".join(
            line[start : start + LINE_CHARACTERS]
            for line in lines
            for start in range(0, max(1, len(line)), LINE_CHARACTERS)
        )
    if len(text) > CLIP_CHARACTERS:
        clipped += "\n\n" + QCoreApplication.translate("TextView", "[… {0} more characters]").format(
            full_count(len(text) - CLIP_CHARACTERS)
        )
    return whole_characters(clipped)


def whole_characters(text: str) -> str:
    """Return a text with a sign in place of each half of a character, which Qt cannot take."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def text_direction(text: str) -> Qt.LayoutDirection | None:
    """Return the direction of the first letter that has one."""
    kinds = (bidirectional(character) for character in text)
    strong = next((kind for kind in kinds if kind in ("L", "R", "AL")), None)
    if strong is None:
        return None
    return Qt.LayoutDirection.LeftToRight if strong == "L" else Qt.LayoutDirection.RightToLeft


class FactName(QLabel):
    """What a number is about: on one line where there is room, else on several."""

    def __init__(self, text: str, *, style: str | None = None) -> None:
        super().__init__(text)
        self.setTextFormat(Qt.TextFormat.PlainText)
        set_style(self, style)
        self.setWordWrap(True)
        self.setAlignment(on_side(Qt.AlignmentFlag.AlignLeft))

    def sizeHint(self) -> QSize:
        """All of it on one line; Qt would ask for a square."""
        return QSize(self.fontMetrics().horizontalAdvance(self.text()) + 2, self.fontMetrics().height())


class Facts(QWidget):
    """A list of facts: what on the left, how much on the right, thin lines between.

    `names` has what each fact is about by its key. All are made at once: Qt shows parts that come later one by one.
    """

    def __init__(self, names: Mapping[str, str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._names = names
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setVerticalSpacing(5)
        self._grid.setColumnStretch(1, 1)
        self._values = {key: self._row(name) for key, name in names.items()}

    def _row(self, name: str) -> QLabel:
        """Make a row, and return the label of its value."""
        row = self._grid.rowCount()
        value = label(wrap=True)
        value.setAlignment(on_side(Qt.AlignmentFlag.AlignRight))
        value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        value.setMinimumWidth(self.fontMetrics().averageCharWidth() * VALUE_CHARACTERS)
        name_label = FactName(name)
        name_label.setBuddy(value)
        self._grid.addWidget(name_label, row, 0)
        self._grid.addWidget(value, row, 1)
        self._grid.addWidget(rule(), row + 1, 0, 1, 2)
        return value

    def set_fact(self, key: str, value: str, tip: str = "") -> None:
        """Show the value of a fact, with what there is to say about it as its tip."""
        self._values[key].setText(value)
        self._values[key].setToolTip(tip)
        self._values[key].setAccessibleName(f"{self._names[key]}: {value}")

    def fact(self, key: str) -> str:
        """Return the shown value of fact `key`."""
        return self._values[key].text()
