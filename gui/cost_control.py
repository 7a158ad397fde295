"""Tells the rows of branch heads what their branches cost: the whole file is read for that, on a worker."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer

from gui.latest_job import LatestJob
from gui.session_document import AFTER_PAINT_MS, SessionDocument
from gui.session_tree_view import SessionTreeView
from gui.tree_columns import Column
from model.branch_sums import BranchSums
from model.session_graph import SessionGraph
from services.cancellation import CancellationToken
from services.recorded_costs import NO_COSTS, RecordedCosts, recorded_costs

GROWTH_PAUSE_MS = 1000  # between two sums over a session that grows


class CostControl(QObject):
    """Connects the cost column of one document's tree. It works while the column is shown and there are branches."""

    def __init__(self, document: SessionDocument, tree: SessionTreeView, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._tree = tree
        self._jobs = LatestJob(self)
        self._costs: tuple[int, RecordedCosts] = (-1, NO_COSTS)  # of a generation of the index
        self._summed: tuple[SessionGraph, BranchSums] | None = None
        self._growth = QTimer(self)
        self._growth.setSingleShot(True)
        self._growth.timeout.connect(self._add_up)
        document.laid_out.connect(self._follow)
        tree.tree_header.columns_changed.connect(self._follow)

    @property
    def is_computing(self) -> bool:
        """Whether sums are still to come."""
        is_about_to = self._growth.isActive() and self._growth.interval() == AFTER_PAINT_MS
        return self._jobs.running or is_about_to  # the pauses of a session that grows are none

    def close(self) -> None:
        """Drop what is being computed."""
        self._growth.stop()
        self._jobs.close()

    def _follow(self, *_: object) -> None:
        rows, graph, outline = self._document.rows, self._document.graph, self._document.outline
        if rows is None or graph is None or outline is None or self._document.is_loading:
            return
        if not self._tree.tree_header.wants(Column.COST) or not outline.hides:
            return
        is_same_forest = self._summed is not None and self._summed[0].forest is graph.forest
        if self._summed is not None and is_same_forest:
            rows.show_branch_costs(self._summed[1])
        if self._summed is not None and self._summed[0] is graph:
            return
        if not is_same_forest:
            self._growth.start(AFTER_PAINT_MS)
        elif not self._growth.isActive():
            self._growth.start(GROWTH_PAUSE_MS)

    def _add_up(self) -> None:
        store, index, graph = self._document.store, self._document.index, self._document.graph
        if store is None or index is None or graph is None or len(graph.runs.parent) != index.count:
            return
        known = self._costs[1] if self._costs[0] == index.generation else NO_COSTS

        def add_up(token: CancellationToken) -> tuple[RecordedCosts, BranchSums]:
            costs = recorded_costs(store, index, known, token)
            return costs, BranchSums(graph, costs.counted())

        def show(found: tuple[RecordedCosts, BranchSums]) -> None:
            costs, sums = found
            self._costs = (index.generation, costs)
            self._summed = (graph, sums)
            rows, now = self._document.rows, self._document.graph
            if rows is not None and now is not None and now.forest is graph.forest:
                rows.show_branch_costs(sums)
                self._tree.viewport().update()

        self._jobs.start(add_up, show)
