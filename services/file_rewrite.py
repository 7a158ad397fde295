"""Replacing a whole file in one step, keeping the original beside it.

Source: session-format spec, SF-1.4, SF-8, SF-11.3.
"""

from __future__ import annotations

import errno
import logging
import os
import shutil
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from services.disk import DISK, Disk
from services.session_file import FileState

log = logging.getLogger(__name__)

_TEMPORARY: Final = ".branchwork-{0}.tmp"


class FileChangedError(Exception):
    """The file is no longer the one that was read; nothing was replaced."""


def rewrite_file(
    path: Path, chunks: Iterable[bytes], *, expected: FileState, backup_suffix: str, disk: Disk = DISK
) -> Path:
    """Replace the contents of a file by `chunks` and return where the original is kept.

    The new file is written beside the old one, synced and renamed over it. Permissions are kept, and symbolic links
    followed to the file that they mean. Lines that another program appends while this happens are taken over. Raises
    FileChangedError when the file is not in the state `expected` any more, and OSError; then everything is as it was.
    """
    path = path.resolve(strict=True)
    remove_left_overs(path)
    temporary = path.with_name(f".{path.name}{_TEMPORARY.format(os.getpid())}")
    backup: Path | None = None
    original = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    try:
        _write_new(temporary, chunks, os.fstat(original), disk)
        backup = _keep(path, backup_suffix, disk)
        if FileState.of(os.stat(path)).unlinked != expected.unlinked:
            raise FileChangedError
        disk.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        if backup is not None:
            backup.unlink(missing_ok=True)
        raise
    else:
        _take_over_late_lines(original, path, expected.size, disk)
        _sync_names(path.parent, disk)
        return backup
    finally:
        os.close(original)


def write_new_file(path: Path, chunks: Iterable[bytes], *, disk: Disk = DISK) -> None:
    """Write a file that does not exist yet; it appears under its name only when it is complete and synced.

    Raises FileExistsError and any other OSError.
    """
    temporary = path.with_name(f".{path.name}{_TEMPORARY.format(os.getpid())}")
    try:
        _write_new(temporary, chunks, None, disk)
        _name_without_overwriting(temporary, path, disk)
    finally:
        temporary.unlink(missing_ok=True)
    _sync_names(path.parent, disk)


def remove_left_overs(path: Path) -> None:
    """Remove what a rewrite of this file left behind that was killed."""
    prefix, suffix = f".{path.name}{_TEMPORARY}".split("{0}")
    for name in os.listdir(path.parent):
        number = name[len(prefix) : -len(suffix)]
        if name.startswith(prefix) and name.endswith(suffix) and number.isdigit() and not _is_running(int(number)):
            path.with_name(name).unlink(missing_ok=True)


def _is_running(process: int) -> bool:
    if process == os.getpid():
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _write_new(path: Path, chunks: Iterable[bytes], like: os.stat_result | None, disk: Disk) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    handle = os.open(path, flags, 0o600 if like is not None else 0o666)
    try:
        for chunk in chunks:
            _write_all(handle, chunk, disk)
        if like is not None:
            _make_alike(handle, like)
        disk.sync(handle)
    finally:
        os.close(handle)


def _write_all(handle: int, data: bytes, disk: Disk) -> None:
    view = memoryview(data)
    while len(view):
        view = view[disk.write(handle, view) :]


def _sync_names(folder: Path, disk: Disk) -> None:
    """Make a new name durable. It is there already: that this fails takes nothing back."""
    try:
        disk.sync_folder(folder)
    except OSError:
        log.warning("the names in %s could not be synced", folder, exc_info=True)


def _make_alike(handle: int, like: os.stat_result) -> None:
    if hasattr(os, "fchown"):
        with suppress(OSError):  # only the owner of the machine may give files away
            os.fchown(handle, like.st_uid, like.st_gid)
    if hasattr(os, "fchmod"):
        os.fchmod(handle, stat.S_IMODE(like.st_mode))


def _keep(path: Path, suffix: str, disk: Disk) -> Path:
    """Keep the present file under a free name beside it: `suffix` behind its name, then with numbers."""
    number = 0
    while True:
        backup = path.with_name(f"{path.name}{suffix}{f'.{number}' if number else ''}")
        number += 1
        if backup.exists():
            continue
        try:
            disk.link(path, backup)
        except FileExistsError:
            continue
        except OSError:  # the file system has no second names
            shutil.copy2(path, backup)
        return backup


def _name_without_overwriting(temporary: Path, path: Path, disk: Disk) -> None:
    try:
        disk.link(temporary, path)
    except OSError as error:
        if isinstance(error, FileExistsError) or path.exists():  # the error names the temporary file first
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path)) from None
        disk.replace(temporary, path)


def _take_over_late_lines(original: int, path: Path, size: int, disk: Disk) -> None:
    """Append to the new file what was appended to the old one after it had been looked at for the last time."""
    late = os.fstat(original).st_size - size
    if late > 0:
        os.lseek(original, size, os.SEEK_SET)
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | getattr(os, "O_BINARY", 0))
        try:
            while data := os.read(original, late):
                _write_all(handle, data, disk)
            disk.sync(handle)
        finally:
            os.close(handle)
