"""Rows from top to bottom, stepping through them, and the view that shows branch points only."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.branch_points import branch_points, run_lengths
from model.display_order import DisplayOrder
from model.outline import Outline
from model.runs import NO_ROW
from tests.model.test_outline import FORKED, graph_of, outline_of
from tests.model.test_runs import random_forest, runs_of


def walked(outline: Outline, owner: int = NO_ROW) -> Iterator[int]:
    group = outline.group(owner)
    for row in [] if group is None else group.tolist():
        yield row
        yield from walked(outline, row)


def mask(count: int, *rows: int) -> np.ndarray:
    marked = np.zeros(count, np.bool_)
    marked[list(rows)] = True
    return marked


@given(seed=st.integers(0, 10**6), count=st.integers(1, 60), data=st.data())
def test_the_order_is_that_of_the_unfolded_view(seed: int, count: int, data: st.DataObject) -> None:
    parents = random_forest(seed, count)
    leaf = data.draw(st.integers(NO_ROW, count - 1))
    outline = outline_of(parents, leaf, data.draw(st.sets(st.integers(0, count - 1))))
    order = DisplayOrder(outline)
    assert order.rows.tolist() == list(walked(outline))
    for row in range(count):
        assert order.place[row] == (order.rows.tolist().index(row) if outline.is_shown(row) else NO_ROW)
        if outline.is_shown(row):
            assert [int(order.rows[place]) for place in order.below(row)] == list(walked(outline, row))


@given(seed=st.integers(0, 10**6), count=st.integers(1, 40), more=st.integers(1, 5), data=st.data())
def test_an_order_that_grows_equals_a_new_one(seed: int, count: int, more: int, data: st.DataObject) -> None:
    parents = random_forest(seed, count)
    graph = graph_of(parents)
    leaf = data.draw(st.integers(NO_ROW, count - 1))
    hidden = data.draw(st.sets(st.integers(0, count + more - 1)))
    outline = outline_of(parents, leaf, hidden & set(range(count)))
    order = DisplayOrder(outline)
    parents += [leaf, *range(count, count + more - 1)]
    longer = graph_of(parents)
    runs = graph.runs.extended(longer.runs.parent)
    visible = np.array([row not in hidden for row in range(len(parents))])
    grown = None if runs is None else outline.extended(longer, len(parents) - 1, visible)
    continued = grown or Outline(longer, len(parents) - 1, visible)
    found, expected = order.grown(continued), DisplayOrder(continued)
    assert found.rows.tolist() == expected.rows.tolist()
    assert found.place.tolist() == expected.place.tolist()
    assert all(found.below(row) == expected.below(row) for row in found.rows.tolist())


def test_stepping_goes_through_folded_branches_and_around() -> None:
    order = DisplayOrder(outline_of(FORKED, 4))  # 0 1 7 8 9 2 3 5 6 4
    marked = mask(10, 9, 3, 4)
    assert order.step(marked, 0, 1) == (9, False)
    assert order.step(marked, 9, 1) == (3, False)
    assert order.step(marked, 4, 1) == (9, True)
    assert order.step(marked, 3, -1) == (9, False)
    assert order.step(marked, 9, -1) == (4, True)
    assert order.step(marked, 2, -1) == (9, False)
    assert order.step(marked, None, 1) == (9, False)
    assert order.step(mask(10), 0, 1) is None


def test_hidden_entries_are_passed_over() -> None:
    order = DisplayOrder(outline_of(FORKED, 4, hidden={9}))
    assert order.step(mask(10, 9, 3), 0, 1) == (3, False)
    assert order.step(mask(10, 9), 0, 1) is None


@pytest.mark.spec("TN-12")
def test_a_long_chain_with_four_forks_is_told_in_a_few_rows() -> None:
    """Field report T12."""
    forks = [500, 1000, 1800, 2500]
    parents = [NO_ROW, *range(2999)]
    for fork in forks:
        parents += [fork, len(parents), len(parents) + 1]  # a side branch of three entries
    runs = runs_of(parents)
    shown = branch_points(runs, 2999, np.ones(len(parents), np.bool_))
    on_trunk = [row for row in np.flatnonzero(shown).tolist() if row < 3000]
    assert on_trunk == [0, *forks, 2999]
    lengths = run_lengths(runs, shown)
    assert [int(lengths[row]) for row in on_trunk] == [1, 500, 500, 800, 700, 499]
    heads = [row for row in np.flatnonzero(shown).tolist() if row >= 3000]
    assert heads == [3000, 3002, 3003, 3005, 3006, 3008, 3009, 3011]
    assert [int(lengths[row]) for row in heads] == [1, 2] * 4


def test_the_leaf_stays_and_what_follows_it_is_a_branch() -> None:
    runs = runs_of([NO_ROW, *range(9)])
    shown = branch_points(runs, 4, np.ones(10, np.bool_))
    assert np.flatnonzero(shown).tolist() == [0, 4, 5, 9]
    assert run_lengths(runs, shown)[[0, 4, 5, 9]].tolist() == [1, 4, 1, 4]


def test_a_hidden_branch_point_is_stood_for_by_the_entry_before_it() -> None:
    visible = np.ones(10, np.bool_)
    visible[[1, 4]] = False
    shown = branch_points(runs_of(FORKED), 4, visible)
    assert np.flatnonzero(shown).tolist() == [0, 3, 5, 6, 7, 8, 9]


@given(seed=st.integers(0, 10**6), count=st.integers(1, 60), data=st.data())
def test_branches_stay_the_same_when_runs_are_folded_together(seed: int, count: int, data: st.DataObject) -> None:
    """Field report T04: no filter changes how many branches there are."""
    parents = random_forest(seed, count)
    graph = graph_of(parents)
    leaf = data.draw(st.integers(NO_ROW, count - 1))
    whole = Outline(graph, leaf, np.ones(count, np.bool_))
    shown = branch_points(graph.runs, leaf, np.ones(count, np.bool_))
    outline = Outline(graph, leaf, shown)
    assert outline.hides == whole.hides
    assert outline.branch_counts == whole.branch_counts
    assert run_lengths(graph.runs, shown).sum() <= count
    assert set(np.flatnonzero(run_lengths(graph.runs, shown)).tolist()) == set(np.flatnonzero(shown).tolist())


def test_nothing_visible() -> None:
    runs = runs_of(FORKED)
    shown = branch_points(runs, 4, np.zeros(10, np.bool_))
    assert not shown.any()
    assert not run_lengths(runs, shown).any()
    assert not branch_points(runs_of([]), NO_ROW, np.zeros(0, np.bool_)).any()
