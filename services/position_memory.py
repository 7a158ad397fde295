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
    """Positions in a small file of ours, by `session_key`: those of the last sessions that were worked with."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._lock = threading.Lock()

    def recall(self, key: str, earlier_key: str = "") -> tuple[str | None, int] | None:
        """Return the leaf that was left and the number of entries of then, None when nothing is known.

        What is only known by `earlier_key` is known by `key` from now on, and by that alone.
        """
        positions = self._read()
        found = _position(positions.get(key))
        if found is None and earlier_key and (found := _position(positions.get(earlier_key))) is not None:
            self.remember(key, *found, instead_of=earlier_key)
        return found

    def remember(self, key: str, leaf_id: str | None, entry_count: int, *, instead_of: str = "") -> None:
        """Keep a position, and forget another one. A file that can't be written is only logged."""
        with self._lock:
            positions = self._read()
            for old in (key, instead_of):
                positions.pop(old, None)
            positions[key] = [leaf_id, entry_count]
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


def _position(value: object) -> tuple[str | None, int] | None:
    match value:
        case [str() | None as leaf_id, int() as entry_count]:
            return leaf_id, entry_count
    return None


class WriteBehindPositions:
    """Positions that are written a moment later on a thread of their own, so that moving waits for no disk.

    The thread ends when nothing is left to write; the program does not end before that.
    """

    def __init__(self, positions: FilePositions) -> None:
        self._positions = positions
        self._lock = threading.Lock()
        self._waiting: dict[str, tuple[str | None, int]] = {}
        self._writer: threading.Thread | None = None

    def recall(self, key: str, earlier_key: str = "") -> tuple[str | None, int] | None:
        """Return what `FilePositions.recall` does, with what is still to be written."""
        with self._lock:
            waiting = self._waiting.get(key)
        return waiting or self._positions.recall(key, earlier_key)

    def remember(self, key: str, leaf_id: str | None, entry_count: int) -> None:
        """Keep a position; returns at once."""
        with self._lock:
            self._waiting[key] = (leaf_id, entry_count)
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
            for key, (leaf_id, entry_count) in waiting.items():
                self._positions.remember(key, leaf_id, entry_count)
            with self._lock:
                for key, position in waiting.items():
                    if self._waiting.get(key) == position:
                        del self._waiting[key]
