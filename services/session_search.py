"""Searching the text of all entries of a session, tool output of any length included.

Most lines are ruled out by their bytes, block by block; what is left is decoded and looked at. The blocks nearest to
where the user is come first. Source: tree-navigation spec, TN-12.2.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import msgspec
import numpy as np

from model.entry_index import EntryIndex
from model.entry_kinds import Trait
from model.full_text import full_text
from model.json_text import JsonObject
from model.line_search import LineBlock, search_lines
from model.migration import CURRENT_VERSION
from model.search_query import ESCAPED_CHARACTER, SearchQuery, fold, unusual_ascii
from services.cancellation import CancellationToken
from services.session_store import SessionStore

BLOCK_BYTES: Final = 1 << 18  # looking through it takes well under a millisecond, in which nobody else gets a turn

_decode = msgspec.json.Decoder().decode
_UNDECODED: Final = (msgspec.MsgspecError, RecursionError, UnicodeDecodeError)


@dataclass(frozen=True, slots=True)
class Finding:
    """A step of a search: entry rows that match and were not told before, and how many of `total` entries are done."""

    rows: list[int]
    done: int
    total: int


Report = Callable[[Finding], None]


@dataclass(frozen=True, slots=True)
class _OddLines:
    """Entry rows, of the first `count`, whose lines may spell a word otherwise than `Word.spellings` says."""

    generation: int = -1
    count: int = 0
    unusual: tuple[int, ...] = ()
    """ASCII characters may be escaped, or an unusual character may stand for them."""
    escaped: tuple[int, ...] = ()
    """Other characters may be escaped."""

    def rows(self, query: SearchQuery) -> tuple[int, ...]:
        """Return the rows that matter for `query`."""
        return self.unusual if query.is_ascii else tuple(sorted({*self.unusual, *self.escaped}))


class SessionSearch:
    """Searches one store. For worker threads; several may be at it, for different queries."""

    def __init__(self, store: SessionStore) -> None:
        self._store = store
        self._odd = _OddLines()

    def run(
        self,
        index: EntryIndex,
        query: SearchQuery,
        token: CancellationToken,
        report: Report,
        *,
        first: int = 0,
        near: int = 0,
    ) -> None:
        """Report the entry rows of `index` from `first` on that match `query`, those around row `near` first.

        A label counts as text of the entry that it names. Blocking. Raises OperationCancelled, OSError.
        """
        if not query:
            return
        told: set[int] = set()

        def tell(rows: Iterable[int], done: int) -> None:
            fresh = [row for row in rows if row >= first and row not in told]
            told.update(fresh)
            report(Finding(fresh, done, index.count - first))

        tell(self._by_label(index, query), 0)
        if self._store.version < CURRENT_VERSION:
            tell(self._by_entry(index, query, range(first, index.count), token), index.count - first)
            return
        done = 0
        for span in sorted(_spans(index, first), key=lambda span: abs(span.start - near)):
            token.raise_if_set()
            done += len(span)
            tell(self._in_span(index, query, span, token), done)
        odd = (row for row in self._odd_lines(index, token).rows(query) if row < index.count)
        tell(self._by_entry(index, query, odd, token), done)

    def _by_label(self, index: EntryIndex, query: SearchQuery) -> Iterator[int]:
        for row, label in self._store.labels.items():
            folded = fold(label)
            if row < index.count and any(word.text in folded for word in query.words):
                text = full_text(self._store.entry(row, index))
                if query.matches(f"{label}\n{text}"):
                    yield row

    def _by_entry(
        self, index: EntryIndex, query: SearchQuery, rows: Iterable[int], token: CancellationToken
    ) -> Iterator[int]:
        for row in rows:
            token.raise_if_set()
            if query.matches(full_text(self._store.entry(row, index))):
                yield row

    def _in_span(self, index: EntryIndex, query: SearchQuery, span: range, token: CancellationToken) -> Iterator[int]:
        block = self._read(index, span)
        found = search_lines(block, query)
        damaged = set(np.flatnonzero(index.traits[span.start : span.stop] & Trait.DAMAGED).tolist())
        yield from (span.start + number for number in found.certain if number not in damaged)
        found.possible += damaged.intersection(found.certain)
        for number in found.possible:
            token.raise_if_set()
            if query.matches(full_text(self._entry(index, span.start + number, block.line(number)))):
                yield span.start + number

    def _entry(self, index: EntryIndex, row: int, line: bytes) -> JsonObject:
        if not index.traits[row] & Trait.DAMAGED:
            try:
                entry: Any = _decode(line)
            except _UNDECODED:
                entry = None
            if isinstance(entry, dict):
                return entry
        return self._store.entry(row, index)

    def _odd_lines(self, index: EntryIndex, token: CancellationToken) -> _OddLines:
        """Return the odd lines of `index`; lines that a search looked at before are not looked at again."""
        known = self._odd if self._odd.generation == index.generation else _OddLines(index.generation)
        unusual, escaped, count = list(known.unusual), list(known.escaped), known.count
        try:
            for span in _spans(index, known.count):
                token.raise_if_set()
                block = self._read(index, span)
                for pattern, rows in ((unusual_ascii(), unusual), (ESCAPED_CHARACTER, escaped)):
                    rows += [span.start + number for number in block.lines_with(pattern)]
                count = span.stop
        finally:  # the next key stops this search: it need not begin again
            self._odd = _OddLines(index.generation, count, tuple(unusual), tuple(escaped))
        return self._odd

    def _read(self, index: EntryIndex, span: range) -> LineBlock:
        start = int(index.offset[span.start])
        starts = index.offset[span.start : span.stop] - start
        ends = starts + index.length[span.start : span.stop]
        data = self._store.raw_bytes(start, int(ends[-1]))
        return LineBlock(data, starts.tolist(), ends.tolist())


def _spans(index: EntryIndex, first: int) -> Iterator[range]:
    """The entry rows from `first` on in stretches that take about BLOCK_BYTES in the file."""
    ends = index.offset + index.length
    while first < index.count:
        last = max(first + 1, int(np.searchsorted(ends, int(index.offset[first]) + BLOCK_BYTES)))
        yield range(first, last)
        first = last
