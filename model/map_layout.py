"""Where the runs of a session lie on the map: one line a run, the active path straight in the middle.

Distance along the map is measured in *steps*: a run of n entries is about √n steps long, so that short branches stay
visible beside long ones. Across the map lie *lanes*: 0 is that of the active path, other branches go outwards from the
branch that they fork off, on either side, so that no line crosses another. Source: tree-navigation spec, TN-1, TN-8.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from model.runs import NO_ROW, Rows
from model.session_graph import SessionGraph

Steps = NDArray[np.float64]
GAP = 0.5  # steps between the end of a line and the next one in its lane


@dataclass(slots=True)
class _Chain:
    """A branch: consecutive runs in one lane, and what forks off it, from its end to its beginning."""

    runs: list[int]
    start: float
    branches: list[_Chain] = field(default_factory=list)
    lane: int = 0
    """Lanes away from the branch that this one forks off; in the end from the active path."""
    height: int = 1
    """How many lanes it takes with everything that forks off it."""
    end: float = 0.0
    """Where the last line of it and of everything that forks off it ends."""


class MapLayout:
    """The map of one graph and leaf; immutable.

    `start` and `end` hold for each run the steps between which its line lies, `lane` its lane, `from_lane` the lane of
    the run that it forks off (its own for a root). `path_runs` are the runs of the active path, up to `leaf_step`.
    """

    def __init__(self, graph: SessionGraph, leaf: int) -> None:
        """Lay out `graph` with the path to entry row `leaf` (-1: before the first entry) in the middle. O(runs)."""
        runs = graph.runs
        self.graph = graph
        self.leaf = leaf
        self.path_runs: Sequence[int] = runs.path_runs(leaf) if leaf >= 0 else []
        self.start, self.end = _spans(graph)
        self.lane: Rows = np.zeros(len(runs), np.int32)
        main, others = self._chains()
        for side, chains in zip((-1, 1), _on_two_sides(main, others), strict=True):
            pending = [(chain, 0) for chain in chains]
            while pending:
                chain, base = pending.pop()
                lane = base + side * chain.lane
                self.lane[chain.runs] = lane
                pending += [(branch, lane) for branch in chain.branches]
        parents = np.array([NO_ROW if (above := runs.parent_run(run)) is None else above for run in range(len(runs))])
        self.from_lane: Rows = np.where(parents < 0, self.lane, self.lane[parents]) if len(runs) else self.lane
        self.leaf_step = float(self.steps(np.array([leaf]))[0]) if leaf >= 0 else 0.0

    @property
    def length(self) -> float:
        """Steps from the first entry to the end of the longest line."""
        return float(self.end.max()) if len(self.end) else 0.0

    @property
    def lanes(self) -> tuple[int, int]:
        """The outermost lanes on both sides."""
        return (int(self.lane.min()), int(self.lane.max())) if len(self.lane) else (0, 0)

    def steps(self, rows: NDArray[np.integer]) -> Steps:
        """Return where entry rows lie along the map."""
        runs = self.graph.runs
        run = runs.run_of[rows]
        counts = np.diff(runs.starts)[run]
        steps: Steps = self.start[run] + (self.end[run] - self.start[run]) * (runs.place[rows] + 1) / counts
        return steps

    def lanes_of(self, rows: NDArray[np.integer]) -> Rows:
        """Return in which lanes entry rows lie."""
        lanes: Rows = self.lane[self.graph.runs.run_of[rows]]
        return lanes

    def row_at(self, run: int, step: float) -> int:
        """Return the entry row of `run` that lies nearest to `step`."""
        rows = self.graph.runs.rows(run)
        share = (step - self.start[run]) / (self.end[run] - self.start[run])
        return int(rows[np.clip(round(share * len(rows)) - 1, 0, len(rows) - 1)])

    def nearest_run(self, step: float, lane: float, step_size: float, lane_size: float) -> int | None:
        """Return the run whose line is nearest to a place, None without any; a step and a lane are so many pixels."""
        if not len(self.lane):
            return None
        along = np.maximum(0, np.maximum(self.start - step, step - self.end)) * step_size
        across = (self.lane - lane) * lane_size
        return int(np.argmin(along**2 + across**2))

    def neighbour(self, run: int, step: float, direction: int) -> int | None:
        """Return the run beside `run` at `step`, towards greater (1) or smaller (-1) lanes; None when there is none."""
        beyond = (self.lane - self.lane[run]) * direction > 0
        found = np.flatnonzero(beyond & (self.start <= step) & (step <= self.end))
        if not len(found):
            found = np.flatnonzero(beyond)
        if not len(found):
            return None
        away = np.maximum(0, np.maximum(self.start[found] - step, step - self.end[found]))
        return int(found[np.lexsort((away, np.abs(self.lane[found] - self.lane[run])))[0]])

    def _chains(self) -> tuple[_Chain, list[_Chain]]:
        """The active path with what follows it and all its branches, and the other roots; sizes are worked out."""
        graph = self.graph
        main = self._chain(self.path_runs, 0.0)
        roots = [self._chain([run], 0.0) for run in graph.children(None) if run not in self.path_runs[:1]]
        found = [main, *roots]
        for chain in found:  # grows while it is read
            for run, following in pairwise([*chain.runs, None]):
                for child in graph.children(run) if run is not None else []:
                    if child != following:
                        chain.branches.append(self._chain([child], float(self.end[run])))
            chain.branches.reverse()
            found += chain.branches
        for chain in reversed(found):
            chain.end = max((branch.end for branch in chain.branches), default=0.0)
            if chain.runs:
                chain.end = max(chain.end, float(self.end[chain.runs[-1]]))
            if chain is not main:
                chain.height = 1 + _pack(chain.branches)
        return main, roots

    def _chain(self, runs: Sequence[int], start: float) -> _Chain:
        """The branch that begins with `runs` and goes on along heaviest children."""
        chain = list(runs)
        while chain and (following := self.graph.continuation(chain[-1])) is not None:
            chain.append(following)
        return _Chain(chain, start)


class _Skyline:
    """How many lanes are taken beside a line, seen from its end: boxes are added from the end to the beginning."""

    def __init__(self) -> None:
        self._heights: list[tuple[float, int]] = []  # (where it ends, lanes), the nearest last
        self._left = float("inf")
        self.height = 0

    def room_for(self, chain: _Chain) -> int:
        """Return how many lanes away a branch has to lie."""
        height = 0
        if chain.end + GAP > self._left:
            for end, taken in reversed(self._heights):
                height = max(height, taken)
                if end >= chain.end + GAP:
                    break
        return height + 1

    def add(self, chain: _Chain, lane: int) -> None:
        """Put a branch so many lanes away; it begins before all that were added."""
        end = chain.end + GAP
        while self._heights and self._heights[-1][0] <= end:
            self._heights.pop()
        if end < self._left < float("inf"):
            self._heights.append((self._left, 0))
        self._heights.append((end, lane + chain.height - 1))
        self._left = chain.start
        self.height = max(self.height, lane + chain.height - 1)


def _spans(graph: SessionGraph) -> tuple[Steps, Steps]:
    runs = graph.runs
    lengths = np.sqrt(np.diff(runs.starts))
    start, end = np.zeros(len(runs)), np.zeros(len(runs))
    for run in runs.top_down:
        above = runs.parent_run(run)
        start[run] = 0.0 if above is None else end[above]
        end[run] = start[run] + lengths[run]
    return start, end


def _pack(branches: Sequence[_Chain]) -> int:
    """Give the branches of a chain their lanes, on one side of it; return how many lanes they take."""
    skyline = _Skyline()
    for branch in branches:
        branch.lane = skyline.room_for(branch)
        skyline.add(branch, branch.lane)
    return skyline.height


def _on_two_sides(main: _Chain, roots: Sequence[_Chain]) -> tuple[list[_Chain], list[_Chain]]:
    """Give the branches of the active path and the other roots their lanes, on the side where they lie nearer."""
    sides: tuple[list[_Chain], list[_Chain]] = ([], [])
    skylines = (_Skyline(), _Skyline())
    for branch in [*main.branches, *roots]:
        lanes = [skyline.room_for(branch) for skyline in skylines]
        side = lanes.index(min(lanes))
        if lanes[0] == lanes[1]:
            side = int(len(sides[0]) > len(sides[1]))
        branch.lane = lanes[side]
        skylines[side].add(branch, branch.lane)
        sides[side].append(branch)
    return sides
