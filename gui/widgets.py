"""Small widgets that several places of the window use."""

from __future__ import annotations

from unicodedata import bidirectional

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QFont, QFontDatabase, QPalette, QTextCursor, QTextOption
from PySide6.QtWidgets import QApplication, QFrame, QGridLayout, QLabel, QPlainTextEdit, QSizePolicy, QStyle, QWidget

from gui.number_text import full_count

CLIP_CHARACTERS = 64 * 1024
LINE_CHARACTERS = 1000
TITLE_SIZE = 1.15  # of the window's font


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
    if wrap:
        made.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
    return made


def rule() -> QFrame:
    """Return a thin horizontal line."""
    line = QFrame()
    line.setProperty("rule", True)
    return line


def fixed_font() -> QFont:
    """Return the font for code and output."""
    return QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)


def runs_from_right(text: str) -> bool:
    """Tell whether the first letter of a text that has a direction runs from right to left."""
    directions = (bidirectional(char) for char in text)
    return next((direction for direction in directions if direction in ("L", "R", "AL")), "L") != "L"


class TextView(QPlainTextEdit):
    """Read-only text of any size and shape.

    Qt lays out a line of a megabyte for a minute, so that long lines are broken and long texts are clipped, which the
    text itself says. The text keeps the reading direction of each paragraph.
    """

    def __init__(self, parent: QWidget | None = None, *, monospace: bool = False) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
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
        if monospace:
            self.setFont(fixed_font())

    def show_text(self, text: str) -> None:
        """Replace the text."""
        self.setPlainText(displayable(text))

    def follow(self, text: str) -> None:
        """Add streamed text at the end, and keep the end in sight unless the user scrolled away from it."""
        bar = self.verticalScrollBar()
        at_end = bar.value() >= bar.maximum() - 4
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertText(text)
        if at_end:
            bar.setValue(bar.maximum())


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


class Facts(QWidget):
    """A list of facts: what on the left, how much on the right, thin lines between."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setVerticalSpacing(5)
        self._grid.setColumnStretch(1, 1)
        self._values: dict[str, QLabel] = {}

    def set_fact(self, key: str, name: str, value: str, tip: str = "") -> None:
        """Show fact `key`, below those that are there already."""
        if key not in self._values:
            row = self._grid.rowCount()
            value_label = label(wrap=True)
            value_label.setAlignment(on_side(Qt.AlignmentFlag.AlignRight))
            value_label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            self._values[key] = value_label
            name_label = label(name)
            name_label.setBuddy(value_label)
            self._grid.addWidget(name_label, row, 0)
            self._grid.addWidget(value_label, row, 1)
            self._grid.addWidget(rule(), row + 1, 0, 1, 2)
        self._values[key].setText(value)
        self._values[key].setToolTip(tip)
        self._values[key].setAccessibleName(f"{name}: {value}")

    def fact(self, key: str) -> str:
        """Return the shown value of fact `key`."""
        return self._values[key].text()
