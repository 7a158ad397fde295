"""The piece of a text around what a search found in it, on one line."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

from model.search_query import fold

BEFORE: Final = 40  # characters in front of the match
EXCERPT_CHARACTERS: Final = 160
_EXACT: Final = 1 << 14  # characters of a line in which a place is worked out exactly where folding changes lengths


def excerpt_around(text: str, words: Sequence[str]) -> str:
    """Return the piece of `text` around the first of the folded `words` that occurs in it; nothing where none does.

    A sign at either end tells that the text goes on there. O(length of the text).
    """
    for word in words:
        for line in text.split("\n") if word in fold(text) else ():
            if (at := fold(line).find(word)) >= 0:
                return _piece(line, _place(line, at))
    return ""


def _place(line: str, at: int) -> int:
    """Where the character stands in a line that is at place `at` of the folded line."""
    if line.isascii() or len(line) > _EXACT:
        return at
    return min(len(line) - 1, bisect_right(range(len(line)), at, key=lambda end: len(fold(line[:end]))) - 1)


def _piece(line: str, place: int) -> str:
    start = max(0, place - BEFORE)
    if start:
        blank = line.find(" ", start, place)
        start = blank + 1 or start
    end = min(len(line), start + EXCERPT_CHARACTERS)
    piece = " ".join(line[start:end].split())
    return f"{'… ' if start else ''}{piece}{'…' if end < len(line) else ''}"
