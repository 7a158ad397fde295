"""The records of a session file: bytes to JSON values, with what could not be read (SF-9.1).

Records are separated by the byte LF alone. A line that is no JSON text may still hold whole records: two glued
together, or the rest of a torn write followed by the next one. They are found again; what stays unreadable is listed,
not hidden.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from model.json_text import JsonObject, parse
from model.rules import BRANCHWORK, Rules
from model.sentences import Sentence

BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_BLANKS: Final = b" \t\r\v\f"
_NUL_RUN = re.compile(b"\0+")
_RECORD_START = re.compile(r'\{\s*"')
_ERROR_CHARACTERS: Final = 64  # a failure costs as much again as reading one in so many of the characters before it
MOST_JOINED_LINES: Final = 200  # that are tried as one record
MOST_JOINED_BYTES: Final = 1 << 20
_MOST_TRIES: Final = 16
_SEARCH_LENGTHS: Final = 8  # the search for records in a damaged line reads it at most this many times over

ProblemKind = Literal[
    "unreadable", "recovered", "hole", "not an object", "unfinished", "no id", "extra header", "no header",
    "repeated id", "orphan", "own parent", "cycle", "mixed dialects", "more",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Record:
    """A JSON value of a file and the line it stands on, by number (from 1) and byte offset of the line."""

    value: Any
    line: int
    offset: int


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in a file that was not read, or not as it stands. `message` is a sentence for the user."""

    kind: ProblemKind
    line: int
    offset: int
    message: Sentence


@dataclass(frozen=True, slots=True)
class RecordScan:
    """All records of a file in order, and what went wrong."""

    records: tuple[Record, ...] = ()
    problems: tuple[Problem, ...] = ()
    ends_with_newline: bool = True


@dataclass(slots=True)
class _Line:
    number: int
    offset: int
    values: list[Any] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def report(self, kind: ProblemKind, message: Sentence) -> None:
        self.problems.append(Problem(kind, self.number, self.offset, message))


def read_records(data: bytes, rules: Rules = BRANCHWORK) -> RecordScan:
    """Return the records of a file. O(size); never raises.

    Blank lines are skipped; CR LF endings and a byte order mark are accepted; a run of NUL bytes is a hole, not an end.
    Values that are no objects are records, too, and reported.
    """
    records: list[Record] = []
    problems: list[Problem] = []
    behind = 0  # the number of the first line behind those that were read as one
    for number, offset, text in _lines(data, rules):
        if number < behind:
            continue
        line = _Line(number, offset)
        _read_line(text, line, rules)
        if not line.values and rules.damaged_lines == "recover" and may_go_on(text):
            lines = data[offset : offset + MOST_JOINED_BYTES].split(b"\n", MOST_JOINED_LINES)[:MOST_JOINED_LINES]
            if (joined := record_over_lines(lines)) is not None:
                line.values, line.problems = [joined[0]], []
                line.report("recovered", joined_sentence(number, joined[1]))
                behind = number + joined[1]
        records += (Record(value, number, offset) for value in line.values)
        problems += line.problems
    return RecordScan(tuple(records), tuple(problems), not data or data.endswith(b"\n"))


def record_over_lines(lines: Sequence[bytes]) -> tuple[JsonObject, int] | None:
    """Return the record that the first of some lines form together, at least two, and how many they are; or None.

    So it is when a program has written line breaks into a text as they are. What the lines form must be one record to
    the last character, and none of the lines behind the first may be an object by itself.
    """
    first = lines[0].lstrip(_BLANKS)
    if not may_go_on(first):
        return None
    parts, size, tries = [first], len(first), 0
    for count, line in enumerate(lines[1:], start=2):
        if _is_object(line):
            break
        parts.append(line)
        size += len(line) + 1
        if size > MOST_JOINED_BYTES or tries == _MOST_TRIES:
            break
        if line.rstrip(_BLANKS).endswith(b"}"):
            tries += 1
            value, end = _whole_object(b"\n".join(parts).decode("utf-8", "replace"))
            if value is not None and end and _looks_like_record(value):
                return value, count
    return None


def may_go_on(line: bytes) -> bool:
    """Whether a line breaks off inside a text of an object, so that it may be one record with those behind it."""
    if not line.startswith(b'{"'):
        return False
    try:
        _LENIENT_DECODER.raw_decode(line.decode("utf-8", "replace"))
    except json.JSONDecodeError as error:
        return error.msg.startswith("Unterminated string")
    except (RecursionError, ValueError):
        return False
    return False


