"""The column index of a session: numpy columns, one value an entry, in file order.

An *entry row* is the place of an entry in these columns. The header, lines that could not be read, and all but the
last of the records that share an id have no row (SF-9). An index is an immutable snapshot: taking in more entries gives
a new one that shares the buffers, at an amortised cost that depends on the new entries only.
Source: session-format spec, SF-3 and SF-9; tree-navigation spec, TN-1.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from model.entry_kinds import Kind, Role, Trait
from model.entry_records import INVALID_TIME, LEAST_SPARE_ROWS, NO_KEY, NOT_MEASURED, IdKeys, Keys, Records

__all__ = ["INVALID_TIME", "NOT_MEASURED", "EntryIndex", "Kind", "Role", "Trait", "build_index"]

_LEAST_UNSORTED_ROWS: Final = 4096
_FEW_KEYS: Final = 64  # are looked up faster one by one
TREE_TRAITS: Final = Trait.ORPHAN | Trait.CYCLE_CUT


_KEPT_COLUMNS: Final = tuple(name for name in Records.__slots__ if name != "parent_key")


@dataclass(frozen=True, slots=True)
class IndexFindings:
    """What was odd about ids and parents; rows of the index, except `repeated`."""

    repeated: tuple[tuple[int, str], ...] = ()
    """Offset and id of the records that gave way to a later record with the same id (SF-9.8)."""
    orphans: tuple[int, ...] = ()
    self_parents: tuple[int, ...] = ()
    cycle_cuts: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class FrozenIndex:
    """An index taken apart: its columns by name, with the dtypes of FROZEN_COLUMNS, and what hangs beside them."""

    columns: dict[str, NDArray[Any]]
    long_ids: list[str]
    cut_off: list[tuple[int, int]]


FROZEN_COLUMNS: Final[dict[str, str]] = {
    **{name: str(getattr(Records.empty(), name).dtype) for name in _KEPT_COLUMNS},
    "parent": "int32",
    "order": "int32",
}


class _Lookup:
    """Key to row: a sorted order over the first rows, a dictionary over those that came later."""

    def __init__(self, keys: Keys) -> None:
        self.order: NDArray[np.int32] = np.argsort(keys).astype(np.int32)
        self.later: dict[int, int] = {}

    @classmethod
    def of_order(cls, order: NDArray[np.int32]) -> _Lookup:
        """Return the look-up over keys that `order` sorts."""
        lookup = cls(np.empty(0, np.uint64))
        lookup.order = order
        return lookup

    def copy(self, count: int) -> _Lookup:
        """Return the same look-up, for the first `count` rows, to be grown on its own."""
        other = _Lookup.of_order(self.order)
        other.later = {key: row for key, row in self.later.items() if row < count}
        return other

    def rows(self, keys: Keys, wanted: Keys) -> NDArray[np.int64]:
        """Return for each wanted key its row, -1 where there is none. `keys` is the key column."""
        if len(wanted) < _FEW_KEYS:
            rows = [self.row(keys, key) for key in wanted.tolist()]
            return np.array([-1 if row is None else row for row in rows], np.int64)
        found = np.full(len(wanted), -1, np.int64)
        if count := len(self.order):
            at = np.searchsorted(keys[:count], wanted, sorter=self.order)
            row = self.order[np.minimum(at, count - 1)]
            hit = keys[row] == wanted
            found[hit] = row[hit]
        if self.later:
            for place, key in enumerate(wanted.tolist()):
                if (later := self.later.get(key)) is not None:
                    found[place] = later
        return found

    def row(self, keys: Keys, wanted: int) -> int | None:
        """Return the row of one key. O(log n)."""
        if (later := self.later.get(wanted)) is not None:
            return later
        at = bisect_left(self.order, wanted, key=lambda row: int(keys[row]))  # searchsorted would copy the order
        if at < len(self.order) and int(keys[row := int(self.order[at])]) == wanted:
            return row
        return None


@dataclass(slots=True)
class _Buffers:
    """Columns with room to grow, shared by the snapshots of a file; `used` rows are filled."""

    columns: dict[str, NDArray[Any]]  # _KEPT_COLUMNS and "parent"
    used: int
    lookup: _Lookup
    cut_off: dict[int, int]  # root row -> key of the parent that it names but doesn't hang under

    def reserve(self, count: int) -> None:
        """Make room for `count` rows in all."""
        room = len(self.columns["parent"])
        if count > room:
            room = max(count, room + max(LEAST_SPARE_ROWS, room // 8))
            for name, column in self.columns.items():
                grown = np.empty(room, column.dtype)
                grown[: self.used] = column[: self.used]
                self.columns[name] = grown


class EntryIndex:
    """One immutable snapshot of the columns of a session.

    Columns, all of length `count`: `offset` (int64) and `length` (uint32), bytes of the record without its line end;
    `kind` (`Kind`), `role` (`Role`), `traits` (`Trait`), all uint8; `parent` (int32), the row of the parent or -1 for a
    root, free of cycles, possibly pointing forwards; `time_ms` (int64), INVALID_TIME when the timestamp is no date;
    `estimate` (int32), tokens of the message that the entry produces, 0 when it produces none, -1 when not measured.
    `measured` says whether `estimate` and `traits` are complete. `generation` changes when rows that were known before
    may stand for other entries or hang elsewhere; while it stays the same, an index only grows.
    """

    __slots__ = (
        "_buffers", "_ids", "_keys", "count", "estimate", "generation", "kind", "length", "measured", "offset",
        "parent", "role", "time_ms", "traits",
    )  # fmt: skip

    def __init__(self, buffers: _Buffers, ids: IdKeys, *, measured: bool, generation: int) -> None:
        self._buffers = buffers
        self._ids = ids
        self.count = buffers.used
        self.measured = measured
        self.generation = generation
        self.offset: NDArray[np.int64] = self._column("offset")
        self.length: NDArray[np.uint32] = self._column("length")
        self.kind: NDArray[np.uint8] = self._column("kind")
        self.role: NDArray[np.uint8] = self._column("role")
        self.parent: NDArray[np.int32] = self._column("parent")
        self.time_ms: NDArray[np.int64] = self._column("time_ms")
        self.estimate: NDArray[np.int32] = self._column("estimate")
        self.traits: NDArray[np.uint8] = self._column("traits")
        self._keys: Keys = self._column("key")

    def _column(self, name: str) -> NDArray[Any]:
        view = self._buffers.columns[name][: self.count]
        view.flags.writeable = False
        return view

    def __len__(self) -> int:
        return self.count

    def id_of(self, row: int) -> str:
        """Return the id of the entry at `row`."""
        return self._ids.text(int(self._keys[row]))

    def row_of(self, entry_id: str) -> int | None:
        """Return the row of the entry with that id, None when there is none. O(log n)."""
        key = self._ids.known_key(entry_id)
        if not key:
            return None
        row = self._buffers.lookup.row(self._buffers.columns["key"], key)
        return row if row is not None and row < self.count else None

    def rows_of(self, entry_ids: Sequence[str]) -> NDArray[np.int64]:
        """Return the row of each id, -1 where there is none."""
        keys = np.array([self._ids.known_key(entry_id) or NO_KEY for entry_id in entry_ids], np.uint64)
        rows = self._buffers.lookup.rows(self._buffers.columns["key"], keys)
        return np.where((keys != NO_KEY) & (rows < self.count), rows, -1)

    def named_parent(self, row: int) -> str | None:
        """Return the parent id that the entry names, even if that parent is unknown or was cut off."""
        parent = int(self.parent[row])
        if parent >= 0:
            return self.id_of(parent)
        key = self._buffers.cut_off.get(row)
        return None if key is None else self._ids.text(key)

    @property
    def ids(self) -> IdKeys:
        """The keys of the file's ids, shared by all snapshots."""
        return self._ids

    def extended(self, more: Records) -> tuple[EntryIndex, IndexFindings]:
        """Return an index with `more` records behind the present ones, and what is odd about them.

        Amortised O(len(more)), unless a new record repeats an id, is the missing parent of an orphan, or stands before
        its parent: then the index is built again and gets a new `generation`.
        """
        if not len(more):
            return self, IndexFindings()
        buffers = self._buffers
        first, last = self.count, self.count + len(more)
        fresh = more.key.tolist()
        rows = dict(zip(fresh, range(first, last), strict=True))
        if (
            buffers.used != first
            or len(rows) < len(fresh)
            or not rows.keys().isdisjoint(buffers.cut_off.values())
            or (buffers.lookup.rows(self._keys, more.key) >= 0).any()
        ):
            return self._rebuilt(more)
        parent = buffers.lookup.rows(self._keys, more.parent_key)
        for place in np.flatnonzero((parent < 0) & (more.parent_key != NO_KEY)).tolist():
            parent[place] = rows.get(int(more.parent_key[place]), -1)
        if (parent >= np.arange(first, last)).any():
            return self._rebuilt(more)
        buffers.reserve(last)
        for name in _KEPT_COLUMNS:
            buffers.columns[name][first:last] = getattr(more, name)
        buffers.columns["parent"][first:last] = parent
        orphans = np.flatnonzero((parent < 0) & (more.parent_key != NO_KEY))
        buffers.columns["traits"][first + orphans] |= np.uint8(Trait.ORPHAN)
        orphan_rows = (first + orphans).tolist()
        buffers.cut_off.update(zip(orphan_rows, more.parent_key[orphans].tolist(), strict=True))
        buffers.lookup.later.update(rows)
        if len(buffers.lookup.later) > max(_LEAST_UNSORTED_ROWS, len(buffers.lookup.order) // 8):
            buffers.lookup = _Lookup(buffers.columns["key"][:last])
        buffers.used = last
        measured = self.measured and not bool((more.estimate == NOT_MEASURED).any())
        grown = EntryIndex(buffers, self._ids, measured=measured, generation=self.generation)
        return grown, IndexFindings(orphans=tuple(orphan_rows))

    def with_measures(self, estimate: NDArray[np.int32], traits: NDArray[np.uint8]) -> EntryIndex:
        """Return the same index, marked as measured, with the measures of its bodies: arrays of length `count`.

        Traits that come from the tree (ORPHAN, CYCLE_CUT) are kept.
        """
        from_tree = np.uint8(TREE_TRAITS)
        columns = {name: column[: self.count] for name, column in self._buffers.columns.items()}
        columns["traits"] = (columns["traits"] & from_tree) | (traits & ~from_tree)
        columns["estimate"] = estimate
        cut_off = {row: key for row, key in self._buffers.cut_off.items() if row < self.count}
        lookup = self._buffers.lookup.copy(self.count)
        buffers = _Buffers(columns, self.count, lookup, cut_off)
        buffers.reserve(self.count + 1)  # now, in the background, and not when the next entry is appended
        return EntryIndex(buffers, self._ids, measured=True, generation=self.generation)

    def records(self, first: int = 0, last: int | None = None) -> Records:
        """Return the entries of some rows (all) as records again, with the parents that they name; copies."""
        rows = slice(first, self.count if last is None else last)
        parent = self.parent[rows]
        named = np.where(parent >= 0, self._keys[parent], np.uint64(NO_KEY))
        if self._buffers.cut_off:
            for place in np.flatnonzero(parent < 0).tolist():
                named[place] = self._buffers.cut_off.get(rows.start + place, NO_KEY)
        kept = {name: self._buffers.columns[name][rows].copy() for name in _KEPT_COLUMNS}
        kept["traits"] &= ~np.uint8(TREE_TRAITS)
        return Records(parent_key=named, **kept)

    def frozen(self) -> FrozenIndex:
        """Return all that is needed to have this index again."""
        columns = {name: column[: self.count] for name, column in self._buffers.columns.items()}
        lookup = self._buffers.lookup
        columns["order"] = _Lookup(self._keys).order if lookup.later else lookup.order
        cut_off = [(row, key) for row, key in self._buffers.cut_off.items() if row < self.count]
        return FrozenIndex(columns, self._ids.long_ids(), cut_off)

    @classmethod
    def thawed(cls, frozen: FrozenIndex, ids: IdKeys) -> EntryIndex:
        """Return the index that `frozen` was made of. `ids` is empty, and knows its long ids afterwards."""
        ids.add_long_ids(frozen.long_ids)
        columns = dict(frozen.columns)
        lookup = _Lookup.of_order(columns.pop("order"))
        buffers = _Buffers(columns, len(columns["parent"]), lookup, dict(frozen.cut_off))
        measured = not bool((columns["estimate"] == NOT_MEASURED).any())
        return cls(buffers, ids, measured=measured, generation=0)

    def _rebuilt(self, more: Records) -> tuple[EntryIndex, IndexFindings]:
        return build_index(Records.joined([self.records(), more]), self._ids, generation=self.generation + 1)


def build_index(
    records: Records, ids: IdKeys, *, generation: int = 0, is_tail: bool = False
) -> tuple[EntryIndex, IndexFindings]:
    """Return the index of `records` (SF-9.7, SF-9.8) and what is odd about them. O(n log n), vectorised.

    Of records with the same id the last remains. Entries without a parent in the file, with themselves as parent, or
    where a cycle was cut are roots. `is_tail`: the records are only the end of a file, so that a missing parent is no
    finding.
    """
    lookup = _Lookup(records.key)
    repeated = _repeated(records.key, lookup.order)
    gone = tuple(zip(records.offset[repeated].tolist(), map(ids.text, records.key[repeated].tolist()), strict=True))
    if gone:
        records = records.taken(np.delete(np.arange(len(records)), repeated))
        lookup = _Lookup(records.key)
    rows = np.arange(len(records), dtype=np.int32)
    parent = np.full(len(records), -1, np.int32)
    follows = np.zeros(len(records), np.bool_)
    follows[1:] = (records.parent_key[1:] == records.key[:-1]) & (records.parent_key[1:] != NO_KEY)
    parent[follows] = rows[follows] - 1
    elsewhere = np.flatnonzero(~follows & (records.parent_key != NO_KEY))
    parent[elsewhere] = lookup.rows(records.key, records.parent_key[elsewhere])
    self_parents = np.flatnonzero(parent == rows)
    parent[self_parents] = -1
    cycle_cuts = _cycle_cuts(parent, rows)
    orphans = np.flatnonzero((parent < 0) & (records.parent_key != NO_KEY))
    parent[cycle_cuts] = -1
    cut_off = np.concatenate((orphans, np.array(cycle_cuts, np.int64)))
    orphans = np.setdiff1d(orphans, self_parents) if not is_tail else orphans[:0]

    columns: dict[str, NDArray[Any]] = {name: getattr(records, name) for name in _KEPT_COLUMNS}
    columns["parent"] = parent
    columns["traits"] = records.traits.copy()
    columns["traits"][orphans] |= np.uint8(Trait.ORPHAN)
    columns["traits"][cycle_cuts] |= np.uint8(Trait.CYCLE_CUT)
    named = dict(zip(cut_off.tolist(), records.parent_key[cut_off].tolist(), strict=True))
    measured = not bool((records.estimate == NOT_MEASURED).any())
    index = EntryIndex(_Buffers(columns, len(records), lookup, named), ids, measured=measured, generation=generation)
    return index, IndexFindings(
        repeated=gone,
        orphans=tuple(orphans.tolist()),
        self_parents=tuple(self_parents.tolist()),
        cycle_cuts=tuple(cycle_cuts),
    )


def _repeated(keys: Keys, order: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return the numbers of all records whose key occurs again later. `order` sorts `keys`."""
    in_order = keys[order]
    differs = np.ones(len(keys), np.bool_)
    differs[1:] = in_order[1:] != in_order[:-1]
    if differs.all():
        return np.empty(0, np.int64)
    is_last = np.zeros(len(keys), np.bool_)
    is_last[np.maximum.reduceat(order, np.flatnonzero(differs))] = True
    return np.flatnonzero(~is_last)


def _cycle_cuts(parent: NDArray[np.int32], rows: NDArray[np.int32]) -> list[int]:
    """Return for each cycle of parents its first row in file order. O(n)."""
    forward = np.flatnonzero(parent > rows)  # every cycle has such an edge
    if not len(forward):
        return []
    above = parent.tolist()
    walk_of = [0] * len(above)  # number of the walk that came by; 0: none
    cuts = []
    for walk, start in enumerate(forward.tolist(), start=1):
        row = start
        while row >= 0 and not walk_of[row]:
            walk_of[row] = walk
            row = above[row]
        if row >= 0 and walk_of[row] == walk:
            cycle = [row]
            while (row := above[row]) != cycle[0]:
                cycle.append(row)
            cuts.append(min(cycle))
    return sorted(cuts)
