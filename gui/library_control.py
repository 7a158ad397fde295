"""What the library does, behind its dock: scans, searches and small acts on files, all on workers."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, QThread, QTimer, Signal

from gui.act_sentences import name_sentence
from gui.latest_job import LatestJob
from gui.translation import shown
from model.sentences import told
from services.cancellation import CancellationToken
from services.errors import ServiceError
from services.jobs import Job, Outcome, join_jobs
from services.library.sessions import LibrarySession

if TYPE_CHECKING:
    from services.library.folders import LibraryFolders
    from services.library.reader import Progress
    from services.library.scanning import LibraryUpdate, ScanResult
    from services.library.searching import Hit, SessionHits
    from services.library.trash import Trashed
    from services.library.watching import LibraryWatch
    from services.store_changes import Upgrade

log = logging.getLogger(__name__)

T = TypeVar("T")

LEAST_PAUSE_S = 2.0  # between scans that nobody asked for
PAUSE_OF_SCANS = 10  # and so many times as long as a scan takes
MUCH_BYTES = 8 << 20  # to read before a scan that nobody asked for is shown


class LibraryControl(QObject):
    """Keeps `sessions` in step with the disk.

    Signals: `changed` when sessions came, went or are known better; `scan_changed` when a scan began, went on or ended;
    `found` (typed text, list of SessionHits) for a search; `said` (sentence); `failed` (sentence); `trashed` (list of
    Trashed).
    """

    changed = Signal()
    scan_changed = Signal()
    found = Signal(str, object)
    said = Signal(str)
    failed = Signal(str)
    trashed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.sessions: dict[Path, LibrarySession] = {}
        self.folders: LibraryFolders | None = None
        self.progress: Progress | None = None
        self.result: ScanResult | None = None
        self.was_stopped = False
        self._scan: Job | None = None
        self._again = False
        self._again_quietly = False
        self._is_quiet = False
        self._scan_began = self._scan_ended = 0.0
        self._later = QTimer(self, singleShot=True)
        self._later.timeout.connect(self._refresh_quietly)
        self._watch: LibraryWatch | None = None
        self._searches = LatestJob(self)
        self._is_closed = False

    # Scanning

    @property
    def is_scanning(self) -> bool:
        """Whether a scan runs."""
        return self._scan is not None

    @property
    def is_scan_shown(self) -> bool:
        """Whether a scan runs that somebody asked for, or that has much to read."""
        reads_much = self.progress is not None and self.progress.total >= MUCH_BYTES
        return self.is_scanning and (reads_much or not self._is_quiet)

    def refresh(self) -> None:
        """Look at the folders again. A running scan begins anew, which costs nothing of what it has read."""
        if self._is_closed:
            return
        self.was_stopped = False
        self._later.stop()
        if self._scan is not None:
            self._again = True
            self._scan.abort()
        else:
            self._begin(is_quiet=False)

    def refresh_quietly(self) -> None:
        """Look again soon, unless somebody stopped it; whatever notices something may call this often."""
        if self._is_closed or self.was_stopped or self._later.isActive():
            return
        if self._scan is not None:
            self._again_quietly = True
            return
        pause_s = max(LEAST_PAUSE_S, PAUSE_OF_SCANS * (self._scan_ended - self._scan_began))
        self._later.start(max(0, int((self._scan_ended + pause_s - time.monotonic()) * 1000)))

    def check(self) -> None:
        """Look now whether something has changed: there may be nobody who notices."""
        if self._watch is not None:
            self._watch.check()

    def _refresh_quietly(self) -> None:
        if not (self._is_closed or self.was_stopped or self._scan is not None):
            self._begin(is_quiet=True)

    def _begin(self, *, is_quiet: bool) -> None:
        self._is_quiet, self._again_quietly = is_quiet, False
        self._scan_began = time.monotonic()
        job = Job(self._work, self)
        self._scan = job
        job.progress.connect(self._take)
        job.ended.connect(self._finish)
        job.start()
        self.scan_changed.emit()

    def stop(self) -> None:
        """Stop the scan. The next one goes on where it was."""
        if self._scan is not None:
            self.was_stopped, self._again = True, False
            self._scan.abort()

    def close(self) -> None:
        """Stop everything and wait for it."""
        self._is_closed = True
        self._again = False
        self._later.stop()
        if self._watch is not None:
            self._watch.stop()
            self._watch.wait()
        if not join_jobs(self):
            log.warning("work of the library did not stop in time")

    async def _work(self, token: CancellationToken, report: Callable[[object], None]) -> object:
        from services.library.folders import library_folders
        from services.library.scanning import scan_library

        folders = library_folders()
        report(folders)
        return scan_library(folders.all, token, report)

    def _take(self, found: LibraryUpdate | LibraryFolders) -> None:
        from services.library.scanning import LibraryUpdate

        if not isinstance(found, LibraryUpdate):
            self.folders = found
            self.scan_changed.emit()
            return
        self.sessions.update((session.path, session) for session in found.sessions)
        for path in found.gone:
            self.sessions.pop(path, None)
        self.progress = found.progress
        if found.sessions or found.gone:
            self.changed.emit()
        self.scan_changed.emit()

    def _finish(self, outcome: Outcome) -> None:
        job, self._scan, self.progress = self._scan, None, None
        self._scan_ended = time.monotonic()
        if job is not None:
            job.wait()
            job.deleteLater()
        if outcome.kind == "done":
            self.result = outcome.value  # type: ignore[assignment]
            self._watch_on()
        elif outcome.kind == "failed":
            self.failed.emit(shown(outcome.text))
        if self._again:
            self._again = False
            self.refresh()
            return
        self.scan_changed.emit()
        if self._again_quietly:
            self.refresh_quietly()

    def _watch_on(self) -> None:
        """Notice from now on what differs from what this scan has found."""
        if self._is_closed or self.folders is None or self.result is None:
            return
        if self._watch is None:
            from services.library.watching import LibraryWatch

            self._watch = LibraryWatch(self)
            self._watch.changed.connect(self.refresh_quietly)
            self._watch.start(QThread.Priority.LowPriority)
        self._watch.know(self.folders.all, self.result.files)

    # Searching

    def search(self, typed: str) -> None:
        """Look for words in the texts of all sessions; an earlier search is dropped."""
        sessions = list(self.sessions.values())

        def compute(token: CancellationToken) -> list[SessionHits]:
            from services.library.searching import search_sessions

            return search_sessions(typed, sessions, token)

        self._searches.start(compute, lambda hits: self.found.emit(typed, hits), self.failed.emit)

    def search_in(self, typed: str, session: LibrarySession, done: Callable[[tuple[Hit, ...]], None]) -> None:
        """Fetch more hits of one session."""

        def compute(token: CancellationToken) -> tuple[Hit, ...]:
            from services.library.searching import session_hits

            return session_hits(typed, session, token)

        self._run(compute, done)

    def drop_search(self) -> None:
        """Forget the running search."""
        self._searches.drop()

    @property
    def is_searching(self) -> bool:
        """Whether a search runs."""
        return self._searches.running

    # Acts

    def add_folder(self, folder: Path) -> None:
        """Add a folder to those that are looked through."""

        def add(_token: CancellationToken) -> LibraryFolders:
            from services.library.folders import add_folder

            return add_folder(folder)

        def done(folders: LibraryFolders) -> None:
            known, self.folders = self.folders, folders
            if known == folders:
                self.said.emit(self.tr("{0} is in the library already.").format(folder))
            else:
                self.said.emit(self.tr("{0} was added to the library.").format(folder))
            self.refresh()

        self._run(add, done)

    def remove_folder(self, folder: Path) -> None:
        """Take an added folder out of the library; nothing in it is touched."""

        def remove(_token: CancellationToken) -> LibraryFolders:
            from services.library.folders import remove_folder

            return remove_folder(folder)

        def done(folders: LibraryFolders) -> None:
            self.folders = folders
            self.said.emit(self.tr("{0} was taken out of the library; nothing in it was changed.").format(folder))
            self.refresh()

        self._run(remove, done)

    def rename(self, session: LibrarySession, name: str) -> None:
        """Give a session that is not open a name, as its agent does."""

        def rename(_token: CancellationToken) -> Upgrade | None:
            from services.library.renaming import rename_session

            return rename_session(session.path, name)

        def done(upgrade: Upgrade | None) -> None:
            said = name_sentence(session.facts.name or "", " ".join(name.split()))
            self.said.emit(said if upgrade is None else f"{said} {shown(upgrade.message)}")
            self.refresh()

        self._run(rename, done)

    def move_to_trash(self, sessions: Sequence[LibrarySession]) -> None:
        """Move sessions to the trash of the desktop."""
        from services.library.trash import move_to_trash  # it names classes of Qt's: here, not on the worker

        def move(_token: CancellationToken) -> tuple[list[Trashed], list[str]]:
            moved: list[Trashed] = []
            failures: list[str] = []
            for session in sessions:
                try:
                    moved.append(move_to_trash(session.path, session.display_name))
                except ServiceError as error:
                    failures.append(shown(told(error)))
            return moved, failures

        def done(outcome: tuple[list[Trashed], list[str]]) -> None:
            moved, failures = outcome
            for trashed in moved:
                self.sessions.pop(trashed.path, None)
            self.changed.emit()
            if moved:
                self.trashed.emit(moved)
            if failures:
                self.failed.emit(" ".join(failures))
            self.refresh()

        self._run(move, done)

    def restore(self, trashed: Sequence[Trashed]) -> None:
        """Put sessions back from the trash."""
        from services.library.trash import restore

        def put_back(_token: CancellationToken) -> None:
            for each in trashed:
                restore(each)

        def done(_nothing: None) -> None:
            if len(trashed) == 1:
                self.said.emit(self.tr("“{0}” is back.").format(trashed[0].title))
            else:
                self.said.emit(self.tr("{0} sessions are back.").format(len(trashed)))
            self.refresh()

        self._run(put_back, done)

    def sort_dropped(self, paths: Sequence[Path], done: Callable[[tuple[list[Path], list[Path]]], None]) -> None:
        """Tell files from folders among what was dropped: `done` gets (files, folders)."""

        def sort(_token: CancellationToken) -> tuple[list[Path], list[Path]]:
            folders = [path for path in paths if path.is_dir()]
            return [path for path in paths if path not in folders], folders

        self._run(sort, done)

    def find_entry(self, path: Path, offset: int, done: Callable[[str | None], None]) -> None:
        """Find the id of an entry that has none in its file."""

        def find(_token: CancellationToken) -> str | None:
            from services.library.searching import entry_id_at

            return entry_id_at(path, offset)

        self._run(find, done)

    def _run(self, compute: Callable[[CancellationToken], T], done: Callable[[T], None]) -> None:
        """Do something of its own on a worker: a later act does not drop it."""
        if self._is_closed:
            return
        act = LatestJob(self)

        def finish(value: T) -> None:
            act.deleteLater()
            done(value)

        def fail(sentence: str) -> None:
            act.deleteLater()
            self.failed.emit(sentence)

        act.start(compute, finish, fail)
