"""A summary shown by its sections, whatever its shape: headings, points with their marks, the files at the end."""

from __future__ import annotations

from unicodedata import bidirectional

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QFont, QTextBlockFormat, QTextCharFormat, QTextCursor, QTextOption
from PySide6.QtWidgets import QTextEdit, QWidget

from gui.widgets import displayable, fixed_font
from model.summary_sections import Item, StructuredSummary, read_summary

translate = QCoreApplication.translate

MARKS = {"done": "✓", "open": "○", "bullet": "•", "text": ""}
MOST_ITEMS = 2000
HANGING = 18  # pixels that the lines of a point are indented by


class SummaryText(QTextEdit):
    """Read-only. The text is set by a cursor, never as markup, and each paragraph keeps its reading direction."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setProperty("quiet", True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        option = self.document().defaultTextOption()
        option.setTextDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.document().setDefaultTextOption(option)

    def show_summary(self, text: str, short: str | None = None) -> None:
        """Show a summary, or any other text, and below it the short form that is stored beside it."""
        place = self.verticalScrollBar().value()
        self.clear()
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        _write(cursor, read_summary(text))
        if short:
            _heading(cursor, translate("SummaryText", "Short summary"), 2, is_first=not text.strip())
            for section in read_summary(short).sections:
                for number, item in enumerate(section.items[:MOST_ITEMS], start=1):
                    _point(cursor, item, number, is_first=False)
        cursor.endEditBlock()
        self.verticalScrollBar().setValue(place)


def _write(cursor: QTextCursor, summary: StructuredSummary) -> None:
    is_first = True
    for section in summary.sections:
        if section.title:
            _heading(cursor, section.title, section.level, is_first=is_first)
            is_first = False
        for number, item in enumerate(section.items[:MOST_ITEMS], start=1):
            _point(cursor, item, number, is_first=is_first)
            is_first = False
    for title, names in (
        (translate("SummaryText", "Files read"), summary.files.read_files),
        (translate("SummaryText", "Files modified"), summary.files.modified_files),
    ):
        if names:
            _heading(cursor, title, 2, is_first=is_first)
            is_first = False
            for name in names[:MOST_ITEMS]:
                _paragraph(cursor, displayable(name), is_first=False, verbatim=True)


def _heading(cursor: QTextCursor, title: str, level: int, *, is_first: bool) -> None:
    block = QTextBlockFormat()
    block.setTopMargin(0 if is_first else 12 if level <= 2 else 7)
    block.setBottomMargin(3)
    block.setHeadingLevel(min(6, max(1, level)))
    style = QTextCharFormat()
    style.setFontWeight(QFont.Weight.DemiBold)
    _insert_block(cursor, block, style, is_first=is_first)
    cursor.insertText(displayable(title), style)


def _point(cursor: QTextCursor, item: Item, number: int, *, is_first: bool) -> None:
    mark = f"{number}." if item.mark == "number" else MARKS[item.mark]
    text = displayable(item.text).replace("\n", "\u2028")  # a line break inside the point
    _paragraph(cursor, f"{mark}\u2002{text}" if mark else text, is_first=is_first, indent=bool(mark))


def _paragraph(cursor: QTextCursor, text: str, *, is_first: bool, indent: bool = False, verbatim: bool = False) -> None:
    block = QTextBlockFormat()
    block.setBottomMargin(3)
    if indent and _runs_from_right(text):
        block.setRightMargin(HANGING)
    elif indent:
        block.setLeftMargin(HANGING)
        block.setTextIndent(-HANGING)
    style = QTextCharFormat()
    if verbatim:
        style.setFont(fixed_font())
    _insert_block(cursor, block, style, is_first=is_first)
    cursor.insertText(text, style)


def _insert_block(cursor: QTextCursor, block: QTextBlockFormat, style: QTextCharFormat, *, is_first: bool) -> None:
    if is_first:
        cursor.setBlockFormat(block)
        cursor.setBlockCharFormat(style)
    else:
        cursor.insertBlock(block, style)


def _runs_from_right(text: str) -> bool:
    """Whether the first letter with a direction runs from right to left."""
    directions = (bidirectional(char) for char in text)
    return next((direction for direction in directions if direction in ("L", "R", "AL")), "L") != "L"
