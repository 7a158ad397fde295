"""Read the heads of many lines at once: type, id, parent, time and role, without decoding the bodies.

Both agents write `type`, `id`, `parentId` and `timestamp` first in nearly every line, in compact JSON, so the tree can
be read from the first 150 bytes of each line with array operations. A line is accepted only if these bytes are exactly
of that form and it ends in `}`; every other line is left to a decoder (`model/record_heads.py`). What the rest of an
accepted line holds (damage, a key given again) is found when the bodies are measured.
Source: session-format spec, SF-3, SF-4 and SF-9.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from model.entry_kinds import NAME_OF_ROLE, TYPE_OF_KIND, Kind, Role
from model.entry_records import INVALID_TIME, NO_KEY, Keys, Records
from model.timestamps import timestamp_ms

Bytes = NDArray[np.uint8]

PADDING: Final = 256  # bytes that a block must have behind its last line, so that no window reaches past its end

TIME_LENGTH: Final = 24  # of 2026-01-31T12:34:56.789Z

_QUOTE, _BACKSLASH, _BLANK = 0x22, 0x5C, 0x20
_TYPE_KEY: Final = b'{"type":"'
_TAG_LENGTH: Final = 4  # bytes of the type's name that tell most types apart
_ID_LENGTH: Final = 8
_ID_KEY: Final = b'","id":"'
_PARENT_KEY: Final = b'","parentId":'
_TIME_KEY: Final = b',"timestamp":"'
_ROLE_KEY: Final = b'","message":{"role":"'
_ROLE_LENGTH: Final = max(len(name) for name in NAME_OF_ROLE.values()) + 1
_GLUED: Final = b'}{"type":"'  # not inside a string: there the quotes would be escaped
_GLUE: Final = int.from_bytes(_GLUED[:2], "little")
_PIECE_BYTES: Final = 256 << 10  # of a block that stay in the processor's cache while they are looked at twice
_LEAST_LINES: Final = 24  # of one kind in a block; decoding fewer one by one costs less than array operations
_CLOCK_LEAST: Final = np.frombuffer(b"T00:00:00.000Z", np.uint8)
_CLOCK_RANGE: Final = np.array([0, 2, 9, 0, 5, 9, 0, 5, 9, 0, 9, 9, 9, 0], np.uint8)
_CLOCK_MS: Final = np.array([0, 36e6, 36e5, 0, 6e5, 6e4, 0, 1e4, 1e3, 0, 1e2, 1e1, 1.0, 0])
_COMMON_ROLES: Final = (Role.ASSISTANT, Role.TOOL_RESULT, Role.USER)
_ROLES_BY_FREQUENCY: Final = sorted(NAME_OF_ROLE.items(), key=lambda item: item[0] not in _COMMON_ROLES)


@dataclass(frozen=True, slots=True)
class ScannedLines:
    """The lines of a block: `records` has a row for each; where `accepted` is false only offset and length are set."""

    records: Records
    accepted: NDArray[np.bool_]


def scan_lines(data: bytearray, used: int, base: int) -> ScannedLines:
    """Return the heads of all lines in `data[:used]`.

    Each line ends in LF. `base` is the offset of the block in the file; the block has at least `used + PADDING` bytes.
    A CR in front of the LF is left out of the line's length.
    """
    block = np.frombuffer(data, np.uint8)
    ends = np.flatnonzero(block[:used] == 0x0A)
    starts = np.empty_like(ends)
    starts[:1] = 0
    starts[1:] = ends[:-1] + 1
    ends = ends - ((ends > starts) & (block[ends - 1] == 0x0D))
    records = Records.empty(len(starts))
    records.offset[:] = starts + base
    records.length[:] = ends - starts
    plausible = (ends > starts) & (block[ends - 1] == ord("}"))
    troubles = np.concatenate((_nul_places(data, used), _glued_places(block, used)))
    plausible[np.searchsorted(starts, troubles, side="right") - 1] = False
    accepted = np.zeros(len(starts), np.bool_)
    tags = _windows(block, starts + len(_TYPE_KEY), _TAG_LENGTH).view("<u4").ravel()
    for kind, name in TYPE_OF_KIND.items():
        tag = int.from_bytes(name[:_TAG_LENGTH].encode(), "little")
        lines = np.flatnonzero(plausible & (tags == tag))
        if len(lines) >= _LEAST_LINES:
            lines = _read_heads(block, starts, lines, kind, records)
            accepted[lines] = True
    return ScannedLines(records, accepted)


def _nul_places(data: bytearray, used: int) -> NDArray[np.int64]:
    """Return one place in each run of NUL bytes."""
    places = []
    at = data.find(b"\0", 0, used)
    while at >= 0:
        places.append(at)
        end = data.find(b"\n", at, used)
        at = data.find(b"\0", end, used) if end >= 0 else -1
    return np.array(places, np.int64)


def _glued_places(block: Bytes, used: int) -> NDArray[np.int64]:
    """Return where a record begins directly behind another one."""
    found = []
    for start in range(0, used, _PIECE_BYTES):
        for first in (start, start + 1):
            length = min(_PIECE_BYTES, used - first) // 2 * 2
            hits = block[first : first + length].view("<u2") == _GLUE
            if hits.any():
                places = 2 * np.flatnonzero(hits) + first
                found.append(places[_starts_with(_windows(block, places, len(_GLUED)), _GLUED)])
    return np.concatenate(found) if found else np.empty(0, np.int64)


def _read_heads(
    block: Bytes, starts: NDArray[np.int64], lines: NDArray[np.int64], kind: Kind, records: Records
) -> NDArray[np.int64]:
    """Fill the rows of those `lines` whose head has the form of `kind`, and return these lines."""
    prefix = _TYPE_KEY + TYPE_OF_KIND[kind].encode() + _ID_KEY
    id_end = len(prefix) + _ID_LENGTH
    parent_at = id_end + len(_PARENT_KEY)
    head = _windows(block, starts[lines], parent_at + 2 + _ID_LENGTH)
    keys, parent_keys = _word(head, len(prefix)).copy(), _word(head, parent_at + 1).copy()
    is_root = _starts_with(head[:, parent_at:], b"null")
    has_parent = (head[:, parent_at] == _QUOTE) & (head[:, -1] == _QUOTE) & _is_plain(parent_keys)
    good = _starts_with(head, prefix) & _starts_with(head[:, id_end:], _PARENT_KEY) & _is_plain(keys)
    good &= is_root | has_parent
    parent_keys[is_root] = NO_KEY

    time_at = len(_TIME_KEY)
    time_end = time_at + TIME_LENGTH
    role_at = time_end + len(_ROLE_KEY)
    behind = starts[lines] + np.where(is_root, parent_at + len(b"null"), parent_at + 2 + _ID_LENGTH)
    tail = _windows(block, behind, role_at + _ROLE_LENGTH if kind is Kind.MESSAGE else time_end + 1)
    good &= _starts_with(tail, _TIME_KEY) & (tail[:, time_end] == _QUOTE)
    if kind is Kind.MESSAGE:
        roles = _roles(tail[:, role_at:])
        good &= _starts_with(tail[:, time_end:], _ROLE_KEY) & (roles != Role.UNKNOWN)
    times, is_time = clock_times(tail[:, time_at:time_end])
    good &= is_time

    lines = lines[good]
    records.kind[lines] = kind
    records.key[lines] = keys[good]
    records.parent_key[lines] = parent_keys[good]
    records.time_ms[lines] = times[good]
    if kind is Kind.MESSAGE:
        records.role[lines] = roles[good]
    return lines


def _windows(block: Bytes, places: NDArray[np.int64], width: int) -> Bytes:
    """Return `width` (at most PADDING) bytes from each of `places`, as rows."""
    view = np.lib.stride_tricks.as_strided(
        block, shape=(len(block) - width + 1, width), strides=(1, 1), writeable=False
    )
    return view[places]


def _starts_with(rows: Bytes, text: bytes) -> NDArray[np.bool_]:
    """Whether each row begins with `text`, compared in words of eight bytes and less."""
    good = np.ones(len(rows), np.bool_)
    at = 0
    for size in (8, 4, 2, 1):
        while len(text) - at >= size:
            good &= _word(rows, at, size) == int.from_bytes(text[at : at + size], "little")
            at += size
    return good


def _word(rows: NDArray[Any], at: int, size: int = 8) -> NDArray[Any]:
    """Return `size` bytes of each row from column `at` on as one number, the first byte lowest."""
    return rows[:, at : at + size].view(f"<u{size}")[:, 0]


def _is_plain(words: Keys) -> NDArray[np.bool_]:
    """Whether the eight bytes of each word are ASCII that stands for itself in a JSON text."""
    odd = words - _each(_BLANK)  # in each byte the high bit, if the byte was less than a blank or not ASCII
    odd |= words
    for character in (_QUOTE, _BACKSLASH):
        other = words ^ _each(character)
        odd |= (other - _each(1)) & ~other  # the high bit of a byte that is this character
    return np.asarray((odd & _each(0x80)) == 0)


def _each(byte: int) -> np.uint64:
    return np.uint64(int.from_bytes(bytes([byte]) * 8, "little"))


def _roles(names: Bytes) -> NDArray[np.uint8]:
    """Return the role whose name and closing quote each row begins with, UNKNOWN where there is none."""
    roles = np.full(len(names), Role.UNKNOWN, np.uint8)
    words = _word(names, 0).copy()
    missing = len(names)
    for role, name in _ROLES_BY_FREQUENCY:
        if not missing:
            break
        text = name.encode() + b'"'
        begin = text[:8]
        mask = np.uint64((1 << 8 * len(begin)) - 1)
        rows = np.flatnonzero((words & mask) == int.from_bytes(begin, "little"))
        rows = rows[_starts_with(names[rows], text)]
        roles[rows] = role
        missing -= len(rows)
    return roles


def clock_times(texts: Bytes) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return the Unix milliseconds of timestamps of the form that both agents write, and which rows have that form.

    `texts` has TIME_LENGTH columns. Where the form is another one, the time is void.
    """
    clocks = texts[:, 10:] - _CLOCK_LEAST  # unsigned: smaller characters become large
    wrong = np.zeros((len(texts), 16), np.bool_)
    np.greater(clocks, _CLOCK_RANGE, out=wrong[:, : len(_CLOCK_RANGE)])
    good = (_word(wrong, 0) | _word(wrong, 8)) == 0
    good &= (clocks[:, 1] < 2) | (clocks[:, 2] < 4)
    times = (clocks.astype(np.float64) @ _CLOCK_MS).astype(np.int64)
    centuries, days = _word(texts, 0), _word(texts, 8, 2)
    changes = np.ones(len(texts), np.bool_)
    changes[1:] = (centuries[1:] != centuries[:-1]) | (days[1:] != days[:-1])
    begins = [_day_ms(day.tobytes()) for day in texts[changes, :10]]
    lengths = np.diff(np.flatnonzero(np.append(changes, True)))
    times += np.repeat(np.array(begins, np.int64), lengths)
    good &= np.repeat(np.array([begin != INVALID_TIME for begin in begins], np.bool_), lengths)
    return times, good


def _day_ms(day: bytes) -> int:
    """Return when a day (`2026-01-31`) begins, INVALID_TIME when it is none of that form."""
    begin = None
    if day[4:5] == day[7:8] == b"-":
        begin = timestamp_ms(day.decode("latin-1"))
    return INVALID_TIME if begin is None else begin
