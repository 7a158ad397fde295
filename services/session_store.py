"""One session file: what is in it, and every change to it.

Source: session-format spec, SF-1 and SF-8 to SF-11.
"""

from __future__ import annotations

import os
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal
from uuid import uuid4

import numpy as np

from model.body_measures import measure_line
from model.entry_index import NOT_MEASURED, EntryIndex, IdKeys, IndexFindings, Records, build_index
from model.entry_kinds import Trait
from model.errors import NotASessionError
from model.header_scan import PADDING
from model.json_text import JsonObject, parse, stringify
from model.labels import resolve_labels
from model.session_scan import Findings, Problem, SessionScan
from services.cancellation import CancellationToken
from services.errors import ServiceError
from services.session_file import FileState, SessionFile, read_lines

Dialect = Literal["pi", "omp"]
Progress = Callable[[int, int], None]

TAIL_BYTES: Final = 256 << 10
MEASURED_AT_ONCE_BYTES: Final = 4 << 20
_KEPT_DECODED: Final = 256  # entries


class StoreError(ServiceError):
    """A change of a session that was not made; the file is as it was."""


class ReadOnlyError(StoreError):
    """The session can be looked at but not be changed."""


@dataclass(frozen=True, slots=True)
class StoreChange:
    """What another program did to the file since it was looked at last."""

    kind: Literal["none", "appended", "replaced", "truncated", "deleted"]
    rows: range = range(0)
    """The new entry rows ("appended")."""
    renumbered: bool = False
    """Rows that were known before may stand for other entries now: look ids up again."""
    message: str | None = None


