"""Sessions of format versions 1 and 2, brought to the current version in memory (SF-8).

They are small and rare, so they are decoded as a whole.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from itertools import count

from model.entries import entry_id, entry_type
from model.entry_records import IdKeys, Records
from model.json_text import JsonObject
from model.migration import migrate
from model.records import Problem, read_records
from model.session_loading import KNOWN_TYPES
from model.session_scan import slow_records


@dataclass(frozen=True, slots=True)
class OldSession:
    """The entries of an old session in the current version, in file order, with the places of their lines."""

    header: JsonObject  # as stored
    header_line: tuple[int, int]  # offset and length in bytes
    entries: tuple[JsonObject, ...]
    records: Records
    problems: tuple[Problem, ...]


def read_old_session(data: bytes, ids: IdKeys) -> OldSession:
    """Return the session in the bytes of a whole file, which must have a header.

    The ids that version 1 lacks are made from the session's id and the place of the entry, so that they are the same
    at every opening.
    """
    scan = read_records(data)
    found = [record for record in scan.records if isinstance(record.value, dict)]
    place = next(number for number, record in enumerate(found) if is_header(record.value))
    header: JsonObject = found[place].value
    numbers = count()

    def new_uuid() -> str:
        return uuid.uuid5(uuid.NAMESPACE_OID, f"{header['id']}/{next(numbers)}").hex

    migrated = migrate([record.value for record in found], header, new_uuid).records
    entries: list[JsonObject] = []
    places: list[tuple[int, int]] = []
    for number, (record, entry) in enumerate(zip(found, migrated, strict=True)):
        is_entry = entry_type(entry) in KNOWN_TYPES if number < place else entry_type(entry) != "session"
        if is_entry and entry_id(entry) is not None:
            entries.append(entry)
            places.append(_line_at(data, record.offset))
    return OldSession(
        header, _line_at(data, found[place].offset), tuple(entries), slow_records(entries, places, ids), scan.problems
    )


def _line_at(data: bytes, offset: int) -> tuple[int, int]:
    """Offset and length of the line that begins at `offset`, its line end left out."""
    end = data.find(b"\n", offset)
    line = data[offset : len(data) if end < 0 else end]
    return offset, len(line.removesuffix(b"\r"))


def is_header(value: object) -> bool:
    """Whether a record is a session header (SF-9.2)."""
    return entry_type(value) == "session" and isinstance(value, dict) and isinstance(value.get("id"), str)
