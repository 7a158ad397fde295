"""One session file: what is in it, and every change to it.

Opening never writes. A change is one append of whole lines, after a look at what other programs did to the file; where
lines that exist have to change, the whole file is replaced in one step and the original kept beside it.
Source: session-format spec, SF-1 and SF-8 to SF-11.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Final, Literal

import numpy as np

from model.branch_extraction import new_header
from model.dialects import Dialect
from model.entries import entry_id, entry_type, fresh_entry_id, parent_id
from model.entry_index import EntryIndex
from model.entry_kinds import NAME_OF_ROLE, TYPE_OF_KIND, Kind, Role, Trait
from model.errors import RefusedError
from model.interruptions import interruptibly
from model.json_text import JsonObject, stringify
from model.record_heads import find_record
from model.records import Problem
from model.repair import with_usage
from model.sentences import Sentence
from model.timestamps import iso_timestamp
from services.cancellation import CancellationToken
from services.disk import DISK
from services.entry_cache import EntryCache
from services.file_append import append_bytes
from services.file_rewrite import FileChangedError, rewrite_file, write_new_file
from services.saved_indexes import LEAST_BYTES, SavedIndexes
from services.session_file import FileState, stretches
from services.session_ids import new_session_id, new_uuid, now_ms
from services.session_lock import SessionLock
from services.session_reading import Contents, Progress, SessionReader, measure_bodies
from services.session_rewriting import (
    Place,
    RenamedEntry,
    changed_line,
    copied_lines,
    repaired_lines,
    replaced_lines,
    retitled_line,
    upgraded_lines,
)
from services.store_changes import CHANGED, RECREATED, REPLACED_BY_OTHER, SHORTENED, StoreChange, Upgrade
from services.store_errors import (
    FOLDER_PROTECTED,
    GONE,
    PROTECTED,
    ReadOnlyError,
    SessionGoneError,
    SessionLockedError,
    StoreError,
    WriteError,
)

__all__ = [
    "ReadOnlyError",
    "SessionGoneError",
    "SessionLockedError",
    "SessionStore",
    "StoreChange",
    "StoreError",
    "WriteError",
]

log = logging.getLogger(__name__)

_LINE_BLOCK: Final = 1 << 20
_MOST_OF_A_LINE: Final = 64 << 20
_WRITER_PAUSE_S: Final = 0.02
_WRITER_PATIENCE_S: Final = 0.3  # for another program to finish the line that it is writing
_RECENT_S: Final = 2.0
_LOOKS_AT_THE_SIZE: Final = 5
_WRITE_S: Final = 0.002  # a system call of another program may take


class SessionStore:
    """The entries of one session file. All methods may be called from any thread; reading never waits for a writer."""

    def __init__(self, path: Path, reader: SessionReader, contents: Contents, dialect: Dialect | None) -> None:
        self.path = path
        self.disk = DISK
        self._dialect = dialect
        self._reader = reader
        self._contents = contents
        self._writing = threading.RLock()
        self._session_lock: SessionLock | None = None
        self._known = contents.file.signature(contents.state)
        self._gone = False
        self._untold = StoreChange()  # noticed, but not told to who follows
        self._upgrade: Upgrade | None = None  # not told yet
        self._decoded = EntryCache()
        self._protection: str | None = None
        self._note_access()

    # Opening and closing

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str],
        *,
        progress: Progress | None = None,
        token: CancellationToken | None = None,
        dialect: Dialect | None = None,
        saved: SavedIndexes | None = None,
    ) -> SessionStore:
        """Read a session file; blocking. `dialect` overrides what the file tells.

        An index of the unchanged file that was `saved` before takes the place of reading it. Raises NotASessionError,
        OSError, OperationCancelled.
        """
        path = Path(path)
        if saved is not None and (restored := _restored(path, dialect, saved)) is not None:
            return cls(path, *restored, dialect)
        reader = SessionReader(path, dialect=dialect)
        return cls(path, reader, reader.read(progress, token), dialect)

    @classmethod
    def open_tail(cls, path: str | os.PathLike[str], *, dialect: Dialect | None = None) -> SessionStore | None:
        """Read only the last entries of a file, whatever its size, so that they can be shown at once.

        The store is `partial` and read-only. Its rows are not those of the complete store: find entries again by id.
        None when the end of the file says too little without the rest. Raises OSError.
        """
        path = Path(path)
        reader = SessionReader(path, dialect=dialect)
        contents = reader.read_tail()
        return None if contents is None else cls(path, reader, contents, dialect)

    def close(self) -> None:
        """Let go of the file. Entries read after that are empty."""
        with self._writing:
            self._contents.file.close()
            if self._session_lock is not None:
                self._session_lock.release()

    # What is in it

    @property
    def index(self) -> EntryIndex:
        """The current snapshot of the columns."""
        return self._contents.index

    @property
    def partial(self) -> bool:
        """Whether only the end of the file is in it so far."""
        return self._contents.partial

    @property
    def read_only(self) -> str | None:
        """A sentence why the session cannot be changed, or None."""
        return self._contents.read_only or self._protection

    @property
    def is_protected(self) -> bool:
        """Whether the session cannot be changed where it is, while a copy elsewhere could be."""
        return self._contents.read_only is None and self._protection is not None

    @property
    def is_gone(self) -> bool:
        """Whether there was no file of that name any more when it was looked for last."""
        return self._gone

    @property
    def header(self) -> JsonObject | None:
        """The session header with the title in force; None in an empty file and where it is lost."""
        return self._contents.header

    @property
    def session_id(self) -> str:
        """The id in the header, empty without one."""
        header = self.header
        return header["id"] if header else ""

    @property
    def cwd(self) -> str | None:
        """The working directory of the session, where the header tells it."""
        cwd = self.header.get("cwd") if self.header else None
        return cwd if isinstance(cwd, str) else None

    @property
    def version(self) -> int:
        """The format version on disk."""
        return int(self._contents.version)

    @property
    def dialect(self) -> Dialect:
        """Which agent's rules apply (SF-7)."""
        return self._contents.detected.dialect

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Everything odd in the file, by place."""
        return self._contents.problems

    @property
    def labels(self) -> Mapping[int, str]:
        """The label in force of each labelled entry row (SF-4.9)."""
        return self._contents.labels

    def labelled(self) -> tuple[EntryIndex, Mapping[int, str]]:
        """Return the current snapshot of the columns with the labels of its rows: asked for one by one, they may be of
        two states of the file.
        """
        contents = self._contents
        return contents.index, contents.labels

    @property
    def session_name(self) -> str | None:
        """The name that was given to the session: by a `session_info` entry, or in the header (SF-4.10)."""
        title = self.header.get("title") if self.header else None
        return self._contents.session_name or (title if isinstance(title, str) and title else None)

    def raw_line(self, row: int, index: EntryIndex | None = None) -> bytes:
        """Return the bytes of the line in which the entry at `row` stands, without the line end.

        Of a damaged line that is the whole line, other records in it included. Raises OSError.
        """
        contents = self._contents
        index = index or contents.index
        return contents.file.read(int(index.offset[row]), int(index.length[row]))

    def raw_bytes(self, offset: int, length: int) -> bytes:
        """Return a stretch of the file, shorter where the file ends. Raises OSError."""
        return self._contents.file.read(offset, length)

    def entry(self, row: int, index: EntryIndex | None = None) -> JsonObject:
        """Return the entry at `row`, decoded and in the current version. Callers don't change it.

        `row` counts in `index`, by default the current one. What can't be read (any more) is an entry with nothing but
        type, id and parent.
        """
        contents = self._contents
        index = index or contents.index
        if contents.old_entries is not None and (old := contents.old_entries.get(index.id_of(row))) is not None:
            return old
        key = (index.generation, row)
        if (known := self._decoded.get(key)) is not None:
            return known
        try:
            line = contents.file.read(int(index.offset[row]), int(index.length[row]))
        except OSError:
            return _bare_entry(index, row)
        entry = find_record(line, index.id_of(row), int(index.kind[row]))
        if entry is None:
            return _bare_entry(index, row)
        self._decoded.put(key, entry, len(line))
        return entry

    def entries(self, rows: Sequence[int], index: EntryIndex | None = None) -> list[JsonObject]:
        """Return the entries at `rows`, decoded, reading what lies together in the file at once. Interruptible."""
        contents = self._contents
        index = index or contents.index
        entries: list[JsonObject] = []
        places = np.array(rows, np.int64)
        for first, last, start, length in stretches(index.offset[places], index.length[places]):
            try:
                data = contents.file.read(start, length) if contents.old_entries is None else b""
            except OSError:
                data = b""
            for row in interruptibly(rows[first:last], each=1):
                at = int(index.offset[row]) - start
                line = data[at : at + int(index.length[row])]
                entry = find_record(line, index.id_of(row), int(index.kind[row])) if line else None
                entries.append(self.entry(row, index) if entry is None else entry)
        return entries

    def measure(self, progress: Progress | None = None, token: CancellationToken | None = None) -> None:
        """Make the index measured: decode all bodies for estimates and traits, and for damage that their heads hid.

        Blocking. Does nothing when that has been done. Raises OperationCancelled, OSError.
        """
        while not self.index.measured:
            contents = self._contents
            measures = measure_bodies(contents, progress, token)
            with self._writing:
                now = self._contents
                if now.file is contents.file and now.index.generation == contents.index.generation:
                    self._contents = self._reader.measured(now, measures)
                    if self._contents.state != now.state:  # read once more
                        self._known = contents.file.signature(self._contents.state)

    def save_index(self, saved: SavedIndexes) -> None:
        """Keep the index of a large session for the next time, once it is measured. Blocking; never raises."""
        with self._writing:
            contents, known = self._contents, self._known
            is_settled = contents.ends_with_newline and contents.old_entries is None and not contents.partial
            if not contents.index.measured or not is_settled or contents.size < LEAST_BYTES:
                return
            frozen, facts = contents.index.frozen(), self._reader.facts()
        saved.save(self.path, known, frozen, facts)

    # Following

    def refresh(self) -> StoreChange:
        """Take in what other programs did to the file, and return what was new. Blocking.

        Raises OSError when the file cannot be read.
        """
        with self._writing:
            change = self._look()
            self._untold = self._untold.then(change)
            return change

    def changes(self) -> StoreChange:
        """Take in what other programs did, and return all of it since this was asked last: for the one who follows.

        Unlike `refresh` it also tells what was noticed in between, by appending for instance. Blocking. Raises OSError.
        """
        with self._writing:
            self.refresh()
            untold, self._untold = self._untold, StoreChange()
            return untold

    def take_upgrade(self) -> Upgrade | None:
        """Return, once, that a write had to bring the file to the current version first."""
        upgrade, self._upgrade = self._upgrade, None
        return upgrade

    def _look(self) -> StoreChange:
        try:
            state = self._present_state()
        except FileNotFoundError:
            was_gone, self._gone = self._gone, True
            return StoreChange() if was_gone else StoreChange("deleted", message=GONE)
        known = self._known.state
        self._note_access()
        if state == known and not self._gone:
            return StoreChange()
        recreated, self._gone = self._gone, False
        if not state.is_same_file(self._contents.state):
            return self._read_again("replaced", RECREATED if recreated else CHANGED)
        if state.size < self._contents.size:
            return self._read_again("truncated", SHORTENED)
        rewritten = state.size == self._contents.size and state.modified_ns != known.modified_ns
        if rewritten or not self._contents.file.still_has(self._known):
            return self._read_again("replaced", CHANGED)
        before = self._contents.index
        self._take_in()
        index = self._contents.index
        renumbered = index.generation != before.generation
        if index is before:
            return StoreChange()
        return StoreChange("appended", range(0) if renumbered else range(before.count, index.count), renumbered)

    def _note_access(self) -> None:
        """See whether the system lets us write, which can change at any time."""
        if not self.disk.may_write(self.path):
            self._protection = PROTECTED
        elif self._contents.old_entries is not None and not self.disk.may_write(self.path.parent):
            self._protection = FOLDER_PROTECTED  # it is replaced before the first entry is appended
        else:
            self._protection = None

    def _present_state(self) -> FileState:
        """The state of the file under our name, not in the middle of a write: the time changes before the size does."""
        state = FileState.of(os.stat(self.path))
        for _ in range(_LOOKS_AT_THE_SIZE):
            known = self._known.state
            if state.size != known.size or state.modified_ns == known.modified_ns or not state.is_same_file(known):
                break
            time.sleep(_WRITE_S)
            state = FileState.of(os.stat(self.path))
        return state

    def _take_in(self) -> None:
        """Read what stands behind the part that is known."""
        if self._contents.old_entries is not None:
            self._read_again("replaced", None)
            return
        self._contents = self._reader.take_in(self._contents)
        self._known = self._contents.file.signature(self._contents.state)

    def _read_again(self, kind: Literal["replaced", "truncated"], message: str | None) -> StoreChange:
        generation = self.index.generation + 1
        try:
            reader = SessionReader(self.path, dialect=self._dialect, generation=generation)
            contents = reader.read()
        except RefusedError:
            log.info("%s is no session any more", self.path)
            self._contents = replace(self._contents, read_only=REPLACED_BY_OTHER)
            self._known = replace(self._known, state=FileState.of(os.stat(self.path)))
            return StoreChange(kind, message=REPLACED_BY_OTHER)
        self._reader, self._contents = reader, contents
        self._known = contents.file.signature(contents.state)
        return StoreChange(kind, renumbered=True, message=message)

    # Appending

    def new_entry_id(self) -> str:
        """Return an id that no entry of the session has (SF-3)."""
        index = self.index

        class Taken:
            def __contains__(self, id: object) -> bool:
                return isinstance(id, str) and index.row_of(id) is not None

        return fresh_entry_id(Taken(), new_uuid)

    def claim(self) -> None:
        """Become the one instance of this program that may change the file, until it is closed. Blocking.

        Waits a moment for one that is about to close it, and takes in what was written meanwhile. Raises StoreError or
        SessionLockedError.
        """
        with self._writing:
            self._claim()

    def append(self, entries: Sequence[JsonObject], *, durable: bool = True) -> range:
        """Append entries, in one write, and return their rows. With `durable`, they are on the medium then.

        What other programs appended meanwhile is taken in before; parents and ids are checked against the file as it is
        then. A file of an older version is brought to the current one first. Raises StoreError or SessionLockedError;
        then nothing was saved and nothing changed.
        """
        entries = [with_usage(entry) for entry in entries]
        if not entries:
            return range(self.index.count, self.index.count)
        with self._writing:
            self._prepare_to_write()
            self._check(entries)
            lines = [*self._missing_header(), *entries]
            data = "".join(stringify(line) + "\n" for line in lines).encode()
            if self._contents.size and not self._contents.ends_with_newline:
                data = b"\n" + data
            try:
                append_bytes(self.path, data, durable=durable, disk=self.disk)
            except FileNotFoundError:
                raise SessionGoneError from None
            except OSError as error:
                self._recognise()
                raise WriteError(error) from error
            self._take_in()
            rows = [self.index.row_of(entry["id"]) for entry in entries]
            first, last = rows[0], rows[-1]
            if first is None or last is None:
                raise StoreError(Sentence("The entry was written, but something else is in its place now."))
            return range(first, last + 1)

    def replace_entries(self, replacements: Mapping[int, JsonObject]) -> Path:
        """Replace the lines of some entries (row: entry with the same id and parent); return where the original is.

        The file is rewritten in one step. Raises StoreError or SessionLockedError; then nothing changed.
        """
        with self._writing:
            index = self.index
            ids = {index.id_of(row): entry for row, entry in replacements.items()}
            self._prepare_to_write()
            index = self.index
            lines: dict[Place, bytes] = {}
            for id, entry in ids.items():
                row = index.row_of(id)
                if (
                    row is None
                    or index.traits[row] & Trait.DAMAGED
                    or entry_id(entry) != id
                    or parent_id(entry) != index.named_parent(row)
                ):
                    raise StoreError(Sentence("The entry {0} is no longer what it was; nothing was replaced.", str(id)))
                place = int(index.offset[row]), int(index.length[row])
                lines[place] = changed_line(entry, self._contents.file.read(*place))
            return self._rewrite(lines, ".bak")

    def set_title(self, title: str, *, source: Literal["auto", "user"] = "user") -> Path:
        """Set the title in the header (OMP), or in the title slot where the file has one; empty deletes it.

        Returns where the original is kept. Raises StoreError or SessionLockedError; then nothing changed.
        """
        with self._writing:
            self._prepare_to_write()
            line = retitled_line(self._contents, title, source, iso_timestamp(now_ms()))
            if line is None:
                raise StoreError(Sentence("This session has no header yet, so it cannot have a title."))
            return self._rewrite(dict([line]), ".bak")

    def save_copy(self, path: Path, token: CancellationToken | None = None) -> None:
        """Write the file as it was read to a new one, byte for byte; also when the file itself is gone.

        Under the name of a file that is gone, the session goes on in it: then its rows are to be looked up again by id.
        Raises FileExistsError, any other OSError, and OperationCancelled.
        """
        with self._writing if self._gone else nullcontext():
            write_new_file(path, copied_lines(self._contents, token), disk=self.disk)
            if self._gone and path.absolute() == self.path.absolute():
                self._gone = False
                self._read_again("replaced", None)

    def save_repaired_copy(self, path: Path, token: CancellationToken | None = None) -> list[RenamedEntry]:
        """Write the session to a new file in a form that both agents can open; return which entries have new ids.

        Entries that are whole keep their bytes; what is damaged is mended, what is unreadable left out, and of entries
        with one id those that don't count get another. Raises FileExistsError, any other OSError, and
        OperationCancelled.
        """
        renamed: list[RenamedEntry] = []
        lines = repaired_lines(self._contents, self._new_header(), new_uuid, renamed, token)
        write_new_file(path, lines, disk=self.disk)
        return renamed

    def line_at(self, offset: int) -> bytes:
        """Return the line that begins at an offset, as it stands in the file; of an endless one the beginning.

        Raises OSError.
        """
        line = bytearray()
        while len(line) < _MOST_OF_A_LINE:
            block = self._contents.file.read(offset + len(line), _LINE_BLOCK)
            line += block.split(b"\n", 1)[0]
            if b"\n" in block or not block:
                break
        return bytes(line)

    def _prepare_to_write(self) -> None:
        """Make sure that the file may be changed, is the one that is known, and is of the current version."""
        self._claim()
        if self._contents.old_entries is not None:
            version = self.version
            backup = self._rewrite(upgraded_lines(self._contents), f".v{version}.bak")
            self._upgrade = Upgrade(version, self.version, backup)

    def _claim(self) -> None:
        """Take the lock, and take in what other programs wrote."""
        if self.read_only is not None:
            raise ReadOnlyError(self.read_only)
        if self._session_lock is None:
            self._session_lock = SessionLock(self.path)
        self._session_lock.acquire()
        try:
            self.refresh()
            self._wait_for_other_writer()
        except OSError as error:
            raise WriteError(error) from error
        if self._gone:
            raise SessionGoneError
        if self.read_only is not None:
            raise ReadOnlyError(self.read_only)

    def _wait_for_other_writer(self) -> None:
        """Give another program, which seems to be writing the last line, a moment to finish it."""
        patience = time.monotonic() + _WRITER_PATIENCE_S
        while (
            self._contents.size
            and not self._contents.ends_with_newline
            and abs(time.time() - self._known.state.modified_ns / 1e9) < _RECENT_S
            and time.monotonic() < patience
        ):
            time.sleep(_WRITER_PAUSE_S)
            self.refresh()

    def _check(self, entries: Sequence[JsonObject]) -> None:
        index = self.index
        fresh: set[str] = set()
        for entry in entries:
            id = entry_id(entry)
            if id is None or entry_type(entry) in (None, "session", "title"):
                raise StoreError(Sentence("Only entries with a type and an id can be appended."))
            if id in fresh or index.row_of(id) is not None:
                raise StoreError(Sentence("The session already has an entry with the id {0}.", id))
            parent = parent_id(entry)
            if parent is not None and parent not in fresh and index.row_of(parent) is None:
                raise StoreError(
                    Sentence("The entry {0}, behind which this belongs, is not in the file any more.", parent)
                )
            fresh.add(id)

    def _missing_header(self) -> list[JsonObject]:
        """The header that an empty file still lacks (SF-9.3)."""
        return [] if self._contents.size else [self._new_header()]

    def _new_header(self) -> JsonObject:
        time_ms = now_ms()
        return new_header(new_session_id(self.dialect, time_ms), iso_timestamp(time_ms), os.getcwd())

    def _rewrite(self, lines: Mapping[Place, bytes], backup_suffix: str) -> Path:
        """Replace lines, given by offset and length, and read the file again."""
        try:
            backup = rewrite_file(
                self.path,
                replaced_lines(self._contents, lines),
                expected=self._known.state,
                backup_suffix=backup_suffix,
                disk=self.disk,
            )
        except FileChangedError:
            raise StoreError(
                Sentence("Another program changed the file at the same moment; nothing was replaced.")
            ) from None
        except FileNotFoundError:
            raise SessionGoneError from None
        except OSError as error:
            if not self.disk.may_write(self.path.parent):
                raise ReadOnlyError(FOLDER_PROTECTED) from error
            raise WriteError(error) from error
        self._read_again("replaced", None)
        return backup

    def _recognise(self) -> None:
        """After a failed write that was taken back: the file is the same, only its times are not."""
        try:
            state = FileState.of(os.stat(self.path))
        except OSError:
            return
        if state.is_same_file(self._known.state) and state.size == self._contents.size:
            self._known = replace(self._known, state=state)


def _restored(path: Path, dialect: Dialect | None, saved: SavedIndexes) -> tuple[SessionReader, Contents] | None:
    """Reader and contents of a file of which an index was saved, if it is unchanged."""
    reader = SessionReader(path, dialect=dialect)
    state = reader.file.state()
    if state.size < LEAST_BYTES or (found := saved.load(path, reader.file.signature(state))) is None:
        return None
    try:
        return reader, reader.restored(*found, state)
    except (KeyError, TypeError, ValueError):
        log.warning("the saved index of %s is of no use", path, exc_info=True)
        return None


def _bare_entry(index: EntryIndex, row: int) -> JsonObject:
    """What the columns alone know of an entry."""
    parent = index.named_parent(row)
    entry: JsonObject = {"type": TYPE_OF_KIND.get(Kind(index.kind[row]), "unknown"), "id": index.id_of(row)}
    role = NAME_OF_ROLE.get(Role(index.role[row]))
    return {**entry, "parentId": parent, **({"message": {"role": role}} if role else {})}
