"""Sums of a column over branches: over all entries of a run and everything that forks off it.

Source: tree-navigation spec, TN-12; session-format spec, SF-12.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from model.outline import BranchStart
from model.session_graph import SessionGraph


class BranchSums:
    """The sums of `values`, one for each entry row of `graph`; immutable. O(entries)."""

    def __init__(self, graph: SessionGraph, values: NDArray[np.float64]) -> None:
        self._runs = graph.runs
        self._values = values
        runs = graph.runs
        self._sums: list[float] = np.add.reduceat(values[runs.members], runs.starts[:-1]).tolist() if len(runs) else []
        for run in reversed(runs.top_down):
            if (above := runs.parent_run(run)) is not None:
                self._sums[above] += self._sums[run]

    def of(self, start: BranchStart) -> float:
        """Return the sum over the branch that starts there."""
        skipped = self._runs.rows(start.run)[: start.skipped]
        return self._sums[start.run] - float(self._values[skipped].sum())
