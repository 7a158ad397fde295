"""The content of the rows of one session, made when they are painted."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gui.number_text import clock
from gui.row_content import CutOwner, Group, RowContent
from gui.translation import shown
from model.branch_sums import BranchSums
from model.entry_index import INVALID_TIME, EntryIndex
from model.entry_kinds import Kind
from model.entry_preview import EntryPreview, entry_preview
from model.full_text import full_text
from model.json_text import JsonObject
from model.outline import Outline
from model.rich_text import showable
from model.search_excerpt import excerpt_around
from model.search_query import fold
from services.answered_calls import answered_call
from services.recorded_costs import row_cost
from services.session_store import SessionStore

KEPT_CONTENTS = 2000
_KINDS_OF_CONTEXT = (
    Kind.MESSAGE,
    Kind.CUSTOM_MESSAGE,
    Kind.BRANCH_SUMMARY,
    Kind.COMPACTION,
    Kind.CONTEXT_EDIT,
    Kind.RESET_BOUNDARY,
)


@dataclass(frozen=True, slots=True)
class Matches:
    """What a search found: a mask over the entry rows, the folded words, and how many lie below a branch head."""

    marked: NDArray[np.bool_]
    words: tuple[str, ...]
    below: Callable[[int], int]


class SessionRows:
    """Answers the item model for one snapshot of a store, with its `labels`, and one outline of it.

    For the GUI thread only.

    A body is read and decoded once, when its row is first painted: some ten microseconds. `context` holds the context
    size at each entry, -1 where it is not known; `run_lengths` holds for each entry how many entries it stands for,
    where only branch points are shown.
    """

    def __init__(
        self,
        store: SessionStore,
        index: EntryIndex,
        labels: Mapping[int, str],
        outline: Outline,
        context: NDArray[np.int64] | None,
        run_lengths: NDArray[np.int32] | None = None,
    ) -> None:
        self._store = store
        self._index = index
        self._outline = outline
        self._labels = labels
        self._context = context
        self._trunk = np.zeros(self._index.count, np.bool_)
        self._trunk[outline.trunk] = True
        self._leaf_is_hidden = _has_hidden_context(outline, self._index)
        last_ms = int(self._index.time_ms.max()) if self._index.count else INVALID_TIME
        self._last_ms = None if last_ms == INVALID_TIME else last_ms
        self._groups: NDArray[np.uint8] | None = None
        self._cut_row: int | None = None
        self._cut_owner: CutOwner = "preview"
        self._run_lengths = run_lengths
        self._matches: Matches | None = None
        self._branch_costs: BranchSums | None = None
        self._contents: OrderedDict[int, RowContent] = OrderedDict()

    @property
    def context(self) -> NDArray[np.int64] | None:
        """The estimated context size with the leaf at each entry, -1 where it's unknown; None while not measured."""
        return self._context

    @property
    def labels(self) -> Mapping[int, str]:
        """The label in force of each labelled entry row."""
        return self._labels

    def show_groups(
        self, groups: NDArray[np.uint8] | None, cut_row: int | None, cut_owner: CutOwner = "preview"
    ) -> None:
        """Colour the gutter: a `Group` for each entry row, and the entry row above which the cut is drawn."""
        self._groups = groups
        self._cut_row = cut_row
        self._cut_owner = cut_owner
        self._contents.clear()

    def show_matches(self, matches: Matches | None) -> None:
        """Mark what a search found; None marks nothing."""
        self._matches = matches
        self._contents.clear()

    def show_branch_costs(self, sums: BranchSums | None) -> None:
        """Tell what whole branches cost."""
        self._branch_costs = sums
        self._contents.clear()

    def content(self, row: int) -> RowContent:
        """Return what to paint for entry `row`."""
        if (found := self._contents.get(row)) is not None:
            return found
        content = self._contents[row] = self._make(row)
        if len(self._contents) > KEPT_CONTENTS:
            self._contents.popitem(last=False)
        return content

    def call_of(self, row: int) -> Mapping[str, Any] | None:
        """Return the tool call that the tool result at `row` answers."""
        return answered_call(self._store, self._index, row)

    def _make(self, row: int) -> RowContent:
        index, outline, matches = self._index, self._outline, self._matches
        call = self.call_of(row)
        now_ms = round(time.time() * 1000)
        raw_time, estimate = int(index.time_ms[row]), int(index.estimate[row])
        time_ms = None if raw_time == INVALID_TIME else raw_time
        context = -1 if self._context is None else int(self._context[row])
        entry = self._store.entry(row, index)
        start = outline.branch_starts.get(row)
        has_rows_below = row in outline.hides or row in outline.branch_counts
        words = matches.words if matches is not None and matches.marked[row] else ()
        preview = _shown(entry_preview(entry, call, self._store.cwd or ""))
        return RowContent(
            entry_id=index.id_of(row),
            preview=preview,
            tokens=estimate if estimate > 0 else None,
            context=context if context >= 0 else None,
            time_ms=time_ms,
            time_text=clock(time_ms, self._last_ms),
            now_ms=now_ms,
            label=self._labels.get(row),
            is_leaf=row == outline.shown_leaf,
            leaf_is_hidden=row == outline.shown_leaf and self._leaf_is_hidden,
            on_trunk=bool(self._trunk[row]),
            branch_count=outline.branch_counts.get(row, 0),
            branches=outline.branches_extent(row),
            hides=outline.hides.get(row),
            group=Group.NONE if self._groups is None else Group(int(self._groups[row])),
            is_cut=row == self._cut_row,
            cut_owner=self._cut_owner,
            run_length=0 if self._run_lengths is None else int(self._run_lengths[row]),
            matched_words=words,
            match_text=self._match_text(row, entry, preview.text, words) if words else "",
            matches_below=matches.below(row) if matches is not None and has_rows_below else 0,
            cost=row_cost(self._store, index, row, entry),
            branch_cost=None if start is None or self._branch_costs is None else self._branch_costs.of(start),
        )

    def _match_text(self, row: int, entry: JsonObject, line: str, words: tuple[str, ...]) -> str:
        """The text around a word that the line of the row does not have, else around any."""
        text = showable(f"{self._labels.get(row, '')}\n{full_text(entry)}")
        seen = fold(line)
        return excerpt_around(text, sorted(words, key=lambda word: word in seen))


def _has_hidden_context(outline: Outline, index: EntryIndex) -> bool:
    """Whether the filter hides, between the last shown entry of the active path and the leaf, what makes a difference.

    Where only settings and labels follow, the shown entry is as good as the leaf.
    """
    shown = np.flatnonzero(outline.visible[outline.trunk])
    hidden = outline.trunk[shown[-1] + 1 :] if len(shown) else outline.trunk
    return bool(np.isin(index.kind[hidden], _KINDS_OF_CONTEXT).any())


def _shown(preview: EntryPreview) -> EntryPreview:
    """The line with the program's own words in the window's language."""
    text = shown(preview.text)
    return preview if text == preview.text else replace(preview, text=text)
