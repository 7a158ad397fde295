"""The contracted forest of a session: runs, and what must be answered in microseconds over them.

A *run* is a maximal stretch of entries without a fork: it starts at a root or behind a branch point and ends at a leaf
or at a branch point. A session of a million entries has some ten thousand runs, so that everything which needs a loop
in Python loops over runs, and everything over entries is an array operation.
Source: tree-navigation spec, TN-1 to TN-3.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.int32]
NO_ROW = -1


class Runs:
    """Runs of one snapshot of the tree; immutable.

    `parent` holds the parent's row for each entry row, -1 for a root; it must be free of cycles and may point forwards.
    Runs are numbered from 0 in the order in which their first entries stand in the file.
    """

    def __init__(self, parent: Rows) -> None:
        self.parent = parent
        count = len(parent)
        rows = np.arange(count, dtype=np.int32)
        is_root = parent < 0
        children = np.bincount(parent[~is_root], minlength=count)
        is_head = is_root | (children[np.where(is_root, 0, parent)] > 1) if count else is_root
        head, self.place = _heads_and_places(parent, rows, is_head)
        self.heads: Rows = np.flatnonzero(is_head).astype(np.int32)
        number = np.zeros(count, np.int32)
        number[self.heads] = np.arange(len(self.heads), dtype=np.int32)
        self.run_of: Rows = number[head]
        # The members of all runs behind each other: run by run, from the first entry of each to its last.
        self.members: Rows = np.lexsort((self.place, self.run_of)).astype(np.int32)
        self.starts = np.concatenate(([0], np.cumsum(np.bincount(self.run_of, minlength=len(self.heads)))))
        self.forks: Rows = parent[self.heads]
        """For each run the entry behind which it starts, -1 for the run of a root."""
        parent_run = np.where(self.forks < 0, len(self.heads), self.run_of[np.maximum(self.forks, 0)])
        # The number behind the last run stands for the place before every root, so that all climbs end there.
        self._above: list[int] = [*(int(run) for run in parent_run), len(self.heads)]

    def extended(self, parent: Rows) -> Self | None:
        """Return the runs of `parent`, in which a chain of entries hangs behind the entries known so far.

        None when the new entries are no single chain behind the last entry of a run: then `Runs(parent)` is needed.
        A few copies of columns, whatever the shape of the forest.
        """
        known = len(self.parent)
        new_rows = np.arange(known, len(parent), dtype=np.int32)
        if not known or not len(new_rows):
            return None
        first_parent = int(parent[known])
        if first_parent < 0 or (parent[known + 1 :] != new_rows[:-1]).any():
            return None
        run = int(self.run_of[first_parent])
        if first_parent != self.tail(run) or self.children[run]:
            return None
        grown = copy(self)
        grown.parent = parent
        grown.place = np.concatenate(
            [self.place, self.place[first_parent] + 1 + np.arange(len(new_rows), dtype=np.int32)]
        )
        grown.run_of = np.concatenate([self.run_of, np.full(len(new_rows), run, np.int32)])
        grown.members = np.insert(self.members, self.starts[run + 1], new_rows)
        grown.starts = self.starts.copy()
        grown.starts[run + 1 :] += len(new_rows)
        return grown

    def __len__(self) -> int:
        return len(self.heads)

    def rows(self, run: int) -> Rows:
        """Return the entry rows of `run`, from its first entry to its last."""
        return self.members[self.starts[run] : self.starts[run + 1]]

    def length(self, run: int) -> int:
        """Return the number of entries in `run`."""
        return int(self.starts[run + 1] - self.starts[run])

    def tail(self, run: int) -> int:
        """Return the last entry row of `run`: a leaf or a branch point."""
        return int(self.members[self.starts[run + 1] - 1])

    def parent_run(self, run: int) -> int | None:
        """Return the run at whose end `run` forks off, None when it starts at a root."""
        above = self._above[run]
        return None if above == len(self) else above

    @cached_property
    def children(self) -> Sequence[Sequence[int]]:
        """For each run the runs behind its last entry, in file order; the last element lists the runs of the roots."""
        below: list[list[int]] = [[] for _ in range(len(self) + 1)]
        for run in range(len(self)):
            below[self._above[run]].append(run)
        return below

    @cached_property
    def top_down(self) -> Sequence[int]:
        """All runs, each behind the run that it forks off."""
        order = list(self.children[len(self)])
        for run in order:  # grows while it is read
            order.extend(self.children[run])
        return order

    def path_runs(self, row: int) -> list[int]:
        """Return the runs from a root to the one that holds entry `row`. O(runs on the path)."""
        runs: list[int] = []
        run = int(self.run_of[row])
        while run != len(self):
            runs.append(run)
            run = self._above[run]
        runs.reverse()
        return runs

    def path(self, row: int) -> Rows:
        """Return the entry rows from a root to `row`, both included; empty for -1 ("before the first entry")."""
        if row < 0:
            return np.empty(0, np.int32)
        *before, last = self.path_runs(row)
        return np.concatenate([*(self.rows(run) for run in before), self.rows(last)[: self.place[row] + 1]])

    def common_ancestor(self, old_leaf: int, target: int) -> int:
        """Return the deepest entry row on both paths, -1 when they share none or one of them is -1. O(log runs).

        One of the two may be an ancestor of the other: then it is the answer. Source: TN-3.
        """
        if old_leaf < 0 or target < 0:
            return NO_ROW
        first, second = int(self.run_of[old_leaf]), int(self.run_of[target])
        meeting = self._meeting_run(first, second)
        if meeting == len(self):
            return NO_ROW
        return min(self._entry_in(meeting, first, old_leaf), self._entry_in(meeting, second, target), key=self._place)

    def is_ancestor(self, row: int, of: int) -> bool:
        """Tell whether entry `row` lies on the path to `of` (an entry counts as its own ancestor)."""
        return row >= 0 and self.common_ancestor(row, of) == row

    def _place(self, row: int) -> int:
        return int(self.place[row])

    def _entry_in(self, meeting: int, run: int, row: int) -> int:
        """The entry of run `meeting` through which the path to `row` (an entry of `run`) goes, nearest to `row`."""
        if run == meeting:
            return row
        return int(self.forks[self._climb(run, self._levels[meeting] + 1)])

    @cached_property
    def _levels(self) -> list[int]:
        """Depth of each run in the contracted forest; the place before the roots has 0."""
        levels = [0] * (len(self) + 1)
        for run in self.top_down:
            levels[run] = levels[self._above[run]] + 1
        return levels

    @cached_property
    def _jumps(self) -> list[int]:
        """For each run an ancestor some power of two higher (a skew-binary jump), so that climbing is logarithmic."""
        top = len(self)
        jumps = [top] * (top + 1)
        levels = self._levels
        for run in self.top_down:
            above = self._above[run]
            jump = jumps[above]
            same_stride = levels[above] - levels[jump] == levels[jump] - levels[jumps[jump]]
            jumps[run] = jumps[jump] if same_stride else above
        return jumps

    def _climb(self, run: int, level: int) -> int:
        levels, jumps, above = self._levels, self._jumps, self._above
        while levels[run] > level:
            run = jumps[run] if levels[jumps[run]] >= level else above[run]
        return run

    def _meeting_run(self, first: int, second: int) -> int:
        levels, jumps, above = self._levels, self._jumps, self._above
        level = min(levels[first], levels[second])
        first, second = self._climb(first, level), self._climb(second, level)
        while first != second:
            if jumps[first] != jumps[second]:
                first, second = jumps[first], jumps[second]
            else:
                first, second = above[first], above[second]
        return first


def _heads_and_places(parent: Rows, rows: Rows, is_head: NDArray[np.bool_]) -> tuple[Rows, Rows]:
    """For each entry the first entry of its run, and how many entries of the run stand before it.

    Most entries directly follow their parent in the file: such stretches are settled by one accumulation. What is left
    are the first entries of stretches, which are joined by pointer doubling, whatever their order in the file.
    """
    follows = ~is_head & (parent == rows - 1)
    first = np.maximum.accumulate(np.where(follows, 0, rows)) if len(rows) else rows
    starts = np.flatnonzero(~follows)
    number = np.zeros(len(rows), np.int32)
    number[starts] = np.arange(len(starts), dtype=np.int32)
    start_is_head = is_head[starts]
    start_parent = np.where(start_is_head, starts, parent[starts])
    target = number[first[start_parent]] if len(starts) else number
    steps = np.where(start_is_head, 0, start_parent - first[start_parent] + 1)
    while not np.array_equal(further := target[target], target):
        steps = steps + steps[target]
        target = further
    stretch = number[first]
    return starts[target[stretch]].astype(np.int32), (rows - first + steps[stretch]).astype(np.int32)
