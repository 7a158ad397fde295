"""The item model against Qt's own tester, in each shape that an outline can have, and while it grows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester

from gui.row_content import RowContent
from gui.session_tree_model import Role, SessionTreeModel
from gui.tree_columns import Column
from model.entry_preview import EntryPreview
from model.outline import Outline
from model.runs import NO_ROW
from tests.model.test_outline import FORKED, outline_of
from tests.model.test_runs import random_forest

pytestmark = pytest.mark.usefixtures("qapp")


class Source:
    """Rows that say their entry row."""

    def content(self, row: int) -> RowContent:
        return RowContent(f"id{row}", EntryPreview("user", "user", f"text {row}"), row, None, 0, "09:00", 0)


def checked_model() -> tuple[SessionTreeModel, QAbstractItemModelTester]:
    model = SessionTreeModel()
    return model, QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)


def unfolded_rows(model: SessionTreeModel, parent: QModelIndex | None = None) -> dict[int, list[int]]:
    """The entry rows under each entry row of the model, -1 standing for the top level."""
    model.fill_all()
    found: dict[int, list[int]] = {}
    pending: list[tuple[int, QModelIndex]] = [(NO_ROW, parent or QModelIndex())]
    while pending:
        owner, index = pending.pop()
        if owner != NO_ROW:
            model.fill(index)
        rows = []
        for number in range(model.rowCount(index)):
            child = model.index(number, 0, index)
            assert child.isValid()
            assert model.parent(child) == index
            row = model.entry_row(child)
            assert row is not None
            assert model.index_of(row) == child
            rows.append(row)
            if model.hasChildren(child):
                pending.append((row, child))
        found[owner] = rows
    return found


def expected_rows(outline: Outline) -> dict[int, list[int]]:
    owners = [NO_ROW, *range(len(outline.owner))]
    groups = {owner: outline.group(owner) for owner in owners}
    return {owner: group.tolist() for owner, group in groups.items() if group is not None}


def test_rows_are_those_of_the_outline() -> None:
    model, _tester = checked_model()
    outline = outline_of(FORKED, 4)
    assert not model.show(outline, Source())
    assert unfolded_rows(model) == expected_rows(outline)
    assert model.index_of(6).data() == "text 6"
    assert model.index_of(6, Column.TOKENS).data() == "6"
    assert model.index_of(6).data(Role.ENTRY_ROW) == 6
    assert "text 6" in model.index_of(6).data(Qt.ItemDataRole.AccessibleTextRole)


def test_a_hidden_entry_has_no_index() -> None:
    model, _tester = checked_model()
    model.show(outline_of(FORKED, 4, hidden={3}), Source())
    assert not model.index_of(3).isValid()
    assert not model.index_of(10_000).isValid()


def test_an_appended_entry_is_one_insertion_and_selection_stays() -> None:
    model, _tester = checked_model()
    model.show(outline_of(FORKED, 4), Source())
    unfolded_rows(model)
    kept = QPersistentModelIndex(model.index_of(9))
    inserted: list[tuple[int, int]] = []
    model.rowsInserted.connect(lambda _parent, first, last: inserted.append((first, last)))
    longer = outline_of([*FORKED, 4], 10)
    assert model.show(longer, Source())
    assert inserted == [(5, 5)]
    assert kept.isValid()
    assert model.entry_row(kept) == 9
    assert unfolded_rows(model) == expected_rows(longer)


def test_a_new_branch_under_a_known_entry_is_an_insertion() -> None:
    model, _tester = checked_model()
    model.show(outline_of(FORKED, 4), Source())
    longer = outline_of([*FORKED, 2, 10], 4)
    assert model.show(longer, Source())
    assert unfolded_rows(model) == expected_rows(longer)


def test_another_leaf_replaces_the_rows() -> None:
    model, _tester = checked_model()
    model.show(outline_of(FORKED, 4), Source())
    moved = outline_of(FORKED, 9)
    assert not model.show(moved, Source())
    assert unfolded_rows(model) == expected_rows(moved)


def test_nothing_to_show() -> None:
    model, _tester = checked_model()
    model.show(outline_of([], NO_ROW), Source())
    assert model.rowCount() == 0
    model.show(None, None)
    assert model.rowCount() == 0
    assert isinstance(model, QAbstractItemModel)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(seed=st.integers(0, 10**6), count=st.integers(1, 60), data=st.data())
def test_any_sequence_of_outlines(seed: int, count: int, data: st.DataObject) -> None:
    """Growth, moved leaves and changed filters, in any order, leave the model equal to the last outline."""
    parents = random_forest(seed, count)
    model, _tester = checked_model()
    known = data.draw(st.integers(1, count))
    for _step in range(4):
        leaf = data.draw(st.integers(NO_ROW, known - 1))
        hidden = data.draw(st.sets(st.integers(0, known - 1)))
        outline = outline_of(parents[:known], leaf, hidden)
        model.show(outline, Source())
        if data.draw(st.booleans()):
            assert unfolded_rows(model) == {NO_ROW: [], **expected_rows(outline)}
        known = data.draw(st.integers(known, count))
    assert np.array_equal(outline.visible, [row not in hidden for row in range(len(outline.visible))])
