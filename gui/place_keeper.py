"""Where the user is in the tree: the selected entry, the folds, and what is in view. All three by id.

The place outlives what the rows do: other filters, a moved leaf, another file behind the same name, and the session
being closed and opened again.
"""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QModelIndex, QPoint, SignalInstance

from gui.session_document import SessionDocument
from gui.session_tree_view import SessionTreeView
from model.entry_index import EntryIndex
from model.outline import Outline
from model.runs import NO_ROW
from services.view_states import MOST_FOLDS, ViewState


class PlaceKeeper:
    """Remembers the place of one document's tree before its rows change, and restores it afterwards."""

    def __init__(self, document: SessionDocument, tree: SessionTreeView) -> None:
        self._document = document
        self._tree = tree
        self.row: int | None = None
        """The selected entry."""
        self.entry_id: str | None = None
        """The id of the selected entry, or of the one to select when it can be seen again."""
        self._stays_at_leaf = True
        self._folds: tuple[set[str], set[str]] = (set(), set())
        self._wanted: ViewState | None = None
        self._is_restoring = False
        self._is_unfolding = False
        tree.expanded.connect(self._note_unfolded)
        tree.collapsed.connect(self._note_folded)

    @property
    def changes(self) -> tuple[SignalInstance, ...]:
        """What is sent when the user has gone elsewhere. A layout changes the place, too."""
        tree = self._tree
        return tree.entry_selected, tree.expanded, tree.collapsed, tree.verticalScrollBar().valueChanged

    @property
    def is_to_come(self) -> bool:
        """Whether the place of the last time is still to be restored."""
        return self._wanted is not None

    def note_selection(self, row: int) -> None:
        """Entry `row` was selected, -1 for none."""
        self.row = row if row >= 0 else None
        index = self._document.index
        if index is not None and self.row is not None and not self._is_restoring:
            self.entry_id = index.id_of(self.row)

    def go_along(self, leaf_id: str | None) -> None:
        """The leaf moves, to the entry with that id: be there."""
        self._stays_at_leaf, self.entry_id, self.row = True, leaf_id, None

    def want(self, state: ViewState) -> None:
        """Come back to where the user was the last time, as soon as the session is complete."""
        self._wanted = state

    def remember(self) -> None:
        """The rows are about to change."""
        index, outline = self._document.index, self._document.outline
        if index is None or outline is None or self._wanted is not None:
            return
        if self.row is not None:
            self._stays_at_leaf = self.row == outline.shown_leaf
        if self._document.model.rowCount():  # otherwise nothing can be seen of what is folded
            self._folds = self._present_folds(index)

    def restore(self, stays: bool) -> None:
        """The rows changed; `stays` tells that those that were there before still are."""
        index, outline = self._document.index, self._document.outline
        if index is None or outline is None:
            return
        wanted = None
        if self._wanted is not None and not self._document.is_loading:
            wanted, self._wanted = self._wanted, None
            self._folds = (set(wanted.unfolded_heads), set(wanted.folded_points))
            self._stays_at_leaf = wanted.at_leaf or wanted.selected_id is None
            self.entry_id = wanted.selected_id
        unfolded, folded = ({*_rows(index, ids)} for ids in self._folds)
        self._is_unfolding = True
        self._tree.restore_folds(unfolded, folded)
        self._is_unfolding = False
        self._select(index, outline, stays and wanted is None)
        if self.row is not None and self._tree.current_entry() is None:
            self._tree.entry_selected.emit(NO_ROW)  # Qt does not tell when all rows go: the number is that of none now
        if wanted is not None:
            self._scroll(index, wanted)

    def state(self) -> ViewState:
        """Return the place, for another time. Looks at no more than what is in view."""
        index, outline = self._document.index, self._document.outline
        if self._wanted is not None:
            return self._wanted
        if index is None or outline is None:
            return ViewState()
        unfolded, folded = self._folds
        top = self._tree.indexAt(QPoint(1, 0))
        top_row = self._document.model.entry_row(top)
        return ViewState(
            selected_id=self.entry_id,
            at_leaf=self._stays_at_leaf if self.row is None else self.row == outline.shown_leaf,
            top_id=None if top_row is None else index.id_of(top_row),
            top_offset=0 if top_row is None else -self._tree.visualRect(top).top(),
            unfolded_heads=sorted(unfolded)[:MOST_FOLDS],
            folded_points=sorted(folded)[:MOST_FOLDS],
        )

    def _note_unfolded(self, index: QModelIndex) -> None:
        if (row := self._folding_row(index)) is not None:
            self._note_fold(row, is_open=True)
            for inside, _index in self._document.model.branches(row, index):
                self._note_fold(inside, is_open=False)
            for inside in self._tree.folds(row, index)[0]:
                self._note_fold(inside, is_open=True)

    def _note_folded(self, index: QModelIndex) -> None:
        if (row := self._folding_row(index)) is not None:
            self._note_fold(row, is_open=False)

    def _note_fold(self, row: int, *, is_open: bool) -> None:
        entries, outline = self._document.index, self._document.model.outline
        assert entries is not None
        assert outline is not None
        unfolded, folded = self._folds
        entry_id = entries.id_of(row)
        (unfolded.add if is_open else unfolded.discard)(entry_id)
        (folded.discard if is_open or row in outline.hides else folded.add)(entry_id)

    def _folding_row(self, index: QModelIndex) -> int | None:
        """The entry row of a row that is folded or unfolded by the user, or to show an entry."""
        is_known = self._document.index is not None and self._document.model.outline is not None
        return self._document.model.entry_row(index) if is_known and not self._is_unfolding else None

    def _present_folds(self, index: EntryIndex) -> tuple[set[str], set[str]]:
        unfolded, folded = self._tree.folds()
        return {index.id_of(row) for row in unfolded}, {index.id_of(row) for row in folded}

    def _select(self, index: EntryIndex, outline: Outline, stays: bool) -> None:
        row = index.row_of(self.entry_id) if self.entry_id is not None else None
        if self._stays_at_leaf or row is None:
            if outline.shown_leaf >= 0:
                self._tree.select_entry(outline.shown_leaf)
                self.note_selection(outline.shown_leaf)  # also where it was selected before
        elif not stays and (nearest := outline.nearest_shown(row)) is not None:
            self._is_restoring = True  # the entry that the filter hides is still the one that was chosen
            self._tree.select_entry(nearest)
            self._is_restoring = False

    def _scroll(self, index: EntryIndex, wanted: ViewState) -> None:
        """Show what was in view the last time, unless the session went on since."""
        top_row = None if wanted.top_id is None else index.row_of(wanted.top_id)
        went_on = wanted.at_leaf and self.entry_id != wanted.selected_id
        if top_row is not None and not went_on:
            self._tree.scroll_to_top(top_row, wanted.top_offset)


def _rows(index: EntryIndex, ids: Collection[str]) -> list[int]:
    rows = index.rows_of([*ids])
    return rows[rows >= 0].tolist()  # type: ignore[no-any-return]
