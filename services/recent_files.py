"""The session files that were opened last."""

from __future__ import annotations

import json
import logging
import os
from pathlib import Path

from services.demo import is_demo

log = logging.getLogger(__name__)

MOST_KEPT = 20


class RecentFiles:
    """A list of paths in a small file of ours, newest first. A lost or broken list is an empty one."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def paths(self) -> list[Path]:
        """Return the files that still exist, newest first."""
        return [path for path in self._read() if path.is_file()]

    def add(self, path: Path) -> None:
        """Put `path` in front, unless it is a demo.

        A list that cannot be written is only logged: nobody's work depends on it.
        """
        if is_demo(path):
            return
        kept = [path, *(other for other in self._read() if other != path)][:MOST_KEPT]
        temporary = self._file.with_suffix(f".{os.getpid()}.tmp")
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            temporary.write_text(json.dumps([str(each) for each in kept]), "utf-8")
            temporary.replace(self._file)
        except OSError as error:
            log.warning("recent files not saved: %s", error)

    def _read(self) -> list[Path]:
        try:
            found = json.loads(self._file.read_text("utf-8"))
        except (OSError, ValueError):
            return []
        return [Path(each) for each in found if isinstance(each, str)] if isinstance(found, list) else []
