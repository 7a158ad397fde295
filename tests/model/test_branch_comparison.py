"""Two branches from their common ancestor on."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.branch_comparison import FileUse, answer_at, branch_figures, compare_files, forked_paths
from model.entries import message_of
from model.entry_kinds import ROLE_OF_NAME, Role
from model.file_operations import FileLists
from model.json_text import JsonObject
from model.messages import role_of
from model.runs import NO_ROW
from model.session_totals import session_totals
from tests.model.session_builders import START_MS, Chain, tool_call, usage
from tests.model.strategies import messy_sessions
from tests.model.test_outline import FORKED, graph_of
from tests.model.test_runs import random_forest
from tests.model.test_session_export import index_of


def entry(role: str, minute: int, **message: object) -> JsonObject:
    time = f"2026-02-03T08:{minute:02}:00.000Z"
    return {
        "type": "message",
        "id": f"m{minute}",
        "timestamp": time,
        "message": {"role": role, "content": [], **message},
    }


@pytest.mark.spec("TN-3")
def test_paths_part_behind_their_common_ancestor() -> None:
    paths = forked_paths(graph_of(FORKED), 4, 8)
    assert paths.ancestor == 1
    assert paths.left.tolist() == [2, 3, 4]
    assert paths.right.tolist() == [7, 8]


def test_the_branch_goes_on_to_its_end() -> None:
    paths = forked_paths(graph_of(FORKED), 4, 5)
    assert (paths.ancestor, paths.right.tolist()) == (3, [5, 6])


def test_an_entry_of_the_active_path_is_no_other_branch() -> None:
    paths = forked_paths(graph_of(FORKED), 4, 2)
    assert (paths.ancestor, paths.left.tolist(), paths.right.tolist()) == (2, [3, 4], [])


def test_what_continues_behind_the_leaf() -> None:
    paths = forked_paths(graph_of(FORKED), 2, 6)
    assert (paths.ancestor, paths.left.tolist(), paths.right.tolist()) == (2, [], [3, 5, 6])


def test_branches_of_different_roots_share_nothing() -> None:
    paths = forked_paths(graph_of([NO_ROW, 0, NO_ROW, 2]), 1, 2)
    assert (paths.ancestor, paths.left.tolist(), paths.right.tolist()) == (NO_ROW, [0, 1], [2, 3])
    assert forked_paths(graph_of([NO_ROW, 0]), NO_ROW, 0).right.tolist() == [0, 1]


@given(seed=st.integers(0, 10**6), count=st.integers(1, 40), data=st.data())
def test_what_is_shared_and_both_rests_are_the_two_paths(seed: int, count: int, data: st.DataObject) -> None:
    graph = graph_of(random_forest(seed, count))
    leaf, row = data.draw(st.integers(NO_ROW, count - 1)), data.draw(st.integers(0, count - 1))
    paths = forked_paths(graph, leaf, row)
    shared = graph.runs.path(paths.ancestor)
    assert np.concatenate([shared, paths.left]).tolist() == graph.runs.path(leaf).tolist()
    right = np.concatenate([shared, paths.right]).tolist()
    assert right == graph.runs.path(right[-1]).tolist()
    assert row in right
    assert not set(paths.left.tolist()) & set(paths.right.tolist())


@pytest.mark.spec("CP-16", "SF-12")
def test_figures_of_a_branch() -> None:
    read, edit = tool_call("1", "read", path="a.py"), tool_call("2", "edit", path="b.py")
    paid = usage(1000)
    paid["cost"]["total"] = 0.25
    summary = {"type": "branch_summary", "id": "s", "timestamp": "bad", "summary": "z" * 40}
    entries = [
        entry("user", 1, content="x" * 40),
        entry("assistant", 3, content=[read, edit], usage=paid, stopReason="toolUse"),
        entry("toolResult", 4, content=[{"type": "text", "text": "y" * 80}], toolCallId="1"),
        entry("assistant", 9, stopReason="aborted"),
        {**summary, "details": {"readFiles": ["c.py"]}},
        {"type": "label", "id": "l", "timestamp": None},
    ]
    figures = branch_figures(iter(entries))
    assert (figures.entries, figures.user_messages, figures.answers, figures.failed_answers) == (6, 1, 2, 1)
    assert (figures.tool_results, figures.summaries) == (1, 1)
    assert figures.tokens > 40
    assert (figures.totals.cost, figures.totals.tokens) == (0.25, 1000)
    assert figures.files == FileLists(("a.py", "c.py"), ("b.py",))
    assert figures.first_ms == START_MS + 60_000
    assert figures.last_ms == START_MS + 9 * 60_000


@pytest.mark.spec("SF-12")
def test_a_reply_that_the_branch_only_goes_on_with_costs_nothing_there() -> None:
    """Field report K08."""
    paid = usage(1000)
    paid["cost"]["total"] = 0.25
    chain = Chain()
    chain.user()
    chain.assistant(usage=paid, responseId="msg_1")
    chain.tool_result()
    chain.add("label", targetId="e2", label="x")
    chain.assistant(usage=paid, responseId="msg_1")
    chain.assistant(usage=paid, responseId="msg_2")
    chain.assistant(usage=paid, responseId="msg_2")
    roles = [ROLE_OF_NAME.get(role_of(message_of(entry)) or "", Role.NONE) for entry in chain.entries]
    index = index_of([-1, 0, 1, 2, 3, 4, 5], roles)
    assert [answer_at(index, row) for row in range(-1, 5)] == [None, None, 1, 1, 1, 4]
    behind = branch_figures(chain.entries[4:], answer_above=chain.entries[1])
    assert (behind.answers, behind.totals.tokens, behind.totals.cost) == (3, 1000, 0.25)
    assert branch_figures(chain.entries).totals.cost == 0.5


def test_an_empty_branch() -> None:
    figures = branch_figures([])
    assert (figures.entries, figures.tokens, figures.first_ms, figures.last_ms) == (0, 0, None, None)


def test_files_of_both_branches() -> None:
    left = FileLists(("a", "both"), ("changed", "mine"))
    right = FileLists(("mine",), ("both", "changed"))
    assert compare_files(left, right) == (
        FileUse("changed", "modified", "modified"),
        FileUse("a", "read", None),
        FileUse("both", "read", "modified"),
        FileUse("mine", "modified", "read"),
    )


@given(messy_sessions)
def test_any_entries_have_figures(entries: list[JsonObject]) -> None:
    figures = branch_figures(entries)
    assert figures.entries == len(entries)
    assert figures.totals.records == session_totals(entries).records
    assert figures.tokens >= 0
