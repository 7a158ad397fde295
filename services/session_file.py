"""Reading a file that other programs may change at any time: by position, never mapped into memory."""

from __future__ import annotations

import errno
import os
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from model.errors import NotASessionError
from model.header_scan import PADDING
from model.sentences import Sentence
from services.cancellation import CancellationToken

BLOCK_BYTES: Final = 8 << 20
LONGEST_LINE_BYTES: Final = 512 << 20  # no agent can read a longer one either
STRETCH_BYTES: Final = 1 << 20
GAP_BYTES: Final = 64 << 10
_LF: Final = 0x0A
# Without waiting: to open a pipe that nobody writes to would never end.
_OPEN_FLAGS: Final = sum(getattr(os, name, 0) for name in ("O_BINARY", "O_CLOEXEC", "O_NONBLOCK"))
NO_FILE: Final = Sentence("This is a folder or a device, not a file.")
_END_BYTES: Final = 4096  # of both ends of a file, by which it is recognised


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

    @property
    def unlinked(self) -> FileState:
        """The state but for the time at which names, owner or permissions changed."""
        return replace(self, changed_ns=0)

    def is_same_file(self, other: FileState) -> bool:
        """Whether both are states of one file (content aside)."""
        return (self.device, self.inode) == (other.device, other.inode)


@dataclass(frozen=True, slots=True)
class Signature:
    """A file as it was left: state, first bytes, and the last ones that were looked at."""

    state: FileState
    head: bytes
    tail: bytes


class SessionFile:
    """An open file, read by position from any thread. It stays readable when its name is taken away.

    Making one raises OSError, and NotASessionError for folders, pipes and devices. Reading a closed one raises OSError.
    """

    def __init__(self, path: Path) -> None:
        self._handle = -1
        self._lock = threading.Lock()
        self._readers = 0
        self._closing = False
        self._handle = os.open(path, os.O_RDONLY | _OPEN_FLAGS)
        if not stat.S_ISREG(os.fstat(self._handle).st_mode):
            self.close()
            raise NotASessionError(NO_FILE)

    def __del__(self) -> None:
        self.close()

    def state(self) -> FileState:
        """Return the state of the open file."""
        with self._reading() as handle:
            return FileState.of(os.fstat(handle))

    def signature(self, state: FileState) -> Signature:
        """Return what tells whether the bytes that the file had in `state` are still the same, if told quickly."""
        return Signature(state, self.read(0, min(state.size, _END_BYTES)), self._tail(state.size))

    def still_has(self, signature: Signature) -> bool:
        """Whether the file still begins like the one of `signature`, and has the same bytes where that one ended."""
        same_head = self.read(0, len(signature.head)) == signature.head
        return same_head and self._tail(signature.state.size) == signature.tail

    def read(self, offset: int, length: int) -> bytes:
        """Return up to `length` bytes from `offset`, fewer at the end of the file."""
        parts = []
        while length > 0 and (part := self._read_some(offset, length)):
            parts.append(part)
            offset += len(part)
            length -= len(part)
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def read_into(self, view: memoryview, offset: int) -> int:
        """Fill `view` from `offset` on and return how many bytes there were."""
        if hasattr(os, "preadv"):
            with self._reading() as handle:
                return os.preadv(handle, [view], offset)
        part = self._read_some(offset, len(view))
        view[: len(part)] = part
        return len(part)

    def close(self) -> None:
        """Close the file as soon as nobody reads from it. Safe to call twice."""
        with self._lock:
            self._closing = True
            self._close_if_idle()

    def _tail(self, size: int) -> bytes:
        start = max(0, size - _END_BYTES)
        return self.read(start, size - start)

    def _read_some(self, offset: int, length: int) -> bytes:
        with self._reading() as handle:
            if hasattr(os, "pread"):
                return os.pread(handle, length, offset)
            with self._lock:
                os.lseek(handle, offset, os.SEEK_SET)
                return os.read(handle, length)

    @contextmanager
    def _reading(self) -> Iterator[int]:
        """Keep the handle from being closed, and its number from being given to another file, while it is used."""
        with self._lock:
            if self._handle < 0 or self._closing:
                raise OSError(errno.EBADF, Sentence("the session was closed"))
            self._readers += 1
        try:
            yield self._handle
        finally:
            with self._lock:
                self._readers -= 1
                self._close_if_idle()

    def _close_if_idle(self) -> None:
        if self._closing and not self._readers and self._handle >= 0:
            os.close(self._handle)
            self._handle = -1


