"""Which rows the tree view shows, and what lies under what.

One path, the *spine*, is all at the top level. Every other branch hangs under the entry where it forks, as one row, the
*branch head*, which holds the rest of the branch, again all at one level. So the depth of the view counts forks, never
entries. The spine is the active path (the trunk), or, where rows should stay where they are when the leaf moves, the
longest branch of the session. Source: tree-navigation spec, TN-12.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from model.runs import NO_ROW, Rows
from model.session_graph import Extent, SessionGraph

HIDDEN = -2
"""The owner of an entry that has no row."""

Arrangement = Literal["trunk", "fixed"]
"""What the spine is: the active path, or the same branch wherever the leaf is."""


class BranchStart(NamedTuple):
    """Where a branch starts: its first run, and how many entries of that run come before it."""

    run: int
    skipped: int


@dataclass(slots=True)
class _Chain:
    """A branch on its way into the outline: consecutive runs, and the entry row under which its head will hang."""

    rows: Rows
    runs: list[int]
    owner: int
    extent: Extent
    skipped: int = 0
    """How many entries of the first run are left out."""


@dataclass(slots=True)
class _Layout:
    heads: dict[int, list[int]] = field(default_factory=dict)
    starts: dict[int, BranchStart] = field(default_factory=dict)
    rest: dict[int, Rows] = field(default_factory=dict)
    hides: dict[int, Extent] = field(default_factory=dict)


class Outline:
    """The rows of the tree view for one snapshot, leaf and filter; immutable.

    An entry row that is shown has an *owner*, the entry row under which it stands (-1: top level), and a *position*
    among the rows of that owner.
    """

    def __init__(
        self, graph: SessionGraph, leaf: int, visible: NDArray[np.bool_], arrangement: Arrangement = "trunk"
    ) -> None:
        """Lay out `graph` with the leaf at entry row `leaf` (-1: before the first entry).

        `visible` tells for each entry row whether the filter lets it through. A hidden entry's branches hang under the
        nearest visible entry before it.
        """
        self.graph = graph
        self.leaf = leaf
        self.visible = visible
        self.arrangement = arrangement
        self.grown_from: Outline | None = None
        """The outline that this one continues: the same rows, and some behind the old leaf."""
        self.trunk: Rows = graph.runs.path(leaf)
        """The active path."""
        self.spine_end = spine_end(graph, leaf, arrangement)
        """The entry row at which the spine ends, -1 for a spine of no entries."""
        layout = self._lay_out(graph.runs.path(self.spine_end))
        shown_trunk = self.trunk[visible[self.trunk]]
        self.shown_leaf = int(shown_trunk[-1]) if len(shown_trunk) else NO_ROW
        """The nearest shown entry to the leaf on the active path, -1 when there is none. Source: TN-6."""
        self.hides: Mapping[int, Extent] = layout.hides
        """For each branch head the extent of its whole branch."""
        self.branch_starts: Mapping[int, BranchStart] = layout.starts
        """For each branch head where its branch starts."""
        self.branch_counts: Mapping[int, int] = {owner: len(heads) for owner, heads in layout.heads.items()}
        """For each branch point that is shown the number of branches that fold under it."""
        self._heads: Mapping[int, list[int]] = layout.heads
        self._groups: dict[int, Rows] = {}
        owns = np.zeros(len(visible), np.bool_)
        self.owner = np.full(len(visible), HIDDEN, np.int32)
        self.position = np.zeros(len(visible), np.int32)
        for owner in {NO_ROW, *layout.heads, *layout.rest}:
            heads = np.array(graph.oldest_first(layout.heads.get(owner, [])), np.int32)
            rows = np.concatenate([heads, layout.rest.get(owner, np.empty(0, np.int32))])
            self._groups[owner] = rows
            self.owner[rows] = owner
            self.position[rows] = np.arange(len(rows), dtype=np.int32)
            if owner >= 0:
                owns[owner] = True
        self._branching: dict[int, list[int]] = {
            owner: rows[owns[rows]].tolist() for owner, rows in self._groups.items()
        }
        self.spine_start = len(layout.heads.get(NO_ROW, ()))
        """The position of the first row of the spine at the top level; it takes all positions from there on."""
        self.active_until = self._active_until(shown_trunk)
        """For each owner (-1: the top level) under which the active path has rows the position of the last of them."""
        self.deepest_level = self._deepest_level()
        """The greatest number of rows that lie around a row, the top level being 0."""

    def extended(self, graph: SessionGraph, leaf: int, visible: NDArray[np.bool_]) -> Outline | None:
        """Return the outline of `graph`, a graph `extended` by entries behind the leaf, the last of which is `leaf`.

        None when these entries continue something else than the spine, or the filter shows other ones of the entries
        that were there.
        """
        known = len(self.visible)
        new_rows = np.arange(known, len(visible), dtype=np.int32)
        if self.leaf < 0 or graph.runs.parent[known] != self.leaf or leaf != len(visible) - 1:
            return None
        if self.spine_end != self.leaf:
            return None
        if (visible[:known] != self.visible).any() or self.group(self.shown_leaf) is not None:
            return None
        shown = new_rows[visible[known:]]
        top = self._groups[NO_ROW]
        grown = copy(self)
        grown.graph, grown.leaf, grown.visible, grown.grown_from = graph, leaf, visible, self
        grown.spine_end = leaf
        grown.trunk = np.concatenate([self.trunk, new_rows])
        grown.shown_leaf = int(shown[-1]) if len(shown) else self.shown_leaf
        grown.owner = np.concatenate([self.owner, np.full(len(new_rows), HIDDEN, np.int32)])
        grown.owner[shown] = NO_ROW
        grown.position = np.concatenate([self.position, np.zeros(len(new_rows), np.int32)])
        grown.position[shown] = len(top) + np.arange(len(shown), dtype=np.int32)
        grown._groups = {**self._groups, NO_ROW: np.concatenate([top, shown])}
        if len(shown):
            grown.active_until = {**self.active_until, NO_ROW: len(top) + len(shown) - 1}
        return grown

    def group(self, owner: int) -> Rows | None:
        """Return the entry rows under `owner` (-1: the top level), None when there are none."""
        return self._groups.get(owner)

    def branching(self, owner: int) -> list[int]:
        """Return those entry rows under `owner` (-1: the top level) that have rows under them in turn."""
        return self._branching.get(owner, [])

    def is_shown(self, row: int) -> bool:
        """Tell whether entry `row` has a row in the view (it may be folded away)."""
        return bool(self.owner[row] != HIDDEN)

    def nearest_shown(self, row: int) -> int | None:
        """Return entry `row` or its nearest ancestor that is shown; None when no ancestor is. Source: TN-12.2."""
        path = self.graph.runs.path(row)
        shown = path[self.owner[path] != HIDDEN]
        return int(shown[-1]) if len(shown) else None

    def owners(self, row: int) -> list[int]:
        """Return the entry rows that must be unfolded to see entry `row`, the outermost first."""
        chain: list[int] = []
        owner = int(self.owner[row])
        while owner >= 0:
            chain.append(owner)
            owner = int(self.owner[owner])
        chain.reverse()
        return chain

    def branches_extent(self, owner: int) -> Extent | None:
        """Return what all branches that fold under branch point `owner` hold together; None where there are none."""
        extents = [self.hides[head] for head in self._heads.get(owner, ())]
        if not extents:
            return None
        times = [extent.last_ms for extent in extents if extent.last_ms is not None]
        return Extent(
            sum(extent.entries for extent in extents),
            sum(extent.tokens for extent in extents),
            max(times, default=None),
        )

    def _active_until(self, shown_trunk: Rows) -> Mapping[int, int]:
        # Along the path positions only grow, so that the last one under an owner remains.
        return dict(zip(self.owner[shown_trunk].tolist(), self.position[shown_trunk].tolist(), strict=True))

    def _deepest_level(self) -> int:
        deepest = 0
        pending = [(NO_ROW, 0)]
        while pending:
            owner, level = pending.pop()
            deepest = max(deepest, level)
            pending += [(owned, level + 1) for owned in self._branching.get(owner, ())]
        return deepest

    def _lay_out(self, spine: Rows) -> _Layout:
        layout = _Layout()
        layout.rest[NO_ROW] = spine[self.visible[spine]]
        chains = self._off_spine(spine)
        while chains:
            chain = chains.pop()
            shown = chain.rows[self.visible[chain.rows]]
            if len(shown):
                head = int(shown[0])
                layout.heads.setdefault(chain.owner, []).append(head)
                layout.hides[head] = chain.extent
                layout.starts[head] = BranchStart(chain.runs[0], chain.skipped)
                if len(shown) > 1:
                    layout.rest[head] = shown[1:]
            chains.extend(self._off_chain(chain))
        return layout

    def _off_spine(self, spine: Rows) -> list[_Chain]:
        """The branches off the spine: other roots, then side branches, then what continues behind its end."""
        graph, runs, end = self.graph, self.graph.runs, self.spine_end
        spine_runs = runs.path_runs(end) if end >= 0 else []
        found = [self._chain(run, NO_ROW) for run in graph.children(None) if run not in spine_runs[:1]]
        if not spine_runs:
            return found
        last = spine_runs[-1]
        whole = _Chain(spine, spine_runs, NO_ROW, graph.extent(spine_runs[0]))
        found += self._off_chain(whole)
        owner = int(self._owners_along(whole)[-1])
        place = int(runs.place[end]) + 1
        if place < runs.length(last):
            found.append(self._chain(last, owner, place))
        else:
            found += [self._chain(run, owner) for run in graph.children(last)]
        return found

    def _off_chain(self, chain: _Chain) -> list[_Chain]:
        """The branches that fork off between the runs of `chain`, in the order of their forks."""
        if len(chain.runs) < 2:
            return []
        graph = self.graph
        owners = self._owners_along(chain)
        end = -chain.skipped
        found: list[_Chain] = []
        for run, following in pairwise(chain.runs):
            end += graph.runs.length(run)
            found += [self._chain(child, owners[end - 1]) for child in graph.children(run) if child != following]
        return found

    def _owners_along(self, chain: _Chain) -> Rows:
        """For each row of `chain` the nearest visible row of it up to there, else the owner of the chain."""
        places = np.arange(len(chain.rows))
        nearest = np.maximum.accumulate(np.where(self.visible[chain.rows], places, -1))
        return np.where(nearest < 0, np.int32(chain.owner), chain.rows[nearest])

    def _chain(self, run: int, owner: int, skipped: int = 0) -> _Chain:
        """The branch that starts with `run`, without its first `skipped` entries, along heaviest children to a leaf."""
        graph = self.graph
        chain = [run]
        while (following := graph.continuation(chain[-1])) is not None:
            chain.append(following)
        rows = np.concatenate([graph.runs.rows(each) for each in chain])[skipped:]
        return _Chain(rows, chain, int(owner), graph.extent(run, skipped), skipped)


def spine_end(graph: SessionGraph, leaf: int, arrangement: Arrangement) -> int:
    """Return the entry row at which the spine ends: the leaf, or the end of the longest branch; -1 without any."""
    if arrangement == "trunk":
        return leaf
    roots = graph.children(None)
    if not roots:
        return NO_ROW
    run = max(roots, key=lambda root: (graph.extent(root).entries, -root))
    while (following := graph.continuation(run)) is not None:
        run = following
    return graph.runs.tail(run)
