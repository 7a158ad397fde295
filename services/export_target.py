"""Where an export goes: a name that is free, and what is in the way of another one.

Nothing that a session says of itself is used as a path: of its name only what is harmless in a file's name remains.
"""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path
from typing import Final, Literal

from services.secrets_scan import find_secrets, masked

TargetProblem = Literal["no name", "exists", "folder", "no folder"]

_MOST_CHARACTERS: Final = 80
_MOST_BYTES: Final = 200  # file systems take 255 for a whole name
_RESERVED: Final = frozenset(
    {"con", "prn", "aux", "nul", *(f"{name}{number}" for name in ("com", "lpt") for number in range(1, 10))}
)


def safe_name(name: str) -> str:
    """Return a name for a file, without its ending, made of a name that may hold anything; never empty."""
    kept = "".join(
        character if character in "-_. " or unicodedata.category(character)[0] in "LMN" else "-" for character in name
    )
    kept = " ".join(kept.split())[:_MOST_CHARACTERS]
    kept = kept.encode("utf-8", "ignore")[:_MOST_BYTES].decode("utf-8", "ignore").strip(" .-")
    return "session" if not kept or kept.split(".")[0].casefold() in _RESERVED else kept


def proposed_name(session_name: str) -> str:
    """Return the name that an export of a session is offered: without the likely secrets in the session's own."""
    return masked(session_name, find_secrets(session_name))


def free_file(folder: Path, name: str, suffix: str) -> Path:
    """Return a free path in `folder`: the safe form of `name`, with a number where that is taken. Blocking."""
    stem, number = safe_name(name), 1
    while True:
        path = folder / f"{stem}{f' {number}' if number > 1 else ''}{suffix}"
        if not os.path.lexists(path):
            return path
        number += 1


def target_problem(path: Path) -> TargetProblem | None:
    """Return why nothing can be written under a name, None when it is free. Blocking; never raises."""
    try:
        if not path.name or "\0" in path.name:
            return "no name"
        if path.is_dir():
            return "folder"
        if os.path.lexists(path):
            return "exists"
        return None if path.parent.is_dir() else "no folder"
    except (OSError, ValueError):  # a name that is too long, say
        return "no name"