@dataclass(slots=True)
class Block:
    """Lines: `data[:used]` stands at offset `base` in the file, padding follows. Valid until the next block.

    Only the last block of a file may end without LF.
    """

    data: bytearray
    used: int
    base: int

    @property
    def is_whole(self) -> bool:
        """Whether the last line has its LF."""
        return self.data[self.used - 1] == _LF


@dataclass(frozen=True, slots=True)
class LongLine:
    """A line of more than LONGEST_LINE_BYTES, which is not read; `length` includes its LF."""

    offset: int
    length: int


def stretches(offsets: NDArray[np.int64], lengths: NDArray[Any]) -> Iterator[tuple[int, int, int, int]]:
    """Put lines together that are best read at once: the first of them and the one behind, their offset and length.

    A stretch has about STRETCH_BYTES, and no gap of more than GAP_BYTES in it. The lines may be in any order.
    """
    first = 0
    starts, ends = offsets.tolist(), (offsets + lengths).tolist()
    for place in range(1, len(starts) + 1):
        if (
            place == len(starts)
            or not 0 <= starts[place] - ends[place - 1] <= GAP_BYTES
            or ends[place] - starts[first] > STRETCH_BYTES
        ):
            yield first, place, starts[first], ends[place - 1] - starts[first]
            first = place


def read_lines(
    file: SessionFile,
    start: int,
    end: int,
    *,
    progress: Callable[[int, int], None] | None = None,
    token: CancellationToken | None = None,
) -> Iterator[Block | LongLine]:
    """Yield the lines between two offsets in blocks.

    A line longer than a block makes the block grow. `progress` gets bytes done and bytes in all. Raises
    OperationCancelled between blocks.
    """
    data = _block_buffer(end - start)
    held = 0  # bytes of an unfinished line at the front of `data`
    offset = start
    while True:
        if token is not None:
            token.raise_if_set()
        if held == len(data) - PADDING:
            if held >= LONGEST_LINE_BYTES:
                line = offset - held
                offset = _end_of_line(file, offset, end, token)
                data, held = _block_buffer(end - offset), 0
                yield LongLine(line, offset - line)
                continue
            longer = bytearray(min(2 * held, LONGEST_LINE_BYTES) + PADDING)
            memoryview(longer)[:held] = memoryview(data)[:held]  # a slice of the array itself would be copied twice
            data = longer
        wanted = min(len(data) - PADDING - held, end - offset)
        count = file.read_into(memoryview(data)[held : held + wanted], offset) if wanted > 0 else 0
        if not count:
            if held:
                yield Block(data, held, offset - held)
            return
        offset += count
        filled = held + count
        used = data.rfind(b"\n", held, filled) + 1
        if used:
            yield Block(data, used, offset - filled)
        held = filled - used
        view = memoryview(data)
        view[:held] = view[used:filled]
        if progress is not None:
            progress(offset - start, end - start)


def _block_buffer(size: int) -> bytearray:
    """A buffer for a block of up to `size` bytes."""
    return bytearray(min(BLOCK_BYTES, max(size, 1)) + PADDING)


def _end_of_line(file: SessionFile, offset: int, end: int, token: CancellationToken | None) -> int:
    """Return where the line ends that `offset` is in: behind its LF, or at `end`."""
    while offset < end and (data := file.read(offset, min(BLOCK_BYTES, end - offset))):
        if token is not None:
            token.raise_if_set()
        line_end = data.find(b"\n") + 1
        if line_end:
            return offset + line_end
        offset += len(data)
    return offset
