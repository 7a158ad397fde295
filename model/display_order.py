"""The rows of the tree view from top to bottom, as if every branch were unfolded.

What steps from row to row (the next match, the next branch point, the next label) asks this order, not the view: a view
with a hundred thousand rows cannot be walked through while somebody waits.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy

import numpy as np
from numpy.typing import NDArray

from model.outline import Outline
from model.runs import NO_ROW, Rows


class DisplayOrder:
    """Places of the shown entries of one outline; immutable.

    `rows` holds their entry rows from top to bottom; `place` holds for each entry row its place in `rows`, -1 when it
    is not shown. O(entries + branch points).
    """

    def __init__(self, outline: Outline) -> None:
        self.outline = outline
        self.rows, self._ends = _pre_order(outline)
        self.place: Rows = np.full(len(outline.owner), NO_ROW, np.int32)
        self.place[self.rows] = np.arange(len(self.rows), dtype=np.int32)

    def grown(self, outline: Outline) -> DisplayOrder:
        """Return the order of `outline`; when it continues the outline of this order, that takes some copies only."""
        if outline.grown_from is not self.outline:
            return DisplayOrder(outline)
        known = len(self.place)
        fresh = np.arange(known, len(outline.owner), dtype=np.int32)
        fresh = fresh[outline.owner[known:] == NO_ROW]
        order = copy(self)
        order.outline = outline
        order.rows = np.concatenate([self.rows, fresh])
        order.place = np.concatenate([self.place, np.full(len(outline.owner) - known, NO_ROW, np.int32)])
        order.place[fresh] = len(self.rows) + np.arange(len(fresh), dtype=np.int32)
        return order

    def below(self, row: int) -> range:
        """Return the places of all rows that folding entry `row` would hide."""
        start = int(self.place[row]) + 1
        return range(start, self._ends.get(row, start))

    def places_of(self, marked: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return the places of the shown entries that `marked`, a mask over entry rows, names; ascending."""
        return np.flatnonzero(marked[self.rows])

    def step(self, marked: NDArray[np.bool_], row: int | None, direction: int) -> tuple[int, bool] | None:
        """Return the next (`direction` 1) or previous (-1) shown entry that is marked, seen from entry `row`.

        Behind the last comes the first: the second value tells that the end was passed. None when none is marked.
        A `row` that is None or not shown stands before the first.
        """
        places = self.places_of(marked)
        if not len(places):
            return None
        here = NO_ROW if row is None else int(self.place[row])
        at = int(np.searchsorted(places, here, side="right" if direction > 0 else "left"))
        at = at if direction > 0 else at - 1
        passed = not 0 <= at < len(places)
        return int(self.rows[places[at % len(places)]]), passed


def _pre_order(outline: Outline) -> tuple[Rows, Mapping[int, int]]:
    """The shown entry rows, each before those under it, and for each that has rows under it the place behind them."""
    parts: list[Rows] = []
    ends: dict[int, int] = {}
    length = 0
    # A group that is under way: its owner, its rows, how many of them are done, and the branching ones still to come.
    pending = [(NO_ROW, outline.group(NO_ROW), 0, iter(outline.branching(NO_ROW)))]
    while pending:
        owner, group, done, branching = pending.pop()
        if group is None:
            continue
        following = next(branching, None)
        until = len(group) if following is None else int(outline.position[following]) + 1
        parts.append(group[done:until])
        length += until - done
        if following is None:
            ends[owner] = length
        else:
            pending.append((owner, group, until, branching))
            pending.append((following, outline.group(following), 0, iter(outline.branching(following))))
    return np.concatenate(parts) if parts else np.empty(0, np.int32), ends
