"""The recorded costs of all entries of a session, as a column. Blocking; for worker threads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from model.branch_comparison import answer_at
from model.entry_costs import entry_cost, line_cost
from model.entry_index import EntryIndex
from model.entry_kinds import Trait
from model.interruptions import interruptibly
from model.json_text import JsonObject
from model.replies import NO_REPLY, counted_once, reply_key
from services.cancellation import CancellationToken
from services.session_store import SessionStore

BLOCK_BYTES: Final = 1 << 18

Costs = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class RecordedCosts:
    """For each entry row of one index the cost it records, 0 for none, and the reply that it is a record of."""

    costs: Costs
    replies: NDArray[np.int64]

    def counted(self) -> Costs:
        """Return the costs so that those of a reply that several entries hold count once. O(entries)."""
        return counted_once(self.costs, self.replies)


NO_COSTS: Final = RecordedCosts(np.empty(0), np.empty(0, np.int64))


def recorded_costs(
    store: SessionStore, index: EntryIndex, known: RecordedCosts, token: CancellationToken
) -> RecordedCosts:
    """Return what each entry row of `index` cost; `known` holds the first rows.

    Raises OperationCancelled, OSError.
    """
    row = len(known.costs)
    costs = np.zeros(index.count)
    costs[:row] = known.costs
    replies = np.full(index.count, NO_REPLY, np.int64)
    replies[:row] = known.replies
    ends = index.offset + index.length
    while row < index.count:
        token.raise_if_set()
        start = int(index.offset[row])
        last = max(row + 1, int(np.searchsorted(ends, start + BLOCK_BYTES)))
        data = store.raw_bytes(start, int(ends[last - 1]) - start)
        for each in interruptibly(range(row, last)):
            line = data[int(index.offset[each]) - start : int(ends[each]) - start]
            found = None if index.traits[each] & Trait.DAMAGED else line_cost(line)
            costs[each], replies[each] = _by_the_rule(store.entry(each, index)) if found is None else found
        row = last
    return RecordedCosts(costs, replies)


def row_cost(store: SessionStore, index: EntryIndex, row: int, entry: JsonObject) -> float | None:
    """Return what `entry`, the one at entry row `row`, records as its cost, None when that is nothing.

    A reply that several entries hold has its cost at the first of them: the others are nothing.
    """
    cost = entry_cost(entry)
    if cost and (reply := reply_key(entry)) != NO_REPLY:
        above = answer_at(index, int(index.parent[row]))
        if above is not None and reply_key(store.entry(above, index)) == reply:
            return None
    return cost


def _by_the_rule(entry: JsonObject) -> tuple[float, int]:
    return entry_cost(entry) or 0.0, reply_key(entry)
