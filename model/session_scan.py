"""Everything that one pass over the bytes of a session file finds: header, entries, and facts about the whole file.

Bytes come in blocks of lines. The heads of most lines are read together (`header_scan`), the others one by one, and out
of damaged lines whole records are recovered (`records`).
Source: session-format spec, SF-1, SF-2, SF-7, SF-9.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from model.body_measures import Measures, measure_entry, measure_records
from model.dialects import Dialect, dialect_mark
from model.entries import entry_id, entry_type
from model.entry_kinds import Kind, Trait, kind_of
from model.entry_records import IdKeys, Records
from model.header_scan import ScannedLines, scan_lines
from model.json_text import JsonObject, parse
from model.record_heads import RecordHead, head_of, read_head
from model.records import (
    BYTE_ORDER_MARK,
    MOST_JOINED_BYTES,
    MOST_JOINED_LINES,
    Problem,
    ProblemKind,
    joined_sentence,
    may_go_on,
    read_records,
    record_over_lines,
)
from model.sentences import Sentence

BLANKS: Final = b" \t\r\v\f"
MOST_PROBLEMS: Final = 1000  # that are listed one by one
_KEPT_KINDS: Final = (Kind.LABEL, Kind.SESSION_INFO)
_MARKED_KINDS: Final = (Kind.COMPACTION, Kind.BRANCH_SUMMARY, Kind.MODEL_CHANGE)  # whose fields tell the dialect
_IS_NOTED: Final = np.isin(np.arange(256), (*_KEPT_KINDS, *_MARKED_KINDS))
_LINES_A_MARK: Final = 1024


@dataclass(slots=True)
class LineNumbers:
    """Where some lines begin, so that the number of any other is found by counting line ends from the nearest."""

    offsets: list[int] = field(default_factory=lambda: [0])
    numbers: list[int] = field(default_factory=lambda: [1])

    def nearest(self, offset: int) -> tuple[int, int]:
        """Return offset and number of the nearest known line that begins at or before `offset`."""
        at = bisect_right(self.offsets, offset) - 1
        return self.offsets[at], self.numbers[at]


@dataclass(slots=True)
class ProblemList:
    """The problems of a file; after MOST_PROBLEMS the others are only counted."""

    listed: list[Problem] = field(default_factory=list)
    more: int = 0

    @property
    def has_room(self) -> bool:
        """Whether one more would be listed."""
        return len(self.listed) < MOST_PROBLEMS

    def add(self, kind: ProblemKind, line: int, offset: int, message: Sentence) -> None:
        """Note a problem."""
        if self.has_room:
            self.listed.append(Problem(kind, line, offset, message))
        else:
            self.more += 1


@dataclass(slots=True)
class Findings:
    """What a scan found beside the entries. Grows with each block."""

    header: JsonObject | None = None
    header_line: tuple[int, int] | None = None  # offset and length in bytes
    first_record: int | None = None  # offset of the first JSON object
    title_slot: JsonObject | None = None
    problems: ProblemList = field(default_factory=ProblemList)
    kept: dict[tuple[int, str], JsonObject] = field(default_factory=dict)
    """Labels and session names, by the offset of their line and their id."""
    marks: dict[Dialect, int] = field(default_factory=lambda: {"pi": 0, "omp": 0})
    """How often fields of one dialect occur; types and roles aren't counted here."""
    lines: LineNumbers = field(default_factory=LineNumbers)
    line_count: int = 0

    def note(self, offset: int, entry: JsonObject) -> None:
        """Keep an entry that matters for the whole file, or what it says about the dialect."""
        kind, id = kind_of(entry_type(entry)), entry_id(entry)
        if kind in _KEPT_KINDS and id is not None:
            self.kept[offset, id] = entry
        elif kind in _MARKED_KINDS and (mark := dialect_mark(entry)):
            self.marks[mark] += 1

    def absorb(self, later: Findings) -> None:
        """Take in what a scan of the bytes behind found; line numbers aside."""
        if self.header is None:
            self.header, self.header_line = later.header, later.header_line
        if self.first_record is None:
            self.first_record = later.first_record
        self.title_slot = self.title_slot or later.title_slot
        for problem in later.problems.listed:
            self.problems.add(problem.kind, problem.line, problem.offset, problem.message)
        self.problems.more += later.problems.more
        self.kept |= later.kept
        for dialect, count in later.marks.items():
            self.marks[dialect] += count


