"""The decoded entries that were asked for last; all others are decoded when they are wanted."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Final

from model.json_text import JsonObject

MOST_ENTRIES: Final = 512
MOST_BYTES: Final = 32 << 20  # of the lines that they were decoded from

Key = tuple[int, int]  # generation of the index, and row


class EntryCache:
    """Keeps the entries used last, up to MOST_ENTRIES of MOST_BYTES; the last one always. For any thread."""

    def __init__(self) -> None:
        self._entries: OrderedDict[Key, tuple[JsonObject, int]] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: Key) -> JsonObject | None:
        """Return an entry, None when it is not kept."""
        with self._lock:
            if (found := self._entries.get(key)) is None:
                return None
            self._entries.move_to_end(key)
            return found[0]

    def put(self, key: Key, entry: JsonObject, line_bytes: int) -> None:
        """Keep an entry that was decoded from a line of so many bytes."""
        with self._lock:
            if key in self._entries:
                return
            self._entries[key] = entry, line_bytes
            self._bytes += line_bytes
            while len(self._entries) > 1 and (len(self._entries) > MOST_ENTRIES or self._bytes > MOST_BYTES):
                _, (_, size) = self._entries.popitem(last=False)
                self._bytes -= size
