import itertools
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.json_text import JsonObject
from model.rules import PI_1_6
from model.tree import SessionTree, rows_by_id
from tests.model.session_builders import Chain
from tests.model.strategies import forests, messy_sessions


def entry(id: str, parent: Any, time: str = "2026-02-03T08:00:00Z") -> JsonObject:
    return {"type": "custom", "id": id, "parentId": parent, "timestamp": time}


def ids(tree: SessionTree, rows: list[int]) -> list[Any]:
    return [tree.entries[row].get("id") for row in rows]


@pytest.fixture
def figure() -> SessionTree:
    """The figure of the seeds: A forks into B-C-D and E-F."""
    return SessionTree(
        [entry("A", None), entry("B", "A"), entry("C", "B"), entry("D", "C"), entry("E", "A"), entry("F", "E")]
    )


@pytest.mark.spec("TN-1", "SF-9.7", "SF-9.11")
def test_roots_of_every_kind() -> None:
    tree = SessionTree(
        [
            entry("a", None),
            entry("self", "self"),
            entry("orphan", "gone"),
            {"type": "custom", "id": "no-parent"},
            entry("y", "x"),
            entry("x", "y"),
            entry("tail", "x"),
        ]
    )
    assert ids(tree, tree.roots) == ["a", "self", "orphan", "no-parent", "y"]
    assert [tree.root_kinds[row] for row in tree.roots] == ["root", "self-parent", "orphan", "root", "cycle"]
    assert ids(tree, tree.path_rows(tree.row_of("tail"))) == ["y", "x", "tail"]


@pytest.mark.spec("TN-1", "SF-9.9")
def test_children_are_ordered_by_time_and_invalid_times_by_file_order() -> None:
    """Field report D12."""
    tree = SessionTree(
        [
            entry("r", None),
            entry("late", "r", "2026-02-03T12:00:00+01:00"),
            entry("early", "r", "2026-02-03T10:59:59Z"),
            entry("same", "r", "2026-02-03T11:00:00Z"),
            entry("q", None),
            entry("never", "q", "never"),
            entry("first", "q", "2026-01-01"),
        ]
    )
    assert ids(tree, tree.children(0)) == ["early", "late", "same"]
    assert ids(tree, tree.children(4)) == ["never", "first"]


@pytest.mark.spec("SF-9.8")
def test_of_two_entries_with_one_id_the_last_is_found_and_both_have_a_place() -> None:
    entries = [entry("r", None), entry("d", "r"), entry("d", "r"), entry("child", "d")]
    tree = SessionTree(entries)
    assert tree.row_of("d") == 2
    assert tree.children(0) == [1, 2]
    assert tree.children(1) == []
    assert tree.children(2) == [3]
    assert rows_by_id(entries) == {"r": 0, "d": 2, "child": 3}
    as_the_agent = SessionTree(entries, PI_1_6)
    assert as_the_agent.children(0) == [2, 2]


@pytest.mark.spec("TN-1")
def test_a_cycle_hangs_nowhere_in_the_agents_tree_but_its_paths_end() -> None:
    tree = SessionTree([entry("x", "y"), entry("y", "x")], PI_1_6)
    assert tree.roots == []
    assert ids(tree, tree.path_rows(1)) == ["x", "y"]


@pytest.mark.spec("TN-2")
def test_paths_lead_from_the_root_to_the_entry(figure: SessionTree) -> None:
    assert [entry["id"] for entry in figure.path_to("D")] == ["A", "B", "C", "D"]
    assert [entry["id"] for entry in figure.path_to("F")] == ["A", "E", "F"]
    assert figure.path_to(None) == []
    assert figure.path_to("nope") == []
    assert figure.entry_of("C") == entry("C", "B")
    assert figure.entry_of("nope") is None
    assert figure.entry_of(None) is None


@pytest.mark.spec("TN-3", "TN-13", "O-142")
@pytest.mark.parametrize(
    ("old_leaf", "target", "ancestor"),
    [
        ("D", "F", "A"),
        ("F", "D", "A"),
        ("D", "B", "B"),
        ("B", "D", "B"),
        ("D", "D", "D"),
        ("A", "F", "A"),
        (None, "F", None),
        ("D", "nope", None),
        ("nope", "D", None),
    ],
)
def test_the_common_ancestor_is_the_deepest_entry_on_both_paths(
    figure: SessionTree, old_leaf: str | None, target: str, ancestor: str | None
) -> None:
    assert figure.common_ancestor(old_leaf, target) == ancestor


@pytest.mark.spec("TN-3")
def test_different_roots_have_no_common_ancestor() -> None:
    tree = SessionTree([entry("a", None), entry("b", "a"), entry("c", None)])
    assert tree.common_ancestor("b", "c") is None


@pytest.mark.spec("TN-1")
def test_a_chain_of_a_hundred_thousand_entries_is_ordinary() -> None:
    count = 100_000
    tree = SessionTree([entry(str(row), str(row - 1) if row else None) for row in range(count)])
    assert len(tree.path_to(str(count - 1))) == count
    assert tree.common_ancestor("500", str(count - 1)) == "500"


@pytest.mark.spec("TN-1")
def test_a_cycle_of_a_hundred_thousand_entries_is_cut_once() -> None:
    count = 100_000
    tree = SessionTree([entry(str(row), str((row + 1) % count)) for row in range(count)])
    assert tree.roots == [0]
    assert len(tree.path_rows(1)) == count


@given(forests())
@pytest.mark.spec("TN-1", "SF-9.7")
def test_every_entry_has_one_place_below_a_root(entries: list[JsonObject]) -> None:
    tree = SessionTree(entries)
    order: list[int] = []
    pending = tree.roots[::-1]
    while pending:
        row = pending.pop()
        order.append(row)
        pending += tree.children(row)[::-1]
    assert sorted(order) == list(range(len(entries)))
    for row in range(len(entries)):
        path = tree.path_rows(row)
        assert path[0] in tree.roots
        assert path[-1] == row
        assert all(tree.parent(child) == parent for parent, child in itertools.pairwise(path))


@given(forests(), st.data())
@pytest.mark.spec("TN-3")
def test_common_ancestors_agree_with_networkx(entries: list[JsonObject], data: st.DataObject) -> None:
    tree = SessionTree(entries)
    graph: nx.DiGraph[str] = nx.DiGraph()
    names = {entry["id"] for entry in entries}
    graph.add_nodes_from(names)
    for name in names:
        parent = tree.parent(tree.row_of(name) or 0)
        if parent is not None:
            graph.add_edge(entries[parent]["id"], name)
    if not names or not nx.is_directed_acyclic_graph(graph):
        return
    left, right = (data.draw(st.sampled_from(sorted(names))) for _ in range(2))
    assert tree.common_ancestor(left, right) == nx.lowest_common_ancestor(graph, left, right)


@given(messy_sessions)
@pytest.mark.spec("SF-9.5")
def test_a_tree_of_any_json_is_a_tree(entries: list[JsonObject]) -> None:
    tree = SessionTree(entries)
    assert all(tree.path_rows(row)[-1] == row for row in range(len(entries)))


def test_a_chain_of_test_entries_is_a_path() -> None:
    chain = Chain()
    chain.user()
    chain.assistant()
    assert SessionTree(chain.entries).path_to("e2") == chain.entries
