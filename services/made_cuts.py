"""Where a compaction that a session already holds has cut its path (CP-9, CP-14, CP-19)."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from model.cut_points import CutTraits, cut_traits, own_messages
from model.entry_index import EntryIndex
from model.entry_kinds import Kind
from model.interruptions import interruptibly
from model.json_text import JsonObject
from model.messages import text_field
from model.rules import BRANCHWORK, Rules
from model.runs import Rows, Runs
from model.summary_answers import TURN_PREFIX_HEADING

if TYPE_CHECKING:
    from services.session_store import SessionStore


@dataclass(frozen=True, slots=True)
class MadeCut:
    """The entry rows from the root to a compaction, which is the last of `path`, and the places in it where something
    begins: what was summarised, the prefix of a split turn, and what was kept.

    `prefix` is `kept` where no turn was split, or the summary does not tell. `kept` is the place of the compaction
    itself where it keeps nothing.
    """

    path: Rows
    start: int
    prefix: int
    kept: int

    @property
    def compaction(self) -> int:
        """The entry row of the compaction."""
        return int(self.path[-1])


def latest_compaction_row(index: EntryIndex, runs: Runs, leaf: int) -> int | None:
    """Return the row of the last compaction on the path to entry row `leaf`, or None. O(entries), one byte each."""
    found = np.flatnonzero(index.kind == Kind.COMPACTION)
    if leaf < 0 or not len(found):
        return None
    path_runs = runs.path_runs(leaf)
    rank = np.full(len(runs), -1, np.int64)
    rank[path_runs] = np.arange(len(path_runs))
    ranks, places = rank[runs.run_of[found]], runs.place[found]
    is_on_path = (ranks >= 0) & ((ranks < len(path_runs) - 1) | (places <= runs.place[leaf]))
    if not is_on_path.any():
        return None
    found, ranks, places = found[is_on_path], ranks[is_on_path], places[is_on_path]
    return int(found[np.lexsort((places, ranks))[-1]])


def read_made_cut(
    store: "SessionStore",
    index: EntryIndex,
    runs: Runs,
    compaction: int,
    rules: Rules = BRANCHWORK,
) -> MadeCut:
    """Return the cut of the compaction at an entry row. Reads it and, of a split turn, the entries of its prefix.

    Interruptible.
    """
    path = runs.path(compaction)
    entry = store.entry(compaction, index)
    end = len(path) - 1
    resets = np.flatnonzero(index.kind[path] == Kind.RESET_BOUNDARY)
    start = int(resets[-1]) + 1 if len(resets) else 0
    kept = max(start, _kept_place(entry, index, path))
    prefix = kept
    if start < kept < end and TURN_PREFIX_HEADING in text_field(entry, "summary"):
        prefix = _turn_start(store, index, path, kept, start, rules)
    return MadeCut(path, start, prefix, kept)


def _kept_place(compaction: JsonObject, index: EntryIndex, path: Rows) -> int:
    end = len(path) - 1
    kept_row = index.row_of(text_field(compaction, "firstKeptEntryId"))
    places = np.flatnonzero(path[:end] == kept_row) if kept_row is not None else np.empty(0, np.intp)
    return int(places[0]) if len(places) else end


def _turn_start(
    store: "SessionStore",
    index: EntryIndex,
    path: Rows,
    kept: int,
    start: int,
    rules: Rules,
) -> int:
    """The place where the turn starts that a cut before `kept` splits; `kept` where it splits none."""

    def traits(place: int) -> CutTraits:
        entry = store.entry(int(path[place]), index)
        return cut_traits(entry, own_messages(entry, rules), rules)

    behind = interruptibly(range(kept, len(path) - 1), each=1)
    first = next((found for place in behind if (found := traits(place)).is_cut_point), None)
    if first is not None and first.is_clean_cut:
        return kept  # the heading is one of an earlier summary, which this one quotes
    before = interruptibly(range(kept - 1, start - 1, -1), each=1)
    return next((place for place in before if traits(place).is_turn_start), kept)
