"""Marks what a search found in a line of text: a background, and a line under it, since colour says nothing alone."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QColor, QPainter, QTextCharFormat, QTextLayout, QTextOption

from gui.theme import current_theme
from model.json_text import utf16_length
from model.search_query import fold

Range = tuple[int, int]


def match_ranges(text: str, words: Sequence[str]) -> list[Range]:
    """Return where folded `words` occur in `text`, as ascending ranges that do not touch.

    Ranges are in characters. They never part a character from its accents, whatever folding does to its length.
    """
    at_once = fold(text)
    if not any(word in at_once for word in words if word):
        return []
    if text.isascii():
        found = sorted((at, at + len(word)) for word in words if word for at in _occurrences(at_once, word))
        return _merged(found)
    folded: list[str] = []
    origins: list[Range] = []
    for start, end in _clusters(text):
        part = fold(text[start:end])
        folded.append(part)
        origins += [(start, end)] * len(part)
    haystack = "".join(folded)
    found = sorted(
        (origins[at][0], origins[at + len(word) - 1][1])
        for word in words
        if word
        for at in _occurrences(haystack, word)
    )
    return _merged(found)


def _merged(found: Sequence[Range]) -> list[Range]:
    merged: list[Range] = []
    for start, end in found:
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def draw_marked(
    painter: QPainter, rect: QRect, alignment: Qt.AlignmentFlag, text: str, ranges: Sequence[Range]
) -> None:
    """Draw one line of `text` into `rect` with the painter's font and pen, and marks over `ranges`."""
    theme = current_theme()
    layout = QTextLayout(text, painter.font())
    option = QTextOption(alignment & Qt.AlignmentFlag.AlignHorizontal_Mask)
    option.setWrapMode(QTextOption.WrapMode.NoWrap)
    option.setTextDirection(painter.layoutDirection())
    layout.setTextOption(option)
    mark = QTextCharFormat()
    mark.setBackground(QColor(theme.match))
    mark.setForeground(QColor(theme.text))
    mark.setFontUnderline(True)
    formats = []
    for start, end in ranges:
        marked = QTextLayout.FormatRange()
        marked.start, marked.length = utf16_length(text[:start]), utf16_length(text[start:end])
        marked.format = mark
        formats.append(marked)
    layout.setFormats(formats)
    layout.beginLayout()
    line = layout.createLine()
    line.setLineWidth(rect.width())
    layout.endLayout()
    top = rect.top() + (rect.height() - line.height()) / 2
    layout.draw(painter, QPointF(rect.left(), top))


def _clusters(text: str) -> Iterator[Range]:
    """Each character of `text` together with the marks that combine with it."""
    start = 0
    for at in range(1, len(text) + 1):
        if at == len(text) or not unicodedata.combining(text[at]):
            yield start, at
            start = at


def _occurrences(text: str, word: str) -> Iterator[int]:
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + 1)