def joined_sentence(number: int, count: int) -> Sentence:
    """Return what is said of a record that stood on `count` lines from `number` on."""
    return Sentence(
        "The lines {0} to {1} are one record with line breaks in a text; they were put together.",
        str(number),
        str(number + count - 1),
    )


def _is_object(line: bytes) -> bool:
    line = line.strip(_BLANKS)
    if not (line.startswith(b"{") and line.endswith(b"}")):
        return False
    try:
        return isinstance(parse(line), dict)
    except ValueError:
        return False


def _whole_object(text: str) -> tuple[JsonObject | None, bool]:
    """The object at the beginning of a text with line breaks in strings, and whether nothing follows it."""
    try:
        value, end = _LENIENT_DECODER.raw_decode(text)
    except (RecursionError, ValueError):
        return None, False
    return (value if isinstance(value, dict) else None), not text[end:].strip()


def _lines(data: bytes, rules: Rules) -> Iterator[tuple[int, int, bytes]]:
    """Number, offset and bytes of the lines that are not blank."""
    start = len(BYTE_ORDER_MARK) if rules.byte_order_mark_accepted and data.startswith(BYTE_ORDER_MARK) else 0
    number = 0
    while start < len(data):
        number += 1
        end = data.find(b"\n", start)
        end = len(data) if end < 0 else end
        if text := data[start:end].strip(_BLANKS):
            yield number, start, text
        start = end + 1


def _read_line(text: bytes, line: _Line, rules: Rules) -> None:
    try:
        line.values.append(parse(text))
    except ValueError:
        if rules.damaged_lines == "recover":
            _recover(text, line)
        elif rules.damaged_lines == "first record":
            line.values += _leading_records(text.decode("utf-8", "replace"))[0][:1]
        return
    if not isinstance(line.values[0], dict):
        line.report("not an object", Sentence("This line holds a JSON value that is not an object."))


def _recover(text: bytes, line: _Line) -> None:
    """The whole records of a line that is no JSON text."""
    parts = [part for part in _NUL_RUN.split(text) if part.strip(_BLANKS)]
    if b"\0" in text:
        line.report("hole", _hole(text.count(0)))
    lost = 0
    for part in parts:
        segment = part.decode("utf-8", "replace")
        found, end = _leading_records(segment)
        start = _trailing_start(segment, end)
        found += _leading_records(segment[start:])[0]
        line.values += found
        lost += bool(segment[end:start].strip())
    if line.values:
        found_in_it = (
            Sentence("This line is damaged; one whole record was found in it.")
            if len(line.values) == 1
            else Sentence("This line is damaged; {0} whole records were found in it.", len(line.values))
        )
        line.report("recovered", found_in_it)
    if lost:
        line.report("unreadable", Sentence("A part of this line cannot be read."))


def _hole(count: int) -> Sentence:
    if count == 1:
        return Sentence("1 NUL byte stands here, as a crash leaves it.")
    return Sentence("{0} NUL bytes stand here, as a crash leaves them.", count)


def _leading_records(text: str) -> tuple[list[JsonObject], int]:
    """The whole objects at the beginning of a text, one right behind the other, and where they end."""
    found: list[JsonObject] = []
    end = 0
    while True:
        start = end + len(text[end:]) - len(text[end:].lstrip())
        value, stop = _object_at(text, start)
        if value is None:
            return found, end
        found.append(value)
        end = stop


def _trailing_start(text: str, start: int) -> int:
    """Where the whole records at the end of a text begin, looking from `start` on; its length when there are none.

    Only a place from which records reach to the very end counts, so that a piece of a torn record is never taken for
    one.
    """
    budget = _SEARCH_LENGTHS * len(text)
    for match in _RECORD_START.finditer(text, start + 1):
        value, stop = _object_at(text, match.start())
        budget -= stop - match.start() + (stop // _ERROR_CHARACTERS if value is None else 0)
        if value is not None and _looks_like_record(value):
            end = stop + _leading_records(text[stop:])[1]
            if not text[end:].strip():
                return match.start()
        if budget < 0:
            break
    return len(text)


def _object_at(text: str, start: int) -> tuple[JsonObject | None, int]:
    """The object that begins at `start` and its end; None and the place where reading failed."""
    if not text.startswith("{", start):
        return None, start
    try:
        value, end = _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        return None, max(error.pos, start)
    except (RecursionError, ValueError):
        return None, len(text)
    return value, end


def _looks_like_record(value: JsonObject) -> bool:
    """Whether an object from the middle of a line is a record and no part of one: type and time tell."""
    return isinstance(value.get("type"), str) and "timestamp" in value


_DECODER: Final = json.JSONDecoder()
_LENIENT_DECODER: Final = json.JSONDecoder(strict=False)  # takes line breaks in strings
