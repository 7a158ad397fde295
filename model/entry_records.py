"""Records as columns: what is known of lines of a session file before the tree is built of them.

Source: session-format spec, SF-3 and SF-9.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from model.entry_kinds import Kind

Keys = NDArray[np.uint64]

INVALID_TIME: Final = int(np.iinfo(np.int64).min)
NOT_MEASURED: Final = -1
NO_KEY: Final = 0
LEAST_SPARE_ROWS: Final = 1024
_LONG: Final = 0xFF << 56


class IdKeys:
    """Ids as 64-bit keys; two ids are equal exactly when their keys are.

    An id of up to 8 bytes is its own key. A longer one gets a number, marked by the byte FF in front, which occurs in
    no UTF-8 text. The table only grows and is shared by all snapshots of a file.
    """

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._long_ids: list[str] = []

    def key(self, entry_id: str) -> int:
        """Return the key of `entry_id`, NO_KEY for the empty id."""
        raw = entry_id.encode("utf-8", "surrogatepass")
        if len(raw) <= 8 and not raw.endswith(b"\0"):
            return int.from_bytes(raw, "little")
        number = self._numbers.get(entry_id)
        if number is None:
            number = self._numbers[entry_id] = len(self._long_ids)
            self._long_ids.append(entry_id)
        return _LONG | number

    def known_key(self, entry_id: str) -> int | None:
        """Return the key of `entry_id` without adding it; None when no entry can have that id."""
        raw = entry_id.encode("utf-8", "surrogatepass")
        if len(raw) <= 8 and not raw.endswith(b"\0"):
            return int.from_bytes(raw, "little")
        number = self._numbers.get(entry_id)
        return None if number is None else _LONG | number

    def long_ids(self) -> list[str]:
        """Return the ids that are longer than a key, in the order of their numbers."""
        return list(self._long_ids)

    def add_long_ids(self, ids: list[str]) -> None:
        """Give numbers to ids, in order."""
        for entry_id in ids:
            self.key(entry_id)

    def text(self, key: int) -> str:
        """Return the id that `key` stands for."""
        if key >= _LONG:
            return self._long_ids[key - _LONG]
        return key.to_bytes(8, "little").rstrip(b"\0").decode("utf-8", "surrogatepass")


@dataclass(slots=True)
class Records:
    """Columns of records as they stand in the file, before repeated ids and parents are looked at.

    All arrays have the same length. `key` and `parent_key` are keys of `IdKeys`; the parent key of a root is NO_KEY.
    `offset` and `length` are in bytes and leave the line end out.
    """

    offset: NDArray[np.int64]
    length: NDArray[np.uint32]
    kind: NDArray[np.uint8]
    role: NDArray[np.uint8]
    key: Keys
    parent_key: Keys
    time_ms: NDArray[np.int64]
    estimate: NDArray[np.int32]
    traits: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.offset)

    @classmethod
    def empty(cls, count: int = 0) -> Records:
        """Return columns of `count` records that are yet to be filled."""
        return cls(
            offset=np.zeros(count, np.int64),
            length=np.zeros(count, np.uint32),
            kind=np.full(count, Kind.UNKNOWN, np.uint8),
            role=np.zeros(count, np.uint8),
            key=np.zeros(count, np.uint64),
            parent_key=np.zeros(count, np.uint64),
            time_ms=np.full(count, INVALID_TIME, np.int64),
            estimate=np.full(count, NOT_MEASURED, np.int32),
            traits=np.zeros(count, np.uint8),
        )

    @classmethod
    def joined(cls, parts: Sequence[Records]) -> Records:
        """Return the records of all `parts`, one part behind the other."""
        if len(parts) == 1:
            return parts[0]
        if not parts:
            return cls.empty()
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in cls.__slots__))

    def taken(self, rows: NDArray[np.bool_] | NDArray[np.intp] | slice) -> Records:
        """Return the records at `rows`: copies for a mask or row numbers, for a slice views that share the columns."""
        return Records(*(getattr(self, name)[rows] for name in self.__slots__))

    def in_file_order(self) -> Records:
        """Return the records ordered by offset; those of one line stay as they are."""
        return self.taken(np.argsort(self.offset, kind="stable"))


class RecordCollector:
    """Records of one block after the other in columns that grow, so that nothing is in memory twice."""

    def __init__(self) -> None:
        self._columns = Records.empty()
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, records: Records, expected_count: int) -> None:
        """Add records behind the others. `expected_count`: about how many there may be in all."""
        count = self._count + len(records)
        if count > len(self._columns):
            room = max(count, min(expected_count, 4 * count) + LEAST_SPARE_ROWS)
            for name in Records.__slots__:
                column = getattr(self._columns, name)
                grown = np.empty(room, column.dtype)
                grown[: self._count] = column[: self._count]
                setattr(self._columns, name, grown)
        for name in Records.__slots__:
            getattr(self._columns, name)[self._count : count] = getattr(records, name)
        self._count = count

    def records(self) -> Records:
        """Return all records: views of the columns."""
        return self._columns.taken(slice(0, self._count))
