"""Indexes of large sessions, kept between runs, so that an unchanged file is open at once.

An index is used only for exactly the file that it was made of: same path, size, times, inode, first and last bytes.
Everything here may be lost at any time; a damaged or outdated file counts as none.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import zlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import numpy as np

from model.entry_index import FROZEN_COLUMNS, FrozenIndex
from services.app_folders import state_folder
from services.session_file import Signature

log = logging.getLogger(__name__)

FORMAT: Final = 1
LEAST_BYTES: Final = 32 << 20  # of a session; smaller ones are read as fast
MOST_FILES: Final = 20
_ALIGNMENT: Final = 64


class SavedIndexes:
    """A folder of indexes, one file a session; the MOST_FILES that were used last are kept."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or state_folder() / "indexes"

    def load(self, session: Path, signature: Signature) -> tuple[FrozenIndex, dict[str, Any]] | None:
        """Return index and facts that were saved for a session, None when there are none for the file as it is."""
        file = self._file(session)
        try:
            with file.open("rb") as handle:
                facts = json.loads(handle.readline())
                if facts["format"] != FORMAT or facts["signature"] != _text_of(signature):
                    return None
                handle.seek(_aligned(handle.tell()))
                data = np.fromfile(handle, np.uint8)
            if facts["checksum"] != zlib.crc32(data.data):
                raise ValueError("wrong checksum")
            index = _thawed(data, facts)
            os.utime(file)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError):
            log.warning("the saved index of %s is of no use", session, exc_info=True)
            return None
        return index, facts["facts"]

    def save(self, session: Path, signature: Signature, index: FrozenIndex, facts: dict[str, Any]) -> None:
        """Save an index and facts (JSON) about a session. Failing to do so is only logged."""
        columns = [np.ascontiguousarray(index.columns[name]) for name in FROZEN_COLUMNS]
        checksum = 0
        for column in columns:
            checksum = zlib.crc32(_padded(column), checksum)
        head = {
            "format": FORMAT,
            "signature": _text_of(signature),
            "checksum": checksum,
            "count": len(columns[0]),
            "long_ids": index.long_ids,
            "cut_off": index.cut_off,
            "facts": facts,
        }
        file = self._file(session)
        temporary = file.with_suffix(f".{os.getpid()}.tmp")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with temporary.open("wb") as handle:
                line = json.dumps(head).encode() + b"\n"
                handle.write(line.ljust(_aligned(len(line)), b"\n"))
                for column in columns:
                    handle.write(_padded(column))
            temporary.replace(file)
            self._forget_old()
        except OSError as error:
            log.warning("the index of %s was not saved: %s", session, error)
            with suppress(OSError):
                temporary.unlink(missing_ok=True)

    def _file(self, session: Path) -> Path:
        return self.folder / f"{hashlib.sha256(os.fsencode(session.resolve())).hexdigest()[:32]}.index"

    def _forget_old(self) -> None:
        files = sorted(self.folder.glob("*.index"), key=lambda file: file.stat().st_mtime_ns, reverse=True)
        for file in files[MOST_FILES:]:
            file.unlink(missing_ok=True)


def _thawed(data: np.ndarray[Any, np.dtype[np.uint8]], facts: dict[str, Any]) -> FrozenIndex:
    columns = {}
    at = 0
    for name, dtype in FROZEN_COLUMNS.items():
        size = facts["count"] * np.dtype(dtype).itemsize
        columns[name] = data[at : at + size].view(dtype)
        if len(columns[name]) != facts["count"]:
            raise ValueError("a column is cut off")
        at += _aligned(size)
    return FrozenIndex(columns, facts["long_ids"], [(row, key) for row, key in facts["cut_off"]])


def _padded(column: np.ndarray[Any, np.dtype[Any]]) -> bytes:
    data = column.tobytes()
    return data.ljust(_aligned(len(data)), b"\0")


def _aligned(size: int) -> int:
    return -(-size // _ALIGNMENT) * _ALIGNMENT


def _text_of(signature: Signature) -> Sequence[Any]:
    ends = hashlib.sha256(signature.head + b"\0" + signature.tail).hexdigest()
    return [*asdict(signature.state).values(), ends]
