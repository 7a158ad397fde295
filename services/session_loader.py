"""Opening a session in the background: the end of the file at once, then all of it, then its measures."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QThread, Signal

from model.dialects import Dialect
from model.errors import RefusedError
from model.sentences import Sentence, told
from services.cancellation import CancellationToken, OperationCancelled
from services.system_errors import os_reason
from services.worker_turns import WORKERS

if TYPE_CHECKING:
    from services.session_store import SessionStore

log = logging.getLogger(__name__)

TAIL_FIRST_BYTES: Final = 4 << 20  # smaller files are read whole before a first row could be painted


class SessionLoader(QThread):
    """Opens one session file on its own thread: `start()` it, `stop()` it early, `wait()` for it.

    Signals: `snapshot` (SessionStore), for files over TAIL_FIRST_BYTES first a partial store of the last entries, then
    the complete one; `progress` (bytes done, bytes in all), first of reading, then of measuring; and at the end exactly
    one of `measured` (the complete SessionStore), `failed` (a sentence) and `stopped`. Whoever receives a store closes
    it.
    """

    snapshot = Signal(object)
    progress = Signal(object, object)
    measured = Signal(object)
    failed = Signal(object)
    stopped = Signal()

    def __init__(self, path: Path, owner: QObject | None = None, *, dialect: Dialect | None = None) -> None:
        super().__init__(owner)
        self.path = Path(path)
        self._dialect = dialect
        self._token = CancellationToken()

    def stop(self) -> None:
        """Stop reading at the next block. `stopped` is sent unless the end was reached before."""
        self._token.cancel()

    @property
    def is_stopping(self) -> bool:
        """Whether it was told to stop."""
        return self._token.is_set()

    def run(self) -> None:
        """Work of the thread."""
        try:
            with WORKERS:
                store = self._load()
            self.measured.emit(store)
        except OperationCancelled:
            self.stopped.emit()
        except RefusedError as error:
            self.failed.emit(told(error))
        except FileNotFoundError:
            self.failed.emit(Sentence("The file does not exist."))
        except OSError as error:
            self.failed.emit(Sentence("The file cannot be read: {0}.", os_reason(error)))
        except Exception:
            log.exception("loading %s failed", self.path)
            self.failed.emit(Sentence("The session could not be opened; see the log."))

    def _load(self) -> SessionStore:
        from services.saved_indexes import SavedIndexes  # numpy takes its time: not before the first paint
        from services.session_store import SessionStore

        self._token.raise_if_set()
        if self.path.stat().st_size > TAIL_FIRST_BYTES:
            tail = SessionStore.open_tail(self.path, dialect=self._dialect)
            if tail is not None:
                self.snapshot.emit(tail)
        saved = SavedIndexes()
        store = SessionStore.open(
            self.path, progress=self._report, token=self._token, dialect=self._dialect, saved=saved
        )
        self.snapshot.emit(store)
        if not store.index.measured:
            store.measure(self._report, self._token)
            store.save_index(saved)
        return store

    def _report(self, done: int, total: int) -> None:
        self.progress.emit(done, total)
