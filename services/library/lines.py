"""The lines of a session file, read block by block in bounded memory, and the heads of entries.

Source: session-format spec, SF-3, SF-9.1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO, Final, NamedTuple

import msgspec

from model.json_text import JsonObject, parse
from model.records import (
    BYTE_ORDER_MARK,
    MOST_JOINED_BYTES,
    MOST_JOINED_LINES,
    may_go_on,
    read_records,
    record_over_lines,
)
from services.cancellation import CancellationToken

BLOCK_BYTES: Final = 1 << 20
MOST_LINE_BYTES: Final = 64 << 20
_BLANKS: Final = b" \t\r\v\f"

HEAD: Final = re.compile(
    rb'\{"type":"([a-z_]+)","id":"([^"\\]+)","parentId":(?:null|"([^"\\]+)"),"timestamp":"([^"\\]+)"'
    rb'(?:,"message":\{"role":"([A-Za-z]+)")?'
)
"""The beginning of an entry as both agents write it: type, id, parent, time, role."""


class Lines(NamedTuple):
    """Neighbouring lines of a file, the first of which begins at `offset`. Each has its LF, but perhaps the last."""

    offset: int
    data: bytes
    skipped: int = 0
    """Bytes of one line that is too long to be read, in place of `data`."""

    @property
    def is_ended(self) -> bool:
        """Whether the last line has its LF."""
        return self.skipped > 0 or self.data.endswith(b"\n")


def read_lines(
    handle: BinaryIO,
    start: int,
    end: int,
    token: CancellationToken | None = None,
    *,
    block_bytes: int = BLOCK_BYTES,
    most_bytes: int = MOST_LINE_BYTES,
) -> Iterator[Lines]:
    """Yield the lines between two offsets in blocks. Only the last line may lack its LF. Raises OperationCancelled."""
    handle.seek(start)
    held: list[bytes] = []  # the beginning of a line that goes on
    held_bytes = 0
    skipped = 0  # bytes of a line that is too long
    offset = start
    while offset < end and (block := handle.read(min(block_bytes, end - offset))):
        if token is not None:
            token.raise_if_set()
        offset += len(block)
        if skipped:
            line_end = block.find(b"\n") + 1
            skipped += line_end or len(block)
            if not line_end:
                continue
            yield Lines(offset - len(block) + line_end - skipped, b"", skipped)
            block, skipped = block[line_end:], 0
        used = block.rfind(b"\n") + 1
        if used:
            yield Lines(offset - len(block) - held_bytes, b"".join((*held, block[:used])))
            held, held_bytes = [], 0
        if used < len(block):
            held.append(block[used:])
            held_bytes += len(block) - used
        if held_bytes > most_bytes:
            held, held_bytes, skipped = [], 0, held_bytes
    if skipped:
        yield Lines(offset - skipped, b"", skipped)
    elif held:
        yield Lines(offset - held_bytes, b"".join(held))


def records_of(line: bytes) -> list[JsonObject]:
    """Return the JSON objects in a line: usually one, none in a blank one, several where records were glued together.

    Never raises.
    """
    line = line.removeprefix(BYTE_ORDER_MARK).strip(_BLANKS)
    if not line:
        return []
    try:
        value = _decode(line)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        try:
            value = parse(line)
        except ValueError:
            return [record.value for record in read_records(line).records if isinstance(record.value, dict)]
    return [value] if isinstance(value, dict) else []


def records_at(data: bytes, at: int) -> tuple[list[JsonObject], int]:
    """Return the JSON objects in the line that begins at a place in `data`, and where the next line begins.

    A record with line breaks in a text reaches over several lines.
    """
    end = data.find(b"\n", at)
    end = len(data) if end < 0 else end
    line = data[at:end]
    records = records_of(line)
    if not records and may_go_on(line.lstrip(_BLANKS)):
        lines = data[at : at + MOST_JOINED_BYTES].split(b"\n", MOST_JOINED_LINES)[:MOST_JOINED_LINES]
        if (joined := record_over_lines(lines)) is not None:
            return [joined[0]], at + sum(len(each) + 1 for each in lines[: joined[1]])
    return records, end + 1


_decode = msgspec.json.Decoder().decode
