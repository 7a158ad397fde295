"""Counting and reading session files into the index: the long part of a scan, on a worker or in a process of its own.

Files are only read. What was read is kept file by file, of large files piece by piece, so that it can be stopped at any
time and go on there.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

from services.cancellation import CancellationToken
from services.library.counting import count_session
from services.library.database import LibraryDatabase
from services.library.reading import FileChangedMeanwhileError, Reading, edge_mark, read_bodies
from services.library.sessions import LibrarySession, Stage

log = logging.getLogger(__name__)

COMMIT_BYTES: Final = 8 << 20  # of a file that are read in one transaction

Phase = Literal["looking", "counting", "reading", "waiting"]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a scan is: bytes done and bytes in all of the phase, 0 when nobody knows."""

    phase: Phase
    done: int = 0
    total: int = 0


class Reader:
    """Brings the files of the index to the last stage. All methods are blocking and raise OperationCancelled,
    ServiceError and BrokenIndexError.

    `show` is called with each session that is known better, `hide` with the path of a file that turned out to be none.
    """

    def __init__(
        self,
        database: LibraryDatabase,
        token: CancellationToken,
        show: Callable[[LibrarySession], None],
        hide: Callable[[Path], None],
        progress: Callable[[Progress], None],
    ) -> None:
        self._database = database
        self._token = token
        self._tell_show, self._tell_hide = show, hide
        self._progress = progress
        self._sessions: dict[Path, LibrarySession] = {}

    def run(self, sessions: Iterable[LibrarySession]) -> None:
        """Count and read those of `sessions` that are not read yet, the ones that were active last first."""
        self._sessions = {session.path: session for session in sessions}
        self._count()
        self._read()
        if self._database.drop_dead_texts():
            for entry in self._database.known().values():
                if entry.session is not None and entry.session.path in self._sessions:
                    self._show(entry.session)
            self._read()

    def _count(self) -> None:
        todo = self._newest_first(Stage.COUNTED)
        done, total = 0, sum(session.size for session in todo)
        for session in todo:
            self._token.raise_if_set()
            before = done

            def tell(end: int, before: int = before) -> None:
                self._progress(Progress("counting", before + end, total))

            tell(0)
            self._count_one(session, tell)
            done += session.size

    def _count_one(self, session: LibrarySession, tell: Callable[[int], None]) -> None:
        try:
            look = count_session(session.path, self._token, tell)
        except OSError:
            return  # gone or unreadable by now; the next scan sees
        with self._database.writing():
            self._database.save_facts(session.path, look.stamp, Stage.COUNTED, look.facts)
        if look.facts is None:
            self._hide(session.path)
        else:
            self._show(replace(session, stamp=look.stamp, stage=Stage.COUNTED, facts=look.facts))

    def _read(self) -> None:
        todo = self._newest_first(Stage.READ)
        done, total = 0, sum(session.size for session in todo)
        for session in todo:
            self._token.raise_if_set()
            before = done

            def tell(end: int, before: int = before) -> None:
                self._progress(Progress("reading", before + end, total))

            tell(0)
            try:
                self._read_one(session, tell)
            except (OSError, FileChangedMeanwhileError):
                log.info("%s changed while it was read; it is left for the next scan", session.path.name)
            done += session.size

    def _read_one(self, session: LibrarySession, tell: Callable[[int], None]) -> None:
        """Read the bodies of a file, or what was appended since; a large one in several transactions."""
        database, path = self._database, session.path
        start = self._start_of_reading(path, session.size)
        is_damaged = False
        chunk: list[Reading] = []
        for reading in read_bodies(path, session.stamp, start, self._token):
            is_damaged |= reading.is_damaged
            chunk.append(reading)
            if reading.end - start >= COMMIT_BYTES and reading.end < session.size:
                self._save(session, chunk, Stage.COUNTED)
                start, chunk = reading.end, []
            tell(reading.end)
        facts = session.facts
        if is_damaged:
            look = count_session(path, self._token, is_damaged=True)
            facts = look.facts if look.facts is not None and look.stamp == session.stamp else facts
        self._save(session, chunk, Stage.READ)
        if facts != session.facts:
            with database.writing():
                database.save_facts(path, session.stamp, Stage.READ, facts)
        self._show(database.session(path))

    def _start_of_reading(self, path: Path, size: int) -> int:
        """Return where to go on in a file that was only appended to; a file that is another one begins anew."""
        state = self._database.read_state(path)
        if state is None:
            return 0
        if state.is_ended and state.end <= size and edge_mark(path, state.end) == state.edge_mark:
            return state.end
        with self._database.writing():
            self._database.drop_texts(path)
        return 0

    def _save(self, session: LibrarySession, chunk: list[Reading], stage: Stage) -> None:
        database, path = self._database, session.path
        end = chunk[-1].end if chunk else session.size
        mark = edge_mark(path, end)
        with database.writing():
            text_id = database.begin_texts(path)
            for reading in chunk:
                database.add_texts(text_id, reading.texts, reading.charges)
            database.note_reading(
                path,
                stage,
                end,
                mark,
                sum(len(reading.texts) for reading in chunk),
                {name: sum(reading.marks[name] for reading in chunk) for name in ("pi", "omp")},
                is_ended=not chunk or chunk[-1].is_ended,
            )

    def _newest_first(self, stage: Stage) -> list[LibrarySession]:
        todo = [session for session in self._sessions.values() if session.stage < stage]
        return sorted(todo, key=lambda session: session.active_ms, reverse=True)

    def _show(self, session: LibrarySession | None) -> None:
        if session is not None:
            self._sessions[session.path] = session
            self._tell_show(session)

    def _hide(self, path: Path) -> None:
        self._sessions.pop(path, None)
        self._tell_hide(path)
