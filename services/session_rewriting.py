"""The bytes of a session file with some lines changed; everything else is copied as it stands.

Source: session-format spec, SF-1.4, SF-1.5, SF-8, SF-11.3.
"""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

import numpy as np

from model.entries import entry_id, entry_type, fresh_entry_id, parent_id
from model.entry_index import EntryIndex
from model.entry_kinds import Trait
from model.json_text import JsonObject, parse, rewritten, with_literals
from model.migration import CURRENT_VERSION, migrate
from model.record_heads import find_record
from model.records import read_records
from model.repair import DAMAGED_MESSAGE, REPEATED_ENTRY, mended_entry, renamed_entry
from model.sentences import Sentence
from model.session_titles import title_slot_line, with_title
from services.cancellation import CancellationToken
from services.session_reading import Contents

Place = tuple[int, int]  # offset and length of a line in bytes, its line end left out

_COPIED_BYTES: Final = 8 << 20
_SHORTEST_ENTRY: Final = 20  # bytes
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


class RenamedEntry(NamedTuple):
    """An entry of a repaired copy that has another id than in the original, where a later one has the same."""

    id: str
    new_id: str


def repaired_lines(
    contents: Contents,
    header: JsonObject,
    new_uuid: Callable[[], str],
    renamed: list[RenamedEntry],
    token: CancellationToken | None = None,
) -> Iterator[bytes]:
    """Yield a clean file: header, then each entry once, all in a form that both agents can open.

    `header` stands in for a lost one. Entries whose id occurs again later, with other contents, are kept under a new id
    and noted in `renamed`; what hangs at that id hangs at the last one, as when it's read. Raises OperationCancelled;
    behind the last line it is too late to cancel.
    """
    index = contents.index
    header = {**(contents.header or header), "version": CURRENT_VERSION}
    original = b"" if contents.header_line is None else contents.file.read(*contents.header_line)
    written = len(line := changed_line(header, original)) + 1
    yield line + b"\n"
    time = str(header.get("timestamp"))
    ids = _NewIds(index, new_uuid, renamed)
    done = 0
    for row in range(index.count + 1):
        is_last = row == index.count
        start, end = (contents.size,) * 2 if is_last else _place(index, row)
        within = not is_last and start >= done and bool(index.traits[row] & Trait.DAMAGED)
        found = [*_overshadowed(contents, done, start), *(_overshadowed(contents, start, end) if within else ())]
        parts = [_line_beside(index, entry, line, ids, time) for entry, line in found]
        if not is_last:
            parts.append(_clean_line(contents, index, row, time))
        done = max(done, end)
        for line in parts:
            yield line + b"\n"
            written += len(line)
        if token is not None and written > _CHECKED_BYTES:
            token.raise_if_set()
            written = 0
    if token is not None:
        token.seal()


def _place(index: EntryIndex, row: int) -> tuple[int, int]:
    """Where the line of an entry begins and ends."""
    start = int(index.offset[row])
    return start, start + int(index.length[row])


def _overshadowed(contents: Contents, start: int, end: int) -> Iterator[tuple[JsonObject, bytes]]:
    """The entries in a part of the file that don't count since their id occurs again later, and the lines they are on.

    One that says the same as the entry that counts is none of them.
    """
    index = contents.index
    if end - start < _SHORTEST_ENTRY:
        return
    data = contents.file.read(start, end - start)
    for record in read_records(data).records:
        entry = record.value
        id = entry_id(entry)
        row = None if id is None or entry_type(entry) in ("session", "title") else index.row_of(id)
        if row is None:
            continue
        if contents.old_entries is not None:
            entry = migrate([entry], {"version": 2}, str).records[0]
        if entry != _entry_at(contents, row):
            line_end = data.find(b"\n", record.offset)
            yield entry, data[record.offset : len(data) if line_end < 0 else line_end]


class _NewIds:
    """Gives ids that no entry has, and notes them."""

    def __init__(self, index: EntryIndex, new_uuid: Callable[[], str], renamed: list[RenamedEntry]) -> None:
        self._index = index
        self._new_uuid = new_uuid
        self._renamed = renamed
        self._given: set[str] = set()

    def __contains__(self, id: object) -> bool:
        return id in self._given or (isinstance(id, str) and self._index.row_of(id) is not None)

    def instead_of(self, id: str) -> str:
        """Return a new id for an entry."""
        new_id = fresh_entry_id(self, self._new_uuid)
        self._given.add(new_id)
        self._renamed.append(RenamedEntry(id, new_id))
        return new_id


def _line_beside(index: EntryIndex, entry: JsonObject, original: bytes, ids: _NewIds, time: str) -> bytes:
    """The line of an entry under an id of its own."""
    id, parent = str(entry["id"]), parent_id(entry)
    is_there = parent is not None and parent != id and index.row_of(parent) is not None
    renamed = renamed_entry(entry, ids.instead_of(id))
    return changed_line(mended_entry(renamed, parent if is_there else None, time), original)


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
    if record.get("customType") in (DAMAGED_MESSAGE, REPEATED_ENTRY) and isinstance(data := record.get("data"), dict):
        record = {**record, "data": {name: with_literals(value, original) for name, value in data.items()}}
    return rewritten(record, original).encode()
