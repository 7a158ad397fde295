"""The tree without its unbranched stretches: where it branches, where branches begin and end, and how long they run.

Each run is told by its last entry that the filter shows: a branch point or the end of a branch. A side branch keeps its
first entry as well, which says what it is about. Source: tree-navigation spec, TN-12.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from model.runs import Rows, Runs


def branch_points(runs: Runs, leaf: int, visible: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return for each entry row whether it stays when only branch points are shown, among the `visible` ones.

    The run with entry row `leaf` (-1: before the first entry) counts as ending there, and what follows as a branch.
    """
    kept = np.zeros(len(visible), np.bool_)
    members = runs.members[visible[runs.members]]
    if not len(members):
        return kept
    of_run = runs.run_of[members]
    is_first = np.ones(len(members), np.bool_)
    is_first[1:] = of_run[1:] != of_run[:-1]
    is_last = np.roll(is_first, -1)
    on_trunk = np.zeros(len(runs), np.bool_)
    if leaf >= 0:
        path = runs.path(leaf)
        on_trunk[runs.run_of[path]] = True
        kept[path[visible[path]][:1]] = True
        after_leaf = (of_run == runs.run_of[leaf]) & (runs.place[members] > runs.place[leaf])
        kept[members[after_leaf][:1]] = True
        is_last |= np.append(after_leaf[1:], False) & ~after_leaf & (of_run == runs.run_of[leaf])
    kept[members[is_last | (is_first & ~on_trunk[of_run])]] = True
    return kept


def run_lengths(runs: Runs, shown: NDArray[np.bool_]) -> Rows:
    """Return for each shown entry row how many entries of its run lead up to it, from behind the shown one before it.

    The row counts itself; rows that are not shown have 0.
    """
    lengths = np.zeros(len(shown), np.int32)
    members = runs.members[shown[runs.members]]
    if not len(members):
        return lengths
    places = runs.place[members].astype(np.int32)
    same_run = runs.run_of[members][1:] == runs.run_of[members][:-1]
    before = np.full(len(members), -1, np.int32)
    before[1:][same_run] = places[:-1][same_run]
    lengths[members] = places - before
    return lengths
