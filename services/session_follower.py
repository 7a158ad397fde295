"""Following an open session: what other programs append shows up by itself."""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QFileSystemWatcher, QObject, QThread, Signal

if TYPE_CHECKING:
    from services.session_store import SessionStore

log = logging.getLogger(__name__)

CHECK_INTERVAL_S: Final = 0.5  # a look at the file even without a notification, which may get lost
COALESCE_S: Final = 0.05  # at most 20 changes a second


class SessionFollower(QThread):
    """Watches the file of a store and takes in what changes, on its own thread.

    Started with `start()`, ended with `stop()` and `wait()`. Signal: `changed` (StoreChange), never for nothing.
    """

    changed = Signal(object)

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
        """Look at the file now."""
        self._wake.set()

    def stop(self) -> None:
        """End the thread at its next turn; `wait()` joins it."""
        self._stopping.set()
        self._wake.set()

    def run(self) -> None:
        """Work of the thread."""
        while not self._stopping.is_set():
            self._wake.wait(CHECK_INTERVAL_S)
            self._wake.clear()
            if self._stopping.is_set():
                return
            try:
                change = self._store.changes()
            except Exception:
                log.exception("following failed")
                continue
            if change.kind != "none":
                self.changed.emit(change)
            self._stopping.wait(COALESCE_S)

    def _notice(self, _path: str) -> None:
        self._watch()
        self._wake.set()

    def _watch(self) -> None:
        """Watch file and folder; a file that was replaced has to be added again."""
        path = self._store.path
        wanted = {str(path), str(path.parent)}
        missing = wanted - set(self._watcher.files()) - set(self._watcher.directories())
        present = [name for name in missing if name != str(path) or path.exists()]
        if present:
            self._watcher.addPaths(present)
