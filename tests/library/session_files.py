"""Session files for the tests of the library: written as an agent writes them, in folders of the test."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from model.json_text import JsonObject, stringify
from model.timestamps import iso_timestamp

SAMPLES = Path(__file__).parents[1] / "sessions"
START_MS = 1_770_105_600_000  # 2026-02-03T08:00:00Z


class SessionFile:
    """Writes one session: entries e0, e1, ... in a chain unless a parent is named."""

    def __init__(
        self,
        path: Path,
        *,
        id: str = "01900000-0000-7000-8000-000000000001",
        cwd: str = "/home/dev/project",
        start_ms: int = START_MS,
        prefix: str = "e",
        **header: Any,
    ) -> None:
        self.path = path
        self._prefix = prefix
        self._time = start_ms
        self._last: str | None = None
        self._count = 0
        path.parent.mkdir(parents=True, exist_ok=True)
        named = {"type": "session", "version": 3, "id": id, "timestamp": iso_timestamp(start_ms), "cwd": cwd, **header}
        self.path.write_bytes(_line(named))

    @property
    def last_id(self) -> str:
        """The id of the last entry."""
        assert self._last is not None
        return self._last

    def add(self, type: str, *, parent: str | None = None, **fields: Any) -> SessionFile:
        """Append an entry."""
        id = f"{self._prefix}{self._count:07x}"
        self._count += 1
        self._time += 60_000
        entry = {
            "type": type,
            "id": id,
            "parentId": parent or self._last,
            "timestamp": iso_timestamp(self._time),
            **fields,
        }
        return self.append(entry)

    def append(self, entry: JsonObject) -> SessionFile:
        """Append an entry as it is."""
        with self.path.open("ab") as file:
            file.write(_line(entry))
        self._last = entry.get("id", self._last)
        return self

    def user(self, text: str, **fields: Any) -> SessionFile:
        """Append a question."""
        return self.add("message", message={"role": "user", "content": text, "timestamp": self._time}, **fields)

    def assistant(
        self, text: str, cost: float = 0.25, tokens: int = 1000, reply: str | None = None, **fields: Any
    ) -> SessionFile:
        """Append an answer with usage; `reply` is the provider's id of it."""
        usage = {
            "input": tokens - 100, "output": 100, "cacheRead": 0, "cacheWrite": 0, "totalTokens": tokens,
            "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": cost},
        }  # fmt: skip
        message = {
            "role": "assistant", "content": [{"type": "text", "text": text}], "api": "a", "provider": "p", "model": "m",
            "usage": usage, "stopReason": "stop", "timestamp": self._time,
        }  # fmt: skip
        if reply is not None:
            message["responseId"] = reply
        return self.add("message", message=message, **fields)

    def output(self, text: str, **fields: Any) -> SessionFile:
        """Append a tool's result."""
        content = [{"type": "text", "text": text}]
        message = {"role": "toolResult", "toolCallId": "c", "toolName": "bash", "content": content, "isError": False}
        return self.add("message", message=message, **fields)

    def age(self, seconds: float) -> SessionFile:
        """Make the file look as if it had been changed that long ago."""
        status = self.path.stat()
        os.utime(self.path, ns=(status.st_atime_ns, status.st_mtime_ns - int(seconds * 1e9)))
        return self


def _line(value: JsonObject) -> bytes:
    return stringify(value).encode() + b"\n"


def state_of(folder: Path) -> dict[str, tuple[int, int]]:
    """What is in a folder, to see that nothing in it was touched."""
    found = sorted(folder.rglob("*"))
    return {str(path): (path.lstat().st_mtime_ns, path.lstat().st_size) for path in found}
