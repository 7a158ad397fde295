"""The forest of a session: children, roots, paths, common ancestors (TN-1 … TN-3).

Every function is iterative and linear, and a cycle of parents ends at the entry that comes first in the file (SF-9.7).
Nodes are rows: places in the list of entries. So entries without an id and entries that share one stay apart.
"""

from collections.abc import Sequence
from functools import cmp_to_key
from typing import Final, Literal

from model.entries import entry_id, parent_id
from model.json_text import JsonObject
from model.rules import BRANCHWORK, Rules
from model.timestamps import timestamp_ms

RootKind = Literal["root", "orphan", "self-parent", "cycle"]


def rows_by_id(entries: Sequence[JsonObject]) -> dict[str, int]:
    """Return the row of each id; of entries that share an id the last one counts (SF-9.8)."""
    return {id: row for row, entry in enumerate(entries) if (id := entry_id(entry)) is not None}


class SessionTree:
    """The entries of a session as a forest; an immutable view of the list that was given.

    With `rules.tree_by_id` as the agents build it: of entries that share an id the last one stands in the place of
    each, and a cycle hangs nowhere. Otherwise every entry has its own place.
    """

    def __init__(self, entries: Sequence[JsonObject], rules: Rules = BRANCHWORK) -> None:
        self.entries: Final = entries
        self.root_kinds: Final[dict[int, RootKind]] = {}  # by row
        self._row_by_id = rows_by_id(entries)
        self._parents = self._parent_rows()
        self._cut_cycles()
        self._roots: list[int] = []
        self._children: list[list[int]] = [[] for _ in entries]
        for row, parent in enumerate(self._parents):
            place = self._row_by_id.get(entry_id(entries[row]) or "", row) if rules.tree_by_id else row
            if parent is not None:
                self._children[parent].append(place)
            elif self.root_kinds.setdefault(row, self._root_kind(row)) != "cycle" or not rules.tree_by_id:
                self._roots.append(place)
        for rows in self._children:
            if len(rows) > 1:
                self._sort_by_time(rows)

    @property
    def roots(self) -> list[int]:
        """Rows of the roots in file order."""
        return self._roots

    def row_of(self, id: str | None) -> int | None:
        """Return the row of an id, or None when no entry has it."""
        return None if id is None else self._row_by_id.get(id)

    def entry_of(self, id: str | None) -> JsonObject | None:
        """Return the entry of an id, or None when no entry has it."""
        row = self.row_of(id)
        return None if row is None else self.entries[row]

    def parent(self, row: int) -> int | None:
        """Return the row of the parent, or None for a root."""
        return self._parents[row]

    def children(self, row: int) -> list[int]:
        """Return the rows of the children by time; without valid times, and at equal ones, in file order."""
        return self._children[row]

    def path_rows(self, row: int | None) -> list[int]:
        """Return the rows from the root to `row`; None gives the empty path. O(depth)."""
        path = []
        while row is not None:
            path.append(row)
            row = self._parents[row]
        path.reverse()
        return path

    def path_to(self, id: str | None) -> list[JsonObject]:
        """Return the entries from the root to the entry of this id; the empty path for None and unknown ids.
        O(depth)."""
        return [self.entries[row] for row in self.path_rows(self.row_of(id))]

    def common_ancestor(self, old_leaf_id: str | None, target_id: str | None) -> str | None:
        """Return the id of the deepest entry on both paths, or None when they share none (TN-3). O(depth).

        Both entries are candidates themselves. An unknown id has no path.
        """
        on_old_path = set(self.path_rows(self.row_of(old_leaf_id)))
        row = self.row_of(target_id)
        while row is not None and row not in on_old_path:
            row = self._parents[row]
        return None if row is None else entry_id(self.entries[row])

    def _parent_rows(self) -> list[int | None]:
        parents: list[int | None] = []
        for entry in self.entries:
            parent = parent_id(entry)
            row = self.row_of(parent)
            parents.append(None if parent == entry_id(entry) else row)
        return parents

    def _root_kind(self, row: int) -> RootKind:
        parent = parent_id(self.entries[row])
        if parent is None:
            return "root"
        return "self-parent" if parent == entry_id(self.entries[row]) else "orphan"

    def _cut_cycles(self) -> None:
        """Make the first row of each cycle a root."""
        walk_of = [0] * len(self._parents)  # number of the walk that has seen the row
        for walk, start in enumerate(range(len(self._parents)), start=1):
            row: int | None = start
            while row is not None and not walk_of[row]:
                walk_of[row] = walk
                row = self._parents[row]
            if row is not None and walk_of[row] == walk:
                first = self._first_of_cycle(row)
                self._parents[first] = None
                self.root_kinds[first] = "cycle"

    def _first_of_cycle(self, row: int) -> int:
        first = row
        step = self._parents[row]
        while step is not None and step != row:
            first = min(first, step)
            step = self._parents[step]
        return first

    def _sort_by_time(self, rows: list[int]) -> None:
        times = {row: timestamp_ms(self.entries[row].get("timestamp")) for row in rows}

        def compare(left: int, right: int) -> int:
            left_time, right_time = times[left], times[right]
            return 0 if left_time is None or right_time is None else left_time - right_time

        rows.sort(key=cmp_to_key(compare))
