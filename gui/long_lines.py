"""A line that is too long to be laid out in one go is several paragraphs; copied, it is the one line that it was."""

from __future__ import annotations

from PySide6.QtGui import QTextBlock, QTextCursor

CONTINUES = 1
"""The state of a paragraph that goes on with the line of the one before."""


def set_continues(paragraph: QTextBlock) -> None:
    """Note that a paragraph goes on with the line of the one before it."""
    paragraph.setUserState(CONTINUES)


def has_long_lines(cursor: QTextCursor) -> bool:
    """Tell whether a selection has paragraphs that are parts of one line."""
    return any(paragraph.userState() == CONTINUES for paragraph in _selected(cursor)[1:])


def selected_text(cursor: QTextCursor) -> str:
    """Return the selected text with line ends only where the text itself has them."""
    start, end = cursor.selectionStart(), cursor.selectionEnd()
    parts: list[str] = []
    for place, paragraph in enumerate(_selected(cursor)):
        piece = QTextCursor(paragraph)
        piece.setPosition(max(start, paragraph.position()))
        piece.setPosition(min(end, paragraph.position() + paragraph.length() - 1), QTextCursor.MoveMode.KeepAnchor)
        if place and paragraph.userState() != CONTINUES:
            parts.append("\n")
        parts.append(piece.selection().toPlainText())
    return "".join(parts)


def _selected(cursor: QTextCursor) -> list[QTextBlock]:
    document = cursor.document()
    paragraph, last = document.findBlock(cursor.selectionStart()), document.findBlock(cursor.selectionEnd())
    found = [paragraph]
    while paragraph != last and paragraph.isValid():
        paragraph = paragraph.next()
        found.append(paragraph)
    return found
