"""One writer among the instances of this program: the second one is told.

Agents do not lock their files, so this keeps out only other instances of ours. A lock is a file in the user's state
folder, never beside the session; it is taken at the first change and held until the session is closed, and the system
releases it when the process dies.
"""

from __future__ import annotations

import hashlib
import logging
import os
from pathlib import Path
from typing import Final

from services.app_folders import state_folder
from services.store_errors import SessionLockedError

log = logging.getLogger(__name__)

PATIENCE_S: Final = 2.0  # for an instance that writes one entry and ends, as commands do


class SessionLock:
    """The right to change one session file, whatever name leads to it."""

    def __init__(self, session: Path, folder: Path | None = None) -> None:
        from filelock import FileLock

        name = hashlib.sha256(os.fsencode(session.resolve())).hexdigest()[:32]
        self._path = (folder or state_folder() / "locks") / f"{name}.lock"
        self._lock = FileLock(self._path, timeout=0, thread_local=False)

    @property
    def is_held(self) -> bool:
        """Whether this instance may change the session."""
        return self._lock.is_locked

    def acquire(self) -> None:
        """Take the lock if it isn't held yet. Blocking; raises SessionLockedError when another instance keeps it."""
        from filelock import Timeout

        if self._lock.is_locked:
            return
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._lock.acquire(timeout=PATIENCE_S)
        except Timeout:
            raise SessionLockedError from None
        except OSError:  # no state folder: better to work without than not at all
            log.warning("no lock for this session", exc_info=True)

    def release(self) -> None:
        """Give the lock back."""
        self._lock.release()
