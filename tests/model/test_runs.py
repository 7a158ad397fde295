"""Runs against networkx, on random forests in any file order."""

from __future__ import annotations

import random
import sys
from itertools import chain, pairwise

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.runs import NO_ROW, Runs


def random_forest(seed: int, count: int, *, shuffled: bool = False) -> list[int]:
    """Parents of `count` entries: mostly chains, with forks and several roots."""
    rng = random.Random(seed)
    parents = [
        rng.choice([NO_ROW, *[row - 1] * 6, rng.randrange(row), rng.randrange(row)]) if row else NO_ROW
        for row in range(count)
    ]
    if not shuffled:
        return parents
    place = list(range(count))
    rng.shuffle(place)
    moved = [NO_ROW] * count
    for row, parent in enumerate(parents):
        moved[place[row]] = place[parent] if parent != NO_ROW else NO_ROW
    return moved


def runs_of(parents: list[int]) -> Runs:
    return Runs(np.array(parents, np.int32))


def digraph(parents: list[int]) -> nx.DiGraph[int]:
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(range(len(parents)))
    graph.add_edges_from((parent, row) for row, parent in enumerate(parents) if parent != NO_ROW)
    return graph


@pytest.mark.spec("TN-3")
@given(seed=st.integers(0, 10**6), count=st.integers(1, 40), shuffled=st.booleans())
def test_paths_and_common_ancestors_equal_networkx(seed: int, count: int, shuffled: bool) -> None:
    parents = random_forest(seed, count, shuffled=shuffled)
    runs, graph = runs_of(parents), digraph(parents)
    for row in range(count):
        ancestors = nx.ancestors(graph, row)
        assert runs.path(row).tolist() == [*nx.topological_sort(graph.subgraph(ancestors)), row]
        for other in range(count):
            expected = nx.lowest_common_ancestor(graph, row, other, default=NO_ROW)
            assert runs.common_ancestor(row, other) == expected
            assert runs.is_ancestor(row, other) == (row == other or other in nx.descendants(graph, row))


@given(seed=st.integers(0, 10**6), count=st.integers(0, 60), shuffled=st.booleans())
def test_runs_partition_the_entries_and_end_at_forks_or_leaves(seed: int, count: int, shuffled: bool) -> None:
    parents = random_forest(seed, count, shuffled=shuffled)
    runs, graph = runs_of(parents), digraph(parents)
    members = [runs.rows(run).tolist() for run in range(len(runs))]
    assert sorted(chain.from_iterable(members)) == list(range(count))
    for run, rows in enumerate(members):
        assert all(list(graph.successors(row)) == [following] for row, following in pairwise(rows))
        assert graph.out_degree(rows[-1]) != 1
        assert runs.tail(run) == rows[-1]
        assert [int(runs.run_of[row]) for row in rows] == [run] * len(rows)
    assert sorted(runs.top_down) == list(range(len(runs)))


def test_before_the_first_entry_nothing_is_shared() -> None:
    runs = runs_of([NO_ROW, 0, 0])
    assert runs.path(NO_ROW).tolist() == []
    assert runs.common_ancestor(NO_ROW, 1) == NO_ROW
    assert not runs.is_ancestor(NO_ROW, 1)


def test_a_chain_deeper_than_the_interpreter_stack() -> None:
    depth = sys.getrecursionlimit() * 100
    comb = [row - 1 if row % 2 else row - 2 for row in range(depth)]  # a fork at every second entry
    comb[0] = NO_ROW
    runs = runs_of(comb)
    assert runs.common_ancestor(depth - 1, depth - 2) == depth - 2
    assert runs.common_ancestor(1, depth - 1) == 0
    assert len(runs.path(depth - 1)) == depth // 2 + 1
