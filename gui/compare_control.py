"""Feeds the *Compare* tab: both branches are read on a worker, while the tab can be seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QTimer

from gui.inspector.compare_tab import CompareTab, Comparison
from gui.inspector.entry_page import plain_text
from gui.jump_control import JumpControl
from gui.latest_job import LatestJob
from gui.session_document import SessionDocument
from model.branch_comparison import (
    BranchFigures,
    ForkedPaths,
    answer_at,
    branch_figures,
    branch_tip,
    compare_files,
    forked_paths,
)
from model.column_filters import visible_rows
from model.entry_index import EntryIndex
from model.entry_text import entry_sections
from model.json_text import JsonObject
from model.rich_text import showable
from model.runs import NO_ROW, Rows
from model.session_graph import SessionGraph
from services.agent_session import AgentSession

READ_AT_ONCE = 256  # entries
TITLE_CHARACTERS = 80
PAUSE_MS = 150


class CompareControl(QObject):
    """Connects the *Compare* tab of one document."""

    def __init__(
        self, document: SessionDocument, tab: CompareTab, jumps: JumpControl, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._tab = tab
        self._jumps = jumps
        self._jobs = LatestJob(self)
        self._ancestor = NO_ROW
        self._index: EntryIndex | None = None  # of which the rows of the comparison are
        self._active: tuple[object, BranchFigures] | None = None
        self._compared: object = None
        self._entry_id: str | None = None
        self._pinned_id: str | None = None
        self._shown = False
        # What is seen at once is painted before a worker takes its share of the interpreter.
        self._pause = self._timer(self._follow)
        self._delay = self._timer(self._compare_chosen)
        self._begin: Callable[[], None] = lambda: None
        document.laid_out.connect(self._pause.start)
        self._texts = LatestJob(self)
        tab.text_wanted.connect(self._read)
        tab.row_wanted.connect(lambda row: jumps.to_row(row, self._index, take_focus=False))
        tab.ancestor_wanted.connect(lambda: jumps.to_row(self._ancestor, self._index))
        tab.unpin_wanted.connect(lambda: self.pin(None))

    @property
    def is_computing(self) -> bool:
        """Whether a comparison is still to come."""
        is_waiting = self._delay.isActive() or (self._shown and self._pause.isActive())
        return self._jobs.running or self._texts.running or is_waiting

    def set_shown(self, shown: bool) -> None:
        """Compare only while the tab can be seen."""
        self._shown = shown

    def pin(self, row: int | None) -> None:
        """Compare with the branch of entry `row` from now on; None: with the active path."""
        index = self._document.index
        self._pinned_id = None if row is None or index is None else index.id_of(row)
        self._tab.show_pinned(self._title(row) if row is not None and self._pinned_id is not None else "")
        self._compared = None
        if row is None and self._entry_id is not None and index is not None:
            row = index.row_of(self._entry_id)
        self.show_entry(row)

    def show_entry(self, row: int | None) -> None:
        """Compare the active path, or the pinned branch, with the branch of entry `row`; an entry that both share, or
        of the left one, changes nothing.
        """
        self._show(row, goes_on=False)

    def _show(self, row: int | None, *, goes_on: bool) -> None:
        """`goes_on`: the same two branches are shown again, perhaps with more entries."""
        document = self._document
        session, index, graph, rows = document.session, document.index, document.graph, document.rows
        if session is None or index is None or graph is None or rows is None or row is None:
            self._say_nothing(self.tr("Select an entry of another branch to compare it with the active path."))
            return
        leaf = self._left_tip(index, graph, document.outline.leaf if document.outline is not None else NO_ROW)
        paths = forked_paths(graph, leaf, row)
        if not len(paths.right):
            if self._compared is None:
                self._say_nothing(
                    self.tr("The selected entry is on the active path. Select one of another branch to compare them.")
                    if self._pinned_id is None
                    else self.tr("Now select an entry of another branch to compare them.")
                )
            return
        compared = (index, leaf, int(paths.right[-1]))
        if compared == self._compared:
            return
        self._compared = compared
        self._entry_id = index.id_of(row)
        side = (index, paths.ancestor, leaf)
        active = self._active[1] if self._active is not None and self._active[0] == side else None
        goes_on = goes_on and self._index is not None and self._index.generation == index.generation
        if not goes_on:
            self._tab.show_waiting()

        def show(found: tuple[Comparison, BranchFigures]) -> None:
            comparison, active = found
            self._active = (side, active)
            self._ancestor, self._index = paths.ancestor, index
            self._tab.show_comparison(comparison, rows, goes_on=goes_on)

        title = self._title(paths.ancestor)
        self._jobs.drop()
        self._begin = lambda: self._jobs.start(
            lambda _token: _compare(session, index, paths, title, active), show, self._say_nothing
        )
        self._delay.start()

    def _left_tip(self, index: EntryIndex, graph: SessionGraph, leaf: int) -> int:
        """Where the branch on the left ends, with the leaf that is laid out."""
        pinned = None if self._pinned_id is None else index.row_of(self._pinned_id)
        if pinned is None:  # nothing is pinned, or it is not in the file any more
            self._pinned_id = None
            self._tab.show_pinned("")
            return leaf
        return branch_tip(graph, pinned, leaf)

    def close(self) -> None:
        """Drop what is being compared and read."""
        self._pause.stop()
        self._delay.stop()
        self._jobs.close()
        self._texts.close()

    def _read(self, row: int) -> None:
        store, index = self._document.store, self._index
        if store is not None and index is not None:
            self._texts.start(lambda _token: _text_of(store.entry(row, index)), self._tab.show_message)

    def _follow(self) -> None:
        """Entries came in or the leaf moved: compare again."""
        index = self._document.index
        if self._shown and index is not None and self._entry_id is not None:
            self._compared = None
            self._show(index.row_of(self._entry_id), goes_on=True)

    def _compare_chosen(self) -> None:
        self._begin()

    def _timer(self, then: Callable[[], None]) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(PAUSE_MS)
        timer.timeout.connect(then)
        return timer

    def _say_nothing(self, sentence: str) -> None:
        self._delay.stop()
        self._jobs.drop()
        self._compared = None
        self._tab.show_nothing(sentence)

    def _title(self, row: int) -> str:
        rows = self._document.rows
        if rows is None or row < 0:
            return ""
        content = rows.content(row)
        return f"{content.name}: {content.preview.text[:TITLE_CHARACTERS]}"


def _compare(
    session: AgentSession,
    index: EntryIndex,
    paths: ForkedPaths,
    title: str,
    active: BranchFigures | None,
) -> tuple[Comparison, BranchFigures]:
    def entries(rows: Rows) -> Iterator[JsonObject]:
        for first in range(0, len(rows), READ_AT_ONCE):
            yield from session.store.entries(rows[first : first + READ_AT_ONCE].tolist(), index)

    above = answer_at(index, paths.ancestor)
    answer = None if above is None else session.store.entry(above, index)
    right = branch_figures(entries(paths.right), session.rules, answer_above=answer)
    left = active or branch_figures(entries(paths.left), session.rules, answer_above=answer)
    shown = visible_rows(index, "default", leaf=int(paths.left[-1]) if len(paths.left) else NO_ROW, labeled=())
    comparison = Comparison(
        title,
        left,
        right,
        compare_files(left.files, right.files),
        _kept(paths.left, shown),
        _kept(paths.right, shown),
    )
    return comparison, left


def _kept(rows: Rows, shown: NDArray[np.bool_]) -> Rows:
    kept: Rows = rows[shown[rows]]
    return kept


def _text_of(entry: JsonObject) -> str:
    return showable(plain_text(entry_sections(entry)))
