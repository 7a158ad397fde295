"""The bytes of a session file with some lines changed; everything else is copied as it stands.

Source: session-format spec, SF-1.4, SF-1.5, SF-8, SF-11.3.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator, Mapping
from typing import Final

import numpy as np

from model.entry_index import EntryIndex
from model.entry_kinds import Trait
from model.json_text import JsonObject, parse, rewritten, with_literals
from model.migration import CURRENT_VERSION
from model.record_heads import find_record
from model.repair import DAMAGED_MESSAGE, mended_entry
from model.sentences import Sentence
from model.session_titles import title_slot_line, with_title
from services.cancellation import CancellationToken
from services.session_reading import Contents

Place = tuple[int, int]  # offset and length of a line in bytes, its line end left out

_COPIED_BYTES: Final = 8 << 20
_CHECKED_BYTES: Final = 1 << 20  # written between two looks at the cancellation


def replaced_lines(contents: Contents, lines: Mapping[Place, bytes]) -> Iterator[bytes]:
    """Yield the file with other bytes in the place of some lines. Line ends stay."""
    done = 0
    for (offset, length), line in sorted(lines.items()):
        yield from _copied(contents, done, offset)
        yield line
        done = offset + length
    yield from _copied(contents, done, contents.size)


def copied_lines(contents: Contents, token: CancellationToken | None = None) -> Iterator[bytes]:
    """Yield the file as it is. Raises OperationCancelled; behind the last byte it is too late to cancel."""
    for data in replaced_lines(contents, {}):
        if token is not None:
            token.raise_if_set()
        yield data
    if token is not None:
        token.seal()


def upgraded_lines(contents: Contents) -> dict[Place, bytes]:
    """Return the lines that differ in the current version, for a file of an older one: the header and most entries.

    Lines that cannot be read stay as they are; of a line with several records each gets its own.
    """
    index = contents.index
    changed: dict[Place, list[bytes]] = {}
    if contents.header is not None and contents.header_line is not None:
        header = {**contents.header, "version": CURRENT_VERSION}
        changed[contents.header_line] = [changed_line(header, contents.file.read(*contents.header_line))]
    for row in range(index.count):
        place = (int(index.offset[row]), int(index.length[row]))
        id = index.id_of(row)
        entry = (contents.old_entries or {})[id]
        raw = contents.file.read(*place)
        if find_record(raw, id, int(index.kind[row])) != entry or index.traits[row] & Trait.DAMAGED:
            changed.setdefault(place, []).append(changed_line(entry, raw))
    return {place: b"\n".join(lines) for place, lines in changed.items()}


def retitled_line(contents: Contents, title: str, source: str, time: str) -> tuple[Place, bytes] | None:
    """Return the line that holds the title, with another one: the title slot, or else the header; None without any."""
    if contents.title_slot is not None:
        place = (0, _first_line_length(contents))
        slot = with_literals(contents.title_slot, contents.file.read(*place))
        return place, title_slot_line(slot, title, source, time)[:-1]
    if contents.header is None or contents.header_line is None:
        return None
    index = contents.index
    glued = np.flatnonzero(index.offset == contents.header_line[0]).tolist()  # entries in the header's line
    raw = contents.file.read(*contents.header_line)
    records = [with_title(contents.header, title, source), *(_entry_at(contents, row) for row in glued)]
    lines = [changed_line(record, raw) for record in records]
    return contents.header_line, b"\n".join(lines)


def repaired_lines(contents: Contents, header: JsonObject, token: CancellationToken | None = None) -> Iterator[bytes]:
    """Yield a clean file: header, then each entry once, all in a form that both agents can open.

    `header` stands in for a lost one. Raises OperationCancelled; behind the last line it is too late to cancel.
    """
    index = contents.index
    header = {**(contents.header or header), "version": CURRENT_VERSION}
    original = b"" if contents.header_line is None else contents.file.read(*contents.header_line)
    written = len(line := changed_line(header, original)) + 1
    yield line + b"\n"
    for row in range(index.count):
        line = _clean_line(contents, index, row, str(header.get("timestamp")))
        yield line + b"\n"
        written += len(line)
        if token is not None and written > _CHECKED_BYTES:
            token.raise_if_set()
            written = 0
    if token is not None:
        token.seal()


def _clean_line(contents: Contents, index: EntryIndex, row: int, time: str) -> bytes:
    raw = contents.file.read(int(index.offset[row]), int(index.length[row]))
    parent = int(index.parent[row])
    entry = _entry_at(contents, row)
    if index.traits[row] & Trait.DAMAGED:
        entry = parse(rewritten(entry, raw))  # what was recovered may hold what is no JSON
    mended = mended_entry(entry, index.id_of(parent) if parent >= 0 else None, time)
    return raw if mended is entry and _stands_for(raw, entry) else changed_line(mended, raw)


def _entry_at(contents: Contents, row: int) -> JsonObject:
    """The entry at a row, in the current version."""
    index = contents.index
    id = index.id_of(row)
    if contents.old_entries is not None:
        return contents.old_entries[id]
    raw = contents.file.read(int(index.offset[row]), int(index.length[row]))
    lost = {"type": "custom", "id": id, "parentId": index.named_parent(row), "customType": "branchwork.lost-entry"}
    return find_record(raw, id, int(index.kind[row])) or lost


def _stands_for(raw: bytes, entry: JsonObject) -> bool:
    """Whether a line is the JSON text of an entry, with nothing around it."""
    try:
        text = raw.decode()
        return text[:1] == "{" and text[-1:] == "}" and parse(text) == entry
    except ValueError:
        return False


def _copied(contents: Contents, start: int, end: int) -> Iterator[bytes]:
    while start < end:
        data = contents.file.read(start, min(_COPIED_BYTES, end - start))
        if not data:
            raise OSError(errno.EIO, Sentence("the file ended early"))
        yield data
        start += len(data)


def _first_line_length(contents: Contents) -> int:
    head = contents.file.read(0, _COPIED_BYTES)
    return len(head.split(b"\n", 1)[0])


def changed_line(record: JsonObject, original: bytes) -> bytes:
    """Return the line of a record that was read from `original` and changed: what stayed is as it was (SF-9.5)."""
    if record.get("customType") == DAMAGED_MESSAGE and isinstance(data := record.get("data"), dict):
        record = {**record, "data": {name: with_literals(value, original) for name, value in data.items()}}
    return rewritten(record, original).encode()
