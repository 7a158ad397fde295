"""The few system calls that change a session file, in one place, so that tests can make each of them fail."""

from __future__ import annotations

import os
import sys
from pathlib import Path


class Disk:
    """The real disk. Every method that changes something raises OSError when it fails."""

    def may_write(self, path: Path) -> bool:
        """Whether the system lets us write to a file, or make files in a folder; nothing is written to find out."""
        return os.access(path, os.W_OK)

    def write(self, handle: int, data: bytes | memoryview) -> int:
        """Write some bytes at the handle's place (its end, in append mode); return how many were written."""
        return os.write(handle, data)

    def sync(self, handle: int) -> None:
        """Wait until what was written is on the medium."""
        os.fsync(handle)

    def truncate(self, handle: int, size: int) -> None:
        """Cut the file off."""
        os.ftruncate(handle, size)

    def link(self, path: Path, other: Path) -> None:
        """Give the file a second name, which must be free."""
        os.link(path, other)

    def replace(self, path: Path, other: Path) -> None:
        """Rename `path` to `other` in one step, whatever `other` was."""
        os.replace(path, other)

    def sync_folder(self, folder: Path) -> None:
        """Wait until the names in a folder are on the medium, where the system knows how."""
        if sys.platform == "win32":
            return
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


DISK = Disk()
