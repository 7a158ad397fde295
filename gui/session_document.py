"""One open session: its loading, its graph and outline, and what changes them. Widgets follow its signals."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from gui.latest_job import LatestJob
from gui.session_rows import SessionRows
from gui.session_tree_model import SessionTreeModel
from gui.translation import shown
from gui.turns import LaterTurns
from model.branch_points import branch_points, run_lengths
from model.column_filters import visible_rows
from model.context_sizes import ContextFacts, Sizes, context_sizes, grown_sizes
from model.display_order import DisplayOrder
from model.entry_index import EntryIndex
from model.outline import Arrangement, Outline, spine_end
from model.runs import NO_ROW, Runs
from model.session_graph import SessionGraph
from model.tree_filters import FilterMode
from services.agent_session import AgentSession
from services.cancellation import CancellationToken
from services.context_facts import read_context_facts
from services.jobs import join_jobs
from services.session_follower import SessionFollower
from services.session_loader import SessionLoader
from services.session_store import SessionStore, StoreChange

log = logging.getLogger(__name__)

AFTER_PAINT_MS = 30
"""How long after `laid_out` what is worked out for the new rows begins: its worker is not to hold up their painting."""


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What the user wants to see in which arrangement, and where they are."""

    mode: FilterMode
    branch_points_only: bool
    arrangement: Arrangement
    leaf_id: str | None
    at_end: bool  # where the leaf is while the file is being read

    def leaf_in(self, index: EntryIndex) -> int:
        """The row of the leaf in a snapshot: another program may have changed the file since this was asked for."""
        if self.at_end:
            return index.count - 1
        row = None if self.leaf_id is None else index.row_of(self.leaf_id)
        return NO_ROW if row is None else row


@dataclass(frozen=True, slots=True)
class _Layout:
    """What a worker made of a snapshot: graph, outline, and the rows that answer for them."""

    store: SessionStore
    index: EntryIndex
    graph: SessionGraph
    outline: Outline
    rows: SessionRows
    facts: ContextFacts
    sizes: Sizes | None


