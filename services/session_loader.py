"""Opening a session in the background: the end of the file at once, then all of it, then its measures."""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QObject, QThread, Signal

from model.errors import RefusedError
from services.cancellation import CancellationToken, OperationCancelled

log = logging.getLogger(__name__)

TAIL_FIRST_BYTES: Final = 4 << 20  # smaller files are read whole before the first row could be painted
_SWITCH_INTERVAL_S: Final = 0.0005  # how long the reading thread may keep the window waiting for the interpreter


class SessionLoader(QThread):
    """Opens one session file on its own thread; started with `start()`, joined with `wait()`.

    Signals: `snapshot` (SessionStore), for files over TAIL_FIRST_BYTES first a partial store of the last entries, then
    the complete one; `measured` (the complete SessionStore); `progress` (bytes done, bytes in all); and exactly one of
    `measured`, `failed` (a sentence) and `stopped` at the end. Whoever receives a store closes it.
    """

    snapshot = Signal(object)
    measured = Signal(object)
    progress = Signal(object, object)
    failed = Signal(str)
    stopped = Signal()

    def __init__(self, path: Path, owner: QObject | None = None, *, dialect: Any = None) -> None:
        super().__init__(owner)
        self.path = Path(path)
        self._dialect = dialect
        self._token = CancellationToken()

    def stop(self) -> None:
        """Stop reading. `stopped` is sent unless the end was reached before."""
        self._token.cancel()

    def run(self) -> None:
        """Work of the thread."""
        sys.setswitchinterval(min(sys.getswitchinterval(), _SWITCH_INTERVAL_S))
        try:
            self._load()
        except OperationCancelled:
            self.stopped.emit()
        except (RefusedError, OSError) as error:
            self.failed.emit(_sentence(error))
        except Exception:
            log.exception("loading failed")
            self.failed.emit("The session could not be opened; see the log.")

    def _load(self) -> None:
        from services.session_store import SessionStore  # not before the first paint: numpy takes its time

        if self.path.stat().st_size > TAIL_FIRST_BYTES:
            tail = SessionStore.open_tail(self.path, dialect=self._dialect)
            if tail is not None:
                self.snapshot.emit(tail)
        store = SessionStore.open(self.path, progress=self._report, token=self._token, dialect=self._dialect)
        self.snapshot.emit(store)
        store.measure(self._report, self._token)
        self.measured.emit(store)

    def _report(self, done: int, total: int) -> None:
        self.progress.emit(done, total)


def _sentence(error: Exception) -> str:
    if isinstance(error, FileNotFoundError):
        return "The file does not exist."
    if isinstance(error, OSError):
        return f"The file cannot be read: {error.strerror or error}."
    return str(error)
