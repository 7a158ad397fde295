"""The index of the library: one SQLite file with full-text search, shared by all running instances.

It holds nothing that is not in the session files, so that a broken one is set aside and made again. The texts are not
stored: a hit is a place in a file. Its number is made of the number of the text and the offset of the line.
"""

from __future__ import annotations

import json
import logging
import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from model.dialects import Dialect, dialect_by_marks
from model.sentences import Sentence, packed, told, unpacked
from services.app_folders import data_folder
from services.errors import ServiceError
from services.library.reading import Charge
from services.library.search_text import TOKENIZER, storable
from services.library.sessions import Facts, LibrarySession, Stage, Stamp
from services.system_errors import os_reason

log = logging.getLogger(__name__)

SCHEMA_VERSION: Final = 2  # part of the file's name: another version of the program has a file of its own
BUSY_TIMEOUT_S: Final = 10.0
OFFSET_BITS: Final = 40  # of a hit's number; the text's number stands above
MOST_TEXTS: Final = (1 << (63 - OFFSET_BITS)) - 1
_LEAST_DEAD: Final = 50_000  # texts without a file, before they are worth a rebuild

_SCHEMA: Final = f"""
CREATE TABLE sessions (
    path BLOB PRIMARY KEY, identity TEXT, size INTEGER, modified_ns INTEGER, stage INTEGER, is_session INTEGER,
    session_id TEXT, cwd TEXT, name TEXT, short_summary TEXT, first_message TEXT, parent_session TEXT,
    created_ms INTEGER, active_ms INTEGER, entries INTEGER, branches INTEGER, problem TEXT,
    text_id INTEGER, read_end INTEGER DEFAULT 0, is_ended INTEGER DEFAULT 1, edge_mark BLOB,
    text_count INTEGER DEFAULT 0, omp_marks INTEGER DEFAULT 0, pi_marks INTEGER DEFAULT 0, tokens REAL, cost REAL
);
CREATE TABLE charges (
    text_id INTEGER, entry_key INTEGER, content_key INTEGER, tokens REAL, cost REAL,
    PRIMARY KEY (text_id, entry_key)
) WITHOUT ROWID;
CREATE INDEX charges_by_content ON charges (content_key, tokens, cost);
CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER) WITHOUT ROWID;
INSERT INTO counters VALUES ('next text', 1), ('dead texts', 0);
CREATE VIRTUAL TABLE texts USING fts5(text, content='', tokenize="{TOKENIZER}");
PRAGMA user_version = {SCHEMA_VERSION};
"""
_COUNTED_ONCE: Final = "SELECT text_id, max(tokens) AS tokens, max(cost) AS cost FROM charges"
"""Entries that were copied, and the records of one reply, when they are grouped by what they hold."""
_FACTS: Final = tuple(Facts.__slots__)
_PACKED: Final = "{"  # how a sentence begins that is kept with its template
_FOREIGN: Final = ("no such ", "already exists", "has no column")  # a file of another program, or half of ours
_BROKEN: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class BrokenIndexError(Exception):
    """The file of the index is damaged."""


@dataclass(frozen=True, slots=True)
class ReadState:
    """How far the bodies of a file were read, and what it is recognised by when it has grown."""

    text_id: int
    end: int
    is_ended: bool
    edge_mark: bytes


@dataclass(frozen=True, slots=True)
class Known:
    """A file as the index knows it; `session` is None for a file that is none."""

    stamp: Stamp
    stage: Stage
    session: LibrarySession | None


def index_file() -> Path:
    """Return where the index is kept."""
    return data_folder() / f"library-{SCHEMA_VERSION}.db"