class SessionScan:
    """Reads records from blocks of a file, which must come in order."""

    def __init__(self, ids: IdKeys, findings: Findings | None = None) -> None:
        self._ids = ids
        self.findings = findings or Findings()

    def feed(self, data: bytearray, used: int, base: int, *, measure: bool = False) -> Records:
        """Return the entries among the lines of `data[:used]`, which begin at offset `base` and each end in LF.

        `data` has at least `used + PADDING` bytes. With `measure` the bodies are decoded as well, so that the entries
        are measured and certain; otherwise only recovered ones are.
        """
        scanned = scan_lines(data, used, base)
        self._note_lines(scanned.records.offset)
        view = memoryview(data)
        slow = _Slow(self._ids)
        if self.findings.first_record is None and scanned.accepted.any():
            self.findings.first_record = int(scanned.records.offset[scanned.accepted.argmax()])
        behind = 0  # the first line behind those that were read as one
        for line in np.flatnonzero(~scanned.accepted).tolist():
            if line < behind:
                continue
            at = int(scanned.records.offset[line]) - base
            raw = bytes(view[at : at + int(scanned.records.length[line])])
            number = self.findings.line_count + line + 1
            if not self._take_line(raw, base + at, number, slow, alone=False):
                count = self._take_over_lines(scanned, line, view, base, slow) if may_go_on(raw.lstrip(BLANKS)) else 0
                behind = line + count
                if not count:
                    self._take_line(raw, base + at, number, slow)
        found = slow.merged_into(scanned.records.taken(scanned.accepted))
        self.findings.line_count += len(scanned.accepted)
        if measure:
            found = self._measured(found, view, base)
        self._keep(found, view, base)
        return found

    def feed_rest(self, rest: bytes, base: int) -> Records:
        """Return the entries of a last line that has no LF yet, measured (SF-9.4)."""
        number = self.findings.line_count + 1
        found = self.read_again([(rest, base, number)])
        if not len(found) and self.findings.problems.listed:
            message = Sentence("The last line is cut off, or still being written.")
            self.findings.problems = ProblemList([Problem("unfinished", number, base, message)])
        return found

    def read_again(self, lines: Iterable[tuple[bytes, int, int]]) -> Records:
        """Return the entries of single lines (bytes, offset, number), measured; for lines that are not what they
        seemed."""
        slow = _Slow(self._ids)
        for raw, offset, number in lines:
            self._take_line(raw, offset, number, slow, thoroughly=True)
        return slow.merged_into(Records.empty())

    def _measured(self, found: Records, view: memoryview, base: int) -> Records:
        starts = (found.offset - base).tolist()
        lines = [bytes(view[at : at + length]) for at, length in zip(starts, found.length.tolist(), strict=True)]
        recovered = found.estimate >= 0
        fresh = np.flatnonzero(~recovered)
        part = found.taken(fresh)
        doubtful = measure_records(part, [lines[row] for row in fresh.tolist()], self._ids)
        found.estimate[fresh], found.traits[fresh] = part.estimate, part.traits
        if not len(doubtful):
            return found
        rows = fresh[doubtful]
        again = self.read_again(
            (lines[row], base + starts[row], self._number(view, base, starts[row])) for row in rows.tolist()
        )
        return Records.joined([found.taken(np.delete(np.arange(len(found)), rows)), again]).in_file_order()

    def _number(self, view: memoryview, base: int, at: int) -> int:
        offset, number = self.findings.lines.nearest(base + at)
        return number + bytes(view[max(0, offset - base) : at]).count(b"\n")

    def _note_lines(self, offsets: NDArray[np.int64]) -> None:
        marks = np.arange(0, len(offsets), _LINES_A_MARK)
        self.findings.lines.offsets += offsets[marks].tolist()
        self.findings.lines.numbers += (marks + self.findings.line_count + 1).tolist()

    def _take_over_lines(self, scanned: ScannedLines, line: int, view: memoryview, base: int, slow: _Slow) -> int:
        """Read the record that a line and some behind it form together; return how many they are, 0 for none."""
        last = line + 1
        while last < min(len(scanned.accepted), line + MOST_JOINED_LINES) and not scanned.accepted[last]:
            last += 1
        starts = (scanned.records.offset[line:last] - base).tolist()
        lengths = scanned.records.length[line:last].tolist()
        ends = [start + length for start, length in zip(starts, lengths, strict=True)]
        within = sum(end - starts[0] <= MOST_JOINED_BYTES for end in ends)
        # With the CR that a line may end in: inside a text it belongs to it.
        bounds = [*(start - 1 for start in starts[1:within]), *ends[within - 1 : within]]
        joined = record_over_lines([bytes(view[at:end]) for at, end in zip(starts, bounds, strict=False)])
        if joined is None:
            return 0
        record, count = joined
        offset, number = base + starts[0], self.findings.line_count + line + 1
        self._report("recovered", number, offset, joined_sentence(number, count))
        self._take_record(record, offset, ends[count - 1] - starts[0], number, slow, damaged=True, measure=True)
        return count

    def _take_line(
        self, raw: bytes, offset: int, number: int, slow: _Slow, *, thoroughly: bool = False, alone: bool = True
    ) -> bool:
        """Read one line that is not of the usual form; False, and nothing done, for one in which nothing is found
        though it may be a part of something, unless it stands `alone`.
        """
        length = len(raw)
        if offset == 0 and raw.startswith(BYTE_ORDER_MARK):
            raw = raw.removeprefix(BYTE_ORDER_MARK)
            offset, length = len(BYTE_ORDER_MARK), len(raw)
        raw = raw.strip(BLANKS)
        if not raw:
            return True
        try:
            if not thoroughly:
                head = read_head(raw)
                if head.entry_id is not None and head.type not in ("session", "title"):
                    if self._is_entry(head, offset):
                        slow.add(head, offset, length)
                    return True
            records: list[Any] = [parse(raw)]
            damaged = False
        except ValueError:
            scan = read_records(raw)
            records = [record.value for record in scan.records]
            if not (records or alone):
                return False
            damaged = True
            for problem in scan.problems:
                self._report(problem.kind, number, offset, problem.message)
        for record in records:
            self._take_record(record, offset, length, number, slow, damaged=damaged, measure=damaged or thoroughly)
        return True

    def _take_record(
        self, record: Any, offset: int, length: int, number: int, slow: _Slow, *, damaged: bool, measure: bool
    ) -> None:
        if not isinstance(record, dict):
            message = Sentence("This line holds a JSON value that is not an object.")
            self._report("not an object", number, offset, message)
            return
        head = head_of(record)
        before_all = self.findings.first_record is None or offset < self.findings.first_record
        self.findings.first_record = offset if before_all else self.findings.first_record
        if head.type == "session":
            self._take_header(record, offset, length, number)
        elif head.type == "title" and before_all and self.findings.header is None:
            self.findings.title_slot = record
        elif head.entry_id is None:
            message = Sentence("This record has no id, so it has no place in the tree.")
            self._report("no id", number, offset, message)
        elif not self._is_entry(head, offset):
            return
        elif measure:
            slow.add(head, offset, length, record, damaged=damaged)
            self.findings.note(offset, record)
        else:
            slow.add(head, offset, length)

    def _is_entry(self, head: RecordHead, offset: int) -> bool:
        """Whether a record with an id is an entry: of an unknown type, it is so only behind the header (SF-9.2)."""
        line = self.findings.header_line
        is_behind_header = self.findings.header is not None and (line is None or offset >= line[0])
        return is_behind_header or head.kind is not Kind.UNKNOWN

    def _take_header(self, record: JsonObject, offset: int, length: int, number: int) -> None:
        if self.findings.header is not None:
            self._report("extra header", number, offset, Sentence("A second session header; it is ignored."))
        elif not isinstance(record.get("id"), str):
            self._report("no id", number, offset, Sentence("A session header without an id; it is ignored."))
        else:
            self.findings.header = record
            self.findings.header_line = (offset, length)

    def _keep(self, found: Records, view: memoryview, base: int) -> None:
        """Decode the entries whose contents matter for the whole file."""
        for row in np.flatnonzero(_IS_NOTED[found.kind]).tolist():
            at = int(found.offset[row]) - base
            try:
                entry = parse(bytes(view[at : at + int(found.length[row])]))
            except ValueError:
                continue  # recovered, and kept then; or found out by the measuring
            self.findings.note(base + at, entry)

    def _report(self, kind: ProblemKind, number: int, offset: int, message: Sentence) -> None:
        self.findings.problems.add(kind, number, offset, message)


