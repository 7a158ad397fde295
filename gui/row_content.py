"""What one row of the tree shows, ready to paint and ready to be read aloud."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import Literal

from PySide6.QtCore import QCoreApplication

from gui.number_text import ago, full_count, full_time, price, short_count
from gui.tree_columns import Column
from model.entry_preview import EntryPreview, Speaker
from model.search_query import fold
from model.session_graph import Extent

translate = QCoreApplication.translate

CutOwner = Literal["preview", "latest", "selected"]
"""Whose cut is drawn: that of a preview, of the latest compaction, or of the compaction that is selected."""


class Group(IntEnum):
    """Where a row stands in a previewed or made compaction."""

    NONE = 0
    SUMMARIZED = 1
    TURN_PREFIX = 2
    KEPT = 3


@dataclass(frozen=True, slots=True)
class RowContent:
    """Everything about a row but its place. Tokens and context are counts, None while they are not known."""

    entry_id: str
    preview: EntryPreview
    tokens: int | None
    context: int | None
    time_ms: int | None
    time_text: str
    now_ms: int
    label: str | None = None
    is_leaf: bool = False
    """The leaf, or the nearest shown entry before it."""
    leaf_is_hidden: bool = False
    """The leaf is below this row, with messages before it or in it that the filter hides."""
    on_trunk: bool = False
    branch_count: int = 0
    branches: Extent | None = None
    """What the branches that fold under this branch point hold together."""
    hides: Extent | None = None
    group: Group = Group.NONE
    is_cut: bool = False
    """The first row that is kept: the cut is drawn above it."""
    cut_owner: CutOwner = "preview"
    run_length: int = 0
    """Entries up to here that the view leaves out but for this one; 0 when it leaves nothing out."""
    matched_words: tuple[str, ...] = ()
    """The folded words of the search that found this row."""
    match_text: str = ""
    """The piece of the entry's text around what was found."""
    matches_below: int = 0
    """How many entries the search found in the branch of this head, or in the branches of this branch point."""
    cost: float | None = None
    """The recorded cost in dollars, None when none is recorded."""
    branch_cost: float | None = None
    """The recorded cost of the whole branch of this head, None while it is not known."""

    @property
    def time_tip(self) -> str:
        """Date and time in full."""
        return full_time(self.time_ms)

    def column_text(self, column: int, *, folded: bool = False) -> str:
        """Return the text of a column, as it is painted and copied; the cost of a `folded` branch head is a total."""
        if column == Column.ENTRY:
            return self.preview.text
        if column == Column.TIME:
            return self.time_text
        if column == Column.COST:
            if folded and self.hides and self.branch_cost is not None:
                return f"Σ {price(self.branch_cost)}" if self.branch_cost else ""
            return "" if self.cost is None else price(self.cost)
        count = self.tokens if column == Column.TOKENS else self.context
        return "" if count is None else short_count(count)

    def fold_text(self, *, with_tokens: bool = True, with_time: bool = True) -> str:
        """Return what a folded branch head hides, or nothing for other rows."""
        return " · ".join(self._extent_parts(self.hides, with_tokens, with_time)) if self.hides else ""

    def side_text(self, *, with_tokens: bool = True, with_time: bool = True) -> str:
        """Return how many other branches start behind this entry and what they hold together, or nothing."""
        parts = [self.branches_text()]
        if self.branches and parts[0]:
            parts += self._extent_parts(self.branches, with_tokens, with_time)
        return " · ".join(parts)

    def _extent_parts(self, extent: Extent, with_tokens: bool, with_time: bool) -> list[str]:
        parts = [entries_text(extent.entries)]
        if extent.tokens and with_tokens:
            parts.append(translate("RowContent", "{0} tokens").format(short_count(extent.tokens)))
        if extent.last_ms is not None and with_time:
            parts.append(ago(extent.last_ms, self.now_ms))
        if self.matches_below and extent is (self.hides or self.branches):
            parts.append(matches_text(self.matches_below))
        return parts

    def branches_text(self) -> str:
        """Return how many other branches start behind this entry, or nothing."""
        if not self.branch_count:
            return ""
        if self.branch_count == 1:
            return translate("RowContent", "1 other branch")
        return translate("RowContent", "{0} other branches").format(full_count(self.branch_count))

    def notes(self, *, folded: bool) -> Iterator[str]:
        """Yield the words at the end of a row, those that say less after those that say more.

        They tell what the row hides when it is `folded`, else what was left out before it.
        """
        if folded and self.hides:
            yield self.fold_text()
            yield self.fold_text(with_time=False)
            yield self.fold_text(with_time=False, with_tokens=False)
        else:
            if folded and self.branches:
                for shorter in ({}, {"with_time": False}, {"with_time": False, "with_tokens": False}):
                    yield " · ".join(filter(None, (self.run_text(), self.side_text(**shorter))))
            texts = list(filter(None, (self.run_text(), self.branches_text())))
            while texts:
                yield " · ".join(texts)
                texts.pop()

    def short_note(self, *, folded: bool) -> str:
        """Return how many entries the row hides when it is `folded`, else how many were left out, or nothing."""
        hidden = self.run_length - 1
        if folded and self.hides:
            hidden = self.hides.entries
        elif folded and self.branches and self.run_length <= 1:
            hidden = self.branches.entries
        return f"+{full_count(hidden)}" if hidden > 0 else ""

    @property
    def tip(self) -> str:
        """Return all that may be marked or noted at the end of the row, and the text around what a search found."""
        hidden_leaf = self._spoken_position() if self.leaf_is_hidden else ""
        made_cut = self.made_cut_text() if self.is_cut else ""
        notes = " · ".join(filter(None, (hidden_leaf, made_cut, self.fold_text(), self.run_text(), self.side_text())))
        return "\n".join(filter(None, (self.match_text, notes)))

    def _spoken_match(self) -> str:
        if not self.matched_words:
            return ""
        line = fold(self.preview.text)
        if not self.match_text or all(word in line for word in self.matched_words):
            return translate("RowContent", "matches the search")
        return translate("RowContent", "matches the search: {0}").format(self.match_text)

    def run_text(self) -> str:
        """Return how long the stretch is that this row stands for, or nothing."""
        return (
            translate("RowContent", "{0} up to here").format(entries_text(self.run_length))
            if self.run_length > 1
            else ""
        )

    @property
    def name(self) -> str:
        """Who speaks, as the window says it."""
        return entry_name(self.preview.speaker, self.preview.name)

    def group_text(self) -> str:
        """Return the words for the colour of the gutter."""
        if self.cut_owner != "preview":
            return {
                Group.NONE: "",
                Group.SUMMARIZED: translate("RowContent", "in the history summary"),
                Group.TURN_PREFIX: translate("RowContent", "in the turn prefix summary"),
                Group.KEPT: translate("RowContent", "kept by the compaction"),
            }[self.group]
        return {
            Group.NONE: "",
            Group.SUMMARIZED: translate("RowContent", "becomes part of the history summary"),
            Group.TURN_PREFIX: translate("RowContent", "becomes part of the turn prefix summary"),
            Group.KEPT: translate("RowContent", "kept word for word"),
        }[self.group]

    def leaf_texts(self) -> tuple[str, ...]:
        """Return the words that mark the current position, or where it is hidden; shorter ones after longer ones."""
        if not self.is_leaf:
            return ()
        if self.leaf_is_hidden:
            return (translate("RowContent", "current is below ↓"), "↓")
        return (translate("RowContent", "current"),)

    def _spoken_position(self) -> str:
        if not self.is_leaf:
            return ""
        if self.leaf_is_hidden:
            return translate("RowContent", "the current position is below, hidden by the filter")
        return translate("RowContent", "current position")

    def made_cut_text(self) -> str:
        """Return the words at a cut that was made; nothing for one that is only previewed, and can be moved."""
        if self.cut_owner == "latest":
            return translate("RowContent", "cut of the latest compaction")
        return translate("RowContent", "cut of this compaction") if self.cut_owner == "selected" else ""

    def _spoken_cut(self) -> str:
        if not self.is_cut:
            return ""
        made = {
            "latest": translate("RowContent", "the cut of the latest compaction is before this entry"),
            "selected": translate("RowContent", "the cut of the selected compaction is before this entry"),
        }
        return made.get(self.cut_owner, translate("RowContent", "the cut is before this entry"))

    def spoken(self, column: int, level: int) -> str:
        """Return a column as a screen reader says it: the first one carries all marks of the row."""
        if column != Column.ENTRY:
            return self.column_text(column)
        marks = [
            translate("RowContent", "level {0}").format(level) if level > 1 else "",
            self._spoken_position(),
            translate("RowContent", "on the active path") if self.on_trunk and not self.is_leaf else "",
            translate("RowContent", "label {0}").format(self.label) if self.label else "",
            translate("RowContent", "failed") if self.preview.failed else "",
            self._spoken_match(),
            self.run_text(),
            self.side_text(),
            translate("RowContent", "branch of {0}").format(self.fold_text()) if self.hides else "",
            self.group_text(),
            self._spoken_cut(),
        ]
        return ", ".join([f"{self.name}: {self.preview.text}", *filter(None, marks)])