class LibraryDatabase:
    """One connection to the index, for one thread at a time.

    All methods raise ServiceError when the disk refuses, and BrokenIndexError when the file is damaged.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        with _translated():
            _make_private(file)
            self._connection = sqlite3.connect(
                file, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False
            )
        try:
            with _translated():
                self._prepare()
        except BaseException:
            self._connection.close()
            raise

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def interrupt(self) -> None:
        """End the query that runs in another thread, with `OperationCancelled` there."""
        with suppress(sqlite3.ProgrammingError):  # closed already
            self._connection.interrupt()

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Make all changes inside at once, or none of them."""
        with _translated():
            self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            with _translated():
                self._connection.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")
            raise

    # Sessions

    def known(self) -> dict[Path, Known]:
        """Return all files that the index knows."""
        rows = self._all(
            f"SELECT path, identity, size, modified_ns, stage, is_session, text_id, tokens, cost, omp_marks, pi_marks,"
            f" {', '.join(_FACTS)} FROM sessions"
        )
        return dict(map(_known, rows))

    def session(self, path: Path) -> LibrarySession | None:
        """Return one session."""
        rows = self._all(
            f"SELECT path, identity, size, modified_ns, stage, is_session, text_id, tokens, cost, omp_marks, pi_marks,"
            f" {', '.join(_FACTS)} FROM sessions WHERE path = ?",
            (os.fsencode(path),),
        )
        return _known(rows[0])[1].session if rows else None

    def save_facts(self, path: Path, stamp: Stamp, stage: Stage, facts: Facts | None) -> None:
        """Keep what was found in a file up to `stage`; `facts` None for a file that is no session."""
        kept = facts or Facts()
        values = [_value(getattr(kept, name)) for name in _FACTS]
        columns = ("identity", "size", "modified_ns", "stage", "is_session", *_FACTS)
        assigned = ", ".join(f"{name} = excluded.{name}" for name in columns)
        self._run(
            f"INSERT INTO sessions (path, {', '.join(columns)}) VALUES (?{', ?' * len(columns)})"
            f" ON CONFLICT (path) DO UPDATE SET {assigned}",
            (os.fsencode(path), stamp.identity, stamp.size, stamp.modified_ns, stage, facts is not None, *values),
        )

    def forget(self, path: Path) -> None:
        """Drop all that is known of a file."""
        self.drop_texts(path)
        self._run("DELETE FROM sessions WHERE path = ?", (os.fsencode(path),))

    # Texts and charges

    def read_state(self, path: Path) -> ReadState | None:
        """Return how far the bodies of a file were read."""
        rows = self._all(
            "SELECT text_id, read_end, is_ended, edge_mark FROM sessions WHERE path = ? AND text_id IS NOT NULL",
            (os.fsencode(path),),
        )
        return ReadState(rows[0][0], rows[0][1], bool(rows[0][2]), rows[0][3]) if rows else None

    def drop_texts(self, path: Path) -> None:
        """Make the texts and charges of a file count no more."""
        key = (os.fsencode(path),)
        for text_id, count in self._all("SELECT text_id, text_count FROM sessions WHERE path = ?", key):
            self._run("DELETE FROM charges WHERE text_id = ?", (text_id,))
            self._run("UPDATE counters SET value = value + ? WHERE name = 'dead texts'", (count,))
        self._run(
            "UPDATE sessions SET text_id = NULL, read_end = 0, text_count = 0, omp_marks = 0, pi_marks = 0,"
            " tokens = NULL, cost = NULL WHERE path = ?",
            key,
        )

    def begin_texts(self, path: Path) -> int:
        """Return the number under which the texts of a file are kept, a new one if it has none."""
        if (state := self.read_state(path)) is not None:
            return state.text_id
        text_id = int(self._all("SELECT value FROM counters WHERE name = 'next text'")[0][0])
        if text_id > MOST_TEXTS:
            raise BrokenIndexError("the index has no numbers left")
        self._run("UPDATE counters SET value = ? WHERE name = 'next text'", (text_id + 1,))
        self._run("UPDATE sessions SET text_id = ? WHERE path = ?", (text_id, os.fsencode(path)))
        return text_id

    def add_texts(self, text_id: int, texts: Iterable[tuple[int, str]], charges: Sequence[Charge]) -> None:
        """Add texts (offset of the line, words) and charges; of an entry that was charged before, the later counts."""
        with _translated():
            self._connection.executemany(
                "INSERT INTO texts (rowid, text) VALUES (?, ?)",
                ((text_id << OFFSET_BITS | offset, text) for offset, text in texts),
            )
            self._connection.executemany(
                "INSERT OR REPLACE INTO charges VALUES (?, ?, ?, ?, ?)", ((text_id, *charge) for charge in charges)
            )

    def note_reading(
        self,
        path: Path,
        stage: Stage,
        end: int,
        edge_mark: bytes,
        text_count: int,
        marks: dict[Dialect, int],
        *,
        is_ended: bool,
    ) -> None:
        """Note how far a file was read, with so many texts more than before."""
        self._run(
            "UPDATE sessions SET stage = ?, read_end = ?, is_ended = ?, edge_mark = ?, text_count = text_count + ?,"
            " omp_marks = omp_marks + ?, pi_marks = pi_marks + ?,"
            " (tokens, cost) = (SELECT total(tokens), total(cost) FROM"
            f" ({_COUNTED_ONCE} WHERE text_id = sessions.text_id GROUP BY content_key))"
            " WHERE path = ?",
            (stage, end, is_ended, edge_mark, text_count, marks["omp"], marks["pi"], os.fsencode(path)),
        )

    def drop_dead_texts(self) -> bool:
        """Empty the full-text index when most of it belongs to no file any more; all are to be read again then."""
        dead = int(self._all("SELECT value FROM counters WHERE name = 'dead texts'")[0][0])
        alive = int(self._all("SELECT total(text_count) FROM sessions")[0][0])
        if dead < _LEAST_DEAD or dead < alive:
            return False
        self._run("INSERT INTO texts (texts) VALUES ('delete-all')")
        self._run("DELETE FROM charges")
        self._run("UPDATE counters SET value = 0 WHERE name = 'dead texts'")
        self._run(
            "UPDATE sessions SET text_id = NULL, read_end = 0, text_count = 0, omp_marks = 0, pi_marks = 0,"
            " stage = min(stage, ?)",
            (Stage.COUNTED,),
        )
        return True

    # Questions

    def totals(self, text_ids: Sequence[int] | None = None) -> tuple[float, float]:
        """Return tokens and cost of some sessions, of all without `text_ids`; copies and repetitions count once."""
        where = ""
        if text_ids is not None:
            where = f"WHERE text_id IN ({', '.join(map(str, map(int, text_ids)))})"
        row = self._all(f"SELECT total(tokens), total(cost) FROM ({_COUNTED_ONCE} {where} GROUP BY content_key)")[0]
        return float(row[0]), float(row[1])

    def shared_charges(self) -> dict[int, tuple[float, float]]:
        """Return, for each text that shares entries with others, the tokens and cost of the shared ones."""
        rows = self._all(
            f"SELECT text_id, total(tokens), total(cost) FROM ({_COUNTED_ONCE} WHERE content_key IN"
            " (SELECT content_key FROM charges GROUP BY content_key HAVING count(DISTINCT text_id) > 1)"
            " GROUP BY text_id, content_key) GROUP BY text_id"
        )
        return {row[0]: (row[1], row[2]) for row in rows}

    def count_hits(self, expression: str) -> dict[int, int]:
        """Return the number of lines that answer a question, by text."""
        rows = self._all(
            f"SELECT rowid >> {OFFSET_BITS}, count(*) FROM texts WHERE texts MATCH ? GROUP BY 1", (expression,)
        )
        return dict(rows)

    def hits(self, expression: str, text_id: int, limit: int) -> list[int]:
        """Return the offsets of the first lines of a text that answer a question."""
        first = text_id << OFFSET_BITS
        rows = self._all(
            "SELECT rowid FROM texts WHERE texts MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid LIMIT ?",
            (expression, first, first | (1 << OFFSET_BITS) - 1, limit),
        )
        return [row[0] - first for row in rows]

    # Inside

    def _prepare(self) -> None:
        execute = self._connection.execute
        execute("PRAGMA journal_mode = WAL")
        execute("PRAGMA synchronous = NORMAL")  # a lost transaction is read again from the files
        version = execute("PRAGMA user_version").fetchone()[0]
        if version == SCHEMA_VERSION:
            return
        if version:
            raise BrokenIndexError("it is of another version")
        execute("BEGIN EXCLUSIVE")
        try:
            if execute("PRAGMA user_version").fetchone()[0] != SCHEMA_VERSION:  # nobody was faster
                for statement in filter(str.strip, _SCHEMA.split(";\n")):
                    execute(statement)
            execute("COMMIT")
        except BaseException:
            execute("ROLLBACK")
            raise

    def _run(self, statement: str, values: Sequence[Any] = ()) -> None:
        with _translated():
            self._connection.execute(statement, values)

    def _all(self, statement: str, values: Sequence[Any] = ()) -> list[Any]:
        with _translated():
            return self._connection.execute(statement, values).fetchall()


