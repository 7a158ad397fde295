"""Reading a file that other programs may change at any time: by position, never mapped into memory."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from model.header_scan import PADDING
from services.cancellation import CancellationToken

BLOCK_BYTES: Final = 8 << 20
_END_BYTES: Final = 4096  # of the file's end, remembered to recognise the file again


@dataclass(frozen=True, slots=True)
class FileState:
    """What is compared to find out whether a file is still the one that was read."""

    device: int
    inode: int
    size: int
    modified_ns: int
    changed_ns: int

    @classmethod
    def of(cls, status: os.stat_result) -> FileState:
        """Return the state that a stat call shows."""
        return cls(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)

    def is_same_file(self, other: FileState) -> bool:
        """Whether both are states of one file (content aside)."""
        return (self.device, self.inode) == (other.device, other.inode)


class SessionFile:
    """An open file, read by position from any thread. It stays readable when its name is taken away."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._handle = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0))
        self._lock = threading.Lock()

    def state(self) -> FileState:
        """Return the state of the open file."""
        return FileState.of(os.fstat(self._handle))

    def read(self, offset: int, length: int) -> bytes:
        """Return up to `length` bytes from `offset`, fewer at the end of the file."""
        parts = []
        while length > 0:
            part = self._read_some(offset, length)
            if not part:
                break
            parts.append(part)
            offset += len(part)
            length -= len(part)
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def _read_some(self, offset: int, length: int) -> bytes:
        if hasattr(os, "pread"):
            return os.pread(self._handle, length, offset)
        with self._lock:
            os.lseek(self._handle, offset, os.SEEK_SET)
            return os.read(self._handle, length)

    def read_into(self, view: memoryview, offset: int) -> int:
        """Fill `view` from `offset` on and return how many bytes there were."""
        if hasattr(os, "preadv"):
            return os.preadv(self._handle, [view], offset)
        part = self._read_some(offset, len(view))
        view[: len(part)] = part
        return len(part)

    def close(self) -> None:
        """Close the file. Safe to call twice."""
        handle, self._handle = self._handle, -1
        if handle >= 0:
            os.close(handle)


@dataclass(slots=True)
class Block:
    """Lines: `data[:used]` stands at offset `base` in the file, padding follows. Valid until the next block."""

    data: bytearray
    used: int
    base: int


def read_lines(
    file: SessionFile,
    start: int,
    end: int,
    *,
    block_bytes: int = BLOCK_BYTES,
    progress: Callable[[int, int], None] | None = None,
    token: CancellationToken | None = None,
) -> Iterator[Block]:
    """Yield the lines between two offsets in blocks; the last block may end without LF.

    A line longer than a block makes the block grow. `progress` gets bytes done and bytes in all. Raises
    OperationCancelled between blocks.
    """
    data = bytearray(min(block_bytes, max(end - start, 1)) + PADDING)
    held = 0  # bytes of an unfinished line at the front of `data`
    offset = start
    while True:
        if token is not None:
            token.raise_if_set()
        room = len(data) - PADDING
        if held == room:
            data = data[:held] + bytearray(room + PADDING)
            room = len(data) - PADDING
        with memoryview(data) as view:
            wanted = min(room - held, end - offset)
            count = file.read_into(view[held : held + wanted], offset) if wanted > 0 else 0
        offset += count
        filled = held + count
        if not count:
            if held:
                yield Block(data, held, offset - held)
            return
        used = data.rfind(b"\n", held, filled) + 1
        if used:
            yield Block(data, used, offset - filled)
        held = filled - used
        data[:held] = data[used:filled]
        if progress is not None:
            progress(offset - start, end - start)
