"""A first look at a session file: its head and its tail, enough for a row in the list.

Source: session-format spec, SF-1.5, SF-2, SF-9.2 and SF-13.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from model.entries import entry_id, entry_type, message_of, one_line
from model.json_text import JsonObject
from model.messages import block_texts, role_of, text_field
from model.migration import CURRENT_VERSION, stored_version
from model.sentences import Sentence
from model.session_loading import KNOWN_TYPES, titled_header
from model.timestamps import timestamp_ms
from services.library.lines import HEAD, records_of
from services.library.sessions import Facts, Stamp, short_line

EDGE_BYTES: Final = 32 << 10
MOST_HEAD_BYTES: Final = 1 << 20  # in which a header is looked for (SF-13)
SPOKEN_ROLES: Final = (b"user", b"assistant")

NO_HEADER: Final = Sentence("The header of this session is missing or damaged; what is left of it can be looked at.")
NEWER_VERSION: Final = Sentence(
    "This session is of a newer format version than this program knows; it can only be looked at."
)


@dataclass(slots=True)
class Opening:
    """What stands before and in the first entries of a session."""

    header: JsonObject | None = None
    title_slot: JsonObject | None = None
    has_entries: bool = False
    first_message: str | None = None

    @property
    def is_session(self) -> bool:
        """Whether it is a session at all, be it one that lost its header."""
        return self.header is not None or self.has_entries

    def take(self, record: JsonObject) -> None:
        """Take in a record; header and title count only where they may stand (SF-9.2, SF-9.10)."""
        kind = entry_type(record)
        if kind == "session":
            if self.header is None and isinstance(record.get("id"), str):
                self.header = record
        elif kind == "title":
            if self.header is None and not self.has_entries:
                self.title_slot = record
        elif kind in KNOWN_TYPES and (entry_id(record) is not None or self.header is not None):
            self.has_entries = True
            if self.first_message is None:
                self.first_message = question_of(record)

    def facts(self) -> Facts:
        """Return what the header says."""
        header, slot = self.header, self.title_slot
        if header is None:
            return Facts(first_message=self.first_message, problem=NO_HEADER if self.has_entries else None)
        if slot is not None:
            header = titled_header(header, slot)
        newer = stored_version(header) > CURRENT_VERSION
        return Facts(
            session_id=text_field(header, "id"),
            cwd=text_field(header, "cwd"),
            name=short_line(text_field(header, "title")) or None,
            first_message=self.first_message,
            parent_session=text_field(header, "parentSession") or None,
            created_ms=timestamp_ms(header.get("timestamp")),
            problem=NEWER_VERSION if newer else None,
        )


def question_of(entry: JsonObject) -> str | None:
    """Return the text of a user's message on one line; None for every other entry and without text."""
    message = message_of(entry)
    if message is None or role_of(message) != "user":
        return None
    return short_line(" ".join(block_texts(message.get("content")))) or None


def name_of(entry: JsonObject) -> str | None:
    """Return the name that a `session_info` entry gives; an empty one clears it (SF-4.10)."""
    return short_line(one_line(text_field(entry, "name"))) or None


@dataclass(frozen=True, slots=True)
class Glance:
    """The facts of a file; None when it is no session."""

    stamp: Stamp
    facts: Facts | None


def glance(path: Path) -> Glance:
    """Look at the head and the tail of a file. Raises OSError."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0))
    try:
        stamp = Stamp.of(os.fstat(handle))
        head = os.read(handle, EDGE_BYTES)
        tail = b""
        if stamp.size > len(head):
            start = max(len(head), stamp.size - EDGE_BYTES)
            os.lseek(handle, start, os.SEEK_SET)
            tail = os.read(handle, EDGE_BYTES)
            tail = tail[tail.find(b"\n") + 1 :] if start > len(head) else tail
        opening = _opening(head, is_whole=not tail)
        if opening.header is None and tail:
            os.lseek(handle, 0, os.SEEK_SET)
            head = os.read(handle, MOST_HEAD_BYTES)
            opening = _opening(head, is_whole=len(head) == stamp.size)
    finally:
        os.close(handle)
    if not stamp.size:
        return Glance(stamp, Facts(entries=0, branches=0))
    if not opening.is_session:
        return Glance(stamp, None)
    facts = opening.facts()
    end = tail or head
    given = _last_name(end)
    return Glance(
        stamp, replace(facts, name=facts.name if given is None else given or None, active_ms=_last_activity(end))
    )


def _opening(head: bytes, *, is_whole: bool) -> Opening:
    """Read the first records, until the first question."""
    opening = Opening()
    lines = head.split(b"\n")
    for line in lines if is_whole else lines[:-1]:
        beginning = HEAD.match(line)
        if beginning is not None and beginning[5] not in (None, b"user"):
            opening.has_entries = True
            continue
        for record in records_of(line):
            opening.take(record)
        if opening.header is not None and opening.first_message is not None:
            break
    return opening


def _last_name(tail: bytes) -> str | None:
    """The last name given in the end of a file; empty when it was cleared there, None when nothing is said of it."""
    at = tail.rfind(b'{"type":"session_info"')
    if at < 0 or (at > 0 and tail[at - 1] != ord("\n")):
        return None
    end = tail.find(b"\n", at)
    found = records_of(tail[at : len(tail) if end < 0 else end])
    return (name_of(found[0]) or "") if found else None


def _last_activity(tail: bytes) -> int | None:
    """The time of the last question or answer whose line begins in the end of a file."""
    for line in reversed(tail.split(b"\n")):
        head = HEAD.match(line)
        if head is not None:
            if head[5] in SPOKEN_ROLES:
                return timestamp_ms(head[4].decode("latin-1"))
            continue
        for record in reversed(records_of(line)):
            message = message_of(record)
            if message is not None and role_of(message) in ("user", "assistant"):
                return timestamp_ms(record.get("timestamp"))
    return None
