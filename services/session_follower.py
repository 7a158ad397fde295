"""Following an open session: what other programs append shows up by itself."""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QFileSystemWatcher, QObject, QThread, Signal

if TYPE_CHECKING:
    from services.session_store import SessionStore

log = logging.getLogger(__name__)

CHECK_INTERVAL_S: Final = 0.5  # between two looks without a notification: those can get lost
PAUSE_S: Final = 0.05  # behind a change, so that at most 20 are told in a second


class SessionFollower(QThread):
    """Watches the file of a store and takes in what changes, on its own thread.

    Started with `start()`, ended with `stop()` and `wait()`. Signal: `changed` (StoreChange), never for nothing; what
    somebody else made the store notice is told as well. `access_changed` when the file may be changed that could not be
    before, or the other way round.
    """

    changed = Signal(object)
    access_changed = Signal()

    def __init__(self, store: SessionStore, owner: QObject | None = None) -> None:
        super().__init__(owner)
        self._store = store
        self._wake = threading.Event()
        self._stopping = threading.Event()
        self._watcher = QFileSystemWatcher(self)
        self._watcher.fileChanged.connect(self._notice)
        self._watcher.directoryChanged.connect(self._notice)
        self._watch()

    def check(self) -> None:
        """Have a look at the file now."""
        self._wake.set()

    def stop(self) -> None:
        """End the thread at its next turn."""
        self._stopping.set()
        self._wake.set()

    def run(self) -> None:
        """Work of the thread."""
        failing = False
        read_only = self._store.read_only
        while not self._stopping.is_set():
            self._wake.wait(CHECK_INTERVAL_S)
            self._wake.clear()
            if self._stopping.is_set():
                return
            try:
                change = self._store.changes()
            except Exception:
                if not failing:
                    log.exception("following %s failed", self._store.path)
                failing = True
                continue
            failing = False
            if self._store.read_only != read_only:
                read_only = self._store.read_only
                self.access_changed.emit()
            if change.kind != "none":
                self.changed.emit(change)
                self._stopping.wait(PAUSE_S)

    def _notice(self, _path: str) -> None:
        self._watch()
        self._wake.set()

    def _watch(self) -> None:
        """Watch file and folder; a file that was replaced has to be added again."""
        path = self._store.path
        wanted = {str(path), str(path.parent)} if path.exists() else {str(path.parent)}
        if missing := wanted - {*self._watcher.files(), *self._watcher.directories()}:
            self._watcher.addPaths(sorted(missing))
