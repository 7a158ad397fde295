"""A line that is too long to be laid out in one go is several paragraphs; copied, it is the one line that it was."""

from __future__ import annotations

from PySide6.QtCore import QMimeData
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
        parts.append(piece.selectedText().replace("\u2028", "\n"))  # a plain text would lose its fixed blanks
    return "".join(parts)


def with_text(data: QMimeData, text: str) -> QMimeData:
    """Return what Qt made to be copied, with `text` in place of all that it holds.

    WORKAROUND (PySide up to 6.12): data that is made in Python would be freed twice when the program ends.
    """
    data.text()  # it fills itself when it is asked first, over what was set before
    data.clear()
    data.setText(text)
    return data


def _selected(cursor: QTextCursor) -> list[QTextBlock]:
    document = cursor.document()
    paragraph, last = document.findBlock(cursor.selectionStart()), document.findBlock(cursor.selectionEnd())
    found = [paragraph]
    while paragraph != last and paragraph.isValid():
        paragraph = paragraph.next()
        found.append(paragraph)
    return found
