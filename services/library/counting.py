"""The second look: entries, branches, names and times, from the heads of all lines.

Only lines of an unusual form and the few that name the session are decoded.
Source: session-format spec, SF-4.10, SF-9, SF-12 and SF-13; the first question as in `model/session_summary.py`.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

from model.entries import entry_id, entry_type, message_of, parent_id
from model.json_text import JsonObject
from model.messages import role_of, text_field
from model.migration import stored_version
from model.session_loading import KNOWN_TYPES
from model.timestamps import timestamp_ms
from services.cancellation import CancellationToken
from services.library.glancing import SPOKEN_ROLES, Glance, Opening, name_of
from services.library.lines import HEAD, Lines, read_lines, records_at, records_of
from services.library.sessions import Facts, Stamp, short_line

_MANY: Final = 200_000  # entries
_TELLING_TYPES: Final = (b"session_info", b"compaction")
_CLOCK_LENGTH: Final = 24  # of 2026-01-31T12:34:56.789Z, whose order is that of the bytes
_ENDS: Final = (b"}", b"}\r")
_NONE: Final = b""


def count_session(
    path: Path,
    token: CancellationToken | None = None,
    progress: Callable[[int], None] | None = None,
    *,
    is_damaged: bool = False,
) -> Glance:
    """Look through a whole file; `progress` gets the bytes that are done. Raises OSError and OperationCancelled.

    Of a file that is known to be damaged all lines are decoded, since their heads may promise what they do not hold.
    """
    counter = _Counter(is_damaged)
    with path.open("rb", buffering=0) as file:
        stamp = Stamp.of(os.fstat(file.fileno()))
        for lines in read_lines(file, 0, stamp.size, token):
            counter.take(lines)
            if progress is not None:
                progress(lines.offset + len(lines.data))
    if not stamp.size:
        return Glance(stamp, Facts(entries=0, branches=0))
    return Glance(stamp, counter.facts() if counter.opening.is_session else None)


class _Counter:
    """Takes in lines in file order."""

    def __init__(self, is_damaged: bool = False) -> None:
        self.opening = Opening()
        self._is_damaged = is_damaged
        self._ids = array("q")  # hashes of ids and parents of the entries, in file order
        self._parents = array("q")
        self._unread = 0
        self._without_id = 0  # entries of a session of version 1
        self._name: str | None = None
        self._is_named = False
        self._short_summary: str | None = None
        self._last_clock = b""
        self._last_ms: int | None = None

    def take(self, lines: Lines) -> None:
        """Take in some lines."""
        self._unread += lines.skipped > 0
        data = lines.data
        ids: list[bytes] = []
        parents: list[bytes] = []
        is_doubtful = self._is_damaged or b"\0" in data
        last_clock = self._last_clock
        at = 0
        while at < len(data):
            end = data.find(b"\n", at)
            end = len(data) if end < 0 else end
            head = None if is_doubtful else HEAD.match(data, at, end)
            if head is None or not data.endswith(_ENDS, at, end):
                records, at = records_at(data, at)
                self._take_records(records, ids, parents)
                continue
            kind, id, parent, time, role = head.groups()
            if role == b"user" and self.opening.first_message is None:
                self._take_records(records_of(data[at:end]), ids, parents)
                at = end + 1
                continue
            if role in SPOKEN_ROLES:
                if len(time) != _CLOCK_LENGTH or time[-1:] != b"Z":
                    self._note_time(time.decode("latin-1"))
                elif time > last_clock:
                    last_clock = time
            elif kind in _TELLING_TYPES:
                for record in records_of(data[at:end]):
                    self._note(record)
            ids.append(id)
            parents.append(parent or _NONE)
            at = end + 1
        self._last_clock = last_clock
        self._ids.extend(map(hash, ids))
        self._parents.extend(map(hash, parents))
        self.opening.has_entries = self.opening.has_entries or len(ids) > 0

    def facts(self) -> Facts:
        """Return what was found."""
        facts = self.opening.facts()
        entries, branches = self._counts()
        times = [self._last_ms, timestamp_ms(self._last_clock.decode("latin-1")) if self._last_clock else None]
        return replace(
            facts,
            name=self._name if self._is_named else facts.name,
            short_summary=self._short_summary,
            active_ms=max((time for time in times if time is not None), default=None),
            entries=entries,
            branches=branches,
        )

    def _take_records(self, records: list[JsonObject], ids: list[bytes], parents: list[bytes]) -> None:
        """Take in what stands in a line of an unusual form, or the first question."""
        for record in records:
            kind = entry_type(record)
            is_behind_header = self.opening.header is not None
            self.opening.take(record)
            if kind == "session" or (kind == "title" and not is_behind_header):
                continue
            id = entry_id(record)
            if id is None:
                self._without_id += is_behind_header or kind in KNOWN_TYPES
            elif is_behind_header or kind in KNOWN_TYPES:
                ids.append(_bytes(id))
                parents.append(_bytes(parent_id(record) or ""))
            else:
                continue
            self._note(record)
            message = message_of(record)
            if message is not None and role_of(message) in ("user", "assistant"):
                self._note_time(record.get("timestamp"))

    def _is_old(self) -> bool:
        """Whether entries have no ids yet: version 1 is one chain in file order (SF-8)."""
        header = self.opening.header
        return header is not None and stored_version(header) < 2

    def _note(self, record: JsonObject) -> None:
        kind = entry_type(record)
        if kind == "session_info":
            self._name, self._is_named = name_of(record), True
        elif kind == "compaction" and (short := short_line(text_field(record, "shortSummary"))):
            self._short_summary = short

    def _note_time(self, timestamp: object) -> None:
        time = timestamp_ms(timestamp)
        if time is not None and (self._last_ms is None or time > self._last_ms):
            self._last_ms = time

    def _counts(self) -> tuple[int, int]:
        """Entries and leaves. Of entries that share an id the last one counts (SF-9.8)."""
        if self._is_old():  # one chain, in which ids mean nothing yet
            entries = len(self._ids) + self._without_id + self._unread
            return entries, int(entries > 0)
        more = self._unread
        if not len(self._ids):
            return more, int(more > 0)
        count = _counts_of_few if len(self._ids) < _MANY else _counts_of_many
        entries, leaves = count(self._ids, self._parents)
        return entries + more, max(1, leaves)


def _counts_of_few(ids: array[int], parents: array[int]) -> tuple[int, int]:
    parent_of = dict(zip(ids, parents, strict=True))
    with_children = {parent for id, parent in parent_of.items() if parent != id} & parent_of.keys()
    return len(parent_of), len(parent_of) - len(with_children)


def _counts_of_many(ids: array[int], parents: array[int]) -> tuple[int, int]:
    """The same with a tenth of the memory."""
    import numpy as np

    known, last = np.unique(np.frombuffer(ids, np.int64)[::-1], return_index=True)
    of_known = np.frombuffer(parents, np.int64)[::-1][last]
    with_children = int(np.isin(known, of_known[of_known != known]).sum())
    return len(known), len(known) - with_children


def _bytes(id: str) -> bytes:
    return id.encode("utf-8", "surrogatepass")
