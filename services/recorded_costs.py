"""The recorded costs of all entries of a session, as a column. Blocking; for worker threads."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from model.entry_costs import entry_cost, line_cost
from model.entry_index import EntryIndex
from model.entry_kinds import Trait
from services.cancellation import CancellationToken
from services.session_store import SessionStore

BLOCK_BYTES: Final = 1 << 18

Costs = NDArray[np.float64]


def recorded_costs(store: SessionStore, index: EntryIndex, known: Costs, token: CancellationToken) -> Costs:
    """Return the cost of each entry row of `index`, 0 where none is recorded; `known` holds those of the first rows.

    Raises OperationCancelled, OSError.
    """
    costs = np.zeros(index.count)
    costs[: len(known)] = known
    ends = index.offset + index.length
    row = len(known)
    while row < index.count:
        token.raise_if_set()
        start = int(index.offset[row])
        last = max(row + 1, int(np.searchsorted(ends, start + BLOCK_BYTES)))
        data = store.raw_bytes(start, int(ends[last - 1]) - start)
        for each in range(row, last):
            line = data[int(index.offset[each]) - start : int(ends[each]) - start]
            cost = None if index.traits[each] & Trait.DAMAGED else line_cost(line)
            costs[each] = (entry_cost(store.entry(each, index)) or 0.0) if cost is None else cost
        row = last
    return costs
