"""Noticing that sessions came, grew, were renamed or went, without reading any.

Notifications of the system only wake the look at names and stamps, which happens now and then anyway: they can get
lost, and only some folders and files are watched, since a system allows so many.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QFileSystemWatcher, QObject, QThread, Signal

from services.cancellation import CancellationToken, OperationCancelled
from services.library.sessions import Stamp
from services.library.walking import Walk

log = logging.getLogger(__name__)

CHECK_EVERY_S: Final = 4.0  # without a notification
LEAST_PAUSE_S: Final = 0.7  # between two looks
MOST_FOLDERS: Final = 48
MOST_FILES: Final = 16
_SHARE_OF_CHECKS: Final = 100  # a look takes at most so small a part of the time
_SHARE: Final = 20  # also where one notification follows the other


class LibraryWatch(QThread):
    """Looks at the names and stamps of the files below some folders, on its own thread.

    Started with `start()`, ended with `stop()` and `wait()`. Signal: `changed` when the files are not those that were
    told (`know`) or noticed last.
    """

    changed = Signal()
    _to_watch = Signal(object)  # paths, as text

    def __init__(self, owner: QObject | None = None) -> None:
        super().__init__(owner)
        self._token = CancellationToken()
        self._wake = threading.Event()
        self._lock = threading.Lock()
        self._folders: tuple[Path, ...] = ()
        self._files: Mapping[Path, Stamp] = {}
        self._watcher = QFileSystemWatcher(self)
        self._watcher.fileChanged.connect(self._notice)
        self._watcher.directoryChanged.connect(self._notice)
        self._to_watch.connect(self._watch)

    @property
    def watched(self) -> list[str]:
        """The folders and files for which notifications were asked."""
        return [*self._watcher.directories(), *self._watcher.files()]

    def know(self, folders: Sequence[Path], files: Mapping[Path, Stamp]) -> None:
        """Take note of where to look, and of which files are known. From any thread."""
        with self._lock:
            self._folders, self._files = tuple(folders), files
        self._wake.set()

    def check(self) -> None:
        """Look now."""
        self._wake.set()

    def stop(self) -> None:
        """End the thread at its next turn."""
        self._token.cancel()
        self._wake.set()

    def run(self) -> None:
        """Work of the thread."""
        cost_s = 0.0
        while True:
            self._wake.wait(max(CHECK_EVERY_S, cost_s * _SHARE_OF_CHECKS))
            self._wake.clear()
            began_s = time.monotonic()
            try:
                self._look()
            except OperationCancelled:
                return
            except Exception:
                log.exception("the library could not be looked at")
            cost_s = time.monotonic() - began_s
            if self._token.wait(max(LEAST_PAUSE_S, cost_s * _SHARE)):
                return

    def _look(self) -> None:
        self._token.raise_if_set()
        with self._lock:
            folders, known = self._folders, self._files
        if not folders:
            return
        walk = Walk(folders)
        files = {file.path: file.stamp for found in walk.files(self._token) for file in found}
        unreadable = {problem.path for problem in walk.problems}
        self._to_watch.emit(_most_active([folder for folder in folders if folder not in unreadable], files))
        missed = known.keys() - files.keys()
        if any(not walk.is_blocked(path) for path in missed) or any(
            known.get(path) != stamp for path, stamp in files.items()
        ):
            with self._lock:
                is_news = self._files is known  # nothing was told meanwhile
                if is_news:
                    self._files = files
            if is_news:
                self.changed.emit()
            else:
                self._wake.set()

    def _notice(self, _path: str) -> None:
        self._wake.set()

    def _watch(self, paths: set[str]) -> None:
        """Ask for notifications about `paths` alone; a file that was replaced has to be added again."""
        watched = set(self.watched)
        if dropped := watched - paths:
            self._watcher.removePaths(sorted(dropped))
        if fresh := paths - watched:
            self._watcher.addPaths(sorted(fresh))


def _most_active(folders: Sequence[Path], files: Mapping[Path, Stamp]) -> set[str]:
    """The folders and files in which most is to be expected: where something was written last."""
    newest = sorted(files, key=lambda path: files[path].modified_ns, reverse=True)
    parents = dict.fromkeys([*folders, *(path.parent for path in newest)])
    return {str(path) for path in [*list(parents)[:MOST_FOLDERS], *newest[:MOST_FILES]]}
