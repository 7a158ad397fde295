"""The outline: every visible entry once, trunk at the top level, branches under their forks."""

from __future__ import annotations

import math
from collections.abc import Collection

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.outline import HIDDEN, Arrangement, Outline
from model.runs import NO_ROW
from model.session_graph import SessionGraph
from tests.model.test_runs import random_forest, runs_of

ARRANGEMENTS = st.sampled_from(["trunk", "fixed"])


def graph_of(parents: list[int]) -> SessionGraph:
    count = len(parents)
    return SessionGraph(runs_of(parents), np.arange(count, dtype=np.int64), np.full(count, 10, np.int32))


def outline_of(
    parents: list[int], leaf: int, hidden: Collection[int] = (), arrangement: Arrangement = "trunk"
) -> Outline:
    visible = np.array([row not in hidden for row in range(len(parents))], bool)
    return Outline(graph_of(parents), leaf, visible, arrangement)


def rows_under(outline: Outline, owner: int) -> list[int]:
    group = outline.group(owner)
    return [] if group is None else group.tolist()


#      0 - 1 - 2 - 3 - 4      the trunk when 4 is the leaf
#          |       + - 5 - 6
#          + - 7 - 8
#              + - 9          8 and 9 fork behind 7
FORKED = [NO_ROW, 0, 1, 2, 3, 3, 5, 1, 7, 7]


def test_the_trunk_is_flat_and_branches_hang_under_their_forks() -> None:
    outline = outline_of(FORKED, 4)
    assert rows_under(outline, NO_ROW) == [0, 1, 2, 3, 4]
    assert rows_under(outline, 1) == [7]
    assert rows_under(outline, 7) == [8, 9]
    assert rows_under(outline, 3) == [5]
    assert rows_under(outline, 5) == [6]
    assert outline.branch_counts == {1: 1, 7: 1, 3: 1}
    assert outline.owners(6) == [3, 5]


def test_a_branch_head_says_what_it_hides() -> None:
    hides = outline_of(FORKED, 4).hides
    assert (hides[7].entries, hides[7].tokens, hides[7].last_ms) == (3, 30, 9)
    assert (hides[5].entries, hides[5].tokens, hides[5].last_ms) == (2, 20, 6)


def test_what_continues_behind_the_leaf_is_a_branch_of_it() -> None:
    outline = outline_of(FORKED, 2)
    assert rows_under(outline, NO_ROW) == [0, 1, 2]
    assert rows_under(outline, 2) == [3]
    assert outline.hides[3].entries == 4
    assert (
        rows_under(outline, 3) == [4, 5] or rows_under(outline, 3) == [5, 6, 4] or rows_under(outline, 3) == [4, 5, 6]
    )


def test_before_the_first_entry_every_root_is_a_branch() -> None:
    outline = outline_of([NO_ROW, 0, NO_ROW, 2], NO_ROW)
    assert rows_under(outline, NO_ROW) == [0, 2]
    assert rows_under(outline, 0) == [1]
    assert len(outline.trunk) == 0


def test_other_roots_stand_before_the_trunk() -> None:
    outline = outline_of([NO_ROW, 0, NO_ROW, 2], 3)
    assert rows_under(outline, NO_ROW) == [0, 2, 3]


@pytest.mark.parametrize("hidden", [(), {3}, {1, 5}])
def test_fixed_rows_stay_where_they_are_wherever_the_leaf_is(hidden: Collection[int]) -> None:
    first = outline_of(FORKED, 4, hidden, "fixed")
    for leaf in range(NO_ROW, len(FORKED)):
        outline = outline_of(FORKED, leaf, hidden, "fixed")
        assert outline.owner.tolist() == first.owner.tolist()
        assert outline.position.tolist() == first.position.tolist()
        assert outline.trunk.tolist() == outline.graph.runs.path(leaf).tolist()


def test_the_longest_branch_is_the_spine_of_fixed_rows() -> None:
    outline = outline_of(FORKED, 9, arrangement="fixed")
    assert rows_under(outline, NO_ROW) == [0, 1, 2, 3, 5, 6]
    assert rows_under(outline, 3) == [4]
    assert rows_under(outline, 1) == [7]
    assert outline.active_until == {NO_ROW: 1, 1: 0, 7: rows_under(outline, 7).index(9)}
    assert outline.shown_leaf == 9


def test_an_empty_session_has_no_rows() -> None:
    assert rows_under(outline_of([], NO_ROW, arrangement="fixed"), NO_ROW) == []
    assert rows_under(outline_of([], NO_ROW), NO_ROW) == []


@pytest.mark.spec("TN-12.2")
def test_branches_of_hidden_entries_hang_under_the_nearest_visible_one() -> None:
    outline = outline_of(FORKED, 4, hidden={3, 5, 7})
    assert rows_under(outline, NO_ROW) == [0, 1, 2, 4]
    assert rows_under(outline, 2) == [6]
    assert rows_under(outline, 1) == [8, 9]
    assert outline.nearest_shown(5) == 2
    assert outline.nearest_shown(6) == 6
    assert outline_of(FORKED, 4, hidden={0, 1}).nearest_shown(1) is None


