"""One scan of the library: what is known at once, then what is new on the disk, then what is in it.

All of it is blocking and runs on a worker. Files are only read. A file whose stamp is the known one is left alone.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from model.sentences import Sentence
from services.cancellation import CancellationToken
from services.library import reader_process
from services.library.database import (
    BrokenIndexError,
    Known,
    LibraryDatabase,
    index_file,
    open_index,
    set_aside,
)
from services.library.glancing import glance
from services.library.reader import Progress, Reader
from services.library.sessions import Facts, LibrarySession, Stage, Stamp
from services.library.walking import FolderProblem, FoundFile, Walk
from services.system_errors import os_reason

log = logging.getLogger(__name__)

REPORT_EVERY_S: Final = 0.2
_LOCK_POLL_S: Final = 1.0


@dataclass(frozen=True, slots=True)
class LibraryUpdate:
    """What a scan found since the last update."""

    sessions: tuple[LibrarySession, ...] = ()
    gone: tuple[Path, ...] = ()
    progress: Progress | None = None


@dataclass(frozen=True, slots=True)
class ScanResult:
    """How a scan ended. Tokens and cost of all sessions count an entry once that was copied into several (SF-12)."""

    problems: tuple[FolderProblem, ...] = ()
    tokens: float = 0.0
    cost: float = 0.0
    shared: dict[int, tuple[float, float]] = field(default_factory=dict)
    """By text id the tokens and cost of the entries that a session shares with others."""
    files: Mapping[Path, Stamp] = field(default_factory=dict)
    """All files that were found, those that are no sessions included, as they were then."""


def scan_library(
    folders: Sequence[Path],
    token: CancellationToken,
    report: Callable[[LibraryUpdate], None],
    *,
    file: Path | None = None,
    report_every_s: float = REPORT_EVERY_S,
) -> ScanResult:
    """Bring the index up to date with the files below `folders`, telling on the way what is there.

    Raises OperationCancelled, after which the next scan goes on where this one was, and ServiceError.
    """
    file = file or index_file()
    try:
        return _scan_once(folders, token, report, file, report_every_s)
    except BrokenIndexError:
        set_aside(file)
        return _scan_once(folders, token, report, file, report_every_s)


def _scan_once(
    folders: Sequence[Path],
    token: CancellationToken,
    report: Callable[[LibraryUpdate], None],
    file: Path,
    report_every_s: float,
) -> ScanResult:
    database = open_index(file)
    try:
        return _Scan(database, folders, token, _Reporter(report, report_every_s)).run()
    finally:
        database.close()


class _Reporter:
    """Gathers what was found, so that the window is told a few times a second."""

    def __init__(self, send: Callable[[LibraryUpdate], None], every_s: float) -> None:
        self._send = send
        self._every_s = every_s
        self._sessions: dict[Path, LibrarySession] = {}
        self._gone: set[Path] = set()
        self._progress: Progress | None = None
        self._last = 0.0

    def show(self, session: LibrarySession) -> None:
        self._sessions[session.path] = session
        self._gone.discard(session.path)

    def hide(self, path: Path) -> None:
        self._gone.add(path)
        self._sessions.pop(path, None)

    def progress(self, progress: Progress) -> None:
        is_new_phase = self._progress is None or self._progress.phase != progress.phase
        self._progress = progress
        if is_new_phase or time.monotonic() - self._last >= self._every_s:
            self.flush()

    def flush(self) -> None:
        self._send(LibraryUpdate(tuple(self._sessions.values()), tuple(self._gone), self._progress))
        self._sessions, self._gone = {}, set()
        self._last = time.monotonic()


class _Scan:
    def __init__(
        self, database: LibraryDatabase, folders: Sequence[Path], token: CancellationToken, reporter: _Reporter
    ) -> None:
        self._database = database
        self._walk = Walk(folders)
        self._token = token
        self._reporter = reporter
        self._sessions: dict[Path, LibrarySession] = {}

    def run(self) -> ScanResult:
        known = self._database.known()
        for entry in known.values():
            self._show(entry.session)
        self._reporter.progress(Progress("looking"))
        found = self._look_around(known)
        self._drop_others(known, found)
        self._reporter.flush()
        with _only_reader(self._database.file, self._wait):
            self._take_over_others_work(found)
            self._read()
        self._reporter.flush()
        tokens, cost = self._database.totals()
        return ScanResult(tuple(self._walk.problems), tokens, cost, self._database.shared_charges(), found)

    # Looking: which files there are

    def _look_around(self, known: dict[Path, Known]) -> dict[Path, Stamp]:
        """Walk through the folders and glance at files that are new or have changed; return all files."""
        found: dict[Path, Stamp] = {}
        for files in self._walk.files(self._token):
            found.update((file.path, file.stamp) for file in files)
            changed = [file for file in files if (entry := known.get(file.path)) is None or entry.stamp != file.stamp]
            for part in _parts(changed, 50):
                self._token.raise_if_set()
                self._glance(part, known)
                self._reporter.progress(Progress("looking"))
        return found

    def _glance(self, files: Iterable[FoundFile], known: dict[Path, Known]) -> None:
        looks: list[tuple[Path, LibrarySession | None, FoundFile]] = []
        for file in files:
            before = known[file.path].session if file.path in known else None
            try:
                look = glance(file.path)
            except FileNotFoundError:
                continue
            except OSError as error:
                facts = Facts(problem=Sentence("This file cannot be read: {0}.", os_reason(error)))
                self._show(LibrarySession(file.path, file.stamp, Stage.READ, facts))
                continue
            session = None
            if look.facts is not None:
                facts = look.facts if before is None else _older_counts(look.facts, before.facts)
                session = LibrarySession(file.path, look.stamp, Stage.GLANCED, facts)
                if before is not None:
                    session = replace(
                        session,
                        dialect=before.dialect,
                        tokens=before.tokens,
                        cost=before.cost,
                        text_id=before.text_id,
                    )
            looks.append((file.path, session, FoundFile(file.path, look.stamp)))
        with self._database.writing():
            for path, session, file in looks:
                if session is None:
                    self._database.drop_texts(path)
                self._database.save_facts(path, file.stamp, Stage.GLANCED, None if session is None else session.facts)
        for path, session, _ in looks:
            if session is None:
                self._hide(path)
            else:
                self._show(session)

    def _drop_others(self, known: dict[Path, Known], found: Container[Path]) -> None:
        """Forget files that are gone. What lies below a folder that cannot be read is only not shown."""
        gone = [path for path in known if path not in found]
        forgotten = [path for path in gone if not self._walk.is_blocked(path)]
        if forgotten:
            with self._database.writing():
                for path in forgotten:
                    self._database.forget(path)
        for path in gone:
            self._hide(path)

    def _take_over_others_work(self, found: Container[Path]) -> None:
        """Use what another instance has read in the meantime, and see what is left to do."""
        for path, entry in self._database.known().items():
            mine = self._sessions.get(path)
            if path in found and entry.session is not None and mine is not None and entry.session != mine:
                self._show(entry.session)

    # Reading: what is in them

    def _read(self) -> None:
        """Count and read all files; in a process of its own where there is much to read."""
        unread = sum(session.size for session in self._sessions.values() if session.stage < Stage.READ)
        if unread >= reader_process.LEAST_BYTES and reader_process.is_possible():
            read = reader_process.read_in_process
            if read(self._database.file, self._token, self._show_anew, self._reporter.progress):
                return
        reader = Reader(self._database, self._token, self._show, self._hide, self._reporter.progress)
        reader.run(list(self._sessions.values()))

    def _show_anew(self, path: Path) -> None:
        session = self._database.session(path)
        if session is None:
            self._hide(path)
        elif path in self._sessions:
            self._show(session)

    # Inside

    def _show(self, session: LibrarySession | None) -> None:
        if session is not None:
            self._sessions[session.path] = session
            self._reporter.show(session)

    def _hide(self, path: Path) -> None:
        self._sessions.pop(path, None)
        self._reporter.hide(path)

    def _wait(self) -> None:
        """While another instance reads, show what it has found."""
        for path, entry in self._database.known().items():
            mine = self._sessions.get(path)
            if mine is not None and entry.session is not None and entry.session.stage > mine.stage:
                self._show(entry.session)
        self._reporter.progress(Progress("waiting"))
        self._token.wait(_LOCK_POLL_S)
        self._token.raise_if_set()


@contextmanager
def _only_reader(file: Path, wait: Callable[[], None]) -> Iterator[None]:
    """Let one instance read at a time: the others would read the same files. `wait` pauses until the next try."""
    from filelock import FileLock, Timeout

    lock = FileLock(file.with_suffix(".lock"), timeout=0, thread_local=False)
    while not lock.is_locked:
        try:
            lock.acquire()
        except Timeout:
            wait()
        except OSError:  # better to read twice than not at all
            log.warning("no lock for the library", exc_info=True)
            break
    try:
        yield
    finally:
        lock.release()


def _older_counts(facts: Facts, before: Facts) -> Facts:
    """What a glance leaves open is shown as it was until the file is counted again."""
    return replace(
        facts,
        name=facts.name or before.name,
        short_summary=before.short_summary,
        first_message=facts.first_message or before.first_message,
        active_ms=facts.active_ms or before.active_ms,
        entries=before.entries if facts.entries is None else facts.entries,
        branches=before.branches if facts.branches is None else facts.branches,
    )


def _parts(files: Sequence[FoundFile], size: int) -> Iterable[Sequence[FoundFile]]:
    for first in range(0, len(files), size):
        yield files[first : first + size]