class SessionDocument(QObject):
    """A session file that is open in the window.

    Signals: `loading` (bytes done, bytes in all); `ready` once, when the complete session can be worked with;
    `rows_shown` (bool: the rows that were there stay) after the item model changed, for who restores the place, and
    `laid_out` behind it, for all that follows the rows; `leaf_changed`; `changed_on_disk` (sentence); `grown` (range of
    entry rows) when another program appended; `taken_along` when the leaf is at another place because of what another
    program did; `failed` (sentence) and `stopped` when loading ends without a session; `reading_changed` when
    `is_reading` is another than before; `access_changed` when the file may be changed that could not be before, or the
    other way round.
    """

    loading = Signal(object, object)
    reading_changed = Signal()
    access_changed = Signal()
    ready = Signal()
    about_to_lay_out = Signal()
    rows_shown = Signal(bool)
    laid_out = Signal()
    leaf_changed = Signal()
    changed_on_disk = Signal(str)
    grown = Signal(object)
    taken_along = Signal()
    failed = Signal(str)
    stopped = Signal()

    def __init__(self, make_session: Callable[[SessionStore], AgentSession], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.path = Path()  # set before it is loaded
        self.model = SessionTreeModel(self)
        self.filter_mode: FilterMode = "default"
        self.branch_points_only = False
        self.arrangement: Arrangement = "trunk"
        self._is_held = False
        self.session: AgentSession | None = None
        self._make_session = make_session
        self._store: SessionStore | None = None
        self._layout: _Layout | None = None
        self._order: DisplayOrder | None = None
        self._layouts = LatestJob(self)
        self._follower: SessionFollower | None = None
        self._loader: SessionLoader | None = None
        self._is_reading = False
        self._announcements = LaterTurns(self)

    # Reading

    def load(self) -> None:
        """Start reading the file at `path` on a worker, also anew after it was stopped."""
        loader = self._loader = SessionLoader(self.path, self)
        loader.snapshot.connect(self._take_snapshot)
        loader.progress.connect(self.loading)
        loader.measured.connect(self._finish_reading)
        loader.failed.connect(self._tell_failure)
        loader.stopped.connect(self._tell_stop)
        loader.start()
        self._set_reading(True)

    def stop_loading(self) -> None:
        """Stop reading; nothing of the file was changed. Harmless when nothing is being read."""
        if self._loader is not None and self._is_reading:
            self._loader.stop()

    @property
    def is_reading(self) -> bool:
        """Whether the file is being read and can be stopped; unlike `is_loading` not any more once that was done."""
        return self._is_reading

    @property
    def is_loading(self) -> bool:
        """Whether the complete file is not in yet."""
        return self.session is None

    @property
    def store(self) -> SessionStore | None:
        """The file, or the part of it that has been read so far."""
        return self._store

    @property
    def outline(self) -> Outline | None:
        """The outline that the model shows."""
        return self._layout.outline if self._layout else None

    @property
    def graph(self) -> SessionGraph | None:
        """The session graph that the outline was made of."""
        return self._layout.graph if self._layout else None

    @property
    def rows(self) -> SessionRows | None:
        """The contents of the rows that the model shows."""
        return self._layout.rows if self._layout else None

    @property
    def index(self) -> EntryIndex | None:
        """The snapshot of the columns that the rows of the model stand for."""
        return self._layout.index if self._layout else None

    @property
    def order(self) -> DisplayOrder | None:
        """The order of the rows that the model shows."""
        if self._layout is None:
            return None
        outline = self._layout.outline
        if self._order is None:
            self._order = DisplayOrder(outline)
        elif self._order.outline is not outline:
            self._order = self._order.grown(outline)
        return self._order

    @property
    def leaf_row(self) -> int:
        """The entry row of the current leaf in `index`: -1 before the first entry, `index.count` when it is not laid
        out yet.
        """
        index = self.index
        if index is None:
            return NO_ROW
        if self.session is None:
            return index.count - 1
        if self.session.leaf_id is None:
            return NO_ROW
        row = index.row_of(self.session.leaf_id)
        return index.count if row is None else row

    # Changing what is shown

    def hold(self) -> None:
        """Lay nothing out until `release`, while the file is being read."""
        self._is_held = True

    def release(self) -> None:
        """Lay out what has been read so far, and from now on whatever is read."""
        self._is_held = False
        self._lay_out_again()

    def set_filter(self, mode: FilterMode) -> None:
        """Show the entries that filter `mode` lets through."""
        if mode != self.filter_mode:
            self.filter_mode = mode
            self._lay_out_again()

    def show_branch_points_only(self, only: bool) -> None:
        """Of what the filter lets through, show only where the tree branches, or everything again."""
        if only != self.branch_points_only:
            self.branch_points_only = only
            self._lay_out_again()

    def arrange(self, arrangement: Arrangement) -> None:
        """Put the rows around the active path, or where they stay wherever the leaf is."""
        if arrangement != self.arrangement:
            self.arrangement = arrangement
            self._lay_out_again()

    def refresh(self) -> None:
        """Show what an operation of ours changed: new entries, a moved leaf, a label."""
        self._lay_out_again()
        self.leaf_changed.emit()

    @property
    def is_laying_out(self) -> bool:
        """Whether the rows are about to change."""
        return self._layouts.running or self._announcements.is_waiting

    def close(self) -> None:
        """Stop all work and let go of the file."""
        self._set_reading(False)
        if self._loader is not None:
            self._loader.stop()
            self._loader.wait()
        if self._follower is not None:
            self._follower.stop()
            self._follower.wait()
        self._layouts.close()
        self._announcements.close()
        if not join_jobs(self):
            log.warning("work on %s did not stop in time", self.path.name)
        if self._store is not None:
            self._store.close()

    def _set_reading(self, reading: bool) -> None:
        if reading != self._is_reading:
            self._is_reading = reading
            self.reading_changed.emit()

    def _take_snapshot(self, store: SessionStore) -> None:
        if self._loader is not None and self._loader.is_stopping:
            store.close()  # it was read while the stop was on its way
            return
        self._store = store
        if not store.partial:
            self._set_reading(False)
            self.session = self._make_session(store)
            self._follower = SessionFollower(store, self)
            self._follower.changed.connect(self._take_change)
            self._follower.access_changed.connect(self.access_changed)
            self._follower.start()
        self._lay_out_again()

    def _finish_reading(self, _store: SessionStore) -> None:
        if self.session is None:  # the stop came when everything was read but not taken yet
            self._tell_stop()
        else:
            self._lay_out_again()

    def _take_change(self, change: StoreChange) -> None:
        session, store = self.session, self._store
        if session is not None and store is not None:
            leaf_id = session.leaf_id
            session.take_in(change)
            session.catch_up()  # with an agent at work
            if len(change.rows):
                self.grown.emit(change.rows)
            if session.leaf_id != leaf_id:
                self.taken_along.emit()
        self.refresh()
        if change.message:
            self.changed_on_disk.emit(shown(change.message))

    def _tell_failure(self, sentence: str) -> None:
        self._set_reading(False)
        self.failed.emit(shown(sentence))

    def _tell_stop(self) -> None:
        self._set_reading(False)
        self.stopped.emit()

    def _lay_out_again(self, *_: object) -> None:
        store = self._store
        if store is None or self._is_held:
            return
        session, previous = self.session, self._layout
        leaf_id = None if session is None else session.leaf_id
        wanted = _Wanted(self.filter_mode, self.branch_points_only, self.arrangement, leaf_id, session is None)

        def lay_out(token: CancellationToken) -> _Layout:
            return _lay_out(store, wanted, previous, token)

        self._layouts.start(lay_out, self._show_layout, self.failed.emit)

    def _show_layout(self, layout: _Layout) -> None:
        is_first_complete = not layout.store.partial and (self._layout is None or self._layout.store.partial)
        self.about_to_lay_out.emit()
        same_store = self._layout is not None and self._layout.store is layout.store
        if self._layout is not None and same_store and self._layout.index.generation == layout.index.generation:
            stays = self.model.show(layout.outline, layout.rows)
        else:
            self.model.show(None, None)
            stays = self.model.show(layout.outline, layout.rows)
        self._layout = layout
        if stays:
            self.model.refresh()
        self.rows_shown.emit(stays)
        if is_first_complete:  # of a long session these are many rows: a turn for each
            self._announcements.ask(self._tell_laid_out)
            self._announcements.ask(self._tell_ready)
        else:
            self.laid_out.emit()

    def _tell_laid_out(self) -> None:
        self.laid_out.emit()

    def _tell_ready(self) -> None:
        self.ready.emit()


def _lay_out(
    store: SessionStore,
    wanted: _Wanted,
    previous: _Layout | None,
    token: CancellationToken,
) -> _Layout:
    """Make the outline of a store's current snapshot; the graph of an unchanged snapshot is used again."""
    index, labels = store.labelled()
    leaf = wanted.leaf_in(index)
    if previous is not None and previous.store is not store:
        previous = None  # rows of the end of a file are not those of the whole
    graph = _graph_from(previous, index)
    is_continued = graph is not None
    is_grown = graph is not None and previous is not None and graph is not previous.graph
    token.raise_if_set()
    if graph is None:
        graph = SessionGraph(Runs(index.parent), index.time_ms, index.estimate)
        token.raise_if_set()
    visible = visible_rows(index, wanted.mode, leaf=leaf, labeled=labels.keys())
    lengths = None
    if wanted.branch_points_only:
        points = branch_points(graph.runs, spine_end(graph, leaf, wanted.arrangement), visible)
        if leaf >= 0 and wanted.arrangement == "fixed":
            path = graph.runs.path(leaf)
            points[path[visible[path]][-1:]] = True  # the leaf may be anywhere
        visible = points
        lengths = run_lengths(graph.runs, visible)
    outline = None
    if is_grown and previous is not None and previous.outline.arrangement == wanted.arrangement:
        outline = previous.outline.extended(graph, leaf, visible)
    if outline is None:
        outline = Outline(graph, leaf, visible, wanted.arrangement)
    token.raise_if_set()
    facts, sizes = _sizes(store, index, graph, previous, is_continued=is_continued)
    rows = SessionRows(store, index, labels, outline, sizes, lengths)
    return _Layout(store, index, graph, outline, rows, facts, sizes)


def _graph_from(previous: _Layout | None, index: EntryIndex) -> SessionGraph | None:
    """The graph of `index` made from the one before, where that is possible: when entries were appended to a leaf."""
    if previous is None or previous.index.generation != index.generation or previous.index.measured != index.measured:
        return None
    if previous.index is index:
        return previous.graph
    if index.count == previous.index.count:
        return None
    runs = previous.graph.runs.extended(index.parent)
    return None if runs is None else previous.graph.extended(runs, index.time_ms, index.estimate)


def _sizes(
    store: SessionStore,
    index: EntryIndex,
    graph: SessionGraph,
    previous: _Layout | None,
    *,
    is_continued: bool,
) -> tuple[ContextFacts, Sizes | None]:
    """The size of the context at each entry and what it was worked out from.

    `is_continued`: entries at most grew on one branch since `previous`, so that its sizes still hold.
    """
    known = ContextFacts()
    if previous is not None and previous.index.generation == index.generation:
        known = previous.facts
    if not index.measured:
        return known, None
    if is_continued and previous is not None and previous.sizes is not None:
        grown = grown_sizes(previous.sizes, index)
        if grown is not None:
            return known, grown
    facts = read_context_facts(store, index, known)
    return facts, context_sizes(index, graph.runs, facts, is_tail=store.partial)
