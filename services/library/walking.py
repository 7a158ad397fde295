"""Finding session files: all `*.jsonl` below some folders, whatever else is there.

Folders that cannot be read are told, not raised; links that lead back are followed once.
Source: session-format spec, SF-13.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from model.interruptions import interruptibly
from services.cancellation import CancellationToken
from services.library.sessions import Stamp
from services.system_errors import os_reason

SESSION_SUFFIX: Final = ".jsonl"


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A session file, as far as its name tells."""

    path: Path
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class FolderProblem:
    """A folder that could not be read, and why."""

    path: Path
    reason: str
    is_missing: bool = False


@dataclass(slots=True)
class Walk:
    """One walk through folders; `problems` is complete when `files()` has ended."""

    folders: Sequence[Path]
    problems: list[FolderProblem] = field(default_factory=list)
    _seen_folders: set[tuple[int, int]] = field(default_factory=set)
    _seen_files: set[str] = field(default_factory=set)

    def files(self, token: CancellationToken | None = None) -> Iterator[list[FoundFile]]:
        """Yield the session files of each folder, newest first; a file with two names only once.

        Raises OperationCancelled.
        """
        pending = [os.fspath(folder) for folder in reversed(self.folders)]
        while pending:
            if token is not None:
                token.raise_if_set()
            files, folders = self._list(pending.pop())
            pending += sorted(folders, reverse=True)
            if files:
                yield sorted(files, key=lambda file: file.stamp.modified_ns, reverse=True)

    def is_blocked(self, path: Path) -> bool:
        """Whether a file lies below a folder that could not be read, so that it may still be there."""
        blocked = {problem.path for problem in self.problems}
        return bool(blocked) and any(parent in blocked for parent in path.parents)

    def _list(self, folder: str) -> tuple[list[FoundFile], list[str]]:
        files: list[FoundFile] = []
        folders: list[str] = []
        try:
            status = os.stat(folder)
            if (key := (status.st_dev, status.st_ino)) in self._seen_folders:
                return files, folders
            self._seen_folders.add(key)
            with os.scandir(folder) as entries:
                for entry in interruptibly(entries):
                    self._take(entry, files, folders)
        except OSError as error:
            reason = os_reason(error)
            self.problems.append(FolderProblem(Path(folder), reason, isinstance(error, FileNotFoundError)))
        return files, folders

    def _take(self, entry: os.DirEntry[str], files: list[FoundFile], folders: list[str]) -> None:
        try:
            if entry.is_dir():
                folders.append(entry.path)
            elif entry.name.endswith(SESSION_SUFFIX):
                status = os.stat(entry.path)
                stamp = Stamp.of(status)
                if stat.S_ISREG(status.st_mode) and stamp.identity not in self._seen_files:
                    self._seen_files.add(stamp.identity)
                    files.append(FoundFile(Path(entry.path), stamp))
        except OSError:
            return  # a link to nowhere, or gone already
