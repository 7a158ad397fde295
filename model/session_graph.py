"""The session graph: a networkx forest whose nodes are the runs of a session.

The graph is what the outline, the map and every overview walk over; its size is the number of forks, not the number of
entries. Questions about single entries (ancestor, path) are answered by `Runs`, which tests prove equal to networkx.
Source: tree-navigation spec, TN-1.
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass
from typing import Self

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from model.entry_index import INVALID_TIME
from model.entry_kinds import Kind
from model.runs import Rows, Runs


@dataclass(frozen=True, slots=True)
class Extent:
    """What a part of the forest holds: entries, estimated tokens, and its latest time in Unix milliseconds."""

    entries: int
    tokens: int
    last_ms: int | None


class SessionGraph:
    """The contracted forest of one snapshot; immutable.

    `forest` has a node for each run number, with the attributes `head` (entry row) and `time` (of the head, Unix ms or
    INVALID_TIME); an edge leads to each run that forks off. What a run holds is asked with `extent`.
    """

    def __init__(self, runs: Runs, time_ms: NDArray[np.int64], estimate: NDArray[np.int32]) -> None:
        self.runs = runs
        self.time_ms = time_ms
        self.estimate = estimate
        self.forest: nx.DiGraph[int] = nx.DiGraph()
        heads = runs.heads.tolist()
        self.forest.add_nodes_from((run, {"head": head, "time": int(time_ms[head])}) for run, head in enumerate(heads))
        parents = [runs.parent_run(run) for run in range(len(runs))]
        self.forest.add_edges_from((parent, run) for run, parent in enumerate(parents) if parent is not None)
        # What each run and all runs below it hold.
        self._entries = [runs.length(run) for run in range(len(runs))]
        self._tokens, self._last = _sums_by_run(runs, time_ms, estimate)
        for run in reversed(runs.top_down):
            if (parent := parents[run]) is not None:
                self._entries[parent] += self._entries[run]
                self._tokens[parent] += self._tokens[run]
                self._last[parent] = max(self._last[parent], self._last[run])

    def extended(self, runs: Runs, time_ms: NDArray[np.int64], estimate: NDArray[np.int32]) -> Self:
        """Return the graph of `runs`, which are those of this graph `extended` by some entries. O(runs).

        The forest is the same: no run was added.
        """
        grown = copy(self)
        grown.runs, grown.time_ms, grown.estimate = runs, time_ms, estimate
        known = len(self.runs.parent)
        tokens = int(np.maximum(estimate[known:], 0).sum())
        last = int(time_ms[known:].max())
        grown._entries, grown._tokens, grown._last = self._entries.copy(), self._tokens.copy(), self._last.copy()
        for run in runs.path_runs(known):
            grown._entries[run] += len(runs.parent) - known
            grown._tokens[run] += tokens
            grown._last[run] = max(grown._last[run], last)
        return grown

    def children(self, run: int | None) -> list[int]:
        """Return the runs that fork off behind `run` (None: the runs of the roots), oldest first.

        Runs with an invalid time, and runs of equal time, keep the order of the file. Source: TN-1, SF-9.9.
        """
        found = self.runs.children[len(self.runs)] if run is None else self.forest.successors(run)
        heads = self.oldest_first([self.forest.nodes[child]["head"] for child in found])
        return [int(self.runs.run_of[head]) for head in heads]

    def oldest_first(self, rows: Iterable[int]) -> list[int]:
        """Return entry rows by their time; with an invalid time among them, in file order. Source: TN-1, SF-9.9."""
        in_file_order = sorted(rows)
        if any(self.time_ms[row] == INVALID_TIME for row in in_file_order):
            return in_file_order
        return sorted(in_file_order, key=lambda row: int(self.time_ms[row]))

    def newest_message(self, kind: NDArray[np.uint8]) -> int | None:
        """Return the entry row of the message with the latest time, None without one. `kind` is the index's column."""
        rows = np.flatnonzero((kind == Kind.MESSAGE) & (self.time_ms != INVALID_TIME))
        if not len(rows):
            return None
        times = self.time_ms[rows]
        return int(rows[len(rows) - 1 - int(np.argmax(times[::-1]))])

    def continuation(self, run: int) -> int | None:
        """Return the child of `run` that an unmarked branch continues with: the one with most entries below it.

        Following the heaviest child keeps the nesting of side branches below log2(entries), whatever the tree.
        """
        return max(self.forest.successors(run), key=lambda child: (self._entries[child], child), default=None)

    def extent(self, run: int, first_place: int = 0) -> Extent:
        """Return what `run` and everything that forks off it hold, without the first `first_place` entries of `run`."""
        skipped = self.runs.rows(run)[:first_place]
        skipped_tokens = int(np.maximum(self.estimate[skipped], 0).sum())
        last = self._last[run]
        return Extent(
            self._entries[run] - len(skipped),
            self._tokens[run] - skipped_tokens,
            None if last == INVALID_TIME else last,
        )


def _sums_by_run(runs: Runs, time_ms: NDArray[np.int64], estimate: NDArray[np.int32]) -> tuple[list[int], list[int]]:
    """Tokens and latest time of each run; entries that are not measured yet count 0."""
    if not len(runs):
        return [], []
    in_run_order: Rows = runs.members
    starts = runs.starts[:-1]
    tokens = np.add.reduceat(np.maximum(estimate[in_run_order], 0).astype(np.int64), starts)
    last = np.maximum.reduceat(time_ms[in_run_order], starts)
    return [int(value) for value in tokens], [int(value) for value in last]
