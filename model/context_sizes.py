"""How large the context is at each entry, for a column of numbers: the agents' estimate of what is sent with the leaf
there.

Along a path the sizes add up. They start anew at a compaction, with its summary and what it keeps, and at a reset
boundary, and a context edit changes what an earlier entry adds. All paths share one pass: sums and nearest marks are
array operations over the entries, and the only loops are over runs, compactions and edits.
Source: compaction spec, CP-4; context-building spec, CB-4 to CB-6.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from model.context import edited_messages, entry_messages
from model.entry_index import EntryIndex
from model.entry_kinds import Kind, Role
from model.json_text import JsonObject
from model.rules import BRANCHWORK, Rules
from model.runs import NO_ROW, Rows, Runs
from model.token_estimates import estimate_tokens

Sizes = NDArray[np.int64]
UNKNOWN_ROW = -2
"""An entry that is named, and not in the index."""
_CHANGING_KINDS = (Kind.COMPACTION, Kind.RESET_BOUNDARY, Kind.CONTEXT_EDIT)


@dataclass(frozen=True, slots=True)
class CompactionFact:
    """What a compaction says of the context after it: the tokens of its own messages, and the row of the first entry
    that it keeps; NO_ROW when it names none, UNKNOWN_ROW when that entry is not in the index.
    """

    tokens: int
    first_kept: int = NO_ROW


@dataclass(frozen=True, slots=True)
class EditFact:
    """A context edit: the row of the entry that it changes, and the tokens which that entry then stands for."""

    target: int
    tokens: int


@dataclass(frozen=True, slots=True)
class ContextFacts:
    """What only the bodies of compactions and context edits tell, by entry row."""

    compactions: Mapping[int, CompactionFact] = field(default_factory=dict)
    edits: Mapping[int, EditFact] = field(default_factory=dict)


def compaction_fact(entry: JsonObject, index: EntryIndex, rules: Rules = BRANCHWORK) -> CompactionFact:
    """Return what the compaction `entry` says of the context."""
    tokens = sum(estimate_tokens(message, rules) for message in entry_messages(entry, rules))
    kept_id = entry.get("firstKeptEntryId")
    if not isinstance(kept_id, str):
        return CompactionFact(tokens)
    kept = index.row_of(kept_id)
    return CompactionFact(tokens, UNKNOWN_ROW if kept is None else kept)


def edited_row(entry: JsonObject, index: EntryIndex) -> int | None:
    """Return the row of the entry that the context edit `entry` changes, None when it changes none of the index."""
    target = entry.get("targetId")
    return index.row_of(target) if isinstance(target, str) and "replacement" in entry else None


def edit_fact(entry: JsonObject, target_row: int, target: JsonObject, rules: Rules = BRANCHWORK) -> EditFact:
    """Return what the context edit `entry` makes of `target`, the entry at `target_row`."""
    messages = edited_messages(entry_messages(target, rules), entry["replacement"])
    return EditFact(target_row, sum(estimate_tokens(message, rules) for message in messages))


def context_sizes(index: EntryIndex, runs: Runs, facts: ContextFacts, *, is_tail: bool = False) -> Sizes | None:
    """Return for each entry row the estimated tokens of the context with the leaf there; None while not measured.

    `is_tail`: the index holds only the end of a file. There a size is -1 until a path has come by the root of the
    session or a compaction whose kept entries are all in the index. O(entries), plus a loop over runs.
    """
    return _Sizing(index, runs, facts).sizes(is_tail=is_tail) if index.measured else None


def grown_sizes(sizes: Sizes, index: EntryIndex) -> Sizes | None:
    """Return the sizes for `index`, in which a chain of entries hangs behind one of those that `sizes` is about.

    None when one of the new entries changes more than it adds: then all are to be worked out again.
    """
    known = len(sizes)
    if known == index.count:
        return sizes
    if not index.measured or np.isin(index.kind[known:], _CHANGING_KINDS).any():
        return None
    before = int(sizes[index.parent[known]])
    added = np.cumsum(np.maximum(index.estimate[known:], 0).astype(np.int64))
    return np.concatenate((sizes, added + before if before >= 0 else np.full(len(added), -1, np.int64)))


class _Sizing:
    """One pass over the forest. A *restart* is a compaction or a reset boundary; `_restarts` holds for each entry the
    nearest one on its path.
    """

    def __init__(self, index: EntryIndex, runs: Runs, facts: ContextFacts) -> None:
        self._index, self._runs, self._facts = index, runs, facts
        is_compaction = index.kind == Kind.COMPACTION
        is_reset = index.kind == Kind.RESET_BOUNDARY
        self._is_restart = is_compaction | is_reset
        self._restarts = nearest_marks(runs, self._is_restart)
        self._resets = nearest_marks(runs, is_reset)
        self._added = np.maximum(index.estimate, 0).astype(np.int64)
        self._added[is_compaction] = 0
        # By compaction the entry before the first one kept (NO_ROW: it keeps the path from its root on).
        self._before_kept: dict[int, int] = {}
        self._is_unknown = np.zeros(index.count, np.bool_)
        for row in np.flatnonzero(is_compaction).tolist():
            self._find_kept(row)

    def sizes(self, *, is_tail: bool) -> Sizes:
        kept_sums = self._kept_sums()
        changes = self._edit_changes()
        self._add_kept_changes(kept_sums, changes)
        for edit, change in changes.items():
            if self._is_selected(self._facts.edits[edit].target, edit):
                self._added[edit] += change
        sizes = path_sums(self._runs, self._added)
        restarts = np.flatnonzero(self._is_restart)
        if len(restarts):
            base = np.zeros(len(sizes) + 1, np.int64)  # the last one is for entries without a restart before them
            starts = [self._own_tokens(row) + kept_sums.get(row, 0) for row in restarts.tolist()]
            base[restarts] = np.array(starts, np.int64) - sizes[restarts]
            sizes += base[self._restarts]
        if is_tail:
            sizes[self._is_not_known()] = -1
        return sizes

    def _find_kept(self, row: int) -> None:
        """Note where the entries begin that the compaction at `row` keeps, if it keeps any."""
        parent, kept = int(self._index.parent[row]), self._facts.compactions[row].first_kept
        if kept in (NO_ROW, row):
            return
        if kept == UNKNOWN_ROW or not self._runs.is_ancestor(kept, parent):
            self._is_unknown[row] = True
            return
        reset = int(self._resets[parent])
        is_before_reset = reset >= 0 and self._runs.is_ancestor(kept, reset)
        self._before_kept[row] = reset if is_before_reset else int(self._index.parent[kept])

    def _own_tokens(self, restart: int) -> int:
        fact = self._facts.compactions.get(restart)
        return 0 if fact is None else fact.tokens

    def _kept_sums(self) -> dict[int, int]:
        """By compaction the estimates of what it keeps; system messages are not kept (CB-5.3)."""
        if not self._before_kept:
            return {}
        sums = path_sums(self._runs, np.where(self._index.role == Role.SYSTEM, 0, self._added))
        return {
            row: int(sums[self._index.parent[row]]) - (int(sums[before]) if before >= 0 else 0)
            for row, before in self._before_kept.items()
        }

    def _edit_changes(self) -> dict[int, int]:
        """By edit how much it changes what its target stood for before it; edits before their target change nothing."""
        edits = self._facts.edits
        if not edits:
            return {}
        changes: dict[int, int] = {}
        earlier: dict[int, list[int]] = {}
        for edit in self._from_the_root_on(edits):
            target = edits[edit].target
            if not self._runs.is_ancestor(target, edit):
                continue
            others = earlier.setdefault(target, [])
            previous = next((other for other in reversed(others) if self._runs.is_ancestor(other, edit)), None)
            before = self._tokens_of(target) if previous is None else edits[previous].tokens
            changes[edit] = edits[edit].tokens - before
            others.append(edit)
        return changes

    def _add_kept_changes(self, kept_sums: dict[int, int], changes: Mapping[int, int]) -> None:
        """Add to what compactions keep the changes by edits that they keep, too."""
        if not changes:
            return
        is_edit = np.zeros(self._index.count, np.bool_)
        is_edit[list(changes)] = True
        edit_at = nearest_marks(self._runs, is_edit)
        for row, before in self._before_kept.items():
            edit = int(edit_at[self._index.parent[row]])
            while edit >= 0 and edit != before and (before < 0 or self._runs.is_ancestor(before, edit)):
                if self._is_kept(self._facts.edits[edit].target, row):
                    kept_sums[row] += changes[edit]
                edit = int(edit_at[self._index.parent[edit]]) if self._index.parent[edit] >= 0 else NO_ROW

    def _is_selected(self, target: int, edit: int) -> bool:
        """Whether `target`, an ancestor of `edit`, is in the context at it."""
        restart = int(self._restarts[edit])
        if restart < 0 or target == restart or self._runs.is_ancestor(restart, target):
            return True
        return self._index.kind[restart] == Kind.COMPACTION and self._is_kept(target, restart)

    def _is_kept(self, target: int, compaction: int) -> bool:
        """Whether `target`, an ancestor of `compaction`, is one of the messages that it keeps."""
        before = self._before_kept.get(compaction)
        if before is None or self._index.kind[target] == Kind.COMPACTION or self._index.role[target] == Role.SYSTEM:
            return False
        return before < 0 or (before != target and self._runs.is_ancestor(before, target))

    def _tokens_of(self, row: int) -> int:
        return self._own_tokens(row) if self._index.kind[row] == Kind.COMPACTION else int(self._added[row])

    def _from_the_root_on(self, rows: Mapping[int, object]) -> list[int]:
        """The rows in an order in which each stands behind those on its path."""
        runs = self._runs
        rank = {run: number for number, run in enumerate(runs.top_down)}
        return sorted(rows, key=lambda row: (rank[int(runs.run_of[row])], int(runs.place[row])))

    def _is_not_known(self) -> NDArray[np.bool_]:
        """Which entries of the end of a file have something in their context that is not in the index."""
        index = self._index
        roots = np.flatnonzero(index.parent < 0)
        is_cut_off = np.zeros(index.count, np.bool_)
        is_cut_off[[row for row in roots.tolist() if index.named_parent(row) is not None]] = True
        from_cut_off = is_cut_off[nearest_marks(self._runs, index.parent < 0)]
        return np.where(self._restarts >= 0, self._is_unknown[self._restarts], True) & from_cut_off


def path_sums(runs: Runs, values: Sizes) -> Sizes:
    """Return for each entry row the sum of `values` along the path to it. A loop over runs, the rest vectorised."""
    sums = np.empty(len(values), np.int64)
    if not len(values):
        return sums
    along = values[runs.members]
    total = np.cumsum(along)
    starts, lasts = runs.starts[:-1], runs.starts[1:] - 1
    before = total[starts] - along[starts]
    own = (total[lasts] - before).tolist()
    above = [0] * (len(runs) + 1)  # the last one is the place before every root
    for run in runs.top_down:
        parent = runs.parent_run(run)
        if parent is not None:
            above[run] = above[parent] + own[parent]
    sums[runs.members] = total + np.repeat(np.array(above[:-1], np.int64) - before, lasts - starts + 1)
    return sums


def nearest_marks(runs: Runs, marked: NDArray[np.bool_]) -> Rows:
    """Return for each entry row the nearest marked entry on the path to it, itself included; -1 without one."""
    nearest = np.full(len(marked), NO_ROW, np.int32)
    if not marked.any():
        return nearest
    starts, lasts = runs.starts[:-1], runs.starts[1:] - 1
    places = np.maximum.accumulate(np.where(marked[runs.members], np.arange(len(marked)), -1))
    lengths = lasts - starts + 1
    is_own = places >= np.repeat(starts, lengths)
    own_last = np.where(is_own[lasts], runs.members[places[lasts]], NO_ROW).tolist()
    above = [NO_ROW] * (len(runs) + 1)
    for run in runs.top_down:
        parent = runs.parent_run(run)
        if parent is not None:
            above[run] = own_last[parent] if own_last[parent] >= 0 else above[parent]
    inherited = np.repeat(np.array(above[:-1], np.int32), lengths)
    nearest[runs.members] = np.where(is_own, runs.members[places], inherited)
    return nearest
