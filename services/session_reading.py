"""From a session file to its contents: the whole file, its end alone, or what was appended to it.

Source: session-format spec, SF-4.9, SF-4.10, SF-7 to SF-10.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import astuple, dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from model.body_measures import measure_records
from model.dialects import DIALECTS, DetectedDialect, Dialect, dialect_by_marks, dialect_mark
from model.entries import entry_id
from model.entry_index import EntryIndex, FrozenIndex, IndexFindings, build_index
from model.entry_kinds import NAME_OF_ROLE, TYPE_OF_KIND, kind_of
from model.entry_records import NOT_MEASURED, IdKeys, RecordCollector, Records
from model.errors import NotASessionError
from model.header_scan import PADDING
from model.json_text import JsonObject
from model.labels import resolve_labels
from model.migration import CURRENT_VERSION, stored_version
from model.old_sessions import read_old_session
from model.records import Problem, ProblemKind
from model.sentences import Sentence, packed, unpacked
from model.session_loading import titled_header
from model.session_names import session_name
from model.session_scan import Findings, LineNumbers, ProblemList, SessionScan
from services.cancellation import CancellationToken
from services.session_file import FileState, LongLine, SessionFile, read_lines

Progress = Callable[[int, int], None]

TAIL_BYTES: Final = 256 << 10
_TAIL_SIZES: Final = (TAIL_BYTES, 2 << 20, 16 << 20)  # a tail that holds no whole line is too short
EXACT_BYTES: Final = 4 << 20  # files up to here are decoded whole at once; of larger ones the bodies come later
_BATCH_BYTES: Final = 1 << 20
_MOST_BYTES_OF_NOTHING: Final = 64 << 20  # a file without a record in its first bytes is no session

RECOVERED: Final = Sentence(
    "The header of this session is missing or damaged. What could be recovered is shown; to work with it, save a "
    "repaired copy."
)
STILL_READING: Final = Sentence("The session is still being read.")
NOT_A_SESSION: Final = Sentence("This file is not a session: it has no session header and no entries.")


@dataclass(frozen=True, slots=True)
class Contents:
    """One state of a session file as it was read; immutable."""

    file: SessionFile
    index: EntryIndex
    state: FileState  # of the file, when it was looked at
    ends_with_newline: bool = True
    header: JsonObject | None = None  # with the title of a title slot
    header_line: tuple[int, int] | None = None  # offset and length in bytes
    title_slot: JsonObject | None = None
    version: float = CURRENT_VERSION  # as stored
    old_entries: Mapping[str, JsonObject] | None = None  # of an older version: by id, in the current one
    labels: Mapping[int, str] = field(default_factory=dict)
    session_name: str | None = None
    detected: DetectedDialect = field(default_factory=lambda: DetectedDialect("pi"))
    problems: tuple[Problem, ...] = ()
    read_only: str | None = None
    partial: bool = False

    @property
    def size(self) -> int:
        """How many bytes were looked at."""
        return self.state.size


class SessionReader:
    """Reads one open file and what is appended to it. One thread at a time, except for `measure`."""

    def __init__(self, path: Path, *, dialect: Dialect | None = None, generation: int = 0) -> None:
        self.path = path
        self.file = SessionFile(path)
        self._dialect = dialect
        self._generation = generation
        self._ids = IdKeys()
        self._findings = Findings()  # of the lines before `_end`
        self._end = 0  # behind the last LF that was read
        self._rest = Findings()  # of the bytes behind it
        self._rest_rows = 0
        self._kept_count = 0
        self._marks: dict[Dialect, int] = dict.fromkeys(DIALECTS, 0)  # of the types and roles in the index
        self._repeated = ProblemList()
        self._tree_problems = ProblemList()

    def read(
        self, progress: Progress | None = None, token: CancellationToken | None = None, *, exact: bool = False
    ) -> Contents:
        """Return the contents of the whole file; of a large one from the heads of its lines, unless `exact`.

        Raises NotASessionError, OSError, OperationCancelled.
        """
        state = self.file.state()
        size = state.size
        collector = RecordCollector()
        for records in self._scan(size, exact or size <= EXACT_BYTES, progress, token):
            header = self._header()
            if header is not None and stored_version(header) < CURRENT_VERSION:
                return self._read_old(state)
            count = len(collector) + len(records)
            if not count and header is None and self._end > _MOST_BYTES_OF_NOTHING:
                break
            collector.add(records, count * size // max(self._end, 1))
        index, odd = build_index(collector.records(), self._ids, generation=self._generation)
        self._report(index, odd, anew=True)
        if size and not index.count and self._header() is None:
            raise NotASessionError(NOT_A_SESSION)
        return self._contents(index, state)

    def read_tail(self) -> Contents | None:
        """Return the last entries alone; None when they say too little without the rest of the file."""
        state = self.file.state()
        head = self.file.read(0, TAIL_BYTES)
        head = head[: head.rfind(b"\n") + 1]
        first = SessionScan(self._ids)
        first.feed(bytearray(head) + bytes(PADDING), len(head), 0)
        header = first.findings.header
        if header is None or stored_version(header) != CURRENT_VERSION:
            return None
        for size in _TAIL_SIZES:
            start = max(0, state.size - size)
            self._findings = Findings(header=header, title_slot=first.findings.title_slot)
            self._end = start + self.file.read(start, state.size - start).find(b"\n") + 1
            records = Records.joined(list(self._scan(state.size, True, None, None)))
            if len(records):
                index, _ = build_index(records, self._ids, is_tail=True)
                return replace(self._contents(index, state), partial=True, problems=(), read_only=STILL_READING)
        return None

    def take_in(self, before: Contents) -> Contents:
        """Return the contents with what was appended since; `before` are the last contents of this reader."""
        state = self.file.state()
        if self._rest_rows and not self._settle_rest(before, state.size):
            return self._read_from_start(before.index.generation + 1)
        index = before.index
        for records in self._scan(state.size, True, None, None):
            grown, odd = index.extended(records)
            self._report(grown, odd, anew=grown.generation != index.generation)
            index = grown
        return self._contents(index, state, before)

    def measured(self, contents: Contents, measures: Measures) -> Contents:
        """Return `contents`, which may have grown since, with the measures of their first entries.

        When some lines are not what their heads said, the file is read once more, with all bodies: one such line may
        have hidden others.
        """
        if len(measures.doubtful):
            return self._read_from_start(contents.index.generation + 1, exact=True)
        later = slice(len(measures.estimate), None)  # measured when they were taken in
        estimate = np.concatenate((measures.estimate, contents.index.estimate[later]))
        traits = np.concatenate((measures.traits, contents.index.traits[later]))
        return replace(contents, index=contents.index.with_measures(estimate, traits))

    def facts(self) -> JsonObject:
        """Return what this reader knows beside an index, as JSON, for `restored`; of a file that ends in LF."""
        found = self._findings
        return {
            "end": self._end,
            "header": found.header,
            "header_line": found.header_line,
            "first_record": found.first_record,
            "title_slot": found.title_slot,
            "kept": [[offset, id, entry] for (offset, id), entry in found.kept.items()],
            "marks": found.marks,
            "line_offsets": found.lines.offsets,
            "line_numbers": found.lines.numbers,
            "line_count": found.line_count,
            "problems": [_listed(found.problems), _listed(self._repeated), _listed(self._tree_problems)],
        }

    def restored(self, frozen: FrozenIndex, facts: JsonObject, state: FileState) -> Contents:
        """Return the contents that an index and facts were saved of, for the file in the same state.

        Raises KeyError, TypeError or ValueError when the facts are not of that form.
        """
        problems, self._repeated, self._tree_problems = map(_problem_list, facts["problems"])
        self._findings = Findings(
            header=facts["header"],
            header_line=tuple(facts["header_line"]) if facts["header_line"] else None,
            first_record=facts["first_record"],
            title_slot=facts["title_slot"],
            problems=problems,
            kept={(offset, id): entry for offset, id, entry in facts["kept"]},
            marks=facts["marks"],
            lines=LineNumbers(facts["line_offsets"], facts["line_numbers"]),
            line_count=facts["line_count"],
        )
        self._end = facts["end"]
        return self._contents(EntryIndex.thawed(frozen, self._ids), state)

    def close(self) -> None:
        """Close the file."""
        self.file.close()

    def _scan(
        self, size: int, exact: bool, progress: Progress | None, token: CancellationToken | None
    ) -> Iterator[Records]:
        """Yield the entries from `_end` on block by block, those of a last line without LF included."""
        self._rest, self._rest_rows = Findings(), 0
        scan = SessionScan(self._ids, self._findings)
        for block in read_lines(self.file, self._end, size, progress=progress, token=token):
            if isinstance(block, LongLine):
                message = Sentence("This line of {0} bytes is too long to be read and was skipped.", block.length)
                self._findings.line_count += 1
                self._findings.problems.add("unreadable", self._findings.line_count, block.offset, message)
                self._end = block.offset + block.length
            elif block.is_whole:
                records = scan.feed(block.data, block.used, block.base, measure=exact)
                self._end = block.base + block.used
                yield records
            else:
                self._rest.header, self._rest.line_count = self._findings.header, self._findings.line_count
                rest = SessionScan(self._ids, self._rest)
                records = rest.feed_rest(bytes(memoryview(block.data)[: block.used]), block.base)
                self._rest_rows = len(records)
                yield records

    def _settle_rest(self, before: Contents, size: int) -> bool:
        """Count the last line, which had no LF, among the others, now that the file goes on behind it.

        False when more than the LF was missing: what was made of that line does not hold.
        """
        behind = self.file.read(before.size, min(2, size - before.size))
        if not self._rest.problems.listed and behind[:1] == b"\n":
            self._findings.absorb(self._rest)
            self._findings.line_count += 1
            self._end = before.size + 1
            return True
        return False

    def _read_from_start(self, generation: int, *, exact: bool = False) -> Contents:
        """Return the contents of the same file, read as if for the first time."""
        self._generation = generation
        self._findings, self._end = Findings(), 0
        self._repeated = ProblemList()
        return self.read(exact=exact)

    def _read_old(self, state: FileState) -> Contents:
        old = read_old_session(self.file.read(0, state.size), self._ids)
        index, odd = build_index(old.records, self._ids, generation=self._generation)
        self._findings, self._rest = Findings(header=old.header, header_line=old.header_line), Findings()
        for problem in old.problems:
            self._findings.problems.add(problem.kind, problem.line, problem.offset, problem.message)
        for place, entry in zip(old.records.offset.tolist(), old.entries, strict=True):
            self._findings.note(place, entry)
        self._report(index, odd, anew=True)
        by_id = {id: entry for entry in old.entries if (id := entry_id(entry)) is not None}
        return replace(self._contents(index, state), old_entries=by_id)

    def _header(self) -> JsonObject | None:
        return self._findings.header or self._rest.header

    def _contents(self, index: EntryIndex, state: FileState, before: Contents | None = None) -> Contents:
        header, slot = self._header(), self._findings.title_slot or self._rest.title_slot
        version = stored_version(header) if header else CURRENT_VERSION
        detected = self._dialect_of(index, slot is not None, before)
        read_only = None
        if header is None and state.size:
            read_only = RECOVERED
        elif version > CURRENT_VERSION:
            read_only = Sentence(
                "This session is of format version {0}, which is newer than this program: it can only be looked at.",
                f"{version:g}",
            )
        labels, name = self._labels_and_name(index, before)
        return Contents(
            file=self.file,
            index=index,
            state=state,
            ends_with_newline=self._end == state.size,
            header=titled_header(header, slot) if header and slot else header,
            header_line=self._findings.header_line or self._rest.header_line,
            title_slot=slot,
            version=version,
            labels=labels,
            session_name=name,
            detected=detected,
            problems=self._problems(detected),
            read_only=read_only,
        )

    def _dialect_of(self, index: EntryIndex, title_slot: bool, before: Contents | None) -> DetectedDialect:
        first = before.index.count if before and before.index.generation == index.generation else 0
        if not first:
            self._marks = dict.fromkeys(self._marks, 0)
        for codes, marks in ((index.kind, _MARKS_OF_KINDS), (index.role, _MARKS_OF_ROLES)):
            occurrences = np.bincount(codes[first:], minlength=256)
            for code, dialect in marks.items():
                self._marks[dialect] += int(occurrences[code])
        pi, omp = (
            self._marks[dialect] + self._findings.marks[dialect] + self._rest.marks[dialect] for dialect in DIALECTS
        )
        return dialect_by_marks(str(self.path), omp + title_slot, pi, override=self._dialect)

    def _labels_and_name(self, index: EntryIndex, before: Contents | None) -> tuple[Mapping[int, str], str | None]:
        known = len(self._findings.kept) + len(self._rest.kept)
        if before is not None and before.index.generation == index.generation and known == self._kept_count:
            return before.labels, before.session_name
        self._kept_count = known
        kept = sorted((self._findings.kept | self._rest.kept).items(), key=lambda item: item[0][0])
        rows = index.rows_of([id for (_, id), _ in kept])
        kinds = np.array([kind_of(entry.get("type")) for _, entry in kept], np.uint8)
        offsets = np.array([offset for (offset, _), _ in kept], np.int64)
        is_last = (rows >= 0) & (index.offset[rows] == offsets) & (index.kind[rows] == kinds)  # of its id
        in_force = [kept[place][1] for place in np.flatnonzero(is_last).tolist()]
        labels = resolve_labels(in_force)
        targets = index.rows_of(list(labels)).tolist()
        texts = {row: label.text for row, label in zip(targets, labels.values(), strict=True) if row >= 0}
        return texts, session_name(in_force)

    def _problems(self, detected: DetectedDialect) -> tuple[Problem, ...]:
        lists = (self._findings.problems, self._rest.problems, self._repeated, self._tree_problems)
        problems = [problem for part in lists for problem in part.listed]
        problems = _with_regions(sorted(problems, key=lambda problem: problem.offset))
        if detected.mixed:
            message = Sentence(
                "Both agents seem to have written this file (marks of OMP: {0}, of Pi: {1}).",
                detected.omp_marks,
                detected.pi_marks,
            )
            problems.append(Problem("mixed dialects", 1, 0, message))
        if more := sum(part.more for part in lists):
            message = (
                Sentence("There is 1 more problem, which is not listed.")
                if more == 1
                else Sentence("There are {0} more problems, which are not listed.", more)
            )
            problems.append(Problem("more", 1, 0, message))
        return tuple(problems)

    def _report(self, index: EntryIndex, odd: IndexFindings, *, anew: bool) -> None:
        """Put what is odd about the tree into words; `anew` when the whole tree was built again."""
        if anew:
            self._tree_problems = ProblemList()
        for offset, id in odd.repeated:
            message = Sentence("The id {0} occurs again later in the file; the last one counts.", id)
            self._note("repeated id", offset, message, self._repeated)
        for row in odd.orphans:
            message = Sentence(
                "The parent {0} is not in the file; the entry is shown as a root.", str(index.named_parent(row))
            )
            self._note("orphan", int(index.offset[row]), message)
        for row in odd.self_parents:
            message = Sentence("The entry names itself as its parent; it is a root.")
            self._note("own parent", int(index.offset[row]), message)
        for row in odd.cycle_cuts:
            message = Sentence("The parents of this entry lead back to it; the circle is cut here.")
            self._note("cycle", int(index.offset[row]), message)

    def _note(self, kind: ProblemKind, offset: int, message: Sentence, problems: ProblemList | None = None) -> None:
        problems = self._tree_problems if problems is None else problems
        problems.add(kind, self._line_of(offset) if problems.has_room else 0, offset, message)

    def _line_of(self, offset: int) -> int:
        start, number = self._findings.lines.nearest(offset)
        return number + self.file.read(start, offset - start).count(b"\n")


def _with_regions(problems: list[Problem]) -> list[Problem]:
    """Make one problem of unreadable lines that follow each other: they are one damaged region."""
    regions: list[list[Problem]] = []
    for problem in problems:
        last = regions[-1][-1] if regions else None
        if last and last.kind == problem.kind == "unreadable" and problem.line == last.line + 1:
            regions[-1].append(problem)
        else:
            regions.append([problem])
    return [
        region[0]
        if len(region) == 1
        else replace(region[0], message=_unreadable(str(region[0].line), str(region[-1].line)))
        for region in regions
    ]


def _unreadable(first: str, last: str) -> Sentence:
    return Sentence("The lines {0} to {1} cannot be read.", first, last)


def _listed(problems: ProblemList) -> list[object]:
    return [problems.more, [[*astuple(problem)[:-1], packed(problem.message)] for problem in problems.listed]]


def _problem_list(listed: list[Any]) -> ProblemList:
    more, problems = listed
    return ProblemList([Problem(*map(unpacked, problem)) for problem in problems], more)


@dataclass(frozen=True, slots=True)
class Measures:
    """What the bodies of the first entries of an index weigh, and which rows are not what they seemed."""

    estimate: NDArray[np.int32]
    traits: NDArray[np.uint8]
    doubtful: NDArray[np.int64]


def measure_bodies(
    contents: Contents, progress: Progress | None = None, token: CancellationToken | None = None
) -> Measures:
    """Decode the bodies of all entries of `contents`. Raises OperationCancelled."""
    index = contents.index
    estimate, traits = index.estimate.copy(), index.traits.copy()
    doubtful: list[NDArray[np.int64]] = [np.empty(0, np.int64)]
    check: Callable[[], None] = token.raise_if_set if token is not None else lambda: None
    first = 0
    while first < index.count:
        check()
        last, end = _batch(index, first)
        fresh = np.flatnonzero(index.estimate[first:last] == NOT_MEASURED)
        if len(fresh):
            start = int(index.offset[first])
            data = contents.file.read(start, end - start)
            batch = index.records(first, last).taken(fresh)
            places = zip((batch.offset - start).tolist(), batch.length.tolist(), strict=True)
            odd = measure_records(batch, [data[at : at + size] for at, size in places], index.ids, check)
            estimate[first + fresh], traits[first + fresh] = batch.estimate, batch.traits
            doubtful.append(first + fresh[odd])
        first = last
        if progress is not None:
            progress(end, contents.size)
    return Measures(estimate, traits, np.concatenate(doubtful))


def _batch(index: EntryIndex, first: int) -> tuple[int, int]:
    """Return the row behind a batch of entries that begins at `first`, and the offset behind its last line."""
    start = int(index.offset[first])
    last = max(first + 1, int(np.searchsorted(index.offset, start + _BATCH_BYTES)))
    return last, int(index.offset[last - 1]) + int(index.length[last - 1])


_MARKS_OF_KINDS: Final = {
    kind: mark for kind, name in TYPE_OF_KIND.items() if (mark := dialect_mark({"type": name})) is not None
}
_MARKS_OF_ROLES: Final = {
    role: mark
    for role, name in NAME_OF_ROLE.items()
    if (mark := dialect_mark({"type": "message", "message": {"role": name}})) is not None
}
