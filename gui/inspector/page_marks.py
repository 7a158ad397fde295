"""Marks in a text what a search found, in the colours of the rows, and brings the first match in view."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QTextEdit

from gui.match_marks import match_ranges
from gui.theme import current_theme
from model.json_text import utf16_length

A_TURN = 16 * 1024  # characters that are looked through before the window may do something else
PARAGRAPH_COST = 60  # characters
MARK_COST = 60
NOT_ASCII_COST = 3  # of a character whose accents have to be looked for
MOST_MARKS = 2000


class PageMarks:
    """The marks of one view. Its text may grow meanwhile."""

    def __init__(self, view: QTextEdit) -> None:
        self._view = view
        self._words: tuple[str, ...] = ()
        self._marks: list[QTextEdit.ExtraSelection] = []
        self._next = 0
        self._first: int | None = None
        self._is_wanted = False
        """Whether the first match is still to be brought in view."""

    @property
    def words(self) -> tuple[str, ...]:
        """The folded words that are marked."""
        return self._words

    @property
    def is_looking(self) -> bool:
        """Whether the text goes on behind what was looked through."""
        return bool(self._words) and self._next < self._view.document().blockCount()

    @property
    def lacks_first(self) -> bool:
        """Whether the reader is to be led to a match and none was found as yet."""
        return bool(self._words) and self._is_wanted and self._first is None

    def start(self, words: Sequence[str], *, scrolls: bool) -> None:
        """Mark other words, or another text, from its beginning; with `scrolls`, bring the first match in view."""
        had_marks = bool(self._marks)
        self._words, self._marks = tuple(words), []
        self._next, self._first, self._is_wanted = 0, None, scrolls
        if had_marks:
            self._view.setExtraSelections([])
        self.take_turn()

    def forget_end(self) -> None:
        """The last paragraph is taken away: what comes in its place is looked through again."""
        count = self._view.document().blockCount()
        self._next = min(self._next, count - 1)
        end = self._view.document().lastBlock().position()
        self._marks = [mark for mark in self._marks if mark.cursor.selectionEnd() <= end]

    def stay(self) -> None:
        """The reader went elsewhere: leave the view where it is."""
        self._is_wanted = False

    def take_turn(self) -> None:
        """Look through some more of the text."""
        if not self.is_looking:
            return
        before = len(self._marks)
        cost = 0
        paragraph = self._view.document().findBlockByNumber(self._next)
        leading = max(self._words, key=len)
        while paragraph.isValid() and cost < A_TURN:
            text = paragraph.text()
            ranges = match_ranges(text, self._words)
            if ranges and self._first is None and (lead := match_ranges(text, [leading])):
                self._first = paragraph.position() + utf16_length(text[: lead[0][0]])
            for start, end in ranges[: MOST_MARKS - len(self._marks)]:
                first = paragraph.position() + utf16_length(text[:start])
                self._marks.append(self._mark(first, first + utf16_length(text[start:end])))
            cost += PARAGRAPH_COST + MARK_COST * len(ranges) + len(text) * (1 if text.isascii() else NOT_ASCII_COST)
            self._next += 1
            paragraph = paragraph.next()
        if len(self._marks) > before:
            self._view.setExtraSelections(self._marks)
        if self._is_wanted and self._first is not None:
            self._is_wanted = False
            self._show(self._first)

    def _mark(self, start: int, end: int) -> QTextEdit.ExtraSelection:
        theme = current_theme()
        form = QTextCharFormat()
        form.setBackground(QColor(theme.match))
        form.setForeground(QColor(theme.text))
        form.setFontUnderline(True)
        cursor = QTextCursor(self._view.document())
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        mark = QTextEdit.ExtraSelection()
        mark.cursor, mark.format = cursor, form
        return mark

    def _show(self, position: int) -> None:
        """Scroll so far that a position is in the upper part of the view, if it is not in view already."""
        cursor = QTextCursor(self._view.document())
        cursor.setPosition(position)
        rect = self._view.cursorRect(cursor)
        height = self._view.viewport().height()
        if rect.top() < 0 or rect.bottom() > height:
            bar = self._view.verticalScrollBar()
            bar.setValue(bar.value() + rect.top() - height // 3)
