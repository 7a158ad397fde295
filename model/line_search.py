"""Searching raw lines: which of them hold the words of a query for certain, which may, without decoding any.

A word that stands in the value of a text field is found for certain. Any other place may
be the name of a field, part of an escape, or something that no one reads: such lines have to be decoded.
Source: session-format spec, SF-4 and SF-5; what counts as text is `full_text`'s to say.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from model.interruptions import interruptibly
from model.search_query import SearchQuery, Word

_TEXT_FIELDS: Final = ("text", "thinking", "content", "summary", "command", "output", "path", "oldtext", "newtext")
_TEXT_STARTS: Final = tuple(f'"{name}":'.encode() for name in _TEXT_FIELDS)
_USUAL_TEXT: Final = b'"text":"'
_MOST_QUOTES: Final = 8  # escaped ones that are passed on the way to the start of a text
_LONGEST_ESCAPE: Final = 6
_BACKSLASH: Final = 0x5C
_BEYOND_ASCII: Final = 0x80


@dataclass(frozen=True, slots=True)
class LineBlock:
    """Some lines of a file: line number n is `data[starts[n]:ends[n]]`; starts ascend and may repeat."""

    data: bytes
    starts: list[int]
    ends: list[int]

    def line(self, number: int) -> bytes:
        """Return the bytes of a line."""
        return self.data[self.starts[number] : self.ends[number]]

    def lines_with(self, pattern: re.Pattern[bytes]) -> Iterator[int]:
        """Yield the numbers of the lines in which `pattern` occurs."""

        def search(start: int) -> int:
            found = pattern.search(self.data, start)
            return -1 if found is None else found.start()

        return _lines_with(self, search)


@dataclass(slots=True)
class LineMatches:
    """Line numbers of a block, each in one list at most: with all words for certain, and perhaps."""

    certain: list[int] = field(default_factory=list)
    possible: list[int] = field(default_factory=list)


def search_lines(block: LineBlock, query: SearchQuery) -> LineMatches:
    """Return the lines of `block` that hold the words of `query` as they are usually spelt."""
    lowered = block.data.lower()
    telling, *others = query.by_bytes
    literals = [word.literal for word in query.words]
    numbers: set[int] = set()
    for spelling in telling.spellings:
        numbers.update(interruptibly(_lines_with(block, partial(lowered.find, spelling))))
    found = LineMatches()
    for number in interruptibly(sorted(numbers)):
        start, end = block.starts[number], block.ends[number]
        if all(_is_possible(lowered, word, start, end) for word in others):
            is_certain = all(_is_certain(lowered, literal, start, end) for literal in literals)
            (found.certain if is_certain else found.possible).append(number)
    return found


def _lines_with(block: LineBlock, find: Callable[[int], int]) -> Iterator[int]:
    """The numbers of the lines in which `find`, called with where to start, finds something."""
    at = find(0)
    while at >= 0:
        number = bisect_right(block.starts, at) - 1
        start, following = block.starts[number], number + 1
        if at < block.ends[number]:
            yield number
            while number and block.starts[number - 1] == start:  # several entries in a damaged line
                number -= 1
                yield number
        if following == len(block.starts):
            return
        at = find(block.starts[following])


def _is_possible(lowered: bytes, word: Word, start: int, end: int) -> bool:
    return any(lowered.find(spelling, start, end) >= 0 for spelling in word.spellings)


def _is_certain(lowered: bytes, literal: bytes | None, start: int, end: int) -> bool:
    """Whether a word stands in a text of the line from `start` to `end`, as far as the first places tell."""
    if literal is None:
        return False
    text = lowered.find(_USUAL_TEXT, start, end)  # before it there are mostly names of fields
    place = lowered.find(literal, start if text < 0 else text + len(_USUAL_TEXT), end)
    if place < 0 and text >= 0:
        place = lowered.find(literal, start, text)
    return place >= 0 and _is_in_text(lowered, place, place + len(literal), start)


def _is_in_text(lowered: bytes, place: int, behind: int, start: int) -> bool:
    if lowered[place - 1] >= _BEYOND_ASCII or lowered[behind] >= _BEYOND_ASCII:  # may be one character with the word's
        return False
    if lowered.find(b"\\", max(start, place - _LONGEST_ESCAPE), place) >= 0:
        return False
    quote = place
    for _ in range(_MOST_QUOTES):
        quote = lowered.rfind(b'"', start, quote)
        if quote <= start + 1:
            return False
        if lowered[quote - 1] != _BACKSLASH:
            return lowered.endswith(_TEXT_STARTS, start, quote)
        if lowered[quote - 2] == _BACKSLASH:
            return False
    return False