@lru_cache(maxsize=256)
def entry_name(speaker: Speaker, name: str) -> str:
    """Return the name of an `EntryPreview` in the window's language; names of tools and extensions stay as they are."""
    if speaker in ("tool", "terminal"):
        return name
    names = {
        "user": translate("RowContent", "user"),
        "assistant": translate("RowContent", "assistant"),
        "system": translate("RowContent", "system"),
        "compaction": translate("RowContent", "compaction"),
        "branch summary": translate("RowContent", "branch summary"),
        "summary": translate("RowContent", "summary"),
        "note": translate("RowContent", "note"),
        "files": translate("RowContent", "files"),
        "label": translate("RowContent", "label"),
        "model": translate("RowContent", "model"),
        "thinking": translate("RowContent", "thinking"),
        "name": translate("RowContent", "name"),
        "state": translate("RowContent", "state"),
        "mode": translate("RowContent", "mode"),
        "title": translate("RowContent", "title"),
        "edit": translate("RowContent", "edit"),
    }
    return names.get(name, name)


def entries_text(count: int) -> str:
    """Return `count` entries in words."""
    return (
        translate("RowContent", "1 entry")
        if count == 1
        else translate("RowContent", "{0} entries").format(full_count(count))
    )


def messages_text(count: int) -> str:
    """Return `count` messages in words."""
    return (
        translate("RowContent", "1 message")
        if count == 1
        else translate("RowContent", "{0} messages").format(full_count(count))
    )


def matches_text(count: int) -> str:
    """Return `count` matches in words."""
    return (
        translate("RowContent", "1 match")
        if count == 1
        else translate("RowContent", "{0} matches").format(full_count(count))
    )
