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