def open_index(file: Path | None = None) -> LibraryDatabase:
    """Open the index; a damaged one is set aside and a new one begun. Raises ServiceError."""
    file = file or index_file()
    try:
        return LibraryDatabase(file)
    except BrokenIndexError:
        set_aside(file)
    try:
        return LibraryDatabase(file)
    except BrokenIndexError as error:
        raise ServiceError(
            Sentence("The index of the library in {0} cannot be used: {1}.", str(file.parent), told(error))
        ) from error


def set_aside(file: Path) -> None:
    """Put a damaged index out of the way; the last one is kept. Raises ServiceError."""
    log.warning("the index of the library is damaged; it is made again")
    try:
        os.replace(file, file.with_suffix(".broken"))
        for suffix in ("-wal", "-shm"):
            file.with_name(file.name + suffix).unlink(missing_ok=True)
    except FileNotFoundError:
        return
    except OSError as error:
        raise ServiceError(
            Sentence("The damaged index of the library cannot be replaced: {0}.", os_reason(error))
        ) from error


def _known(row: tuple[Any, ...]) -> tuple[Path, Known]:
    path, identity, size, modified_ns, stage, is_session, text_id, tokens, cost, omp, pi, *facts = row
    path = Path(os.fsdecode(path))
    stamp = Stamp(identity, size, modified_ns)
    if not is_session:
        return path, Known(stamp, Stage(stage), None)
    dialect = dialect_by_marks(str(path), omp, pi).dialect
    session = LibrarySession(path, stamp, Stage(stage), _facts(facts), dialect, tokens, cost, text_id)
    return path, Known(stamp, session.stage, session)


