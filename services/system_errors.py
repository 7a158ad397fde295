"""What the operating system says when it refuses, as a sentence that can be translated."""

from __future__ import annotations

import errno
import os
from typing import Final

from model.sentences import Sentence

_REASONS: Final[dict[int, Sentence]] = {
    errno.EPERM: Sentence("Operation not permitted"),
    errno.ENOENT: Sentence("No such file or directory"),
    errno.EIO: Sentence("Input/output error"),
    errno.EBADF: Sentence("Bad file descriptor"),
    errno.ENOMEM: Sentence("Cannot allocate memory"),
    errno.EACCES: Sentence("Permission denied"),
    errno.EBUSY: Sentence("Device or resource busy"),
    errno.EEXIST: Sentence("File exists"),
    errno.ENOTDIR: Sentence("Not a directory"),
    errno.EISDIR: Sentence("Is a directory"),
    errno.EINVAL: Sentence("Invalid argument"),
    errno.EMFILE: Sentence("Too many open files"),
    errno.EFBIG: Sentence("File too large"),
    errno.ENOSPC: Sentence("No space left on device"),
    errno.EROFS: Sentence("Read-only file system"),
    errno.ENAMETOOLONG: Sentence("File name too long"),
    errno.ENOTEMPTY: Sentence("Directory not empty"),
    errno.ELOOP: Sentence("Too many levels of symbolic links"),
}


def os_reason(error: OSError) -> str:
    """Return why the system refused, without a full stop; never empty. Other words than the system's own stay."""
    words = error.strerror
    if error.errno in _REASONS and words == os.strerror(error.errno):
        return _REASONS[error.errno]
    return words or str(error) or type(error).__name__
