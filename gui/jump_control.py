"""Getting about in the tree: to relatives of the selected entry, branch points, labels, ids, and places visited before.

Looking changes nothing. Only going back to a place where the leaf was another one moves the leaf, in memory alone, as
every move without a summary does (TN-11).
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from gui.latest_job import LatestJob
from gui.operation_runner import OperationRunner
from gui.session_document import SessionDocument
from gui.session_tree_view import SessionTreeView
from gui.visited_places import Place, VisitedPlaces
from model.entry_index import EntryIndex
from model.outline import HIDDEN
from model.runs import Rows
from services.cancellation import CancellationToken

CHECK_EVERY = 1024  # entries between two looks at the token
MOST_NAMED = 3  # ids that are named when a beginning fits several


class JumpControl(QObject):
    """Moves the selection of one document's tree.

    Signals: `said` (sentence); `travelled` when going back or ahead has moved the leaf.
    """

    said = Signal(str)
    travelled = Signal()

    def __init__(
        self,
        document: SessionDocument,
        tree: SessionTreeView,
        runner: OperationRunner,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._tree = tree
        self._runner = runner
        self._places = VisitedPlaces()
        self._row: int | None = None
        self._is_settling = False
        self._leaf_moved = False
        self._arriving_at: Place | None = None
        self._look_ups = LatestJob(self)
        tree.entry_selected.connect(self._note_selection)
        document.about_to_lay_out.connect(self._settle)

    @property
    def is_computing(self) -> bool:
        """Whether an id is being looked for."""
        return self._look_ups.running

    def close(self) -> None:
        """Drop what is being looked for."""
        self._look_ups.close()

    # Relatives

    def to_leaf(self) -> None:
        """Select the current leaf."""
        outline = self._document.outline
        if outline is not None and outline.shown_leaf >= 0:
            self._tree.select_entry(outline.shown_leaf)
            self._tree.setFocus()

    def to_parent(self) -> None:
        """Select the nearest shown entry before the selected one."""
        graph, outline, row = self._document.graph, self._document.outline, self._tree.current_entry()
        if graph is None or outline is None or row is None:
            return
        parent = int(graph.runs.parent[row])
        nearest = outline.nearest_shown(parent) if parent >= 0 else None
        if nearest is None:
            self.said.emit(self.tr("This is the first entry."))
        else:
            self._tree.select_entry(nearest)

    def to_child(self) -> None:
        """Select the next shown entry: on the active path as long as it goes on, then along the longest branch."""
        outline, row = self._document.outline, self._tree.current_entry()
        if outline is None or row is None:
            return
        after = self._behind(row)
        shown = after[outline.owner[after] != HIDDEN]
        if len(shown):
            self._tree.select_entry(int(shown[0]))
        else:
            self.said.emit(self.tr("No entry follows."))

    def to_next_branch(self) -> None:
        """Select the next branch that starts at the same entry."""
        self._to_branch(1)

    def to_previous_branch(self) -> None:
        """Select the branch before that starts at the same entry."""
        self._to_branch(-1)

    # Marks

    def to_next_fork(self) -> None:
        """Select the next branch point below."""
        self._to_fork(1)

    def to_previous_fork(self) -> None:
        """Select the nearest branch point above."""
        self._to_fork(-1)

    def to_next_label(self) -> None:
        """Select the next labelled entry below, going on from the top."""
        self._to_label(1)

    def to_previous_label(self) -> None:
        """Select the nearest labelled entry above, going on from the bottom."""
        self._to_label(-1)

    # Places

    def back(self) -> None:
        """Go back to the place visited before, with the leaf of then."""
        self._travel(-1)

    def forward(self) -> None:
        """Undo going back."""
        self._travel(1)

    def note_move(self) -> None:
        """The user moved the leaf: the next place is another one, wherever it is."""
        self._leaf_moved = True

    def note_layout(self) -> None:
        """The rows were laid out, and what was selected is selected again."""
        self._is_settling = False
        if self._arriving_at is not None:
            self._select_place(self._arriving_at)
            self._arriving_at = None
        elif (place := self._here()) is not None:
            current = self._places.current
            if self._leaf_moved or current is None:
                self._places.visit(place)
            else:
                self._places.follow_leaf(current.leaf_id, place.leaf_id)
                self._places.drift(place)
            self._leaf_moved = False
        self._row = self._tree.current_entry()

    # Ids

    def to_id(self, text: str) -> None:
        """Select the entry whose id is `text` or, alone among all, begins with it."""
        index, wanted = self._document.index, text.strip().strip("\"'")
        if index is None or not wanted:
            return
        if (row := index.row_of(wanted)) is not None:
            self.to_row(row)
            return
        self._look_ups.start(
            lambda token: _rows_beginning(index, wanted, token), lambda rows: self._found(wanted, rows)
        )

    def to_row(self, row: int, of: EntryIndex | None = None, *, take_focus: bool = True) -> None:
        """Select entry `row` or, where the filter hides it, the nearest one before it, and say so.

        `row` counts in the snapshot `of` for who shows what was worked out before; None: in the one that is laid out.
        """
        index, outline = self._document.index, self._document.outline
        if of is not None and index is not None and of is not index:
            found = index.row_of(of.id_of(row))
            if found is None:
                self.said.emit(self.tr("That entry is not in the file any more."))
                return
            row = found
        nearest = None if outline is None else outline.nearest_shown(row)
        if nearest is None:
            self.said.emit(self.tr("The filter hides that entry."))
            return
        self._tree.select_entry(nearest, centre=True)
        if take_focus:
            self._tree.setFocus()
        if nearest != row:
            self.said.emit(self.tr("The filter hides that entry; the nearest one before it is selected."))

    # Inside

    def _behind(self, row: int) -> Rows:
        """The entries that follow `row` on the active path, or where `row` is not on it, along the longest branch."""
        graph, outline = self._document.graph, self._document.outline
        assert graph is not None
        assert outline is not None
        runs = graph.runs
        if runs.is_ancestor(row, outline.leaf) and row != outline.leaf:
            return outline.trunk[np.flatnonzero(outline.trunk == row)[0] + 1 :]
        run = int(runs.run_of[row])
        stretches = [runs.rows(run)[runs.place[row] + 1 :]]
        following = graph.continuation(run)
        while following is not None:
            stretches.append(runs.rows(following))
            following = graph.continuation(following)
        return np.concatenate(stretches)

    def _to_branch(self, step: int) -> None:
        graph, row = self._document.graph, self._tree.current_entry()
        if graph is None or row is None:
            return
        run = int(graph.runs.run_of[row])
        siblings = graph.children(graph.runs.parent_run(run))[::step]
        at = siblings.index(run)
        for sibling in [*siblings[at + 1 :], *siblings[:at]]:
            if (head := self._first_shown(sibling)) is not None:
                self._tree.select_entry(head)
                return
        self.said.emit(
            self.tr("There is no other branch beside this one.")
            if len(siblings) < 2
            else self.tr("The filter hides the other branches.")
        )

    def _first_shown(self, run: int) -> int | None:
        """The first shown entry of a run or, when all of it is hidden, of the runs that it continues in."""
        graph, outline = self._document.graph, self._document.outline
        assert graph is not None
        assert outline is not None
        following: int | None = run
        while following is not None:
            rows = graph.runs.rows(following)
            shown = rows[outline.owner[rows] != HIDDEN]
            if len(shown):
                return int(shown[0])
            following = graph.continuation(following)
        return None

    def _to_fork(self, direction: int) -> None:
        """To a branch point that can be seen without unfolding a branch."""
        outline, order = self._document.outline, self._document.order
        if outline is None or order is None:
            return
        marked = _mask(len(outline.owner), [row for row in outline.branch_counts if row >= 0])
        unfolded = self._tree.folds()[0]
        for head in outline.hides.keys() - unfolded:
            below = order.below(head)
            marked[order.rows[below.start : below.stop]] = False
        found = order.step(marked, self._tree.current_entry(), direction)
        if found is not None and not found[1]:
            self._tree.select_entry(found[0])
        else:
            self.said.emit(
                self.tr("There is no branch point below.")
                if direction > 0
                else self.tr("There is no branch point above.")
            )

    def _to_label(self, direction: int) -> None:
        rows, order, outline = self._document.rows, self._document.order, self._document.outline
        if rows is None or order is None or outline is None:
            return
        labelled = list(rows.labels)
        found = order.step(_mask(len(outline.owner), labelled), self._tree.current_entry(), direction)
        if found is not None:
            self._tree.select_entry(found[0])
        else:
            self.said.emit(
                self.tr("The filter hides all labelled entries.") if labelled else self.tr("Nothing is labelled.")
            )

    def _found(self, wanted: str, rows: list[int]) -> None:
        index = self._document.index
        if len(rows) == 1:
            self.to_row(rows[0])
        elif not rows or index is None:
            self.said.emit(self.tr("No entry has an id that begins with {0}.").format(wanted))
        else:
            names = ", ".join(index.id_of(row) for row in rows[:MOST_NAMED])
            self.said.emit(self.tr("Several ids begin with {0}: {1} …").format(wanted, names))

    def _travel(self, direction: int) -> None:
        session, steps = self._document.session, self._places.steps(direction, self._is_there)
        if session is None or not steps:
            self.said.emit(
                self.tr("There is no place to go back to.") if direction < 0 else self.tr("There is no place ahead.")
            )
            return
        place = self._places.place(steps)
        if place.leaf_id == session.leaf_id:
            self._places.go(steps)
            self._select_place(place)
            return

        async def move_leaf(_token: object, _report: object) -> None:
            session.move_leaf(place.leaf_id)

        def arrive(_nothing: object) -> None:
            self._places.go(steps)
            self._arriving_at = place
            self.travelled.emit()
            self._document.refresh()
            self.said.emit(self.tr("You are where you were before. Nothing was written."))

        if not self._runner.run(self.tr("Going there"), move_leaf, arrive):
            self.said.emit(self.tr("Something else is running. Stop it first, or wait for it."))

    def _select_place(self, place: Place) -> None:
        index = self._document.index
        row = index.row_of(place.entry_id) if index is not None and place.entry_id is not None else None
        self._is_settling = True  # where the filter hides the entry, its stand-in is no place of its own
        if row is not None:
            self.to_row(row)
        self._is_settling = False
        self._row = self._tree.current_entry()

    def _settle(self) -> None:
        self._is_settling = True

    def _here(self) -> Place | None:
        index, session, row = self._document.index, self._document.session, self._tree.current_entry()
        if index is None or session is None:
            return None
        return Place(None if row is None else index.id_of(row), session.leaf_id)

    def _note_selection(self, row: int) -> None:
        if self._is_settling or (place := self._here()) is None:
            return
        current = self._tree.currentIndex()
        neighbours = (self._tree.indexAbove(current), self._tree.indexBelow(current))
        is_step = self._row is not None and self._row in map(self._document.model.entry_row, neighbours)
        self._row = row if row >= 0 else None
        if is_step:
            self._places.drift(place)
        else:
            self._places.visit(place)

    def _is_there(self, place: Place) -> bool:
        index = self._document.index
        return index is not None and all(id is None or index.row_of(id) is not None for id in place)


def _mask(count: int, rows: Collection[int]) -> NDArray[np.bool_]:
    marked = np.zeros(count, np.bool_)
    marked[list(rows)] = True
    return marked


def _rows_beginning(index: EntryIndex, text: str, token: CancellationToken) -> list[int]:
    """The rows of entries whose ids begin with `text`."""
    rows: list[int] = []
    for row in range(index.count):
        if row % CHECK_EVERY == 0:
            token.raise_if_set()
        if index.id_of(row).startswith(text):
            rows.append(row)
    return rows
