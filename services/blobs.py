"""Payloads that OMP keeps outside the session file: images as blobs, tool outputs as artifacts.

They are looked up for display and never copied into the session.
Source: session-format spec, SF-5.4.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

_REFERENCE: Final = re.compile(r"blob:sha256:([0-9a-f]{64})")
_ARTIFACT: Final = re.compile(r"([0-9]+)\..+\.log")
_DATA_URL: Final = re.compile(r"\Adata:[\w.+/-]{0,100};base64,")
MOST_BLOB_BYTES: Final = 64 << 20


class BlobFolders:
    """Folders in which blobs are looked for, the first hit counts."""

    def __init__(self, folders: Iterable[Path]) -> None:
        self.folders = tuple(dict.fromkeys(folders))

    @classmethod
    def of_session(cls, session: Path, more: Iterable[Path] = ()) -> BlobFolders:
        """Return the folders for a session: beside the `sessions` folder that it is in, then `more`, then OMP's."""
        session = session.absolute()
        beside = [folder.parent / "blobs" for folder in session.parents if folder.name == "sessions"]
        return cls([*beside, *more, omp_folder() / "blobs"])

    def read(self, reference: object) -> bytes | None:
        """Return the bytes that a `blob:sha256:…` reference stands for.

        None when it is no such reference, or the blob is missing, unreadable, far too large or not what its name says.
        """
        match = _REFERENCE.fullmatch(reference) if isinstance(reference, str) else None
        if match is None:
            return None
        for folder in self.folders:
            try:
                file = folder / match[1]
                if file.stat().st_size > MOST_BLOB_BYTES:
                    continue
                data = file.read_bytes()
            except OSError:
                continue
            if hashlib.sha256(data).hexdigest() == match[1]:
                return data
        return None

    def image(self, block: Any) -> bytes | None:
        """Return the bytes of an image block, be they in the block or outside; None when they cannot be had."""
        data = block.get("data") if isinstance(block, dict) else None
        if not isinstance(data, str):
            return None
        if data.startswith("blob:"):
            return self.read(data)
        try:
            return base64.b64decode(_DATA_URL.sub("", data, count=1), validate=True)
        except ValueError:
            return None


def is_blob_reference(value: object) -> bool:
    """Whether a value of a session file stands for a blob."""
    return isinstance(value, str) and _REFERENCE.fullmatch(value) is not None


def artifacts(session: Path) -> list[Path]:
    """Return the artifact files of a session by number; none when it has no folder of its own."""
    try:
        files = [file for file in session.with_suffix("").iterdir() if _ARTIFACT.fullmatch(file.name)]
    except OSError:
        return []
    return sorted(files, key=lambda file: (int(file.name.split(".", 1)[0]), file.name))


def omp_folder() -> Path:
    """Return OMP's agent folder (SF-13)."""
    if own := os.environ.get("PI_CODING_AGENT_DIR"):
        return Path(own).expanduser()
    data_home = os.environ.get("XDG_DATA_HOME")
    if data_home and (Path(data_home) / "omp").is_dir() and "PI_CONFIG_DIR" not in os.environ:
        return Path(data_home) / "omp"
    return Path.home() / os.environ.get("PI_CONFIG_DIR", ".omp") / "agent"