@pytest.mark.spec("TN-12")
@given(seed=st.integers(0, 10**6), count=st.integers(1, 80), data=st.data())
def test_every_visible_entry_has_one_row_under_a_visible_ancestor(seed: int, count: int, data: st.DataObject) -> None:
    parents = random_forest(seed, count, shuffled=data.draw(st.booleans()))
    leaf = data.draw(st.integers(NO_ROW, count - 1))
    hidden = data.draw(st.sets(st.integers(0, count - 1)))
    outline = outline_of(parents, leaf, hidden, data.draw(ARRANGEMENTS))
    runs = outline.graph.runs
    seen: list[int] = []
    for owner in range(NO_ROW, count):
        rows = rows_under(outline, owner)
        seen += rows
        for position, row in enumerate(rows):
            assert outline.owner[row] == owner
            assert outline.position[row] == position
            assert owner == NO_ROW or runs.is_ancestor(owner, row)
    assert sorted(seen) == sorted(set(range(count)) - hidden)
    assert all(outline.owner[row] == HIDDEN for row in hidden)
    shown_spine = [row for row in runs.path(outline.spine_end).tolist() if row not in hidden]
    assert rows_under(outline, NO_ROW)[outline.spine_start :] == shown_spine
    on_path = {row for row in runs.path(leaf).tolist() if row not in hidden}
    until = {
        owner: max(position for position, row in enumerate(rows_under(outline, owner)) if row in on_path)
        for owner in range(NO_ROW, count)
        if on_path & set(rows_under(outline, owner))
    }
    assert outline.active_until == until
    assert outline.deepest_level == max((len(outline.owners(row)) for row in seen), default=0)
    for head, (run, skipped) in outline.branch_starts.items():
        assert outline.hides[head] == outline.graph.extent(run, skipped)
        assert outline.hides.keys() == outline.branch_starts.keys()


@given(seed=st.integers(0, 10**6), count=st.integers(1, 400))
def test_nesting_is_logarithmic(seed: int, count: int) -> None:
    """Side branches nest no deeper than log2(entries) under the spine, each level being a fork and its head."""
    outline = outline_of(random_forest(seed, count), count - 1)
    fixed = outline_of(random_forest(seed, count), count - 1, arrangement="fixed")
    assert fixed.deepest_level <= 2 * (math.log2(count) + 1)
    deepest = max(len(outline.owners(row)) for row in range(count))
    assert deepest <= 2 * (math.log2(count) + 1)


@given(seed=st.integers(0, 10**6), count=st.integers(1, 50), more=st.integers(1, 6), data=st.data())
def test_growth_behind_the_leaf_equals_a_new_outline(seed: int, count: int, more: int, data: st.DataObject) -> None:
    """The short way for a session that an agent is writing gives what the long way gives."""
    parents = random_forest(seed, count)
    behind = data.draw(st.integers(0, count - 1))
    longer = [*parents, behind, *range(count, count + more - 1)]
    hidden = data.draw(st.sets(st.integers(0, len(longer) - 1)))
    visible = np.array([row not in hidden for row in range(len(longer))], bool)
    leaf = data.draw(st.sampled_from([behind, count - 1]))
    arrangement = data.draw(ARRANGEMENTS)
    before = Outline(graph_of(parents), leaf, visible[:count], arrangement)
    fresh = Outline(graph_of(longer), len(longer) - 1, visible, arrangement)
    runs = before.graph.runs.extended(np.array(longer, np.int32))
    if runs is None:
        assert behind in parents  # it has children already, so that a new run starts
        return
    again = fresh.graph.runs
    assert [runs.rows(run).tolist() for run in range(len(runs))] == [
        again.rows(run).tolist() for run in range(len(again))
    ]
    assert runs.path(len(longer) - 1).tolist() == again.path(len(longer) - 1).tolist()
    graph = before.graph.extended(runs, fresh.graph.time_ms, fresh.graph.estimate)
    assert [graph.extent(run) for run in range(len(runs))] == [fresh.graph.extent(run) for run in range(len(again))]
    grown = before.extended(graph, len(longer) - 1, visible)
    if grown is None:
        assert leaf != behind or before.group(before.shown_leaf) is not None or before.spine_end != leaf
        return
    assert grown.grown_from is before
    assert grown.owner.tolist() == fresh.owner.tolist()
    assert grown.position.tolist() == fresh.position.tolist()
    assert grown.trunk.tolist() == fresh.trunk.tolist()
    assert (grown.shown_leaf, grown.spine_start, grown.spine_end) == (
        fresh.shown_leaf,
        fresh.spine_start,
        fresh.spine_end,
    )
    assert grown.active_until == fresh.active_until
    assert [rows_under(grown, owner) for owner in range(-1, len(longer))] == [
        rows_under(fresh, owner) for owner in range(-1, len(longer))
    ]
    assert grown.branch_counts == fresh.branch_counts
    assert [grown.branching(owner) for owner in range(-1, len(longer))] == [
        fresh.branching(owner) for owner in range(-1, len(longer))
    ]
