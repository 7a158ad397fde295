"""Where the user was in each session, between two runs of the program (TN-11). A broken file is an empty one."""

import json
import logging
import os
import threading
from pathlib import Path
from typing import Final

log = logging.getLogger(__name__)

MOST_KEPT: Final = 500  # sessions


class FilePositions:
    """Positions by session id in a small file of ours, those of the last sessions that were worked with."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._lock = threading.Lock()

    def recall(self, session_id: str) -> tuple[str | None, int] | None:
        """Return the leaf that was left and the number of entries of then, None when nothing is known."""
        match self._read().get(session_id):
            case [str() | None as leaf_id, int() as entry_count]:
                return leaf_id, entry_count
        return None

    def remember(self, session_id: str, leaf_id: str | None, entry_count: int) -> None:
        """Keep a position. A file that can't be written is only logged: nobody's work depends on it."""
        with self._lock:
            positions = self._read()
            positions.pop(session_id, None)
            positions[session_id] = [leaf_id, entry_count]
            kept = dict(list(positions.items())[-MOST_KEPT:])
            temporary = self._file.with_suffix(f".{os.getpid()}.tmp")
            try:
                self._file.parent.mkdir(parents=True, exist_ok=True)
                temporary.write_text(json.dumps(kept), encoding="utf-8")
                temporary.replace(self._file)
            except OSError as error:
                log.warning("the position was not kept: %s", error)

    def _read(self) -> dict[str, object]:
        try:
            found = json.loads(self._file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}


class WriteBehindPositions:
    """Positions that are written a moment later on a thread of their own, so that moving waits for no disk.

    The thread ends when nothing is left to write; the program does not end before that.
    """

    def __init__(self, positions: FilePositions) -> None:
        self._positions = positions
        self._lock = threading.Lock()
        self._waiting: dict[str, tuple[str | None, int]] = {}
        self._writer: threading.Thread | None = None

    def recall(self, session_id: str) -> tuple[str | None, int] | None:
        """Return what `FilePositions.recall` does, with what is still to be written."""
        with self._lock:
            waiting = self._waiting.get(session_id)
        return waiting or self._positions.recall(session_id)

    def remember(self, session_id: str, leaf_id: str | None, entry_count: int) -> None:
        """Keep a position; returns at once."""
        with self._lock:
            self._waiting[session_id] = (leaf_id, entry_count)
            if self._writer is None:
                self._writer = threading.Thread(target=self._write, name="positions")
                self._writer.start()

    def settle(self) -> None:
        """Wait until all is written."""
        if (writer := self._writer) is not None:
            writer.join()

    def _write(self) -> None:
        while True:
            with self._lock:
                if not self._waiting:
                    self._writer = None
                    return
                waiting = dict(self._waiting)
            for session_id, (leaf_id, entry_count) in waiting.items():
                self._positions.remember(session_id, leaf_id, entry_count)
            with self._lock:
                for session_id, position in waiting.items():
                    if self._waiting.get(session_id) == position:
                        del self._waiting[session_id]
