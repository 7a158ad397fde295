"""The session graph: a networkx forest whose nodes are the runs of a session.

The graph is what the outline, the map and every overview walk over; its size is the number of forks, not the number of
entries. Questions about single entries (ancestor, path) are answered by `Runs`, which tests prove equal to networkx.
Source: tree-navigation spec, TN-1.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

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
    """The contracted forest of one snapshot.

    `forest` has a node for each run number, with the attributes `head` and `tail` (entry rows), `entries` and `tokens`
    (of the run), `time` (Unix ms of the head) and `last` (Unix ms of the latest entry of the run or any run below it),
    `below_entries` and `below_tokens` (of the run and all runs below it); an edge leads to each run that forks off.
    """

    def __init__(self, runs: Runs, time_ms: NDArray[np.int64], estimate: NDArray[np.int32]) -> None:
        self.runs = runs
        self.time_ms = time_ms
        self.estimate = estimate
        self.forest: nx.DiGraph[int] = nx.DiGraph()
        tokens, last = _sums_by_run(runs, time_ms, estimate)
        for run in range(len(runs)):
            head = int(runs.heads[run])
            self.forest.add_node(
                run,
                head=head,
                tail=runs.tail(run),
                entries=runs.length(run),
                tokens=tokens[run],
                time=int(time_ms[head]),
                last=last[run],
                below_entries=runs.length(run),
                below_tokens=tokens[run],
            )
        self.forest.add_edges_from(
            (parent, run) for run in range(len(runs)) if (parent := runs.parent_run(run)) is not None
        )
        nodes = self.forest.nodes
        for run in reversed(runs.top_down):
            if (parent := runs.parent_run(run)) is not None:
                above, below = nodes[parent], nodes[run]
                above["below_entries"] += below["below_entries"]
                above["below_tokens"] += below["below_tokens"]
                above["last"] = max(above["last"], below["last"])

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
        nodes = self.forest.nodes
        return max(self.forest.successors(run), key=lambda child: (nodes[child]["below_entries"], child), default=None)

    def extent(self, run: int, first_place: int = 0) -> Extent:
        """Return what `run` and everything that forks off it hold, without the first `first_place` entries of `run`."""
        node = self.forest.nodes[run]
        skipped = self.runs.rows(run)[:first_place]
        skipped_tokens = int(np.maximum(self.estimate[skipped], 0).sum())
        last = node["last"]
        return Extent(
            node["below_entries"] - len(skipped),
            node["below_tokens"] - skipped_tokens,
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