def _facts(values: Sequence[Any]) -> Facts:
    facts = Facts(*values)
    if facts.problem and facts.problem.startswith(_PACKED):
        facts = replace(facts, problem=unpacked(json.loads(facts.problem)))
    return facts


def _value(value: Any) -> Any:
    if isinstance(value, Sentence):
        value = json.dumps(packed(value))
    return storable(value) if isinstance(value, str) else value


def _make_private(file: Path) -> None:
    """Make file and folder, for the user alone: the index tells what the sessions are about."""
    file.parent.mkdir(parents=True, exist_ok=True)
    os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))


@contextmanager
def _translated() -> Iterator[None]:
    from services.cancellation import OperationCancelled

    try:
        yield
    except sqlite3.DatabaseError as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code == sqlite3.SQLITE_INTERRUPT:
            raise OperationCancelled from None
        if code in _BROKEN or isinstance(error, sqlite3.IntegrityError) or any(hint in str(error) for hint in _FOREIGN):
            raise BrokenIndexError(str(error)) from error
        raise ServiceError(Sentence("The index of the library cannot be used: {0}.", str(error))) from error
    except OSError as error:
        raise ServiceError(
            Sentence("The index of the library cannot be kept in {0}: {1}.", str(error.filename), os_reason(error))
        ) from error
