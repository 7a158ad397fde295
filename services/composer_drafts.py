"""What was typed in the composer and not sent, by session: it comes back after a crash or the next start."""

from __future__ import annotations

import hashlib
import logging
import os
import threading
from contextlib import suppress
from pathlib import Path
from typing import Final

log = logging.getLogger(__name__)

MOST_CHARACTERS: Final = 1_000_000


class ComposerDrafts:
    """One small file for each session with unsent text, in a folder of ours. Nobody's work depends on it.

    `key` is a `session_key`. Saving may be called from any thread; of two texts for one session the later one counts.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._newest: dict[str, int] = {}
        self._count = 0

    def recall(self, key: str, earlier_key: str = "") -> str:
        """Return the unsent text of a session, empty when there is none.

        What is only kept under `earlier_key` is kept under `key` from now on, and under that alone.
        """
        if earlier_key:
            self._take_over(key, earlier_key)
        try:
            return self._file(key).read_text(encoding="utf-8", errors="surrogatepass")
        except (OSError, ValueError):
            return ""

    def _take_over(self, key: str, earlier_key: str) -> None:
        with self._lock, suppress(OSError):
            if not self._file(key).exists():
                self._file(earlier_key).replace(self._file(key))

    def ticket(self, key: str) -> int:
        """Return a number for `save`: only the text with the newest one is written."""
        with self._lock:
            self._count += 1
            self._newest[key] = self._count
            return self._count

    def save(self, key: str, text: str, ticket: int) -> None:
        """Keep the text of a session; a blank one is forgotten. Blocking; a failure is only logged."""
        with self._lock:
            if self._newest.get(key) != ticket:
                return
            file = self._file(key)
            try:
                if not text.strip():
                    file.unlink(missing_ok=True)
                    return
                self._folder.mkdir(parents=True, exist_ok=True)
                temporary = file.with_suffix(f".{os.getpid()}.tmp")
                temporary.write_text(text[:MOST_CHARACTERS], encoding="utf-8", errors="surrogatepass")
                temporary.replace(file)
            except OSError as error:
                log.warning("unsent text was not kept: %s", error)

    def _file(self, key: str) -> Path:
        return self._folder / (hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:32] + ".txt")
