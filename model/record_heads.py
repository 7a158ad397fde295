"""One record by itself: its head, for lines that the header scan leaves over, and its whole, also out of damaged lines.

Source: session-format spec, SF-3, SF-9.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from model.entries import entry_id, entry_type, message_of, parent_id
from model.entry_kinds import Kind, Role, kind_of, role_of
from model.entry_records import INVALID_TIME
from model.json_text import JsonObject, parse
from model.records import read_records
from model.timestamps import timestamp_ms


class RecordHead(NamedTuple):
    """What the place of a record in the tree depends on; without an `entry_id` it has none."""

    type: str | None
    entry_id: str | None
    parent_id: str | None
    time_ms: int
    kind: Kind
    role: Role


class _Message(msgspec.Struct, gc=False):
    role: str


class _Line(msgspec.Struct, gc=False):
    """The usual types of the head's fields; a line with any other is decoded as a whole."""

    type: str
    id: str
    timestamp: str
    parentId: str | None = None
    message: _Message | None = None


_decode = msgspec.json.Decoder(_Line).decode


def read_head(line: bytes) -> RecordHead:
    """Return the head of the record that a line holds. Raises ValueError when the line is no JSON text."""
    try:
        record = _decode(line)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return head_of(parse(line))
    kind = kind_of(record.type)
    role = Role.NONE
    if kind is Kind.MESSAGE:
        role = role_of(record.message.role if record.message else None)
    time_ms = timestamp_ms(record.timestamp)
    time_ms = INVALID_TIME if time_ms is None else time_ms
    return RecordHead(record.type, record.id or None, record.parentId or None, time_ms, kind, role)


def head_of(record: Any) -> RecordHead:
    """Return the head of a decoded record, which may be any JSON value."""
    kind = kind_of(entry_type(record))
    message = message_of(record)
    role = role_of(message.get("role") if message else None) if kind is Kind.MESSAGE else Role.NONE
    time_ms = timestamp_ms(record.get("timestamp")) if isinstance(record, dict) else None
    time_ms = INVALID_TIME if time_ms is None else time_ms
    return RecordHead(entry_type(record), entry_id(record), parent_id(record), time_ms, kind, role)


def find_record(line: bytes, id: str, kind: int) -> JsonObject | None:
    """Return the entry with an id and a kind out of a line, which may be damaged and hold several; None without any."""
    try:
        values = [parse(line)]
    except ValueError:
        values = [record.value for record in read_records(line).records]
    for value in reversed(values):
        if entry_id(value) == id and kind_of(entry_type(value)) == kind and entry_type(value) != "session":
            return value  # type: ignore[no-any-return]
    return None
