"""How large the context is at each entry of a path, for a column of numbers.

Source: compaction spec, CP-4; context-building spec, CB-5.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from model.entry_index import EntryIndex
from model.entry_kinds import Kind
from model.runs import Rows


def context_sizes(index: EntryIndex, path: Rows, first_kept: Mapping[int, int]) -> NDArray[np.int64] | None:
    """Return for each entry row the estimated tokens of the context there, -1 off `path`; None while not measured.

    Sizes add up along the path. At a compaction they start again with its summary and the entries that it keeps:
    `first_kept` names for the entry row of a compaction the row of the first entry kept.
    """
    if not index.measured:
        return None
    sizes = np.full(index.count, -1, np.int64)
    if not len(path):
        return sizes
    is_compaction = index.kind[path] == Kind.COMPACTION
    estimates = np.maximum(index.estimate[path], 0).astype(np.int64)
    messages = np.cumsum(np.where(is_compaction, 0, estimates))
    place_of = {int(row): place for place, row in enumerate(path)} if first_kept else {}
    offset = np.zeros(len(path), np.int64)
    for place in np.flatnonzero(is_compaction):
        kept = place_of.get(first_kept.get(int(path[place]), -1), place)
        before_kept = messages[kept - 1] if kept else 0
        dropped = before_kept if kept < place else messages[place]
        offset[place:] = estimates[place] - dropped
    sizes[path] = messages + offset
    return sizes