class SessionStore:
    """The entries of one session file. All methods may be called from any thread."""

    def __init__(self, path: Path, dialect: Dialect | None = None) -> None:
        self.path = path
        self.partial = False
        self.read_only: str | None = None
        self.dialect: Dialect = dialect or "pi"
        self._lock = threading.RLock()
        self._file = SessionFile(path)
        self._ids = IdKeys()
        self._findings = Findings()
        self._index, _ = build_index(Records.empty(), self._ids)
        self._problems: list[Problem] = []
        self._end = 0
        self._needs_newline = False
        self._state = self._file.state()
        self._labels: tuple[EntryIndex, dict[int, str]] | None = None
        self._decoded: OrderedDict[tuple[int, int], JsonObject] = OrderedDict()

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str],
        *,
        progress: Progress | None = None,
        token: CancellationToken | None = None,
        dialect: Dialect | None = None,
    ) -> SessionStore:
        """Read a session file. Blocking; nothing is written.

        Raises NotASessionError, OSError, OperationCancelled.
        """
        store = cls(Path(path), dialect)
        try:
            store._read_all(progress, token)
        except BaseException:
            store.close()
            raise
        return store

    @classmethod
    def open_tail(cls, path: str | os.PathLike[str], *, dialect: Dialect | None = None) -> SessionStore | None:
        """Read only the end of a session file, whatever its size, so that the last entries can be shown at once.

        The store is `partial` and read-only; its rows are not those of the complete store, so entries are found again
        by id. None when the end alone says too little: no header in the first lines, or a version whose entries have
        no ids. Raises OSError.
        """
        store = cls(Path(path), dialect)
        store.partial = True
        store.read_only = "The session is still being read."
        if not store._read_tail():
            store.close()
            return None
        return store

    @property
    def index(self) -> EntryIndex:
        """The current snapshot of the columns."""
        return self._index

    @property
    def header(self) -> JsonObject | None:
        """The header of the session; None for an empty file and where it is missing."""
        return self._findings.header

    @property
    def session_id(self) -> str:
        """The id in the header, empty without one."""
        return str(self.header["id"]) if self.header else ""

    @property
    def cwd(self) -> str | None:
        """The working directory of the session, if the header tells it."""
        cwd = self.header.get("cwd") if self.header else None
        return cwd if isinstance(cwd, str) else None

    @property
    def version(self) -> int:
        """The format version on disk, 1 where the header has none."""
        version = self.header.get("version", 1) if self.header else 3
        return version if isinstance(version, int) and not isinstance(version, bool) else 1

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Everything odd in the file."""
        return (*self._findings.problems, *self._problems)

    @property
    def session_name(self) -> str | None:
        """The name of the session (SF-4.10), or None."""
        for _, entry in reversed(self._findings.noted):
            if entry.get("type") == "session_info":
                name = entry.get("name")
                return " ".join(name.split()) or None if isinstance(name, str) else None
        title = self.header.get("title") if self.header else None
        return title if isinstance(title, str) and title else None

    @property
    def labels(self) -> Mapping[int, str]:
        """The effective label of each labelled entry row (SF-4.9)."""
        with self._lock:
            if self._labels is None or self._labels[0] is not self._index:
                labels = {}
                for target, label in resolve_labels(entry for _, entry in self._findings.noted).items():
                    row = self._index.row_of(target)
                    if row is not None:
                        labels[row] = label.text
                self._labels = (self._index, labels)
            return self._labels[1]

    def raw_line(self, row: int) -> bytes:
        """Return the bytes of the entry at `row` as they stand in the file, without the line end."""
        index = self._index
        return self._file.read(int(index.offset[row]), int(index.length[row]))

    def entry(self, row: int) -> JsonObject:
        """Return the decoded entry at `row`; not to be changed by the caller."""
        index = self._index
        key = (index.generation, row)
        with self._lock:
            if key in self._decoded:
                self._decoded.move_to_end(key)
                return self._decoded[key]
        try:
            entry = parse(self._file.read(int(index.offset[row]), int(index.length[row])))
        except ValueError:
            entry = {}
        if not isinstance(entry, dict):
            entry = {}
        with self._lock:
            self._decoded[key] = entry
            if len(self._decoded) > _KEPT_DECODED:
                self._decoded.popitem(last=False)
        return entry

    def entries(self, rows: Sequence[int]) -> list[JsonObject]:
        """Return the decoded entries at `rows`."""
        return [self.entry(row) for row in rows]

    def new_entry_id(self) -> str:
        """Return an id that no entry of the session has."""
        for _ in range(100):
            entry_id = secrets.token_hex(4)
            if self._index.row_of(entry_id) is None:
                return entry_id
        return str(uuid4())

    def measure(self, progress: Progress | None = None, token: CancellationToken | None = None) -> None:
        """Fill estimates and traits of all entries (the body pass)."""
        with self._lock:
            index = self._index
        if index.measured:
            return
        estimate = np.full(index.count, NOT_MEASURED, np.int32)
        traits = np.zeros(index.count, np.uint8)
        for row in range(index.count):
            if row % 1000 == 0:
                if token is not None:
                    token.raise_if_set()
                if progress is not None:
                    progress(row, index.count)
            try:
                _, measures = measure_line(self._file.read(int(index.offset[row]), int(index.length[row])))
                estimate[row], traits[row] = measures
            except ValueError:
                estimate[row], traits[row] = 0, Trait.DAMAGED
        with self._lock:
            if self._index is index:
                self._index = index.with_measures(estimate, traits)

    def append(self, entries: Sequence[JsonObject], *, durable: bool = True) -> range:
        """Append `entries` as lines and return their rows. Raises StoreError; then nothing changed."""
        with self._lock:
            if self.read_only:
                raise ReadOnlyError(self.read_only)
            self.refresh()
            lines = "".join(stringify(entry) + "\n" for entry in entries).encode()
            if self._needs_newline:
                lines = b"\n" + lines
            first = self._index.count
            handle = os.open(self.path, os.O_WRONLY | os.O_APPEND)
            try:
                os.write(handle, lines)
                if durable:
                    os.fsync(handle)
            except OSError as error:
                raise StoreError(f"The entry could not be saved: {error.strerror}.") from error
            finally:
                os.close(handle)
            self.refresh()
            return range(first, self._index.count)

    def refresh(self) -> StoreChange:
        """Take in what other programs did to the file."""
        with self._lock:
            try:
                state = FileState.of(os.stat(self.path))
            except FileNotFoundError:
                return StoreChange("deleted", message="The file is gone.")
            if state == self._state:
                return StoreChange("none")
            if not state.is_same_file(self._state) or state.size < self._end:
                kind: Literal["replaced", "truncated"] = "truncated" if state.is_same_file(self._state) else "replaced"
                generation = self._index.generation + 1
                self._file.close()
                self._file = SessionFile(self.path)
                self._findings = Findings()
                self._problems = []
                self._read_all(None, None, generation)
                return StoreChange(kind, renumbered=True)
            before = self._index
            self._take_in(state.size, None, None)
            self._state = state
            renumbered = self._index.generation != before.generation
            rows = range(0) if renumbered else range(before.count, self._index.count)
            kind_: Literal["none", "appended"] = "appended" if self._index is not before else "none"
            return StoreChange(kind_, rows, renumbered)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _read_all(self, progress: Progress | None, token: CancellationToken | None, generation: int = 0) -> None:
        self._end = 0
        self._state = self._file.state()
        size = self._state.size
        records = self._scan(size, progress, token)
        self._index, odd = build_index(records, self._ids, generation=generation)
        self._report(odd)
        if self.header is None and size:
            if not self._index.count:
                raise NotASessionError("This file holds neither a session header nor entries.")
            self.read_only = "The header is missing: this is a recovered view. Save a repaired copy to work with it."
        elif self.version > 3:
            self.read_only = f"Version {self.version} of the format is newer than this program."
        if size <= MEASURED_AT_ONCE_BYTES:
            self.measure()

    def _read_tail(self) -> bool:
        size = self._state.size
        head = self._file.read(0, min(TAIL_BYTES, size))
        head = head[: head.rfind(b"\n") + 1]
        SessionScan(self._ids, self._findings).feed(bytearray(head) + bytearray(PADDING), len(head), 0)
        if self.header is None or self.version < 3:
            return False
        self._findings.noted.clear()
        start = max(0, size - TAIL_BYTES)
        tail = self._file.read(start, size - start)
        self._end = start + tail.find(b"\n") + 1 if start else 0
        records = self._scan(size, None, None)
        self._index, _ = build_index(records, self._ids, is_tail=True)
        self._findings.problems.clear()
        self.measure()
        return self._index.count > 0

    def _take_in(self, size: int, progress: Progress | None, token: CancellationToken | None) -> None:
        records = self._scan(size, progress, token)
        self._index, odd = self._index.extended(records)
        self._report(odd)

    def _scan(self, size: int, progress: Progress | None, token: CancellationToken | None) -> Records:
        scan = SessionScan(self._ids, self._findings)
        parts = []
        for block in read_lines(self._file, self._end, size, progress=progress, token=token):
            if block.data[block.used - 1] == 0x0A:
                parts.append(scan.feed(block.data, block.used, block.base))
                self._end = block.base + block.used
                self._needs_newline = False
            else:
                rest = bytes(block.data[: block.used])
                found = scan.feed_rest(rest, block.base)
                self._needs_newline = True
                if len(found):
                    parts.append(found)
                    self._end = block.base + block.used
        return Records.joined(parts)

    def _report(self, odd: IndexFindings) -> None:
        for row in odd.orphans:
            self._problems.append(Problem("orphan", 0, int(self._index.offset[row]), "The parent is missing."))


__all__ = ["PADDING", "TAIL_BYTES", "ReadOnlyError", "SessionStore", "StoreChange", "StoreError"]
