"""The third look: the bodies of all entries, for what they cost and for the words in them.

Source: session-format spec, SF-7, SF-9.8 and SF-12.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

import msgspec

from model.dialects import Dialect, dialect_mark
from model.entries import entry_id, entry_type
from model.entry_text import TextSection, entry_sections
from model.json_text import JsonObject, stringify
from model.replies import NO_REPLY, reply_key
from model.session_totals import entry_totals, usages_of
from services.cancellation import CancellationToken
from services.library.lines import Lines, read_lines, records_at
from services.library.search_text import indexed_text
from services.library.sessions import Stamp

MOST_CHARACTERS: Final = 20_000  # of what somebody says that are looked through
MOST_OUTPUT_CHARACTERS: Final = 2_000  # of a command, a file or an output: its beginning, and half as much of its end
SILENT_TYPES: Final = frozenset(
    {
        "session", "title", "custom", "model_change", "thinking_level_change", "usage", "model_usage",
        "service_tier_change", "ttsr_injection", "mcp_tool_selection", "mode_change", "credential_pin",
        "reset_boundary", "context_edit",
    }
)  # fmt: skip
"""Entries in which nobody would look for words."""

_EDGE_BYTES: Final = 4096
_ONE_LINE_BYTES: Final = 32 << 10  # read at a time to find the end of one line


class Charge(NamedTuple):
    """What an entry cost. `entry_key` stands for its id. `content_key` is the same in every session that the entry was
    copied into, and in all records of one reply: it stands for the reply, else for all of the entry but its parent.
    """

    entry_key: int
    content_key: int
    tokens: float
    cost: float


@dataclass(slots=True)
class Reading:
    """What stands in some lines. `texts` are (offset of the line, words) for the index."""

    end: int = 0
    """Behind the last line that was read."""
    texts: list[tuple[int, str]] = field(default_factory=list)
    charges: list[Charge] = field(default_factory=list)
    marks: dict[Dialect, int] = field(default_factory=lambda: {"pi": 0, "omp": 0})
    is_damaged: bool = False
    is_ended: bool = True


def read_bodies(path: Path, stamp: Stamp, start: int = 0, token: CancellationToken | None = None) -> Iterator[Reading]:
    """Yield what stands in the lines from offset `start` on, a block at a time.

    Raises OSError, FileChangedMeanwhileError and OperationCancelled.
    """
    with path.open("rb", buffering=0) as file:
        if Stamp.of(os.fstat(file.fileno())) != stamp:
            raise FileChangedMeanwhileError
        for lines in read_lines(file, start, stamp.size, token):
            yield _read(lines)


class FileChangedMeanwhileError(Exception):
    """The file is not as it was when it was counted."""


def edge_mark(path: Path, end: int) -> bytes:
    """Return what tells whether the first `end` bytes of a file are still the same, as far as that shows at a glance.

    Raises OSError.
    """
    with path.open("rb", buffering=0) as file:
        edges = file.read(min(end, _EDGE_BYTES))
        file.seek(max(0, end - _EDGE_BYTES))
        edges += file.read(min(end, _EDGE_BYTES))
    return hashlib.blake2b(edges, digest_size=16).digest()


def search_text(entry: JsonObject) -> str:
    """Return the words of an entry that are looked through, as a person reads them. Reads any JSON."""
    if entry_type(entry) in SILENT_TYPES:
        return ""
    return "\n".join(map(_section_text, entry_sections(entry)))


def record_at(file: BinaryIO, offset: int, most_bytes: int) -> list[JsonObject]:
    """Return the records in the line that begins at an offset. Raises OSError."""
    for lines in read_lines(file, offset, offset + most_bytes, block_bytes=_ONE_LINE_BYTES):
        return records_at(lines.data, 0)[0]
    return []


def _read(lines: Lines) -> Reading:
    size = lines.skipped or len(lines.data)
    reading = Reading(lines.offset + size, is_ended=lines.is_ended)
    at = 0
    while at < len(lines.data):
        records, behind = records_at(lines.data, at)
        offset = lines.offset + at
        texts = []
        for record in records:
            if mark := dialect_mark(record):
                reading.marks[mark] += 1
            if text := search_text(record):
                texts.append(text)
            if any(True for _ in usages_of(record)):
                reading.charges.append(_charge(record, offset))
        if texts:
            reading.texts.append((offset, indexed_text("\n".join(texts))))
        is_one_line = lines.data.find(b"\n", at, behind - 1) < 0
        if not is_one_line or (len(records) != 1 and lines.data[at : behind - 1].strip()):
            reading.is_damaged = True
        at = behind
    return reading


def _section_text(section: TextSection) -> str:
    text = section.text
    most = MOST_OUTPUT_CHARACTERS if section.verbatim else MOST_CHARACTERS
    return text if len(text) <= most * 1.5 else f"{text[:most]}\n{text[-most // 2 :]}"


def _charge(entry: JsonObject, offset: int) -> Charge:
    totals = entry_totals(entry)
    id = entry_id(entry)
    entry_key = _key(id.encode("utf-8", "surrogatepass") if id else b"%d" % offset)
    content_key = reply_key(entry)
    if content_key == NO_REPLY:
        content_key = _key(_canonical({**entry, "parentId": None}))
    return Charge(entry_key, content_key, totals.tokens, totals.cost)


def _canonical(entry: JsonObject) -> bytes:
    try:
        return _encode(entry)
    except (ValueError, msgspec.MsgspecError, RecursionError):
        return stringify(entry).encode()


def _key(data: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "little", signed=True)


_encode = msgspec.json.Encoder(order="sorted").encode
