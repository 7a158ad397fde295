"""Keeps the map in step with the tree: its layout is made on a worker, the selection and the tree's extent follow."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from PySide6.QtCore import QObject, QPointF, QRectF, QTimer

from gui.jump_control import JumpControl
from gui.latest_job import LatestJob
from gui.map_picture import MapPicture, Marks
from gui.map_view import MapView
from gui.map_words import MapWords
from gui.session_document import AFTER_PAINT_MS, SessionDocument
from gui.session_tree_view import SessionTreeView
from model.entry_index import EntryIndex
from model.entry_kinds import Kind
from model.map_layout import MapLayout
from model.session_graph import SessionGraph
from services.cancellation import CancellationToken
from services.session_store import SessionStore

GROWTH_PAUSE_MS = 300  # between two layouts of a session that grows
RUNS_A_MS = 10  # and a millisecond more for each so many runs

Origins = Mapping[int, int]
"""For each branch summary (entry row) the entry row of the leaf that it came from."""


class MapControl(QObject):
    """Connects the map of one document to its tree."""

    def __init__(
        self,
        document: SessionDocument,
        view: MapView,
        tree: SessionTreeView,
        jumps: JumpControl,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._view = view
        self._tree = tree
        self._jumps = jumps
        self._jobs = LatestJob(self)
        self._origins: tuple[object, Origins] = (None, {})  # of a store and a generation of its index
        self._drawn: tuple[SessionGraph, int] | None = None
        self._index: EntryIndex | None = None  # of which the rows of the picture are
        self.row: int | None = None
        """Where the arrow keys go on from: the selected entry, or what the filter hides behind it."""
        self._is_shown = False
        self._hidden: tuple[int | None, int] | None = None  # an entry stepped to, behind the one selected in the tree
        self._growth = QTimer(self)
        self._growth.setSingleShot(True)
        self._growth.timeout.connect(self._draw)
        self._scrolled = QTimer(self)
        self._scrolled.setSingleShot(True)
        self._scrolled.timeout.connect(self._show_extent)
        view.run_clicked.connect(self._go_to)
        view.arrow_pressed.connect(self._step)
        view.start_wanted.connect(self._to_start)
        view.leaf_wanted.connect(self._to_leaf)
        view.left.connect(tree.setFocus)
        document.laid_out.connect(self._follow)
        tree.follow_selection(self._show_selected)
        bar = tree.verticalScrollBar()
        for change in (bar.valueChanged, bar.rangeChanged, tree.expanded, tree.collapsed):
            change.connect(lambda *_: self._scrolled.start())

    @property
    def is_computing(self) -> bool:
        """Whether a layout is still to come."""
        return self._jobs.running or self._growth.isActive()

    def set_shown(self, shown: bool) -> None:
        """Lay out only while the map can be seen."""
        self._is_shown = shown
        self._follow()

    def close(self) -> None:
        """Drop what is being computed."""
        self._growth.stop()
        self._scrolled.stop()
        self._jobs.close()

    def _follow(self, *_: object) -> None:
        graph, outline, drawn = self._document.graph, self._document.outline, self._drawn
        if not self._is_shown or graph is None or outline is None or drawn == (graph, outline.leaf):
            return
        only_grows = drawn is not None and drawn[0] is not graph and drawn[0].forest is graph.forest
        if not only_grows:
            self._growth.start(AFTER_PAINT_MS)
        elif not self._growth.isActive():
            self._growth.start(GROWTH_PAUSE_MS + len(graph.runs) // RUNS_A_MS)

    def _draw(self) -> None:
        store, index = self._document.store, self._document.index
        graph, outline, rows = self._document.graph, self._document.outline, self._document.rows
        if store is None or index is None or graph is None or outline is None:
            return
        leaf = outline.leaf
        state = (store, index.generation)
        known = self._origins[1] if self._origins[0] == state else {}

        def draw(token: CancellationToken) -> tuple[MapPicture, Origins]:
            layout = MapLayout(graph, leaf)
            token.raise_if_set()
            origins = _origins(store, index, known, token)
            compactions = np.flatnonzero(index.kind == Kind.COMPACTION).tolist()
            marks = Marks(compactions, [(origin, row) for row, origin in origins.items() if origin >= 0])
            return MapPicture.of(layout, marks), origins

        def show(drawn: tuple[MapPicture, Origins]) -> None:
            picture, origins = drawn
            self._origins = (state, origins)
            self._drawn, self._index = (graph, leaf), index
            self._view.show_picture(picture, MapWords(picture, rows))
            self._hidden = None
            self._show_selected()
            self._show_extent()

        self._jobs.start(draw, show)

    def _show_selected(self, *_: object) -> None:
        picture, row = self._view.picture, self._tree.current_entry()
        if picture is None or row is None or row >= len(picture.layout.graph.runs.run_of):
            self._view.show_selected(None)
            return
        if self._hidden is not None and self._hidden[0] == row:
            row = self._hidden[1]
        else:
            self._hidden = None
        self.row = row
        self._view.show_selected(row)

    def _show_extent(self) -> None:
        """Frame the entries that the tree shows."""
        picture, outline = self._view.picture, self._document.outline
        if picture is None or outline is None:
            return
        known = len(picture.layout.graph.runs.run_of)
        rows = np.array([row for row in self._tree.entries_in_view() if row < known], np.int64)
        if not len(rows):
            self._view.show_extent(None)
            return
        steps, lanes = picture.layout.steps(rows), picture.layout.lanes_of(rows)
        top_left = QPointF(float(steps.min()), float(lanes.min()))
        self._view.show_extent(QRectF(top_left, QPointF(float(steps.max()), float(lanes.max()))))

    def _go_to(self, run: int, step: float) -> None:
        picture = self._view.picture
        if picture is not None:
            self._jumps.to_row(picture.layout.row_at(run, step), self._index)

    def _step(self, dx: int, dy: int) -> None:
        """From run to run: along to where branches fork, across to the nearest line on that side."""
        picture = self._view.picture
        self._tree.followers.do_now()  # a key may come before the map has followed what was selected in the tree
        if picture is None or self.row is None or self.row >= len(picture.layout.graph.runs.run_of):
            return
        layout, graph, row = picture.layout, picture.layout.graph, self.row
        runs, run = graph.runs, int(graph.runs.run_of[row])
        target: int | None = None
        if dy:
            step = float(layout.steps(np.array([row]))[0])
            beside = layout.neighbour(run, step, dy)
            target = None if beside is None else layout.row_at(beside, step)
        elif dx < 0:
            above = runs.parent_run(run)
            target = int(runs.heads[run]) if above is None else runs.tail(above)
        elif row != runs.tail(run):
            target = runs.tail(run)
        elif (following := self._onwards(layout, run)) is not None:
            target = runs.tail(following)
        if target is not None:
            self._select(target)

    def _to_start(self) -> None:
        picture = self._view.picture
        if picture is not None and len(picture.order):
            self._select(int(picture.layout.graph.runs.heads[picture.order[0]]))

    def _to_leaf(self) -> None:
        picture = self._view.picture
        if picture is not None and picture.layout.leaf >= 0:
            self._select(picture.layout.leaf)

    def _select(self, row: int) -> None:
        self._jumps.to_row(row, self._index, take_focus=False)
        self._hidden = (self._tree.current_entry(), row)
        self.row = row  # also where the filter hides it: the next step goes on from there
        self._view.show_selected(row)

    def _onwards(self, layout: MapLayout, run: int) -> int | None:
        path = list(layout.path_runs)
        if run in path[:-1]:
            return path[path.index(run) + 1]
        return layout.graph.continuation(run)


def _origins(store: SessionStore, index: EntryIndex, known: Origins, token: CancellationToken) -> Origins:
    """Where each branch summary came from (TN-8); -1 where it does not tell, or tells an entry that is not there."""
    origins: dict[int, int] = {}
    for row in np.flatnonzero(index.kind == Kind.BRANCH_SUMMARY).tolist():
        token.raise_if_set()
        if (origin := known.get(row)) is None:
            from_id = store.entry(row, index).get("fromId")
            found = index.row_of(from_id) if isinstance(from_id, str) else None
            origin = -1 if found is None else found
        origins[row] = origin
    return origins
