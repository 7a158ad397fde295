"""Appending to a file in one write, or not at all.

Source: session-format spec, SF-11.1; tree-navigation spec, TN-10.
"""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path

from model.sentences import Sentence
from services.disk import DISK, Disk


def append_bytes(path: Path, data: bytes, *, durable: bool, disk: Disk = DISK) -> None:
    """Append `data` to an existing file with one write; with `durable`, wait until it is on the medium.

    Raises OSError; then the file is as it was: what had been written of `data` is cut off again, unless another program
    has appended behind it, or the cutting fails as well. Never creates the file.
    """
    flags = os.O_RDWR | os.O_APPEND | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    handle = os.open(path, flags)
    try:
        size = os.fstat(handle).st_size
        try:
            written = disk.write(handle, data)
            if written < len(data):
                raise OSError(errno.ENOSPC, Sentence("only a part could be written; the disk may be full"))
            if durable:
                disk.sync(handle)
        except OSError:
            with suppress(OSError):
                _take_back(handle, data, size, disk)
            raise
    finally:
        os.close(handle)


def _take_back(handle: int, data: bytes, size: int, disk: Disk) -> None:
    """Cut off what was written of `data` to a file that had `size` bytes, if nothing else stands behind `size`."""
    grown = os.fstat(handle).st_size - size
    if not 0 < grown <= len(data):
        return
    os.lseek(handle, size, os.SEEK_SET)
    if os.read(handle, grown) == data[:grown] and os.fstat(handle).st_size == size + grown:
        disk.truncate(handle, size)
