"""What the library knows of one session file: its stamp on the disk, and facts in three depths of reading."""

from __future__ import annotations

import os
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Final

from model.dialects import Dialect

MOST_NAME_CHARACTERS: Final = 400


class Stage(IntEnum):
    """How far a file has been read in its present state."""

    GLANCED = 1  # its head and its tail
    COUNTED = 2  # the heads of all entries
    READ = 3  # all bodies: usage, and texts for searching


@dataclass(frozen=True, slots=True)
class Stamp:
    """What a file is recognised by: while all of it stays the same, the file is not read again."""

    identity: str  # of device and inode
    size: int
    modified_ns: int

    @classmethod
    def of(cls, status: os.stat_result) -> Stamp:
        """Return the stamp that a stat call shows."""
        return cls(f"{status.st_dev}:{status.st_ino}", status.st_size, status.st_mtime_ns)

    @property
    def modified_ms(self) -> int:
        """The time of the last change in Unix milliseconds."""
        return self.modified_ns // 1_000_000


@dataclass(frozen=True, slots=True)
class Facts:
    """What a session says of itself. Counts are None until the whole file was looked through."""

    session_id: str = ""
    cwd: str = ""
    name: str | None = None
    """Given by a person in a `session_info` entry (Pi), or the title in the header (OMP)."""
    short_summary: str | None = None
    first_message: str | None = None
    parent_session: str | None = None
    created_ms: int | None = None
    active_ms: int | None = None
    """When the last question or answer was written."""
    entries: int | None = None
    branches: int | None = None
    """Entries without children: each ends a branch."""
    problem: str | None = None
    """A sentence about what is odd with the file, or why it cannot be read."""


@dataclass(frozen=True, slots=True)
class LibrarySession:
    """One session file of the library."""

    path: Path
    stamp: Stamp
    stage: Stage
    facts: Facts
    dialect: Dialect | None = None
    tokens: float | None = None
    """Tokens and cost of all its entries, those copied from another session included (SF-12)."""
    cost: float | None = None
    text_id: int | None = None
    """Under which number its texts stand in the index."""

    @property
    def display_name(self) -> str:
        """The name to show (SF-13): the given one, else the short summary, the first question, the id, the file."""
        facts = self.facts
        return facts.name or facts.short_summary or facts.first_message or facts.session_id or self.path.stem

    @property
    def active_ms(self) -> int:
        """When something happened in it last, as far as that is known."""
        return self.facts.active_ms or self.facts.created_ms or self.stamp.modified_ms

    @property
    def size(self) -> int:
        """Size of the file in bytes."""
        return self.stamp.size


def short_line(text: str) -> str:
    """Return a text on one line, cut to what a list can show."""
    return " ".join(text[: MOST_NAME_CHARACTERS * 4].split())[:MOST_NAME_CHARACTERS]
