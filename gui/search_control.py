"""Searching a session: the text is looked for on a worker while it is typed, matches are marked where they stand.

The tree keeps its shape: nothing is filtered away. What comes into the file later is searched as well.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QTimer, Signal

from gui.latest_job import LatestJob
from gui.search_bar import SearchBar
from gui.session_document import SessionDocument
from gui.session_rows import Matches
from gui.session_tree_view import SessionTreeView
from gui.turns import LaterTurns
from model.entry_index import EntryIndex
from model.outline import HIDDEN
from model.search_query import SearchQuery
from services.cancellation import CancellationToken
from services.session_search import Finding, SessionSearch
from services.session_store import SessionStore

SHOW_PAUSE_MS = 100  # between two looks at what was found, while more is being found


class SearchControl(QObject):
    """Connects the search bar and the tree of one document.

    Signals: `said` (sentence); `found_other` when rows match that did not, or the other way round.
    """

    said = Signal(str)
    found_other = Signal()

    def __init__(
        self, document: SessionDocument, bar: SearchBar, tree: SessionTreeView, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._bar = bar
        self._tree = tree
        self._jobs = LatestJob(self)
        self._search: tuple[SessionStore, SessionSearch] | None = None
        self._text = ""
        self._words: tuple[str, ...] = ()
        self._marked: NDArray[np.bool_] | None = None
        self._searched: EntryIndex | None = None
        self._labels: dict[int, str] = {}
        self._percent = 0
        self._is_new = True
        self._painted: object = None
        """What the view showed of the matches when it was painted last."""
        self._step_when_found = 0
        self._later = LaterTurns(self)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.timeout.connect(self._show)
        bar.changed.connect(self.search)
        bar.step_wanted.connect(self.step)
        bar.left.connect(self._leave)
        bar.tree_wanted.connect(tree.setFocus)
        document.laid_out.connect(self._follow)
        tree.follow_selection(self._show_place)

    @property
    def is_computing(self) -> bool:
        """Whether more may be found."""
        return self._jobs.running or self._pause.isActive() or self._later.is_waiting

    def search(self, text: str) -> None:
        """Look for `text`, which drops what is being looked for."""
        self._text = text
        self._words = ()
        self._marked = None
        self._searched = None
        self._is_new = True
        self._step_when_found = 0
        self._jobs.drop()
        if text.strip():
            self._start()
        self._show()

    def step(self, direction: int) -> None:
        """Select the next (1) or previous (-1) match in the order of the rows, unfolding what is around it."""
        order = self._document.order
        if self._marked is None or order is None:
            self.said.emit(self.tr("Type what to look for first."))
            return
        found = order.step(self._marked, self._tree.current_entry(), direction)
        if found is not None:
            row, passed_end = found
            self._tree.select_entry(row)
            if passed_end:
                self.said.emit(
                    self.tr("The search went on from the top.")
                    if direction > 0
                    else self.tr("The search went on from the bottom.")
                )
        elif self._jobs.running:
            self._step_when_found = direction
        elif self._marked.any():
            self.said.emit(self.tr("All matches are hidden by the filter."))
        else:
            self.said.emit(self.tr("There is no match."))

    def close(self) -> None:
        """Drop what is being looked for."""
        self._pause.stop()
        self._later.close()
        self._jobs.close()

    def _leave(self) -> None:
        self.search("")
        self._tree.setFocus()

    def _follow(self, *_: object) -> None:
        """The rows changed: mark them again, and search what is new."""
        index, store, searched = self._document.index, self._document.store, self._searched
        if searched is None or index is None or store is None:
            return
        is_same = self._search is not None and self._search[0] is store and searched.generation == index.generation
        if not is_same or dict(store.labels) != self._labels:
            self.search(self._text)
            return
        if not self._jobs.running:
            self._go_on()
        self._show()

    def _go_on(self) -> None:
        """Search the entries that came since."""
        index = self._document.index
        if index is not None and self._searched is not None and index.count > self._searched.count:
            self._start(first=self._searched.count)

    def _start(self, first: int = 0) -> None:
        store, index = self._document.store, self._document.index
        if store is None or index is None or store.index.generation != index.generation:
            return
        if self._search is None or self._search[0] is not store:
            self._search = (store, SessionSearch(store))
        if not first or self._marked is None:
            self._marked = np.zeros(index.count, np.bool_)
        self._searched, self._labels = index, dict(store.labels)
        self._percent = 0
        search, text = self._search[1], self._text
        selected = self._tree.current_entry()
        near = index.count if selected is None else selected

        def look(token: CancellationToken, report: Callable[[tuple[str, ...] | Finding], None]) -> None:
            query = SearchQuery.of(text)
            report(tuple(word.text for word in query.words))
            search.run(index, query, token, report, first=first, near=near)

        self._jobs.follow(look, self._take, self._finish, self._bar.show_failure)

    def _take(self, found: tuple[str, ...] | Finding) -> None:
        if not isinstance(found, Finding):
            self._words = found
            return
        self._fit()
        assert self._marked is not None
        self._marked[found.rows] = True
        self._percent = 100 * found.done // max(1, found.total)
        if self._step_when_found and found.rows:
            direction, self._step_when_found = self._step_when_found, 0
            self.step(direction)
        if not self._pause.isActive():
            self._pause.start(0 if self._is_new else SHOW_PAUSE_MS)
            self._is_new = False

    def _finish(self, _nothing: None) -> None:
        self._pause.stop()
        self._go_on()
        self._show()

    def _fit(self) -> None:
        """Have a mark for every entry that is known by now."""
        index = self._document.index
        if self._marked is not None and index is not None and index.count > len(self._marked):
            self._marked = np.append(self._marked, np.zeros(index.count - len(self._marked), np.bool_))

    def _show(self) -> None:
        """Mark the rows that were found so far; the view is painted again only where it shows something else then."""
        rows, outline = self._document.rows, self._document.outline
        if rows is None or outline is None:
            return
        self._fit()
        marked = self._marked
        is_found = marked is not None and bool(marked.any())
        order = self._document.order if is_found else None  # a new layout has to work it out

        def below(row: int) -> int:
            if marked is None or order is None:
                return 0
            places = order.below(row)
            return int(np.count_nonzero(marked[order.rows[places.start : places.stop]]))

        rows.show_matches(None if marked is None else Matches(marked, self._words, below))
        in_view = self._tree.entries_in_view(folded_heads=True)
        counts = [below(row) if row in outline.hides or row in outline.branch_counts else 0 for row in in_view]
        painted = (self._words, in_view, [] if marked is None else marked[in_view].tolist(), counts)
        if painted != self._painted:
            self._painted = painted
            self._tree.viewport().update()
        if self._words or not self._text.strip():  # not between two letters that are typed
            self._later.ask(self._tell_found)
        self._show_place()

    def _tell_found(self) -> None:
        self.found_other.emit()

    def _show_place(self, *_: object) -> None:
        """Say in the bar how many matches there are, and which one is selected."""
        outline = self._document.outline
        if self._marked is None or outline is None or len(self._marked) != len(outline.owner):
            self._bar.show_nothing()
            return
        hidden = int(np.count_nonzero(self._marked & (outline.owner == HIDDEN)))
        shown = int(np.count_nonzero(self._marked)) - hidden
        row = self._tree.current_entry()
        place = None
        if row is not None and self._marked[row] and (order := self._document.order) is not None:
            place = 1 + int(np.count_nonzero(self._marked[order.rows[: order.place[row]]]))
        self._bar.show_found(place, shown, hidden, self._percent if self._jobs.running else None)
