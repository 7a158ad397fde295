"""The map: the active path straight in the middle, no line over another, no fork across a line."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from model.map_layout import MapLayout
from model.runs import NO_ROW
from tests.model.test_outline import FORKED, graph_of
from tests.model.test_runs import random_forest

forests = st.tuples(st.integers(0, 10**6), st.integers(1, 80)).map(lambda drawn: random_forest(*drawn))


def layout_of(parents: list[int], leaf: int) -> MapLayout:
    return MapLayout(graph_of(parents), leaf)


@given(parents=forests, data=st.data())
def test_lines_neither_overlap_nor_are_crossed(parents: list[int], data: st.DataObject) -> None:
    layout = layout_of(parents, data.draw(st.integers(NO_ROW, len(parents) - 1)))
    runs = layout.graph.runs
    lines = list(zip(layout.lane.tolist(), layout.start.tolist(), layout.end.tolist(), strict=True))
    for first, (lane, start, end) in enumerate(lines):
        for other_lane, other_start, other_end in lines[first + 1 :]:
            assert lane != other_lane or end <= other_start or other_end <= start
    for run, (lane, start, _end) in enumerate(lines):
        above = runs.parent_run(run)
        if above is None:
            assert layout.from_lane[run] == lane
            continue
        assert layout.from_lane[run] == layout.lane[above]
        assert start == layout.end[above]
        low, high = sorted((lane, int(layout.lane[above])))
        crossed = [each for each in lines if low < each[0] < high and each[1] < start < each[2]]
        assert not crossed


@given(parents=forests, data=st.data())
def test_the_active_path_is_straight_and_branches_go_outwards(parents: list[int], data: st.DataObject) -> None:
    leaf = data.draw(st.integers(0, len(parents) - 1))
    layout = layout_of(parents, leaf)
    assert set(layout.lane[list(layout.path_runs)].tolist()) == {0}
    for run in range(len(layout.lane)):
        lane, from_lane = int(layout.lane[run]), int(layout.from_lane[run])
        assert lane == from_lane or abs(lane) > abs(from_lane)
        assert from_lane == 0 or lane == 0 or (lane > 0) == (from_lane > 0)
    rows = layout.graph.runs.path(leaf)
    steps = layout.steps(rows)
    assert (np.diff(steps) > 0).all()
    assert layout.leaf_step == steps[-1]


@given(parents=forests, data=st.data())
def test_every_entry_is_found_where_it_lies(parents: list[int], data: st.DataObject) -> None:
    layout = layout_of(parents, data.draw(st.integers(NO_ROW, len(parents) - 1)))
    rows = np.arange(len(parents))
    for row, step, lane in zip(rows.tolist(), layout.steps(rows), layout.lanes_of(rows), strict=True):
        run = int(layout.graph.runs.run_of[row])
        assert layout.row_at(run, step) == row
        found = layout.nearest_run(step - 1e-6, float(lane), 10, 10)
        assert found is not None
        assert layout.lane[found] == lane
        assert layout.start[found] - 1e-9 <= step <= layout.end[found] + 1e-9
    assert layout.length == layout.end.max()


def test_a_run_is_about_as_long_as_the_root_of_its_entries() -> None:
    layout = layout_of([NO_ROW, *range(9_999)], 9_999)
    assert layout.length == 100
    assert layout.lanes == (0, 0)
    assert layout.row_at(0, -5) == 0
    assert layout.row_at(0, 500) == 9_999


def test_branches_lie_on_both_sides_as_near_as_there_is_room() -> None:
    parents = [NO_ROW]
    tip = 0
    for _ in range(6):  # every two entries a branch of one entry
        parents += [tip, len(parents)]
        tip = len(parents) - 1
        parents.append(tip)
    parents.append(tip)
    layout = layout_of(parents, len(parents) - 1)
    assert layout.lanes == (-1, 1)


def test_neighbours_across() -> None:
    layout = layout_of(FORKED, 4)
    main = int(layout.graph.runs.run_of[4])
    step = layout.leaf_step
    beside = [layout.neighbour(main, step, direction) for direction in (-1, 1)]
    lanes = [None if run is None else int(layout.lane[run]) for run in beside]
    assert any(lane is not None for lane in lanes)
    for direction, lane in zip((-1, 1), lanes, strict=True):
        assert lane is None or lane * direction > 0
    outermost = int(np.argmax(layout.lane))
    assert layout.neighbour(outermost, step, 1) is None


def test_nothing_to_lay_out() -> None:
    layout = layout_of([], NO_ROW)
    assert layout.length == 0
    assert layout.lanes == (0, 0)
    assert layout.nearest_run(0, 0, 1, 1) is None


def test_many_forks_are_laid_out_in_linear_time_without_recursion() -> None:
    parents = [NO_ROW]
    for row in range(1, 60_000, 2):  # each fork's branch goes deeper than the last: nested all the way
        parents += [row - 1, row - 1]
    layout = layout_of(parents, 1)
    assert len(layout.lane) == len(parents)
