"""Read the heads of many lines at once: type, id, parent, time and role, without decoding the bodies.

Both agents write `type`, `id`, `parentId` and `timestamp` first in nearly every line, in compact JSON, so the tree can
be read from the first 150 bytes of each line with array operations. A line is accepted only if these bytes are exactly
of that form and it ends in `}`; every other line is left to a decoder (`model/record_heads.py`). What the rest of an
accepted line holds (damage, a key given again) is found when the bodies are measured.
Source: session-format spec, SF-3, SF-4 and SF-9.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from model.entry_index import INVALID_TIME, NO_KEY, Records
from model.entry_kinds import NAME_OF_ROLE, TYPE_OF_KIND, Kind, Role
from model.timestamps import timestamp_ms

Bytes = NDArray[np.uint8]

PADDING: Final = 256  # bytes that a block must have behind its last line, so that no window reaches past its end

_QUOTE, _BACKSLASH, _BLANK, _DELETE = 0x22, 0x5C, 0x20, 0x7F
_TYPE_KEY: Final = b'{"type":"'
_TAG_LENGTH: Final = 4  # bytes of the type's name that tell most types apart
_ID_LENGTH: Final = 8
_ID_KEY: Final = b'","id":"'
_PARENT_KEY: Final = b'","parentId":'
_TIME_KEY: Final = b',"timestamp":"'
_TIME_LENGTH: Final = 24
_ROLE_KEY: Final = b'","message":{"role":"'
_ROLE_LENGTH: Final = max(len(name) for name in NAME_OF_ROLE.values()) + 1
_GLUED: Final = b'}{"type":"'  # not inside a string: there the quotes would be escaped
_GLUE: Final = int.from_bytes(_GLUED[:2], "little")
_DIGITS: Final = np.array([11, 12, 14, 15, 17, 18, 20, 21, 22])  # of the time of day, in 2026-01-31T12:34:56.789Z
_MS_OF_DIGIT: Final = np.array([36e6, 36e5, 6e5, 6e4, 1e4, 1e3, 1e2, 1e1, 1.0])
_MARKS: Final = np.array([10, 13, 16, 19, 23])
_MARK_BYTES: Final = np.frombuffer(b"T::.Z", np.uint8)
_MOST_OF_DIGIT: Final = np.array([2, 9, 5, 9, 5, 9, 9, 9, 9])


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
        if len(lines):
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
    for first in (0, 1):
        pairs = block[first : used - (used - first) % 2].view("<u2")
        hits = pairs == _GLUE
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
    ids, parents = head[:, len(prefix) : id_end], head[:, parent_at + 1 : -1]
    is_root = _starts_with(head[:, parent_at:], b"null")
    has_parent = (head[:, parent_at] == _QUOTE) & (head[:, -1] == _QUOTE) & _is_plain(parents)
    good = _starts_with(head, prefix) & _starts_with(head[:, id_end:], _PARENT_KEY) & _is_plain(ids)
    good &= is_root | has_parent
    lines, head, is_root = lines[good], head[good], is_root[good]
    ids, parents = head[:, len(prefix) : id_end], head[:, parent_at + 1 : -1]

    time_at = len(_TIME_KEY)
    time_end = time_at + _TIME_LENGTH
    role_at = time_end + len(_ROLE_KEY)
    behind = starts[lines] + np.where(is_root, parent_at + len(b"null"), parent_at + 2 + _ID_LENGTH)
    tail = _windows(block, behind, role_at + _ROLE_LENGTH)
    good = _starts_with(tail, _TIME_KEY) & (tail[:, time_end] == _QUOTE)
    roles = np.full(len(lines), Role.NONE, np.uint8)
    if kind is Kind.MESSAGE:
        roles = _roles(tail[:, role_at:])
        good &= _starts_with(tail[:, time_end:], _ROLE_KEY) & (roles != Role.UNKNOWN)
    times, is_time = _times(tail[:, time_at:time_end])
    good &= is_time

    lines = lines[good]
    records.kind[lines] = kind
    records.role[lines] = roles[good]
    records.key[lines] = np.ascontiguousarray(ids[good]).view("<u8").ravel()
    parent_keys = np.ascontiguousarray(parents[good]).view("<u8").ravel()
    records.parent_key[lines] = np.where(is_root[good], np.uint64(NO_KEY), parent_keys)
    records.time_ms[lines] = times[good]
    return lines


def _windows(block: Bytes, places: NDArray[np.int64], width: int) -> Bytes:
    """Return `width` (at most PADDING) bytes from each of `places`, as rows."""
    view = np.lib.stride_tricks.as_strided(
        block, shape=(len(block) - width + 1, width), strides=(1, 1), writeable=False
    )
    return view[places]


def _starts_with(rows: Bytes, text: bytes) -> NDArray[np.bool_]:
    return np.asarray((rows[:, : len(text)] == np.frombuffer(text, np.uint8)).all(axis=1))


def _is_plain(texts: Bytes) -> NDArray[np.bool_]:
    """Whether each row is printable ASCII that stands for itself in JSON."""
    odd = (texts < _BLANK) | (texts >= _DELETE) | (texts == _QUOTE) | (texts == _BACKSLASH)
    return np.asarray(~odd.any(axis=1))


def _roles(names: Bytes) -> NDArray[np.uint8]:
    """Return the role whose name and closing quote each row begins with, UNKNOWN where there is none."""
    roles = np.full(len(names), Role.UNKNOWN, np.uint8)
    first = names[:, 0]
    for role, name in NAME_OF_ROLE.items():
        rows = np.flatnonzero(first == ord(name[0]))
        roles[rows[_starts_with(names[rows], name.encode() + b'"')]] = role
    return roles


def _times(texts: Bytes) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return the Unix milliseconds of timestamps of the form that both agents write, and which rows have that form."""
    digits = texts[:, _DIGITS] - ord("0")  # unsigned: other characters become large
    good = (texts[:, _MARKS] == _MARK_BYTES).all(axis=1) & (digits <= _MOST_OF_DIGIT).all(axis=1)
    good &= (digits[:, 0] < 2) | (digits[:, 1] < 4)
    times = (digits.astype(np.float64) @ _MS_OF_DIGIT).astype(np.int64)
    day_texts = np.ascontiguousarray(texts[:, :10]).view("V10").ravel()
    changes = np.ones(len(texts), np.bool_)
    changes[1:] = day_texts[1:] != day_texts[:-1]
    days = [_day_ms(day.tobytes()) for day in day_texts[changes]]
    lengths = np.diff(np.flatnonzero(np.append(changes, True)))
    times += np.repeat(np.array(days, np.int64), lengths)
    good &= np.repeat(np.array([day != INVALID_TIME for day in days], np.bool_), lengths)
    return times, good


def _day_ms(day: bytes) -> int:
    """Return when a day (`2026-01-31`) begins, INVALID_TIME when it is none of that form."""
    begin = None
    if day[4:5] == day[7:8] == b"-":
        begin = timestamp_ms(day.decode("latin-1"))
    return INVALID_TIME if begin is None else begin