def slow_records(entries: Sequence[JsonObject], places: Sequence[tuple[int, int]], ids: IdKeys) -> Records:
    """Return the records of decoded entries, measured, given offset and length of each one's line."""
    slow = _Slow(ids)
    for entry, (offset, length) in zip(entries, places, strict=True):
        slow.add(head_of(entry), offset, length, entry)
    return slow.merged_into(Records.empty())


class _Slow:
    """Records that were read one by one."""

    def __init__(self, ids: IdKeys) -> None:
        self._ids = ids
        self._found: list[tuple[RecordHead, int, int, Measures | None]] = []

    def add(
        self, head: RecordHead, offset: int, length: int, entry: JsonObject | None = None, *, damaged: bool = False
    ) -> None:
        """Add an entry; given the decoded one, it is measured. `damaged`: it was recovered from its line."""
        measures = None if entry is None else measure_entry(entry)
        if measures is not None and damaged:
            measures = measures._replace(traits=measures.traits | Trait.DAMAGED)
        self._found.append((head, offset, length, measures))

    def merged_into(self, others: Records) -> Records:
        """Return these and `others` in file order."""
        if not self._found:
            return others
        records = Records.empty(len(self._found))
        for row, (head, offset, length, measures) in enumerate(self._found):
            records.offset[row], records.length[row] = offset, length
            records.kind[row], records.role[row], records.time_ms[row] = head.kind, head.role, head.time_ms
            records.key[row] = self._ids.key(head.entry_id or "")
            records.parent_key[row] = self._ids.key(head.parent_id or "")
            if measures is not None:
                records.estimate[row], records.traits[row] = measures
        return Records.joined([others, records]).in_file_order() if len(others) else records
