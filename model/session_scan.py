"""Everything that one pass over the bytes of a session file finds: header, entries, facts about the whole file.

Bytes come in blocks of complete lines; the heads of most lines are read together, the others one by one.
Source: session-format spec, SF-1, SF-2, SF-9.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from model.entry_index import IdKeys, Records
from model.entry_kinds import Kind
from model.header_scan import PADDING, scan_lines
from model.json_text import JsonObject, parse
from model.record_heads import RecordHead, read_head


@dataclass(frozen=True, slots=True)
class Problem:
    """Something odd in a file: what (`kind`), where (line from 1, byte offset), and a sentence about it."""

    kind: str
    line: int
    offset: int
    message: str


_NOTED_KINDS: Final = (Kind.LABEL, Kind.SESSION_INFO)


@dataclass(slots=True)
class Findings:
    """What a scan found beside the entries."""

    header: JsonObject | None = None
    title_slot: JsonObject | None = None
    problems: list[Problem] = field(default_factory=list)
    noted: list[tuple[int, JsonObject]] = field(default_factory=list)
    """Offset and decoded entry of every label and session name, in file order."""
    line_count: int = 0


class SessionScan:
    """Reads the records of a file from its blocks, which must come in order."""

    def __init__(self, ids: IdKeys, findings: Findings | None = None) -> None:
        self._ids = ids
        self.findings = findings or Findings()

    def feed(self, data: bytearray, used: int, base: int) -> Records:
        """Return the entries among the lines of `data[:used]`, which begin at offset `base` and each end in LF.

        `data` has at least `used + PADDING` bytes.
        """
        scanned = scan_lines(data, used, base)
        records = scanned.records
        rejected = np.flatnonzero(~scanned.accepted)
        more = Records.empty(len(rejected))
        count = 0
        for line in rejected.tolist():
            offset, length = int(records.offset[line]), int(records.length[line])
            raw = bytes(memoryview(data)[offset - base : offset - base + length])
            head = self._head(raw, offset, self.findings.line_count + line + 1)
            if head is not None and head.entry_id is not None:
                more.offset[count], more.length[count] = offset, length
                _put(more, count, head, self._ids)
                count += 1
        self.findings.line_count += len(scanned.accepted)
        found = records.taken(scanned.accepted)
        if count:
            found = Records.joined([found, more.taken(np.arange(count))])
            found = found.taken(np.argsort(found.offset, kind="stable"))
        self._note(found, data, base)
        return found

    def feed_rest(self, rest: bytes, base: int) -> Records:
        """Return the entry of a last line that has no LF."""
        data = bytearray(rest + b"\n") + bytearray(PADDING)
        found = self.feed(data, len(rest) + 1, base)
        self.findings.line_count -= 1
        return found

    def _head(self, raw: bytes, offset: int, line: int) -> RecordHead | None:
        if not raw.strip(b" \t\r"):
            return None
        if offset == 0:
            raw = raw.removeprefix(b"\xef\xbb\xbf")
        try:
            head = read_head(raw)
        except ValueError:
            self.findings.problems.append(Problem("damaged", line, offset, "This line is no JSON and was skipped."))
            return None
        if head.type == "session":
            if self.findings.header is None and head.entry_id is not None:
                self.findings.header = parse(raw)
            else:
                message = "A second header was ignored." if self.findings.header else "A header without an id."
                self.findings.problems.append(Problem("header", line, offset, message))
            return None
        if head.type == "title" and line == 1:
            self.findings.title_slot = parse(raw)
            return None
        if head.type is None or head.entry_id is None:
            message = "This record has no type or no id and is not shown."
            self.findings.problems.append(Problem("no-entry", line, offset, message))
            return None
        return head

    def _note(self, found: Records, data: bytearray, base: int) -> None:
        for row in np.flatnonzero(np.isin(found.kind, _NOTED_KINDS)).tolist():
            start = int(found.offset[row]) - base
            try:
                entry = parse(bytes(memoryview(data)[start : start + int(found.length[row])]))
            except ValueError:
                continue
            self.findings.noted.append((int(found.offset[row]), entry))


def _put(records: Records, row: int, head: RecordHead, ids: IdKeys) -> None:
    records.kind[row] = head.kind
    records.role[row] = head.role
    records.key[row] = ids.key(head.entry_id or "")
    records.parent_key[row] = ids.key(head.parent_id or "")
    records.time_ms[row] = head.time_ms
