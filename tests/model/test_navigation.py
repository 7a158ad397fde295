import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.errors import RefusedError, UnknownEntryError
from model.json_text import JsonObject
from model.navigation import collect_entries_for_branch_summary, plan_navigation, resulting_leaf
from model.rules import BRANCHWORK, OMP_13_19, PI_1_6, Rules
from model.tree import SessionTree
from tests.model.session_builders import Chain, text_block, tool_call
from tests.model.strategies import forests, messy_entries, messy_sessions


def figure(target: str = "assistant") -> Chain:
    """The figure of the seeds: A (user) forks into B-C-D and E-F; the role of F is given (TN-13)."""
    chain = Chain()
    chain.user("start", id="A")
    chain.assistant([tool_call("t1")], id="B", stopReason="toolUse")
    chain.tool_result("t1", id="C")
    chain.assistant("old end", id="D")
    chain.assistant("other way", id="E", parent="A")
    if target == "user":
        chain.user("take this up", id="F", parent="E")
    else:
        chain.assistant("new end", id="F", parent="E")
    return chain


def collected(entries: list[JsonObject], old_leaf: str | None, target: str | None) -> tuple[list[str], str | None]:
    left = collect_entries_for_branch_summary(SessionTree(entries), old_leaf, target)
    return [entry["id"] for entry in left.entries], left.common_ancestor_id


@pytest.mark.spec("TN-13", "TN-4", "TN-5", "TN-7", "O-141", "O-142", "O-143", "O-145")
def test_row_1_to_an_answer_on_the_other_branch() -> None:
    plan = plan_navigation(SessionTree(figure().entries), "D", "F")
    assert plan.abandoned.common_ancestor_id == "A"
    assert [entry["id"] for entry in plan.abandoned.entries] == ["B", "C", "D"]
    assert plan.new_leaf_id == "F"
    assert plan.editor_text is None
    assert plan.old_leaf_id == "D"
    assert not plan.stays


@pytest.mark.spec("TN-13", "TN-5")
def test_row_2_to_a_question_on_the_other_branch() -> None:
    plan = plan_navigation(SessionTree(figure("user").entries), "D", "F")
    assert [entry["id"] for entry in plan.abandoned.entries] == ["B", "C", "D"]
    assert plan.new_leaf_id == "E"
    assert plan.editor_text == "take this up"


@pytest.mark.spec("TN-13", "TN-4")
def test_row_3_back_to_an_earlier_entry_of_the_branch() -> None:
    plan = plan_navigation(SessionTree(figure().entries), "D", "B")
    assert plan.abandoned.common_ancestor_id == "B"
    assert [entry["id"] for entry in plan.abandoned.entries] == ["C", "D"]
    assert plan.new_leaf_id == "B"


@pytest.mark.spec("TN-13", "TN-4")
def test_row_4_to_a_descendant_leaves_nothing_behind() -> None:
    chain = figure()
    chain.assistant("further", id="G", parent="D")
    plan = plan_navigation(SessionTree(chain.entries), "D", "G")
    assert plan.abandoned.entries == ()
    assert plan.new_leaf_id == "G"


@pytest.mark.spec("TN-13", "TN-5")
def test_rows_5_and_6_to_the_first_question() -> None:
    plan = plan_navigation(SessionTree(figure().entries), "D", "A")
    assert plan.abandoned.common_ancestor_id == "A"
    assert [entry["id"] for entry in plan.abandoned.entries] == ["B", "C", "D"]
    assert plan.new_leaf_id is None
    assert plan.editor_text == "start"


@pytest.mark.spec("TN-13", "TN-3", "TN-4")
def test_row_13_to_another_root_leaves_the_whole_path_behind() -> None:
    chain = figure()
    chain.user("fresh start", id="R", parent=None)
    assert collected(chain.entries, "D", "R") == (["A", "B", "C", "D"], None)


@pytest.mark.spec("TN-13", "TN-10")
def test_row_14_to_the_current_leaf_is_nothing() -> None:
    plan = plan_navigation(SessionTree(figure().entries), "D", "D")
    assert plan.stays
    assert plan.abandoned.entries == ()
    assert plan.new_leaf_id == "D"


@pytest.mark.spec("TN-13", "TN-4")
def test_row_15_the_walk_passes_a_compaction() -> None:
    chain = figure()
    chain.compaction("C", id="K", parent="D")
    chain.add("label", id="L", parent="K", targetId="A", label="x")
    assert collected(chain.entries, "L", "F") == (["B", "C", "D", "K", "L"], "A")


@pytest.mark.spec("TN-4")
def test_without_an_old_leaf_nothing_is_left_behind() -> None:
    entries = figure().entries
    assert collected(entries, None, "F") == ([], None)
    assert collected(entries, "nope", "F") == ([], None)
    assert collected(entries, "F", "nope") == (["A", "E", "F"], None)


@pytest.mark.spec("TN-5")
@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"type": "message", "message": {"role": "user", "content": "plain"}}, "plain"),
        (
            {
                "type": "message",
                "message": {
                    "role": "user",
                    "content": [text_block("one "), {"type": "image", "data": "x"}, text_block("two")],
                },
            },
            "one two",
        ),
        ({"type": "message", "message": {"role": "user", "content": None}}, ""),
        ({"type": "message", "message": {"role": "user"}}, ""),
        ({"type": "custom_message", "content": "hello"}, "hello"),
        ({"type": "custom_message", "content": [text_block("a"), text_block("b")]}, "ab"),
        ({"type": "custom_message"}, ""),
    ],
)
def test_inputs_are_taken_up_again(fields: JsonObject, text: str) -> None:
    assert resulting_leaf({"id": "x", "parentId": "p", **fields}) == ("p", text)
    assert resulting_leaf({"id": "x", "parentId": None, **fields}) == (None, text)


@pytest.mark.spec("TN-5")
@pytest.mark.parametrize(
    "fields",
    [
        *[
            {"type": "message", "message": {"role": role, "content": "x"}}
            for role in ("assistant", "toolResult", "bashExecution", "custom", "system")
        ],
        {"type": "message", "message": None},
        *[
            {"type": kind, "content": "x"}
            for kind in ("compaction", "branch_summary", "model_change", "label", "custom", "session_info", "mystery")
        ],
    ],
)
def test_every_other_entry_becomes_the_leaf_itself(fields: JsonObject) -> None:
    assert resulting_leaf({"id": "x", "parentId": "p", **fields}) == ("x", None)


@pytest.mark.spec("TN-9")
def test_an_unknown_target_is_refused() -> None:
    with pytest.raises(UnknownEntryError, match="no entry with the id nope"):
        plan_navigation(SessionTree(figure().entries), "D", "nope")


@pytest.mark.spec("TN-5", "SF-9.7")
@pytest.mark.parametrize("parent", ["gone", "O"])
def test_an_input_without_a_parent_in_the_file_leads_before_the_first_entry(parent: str) -> None:
    chain = Chain()
    chain.user("orphan", id="O", parent=parent)
    chain.assistant(id="P")
    plan = plan_navigation(SessionTree(chain.entries), "P", "O")
    assert plan.new_leaf_id is None
    assert plan.editor_text == "orphan"
    for rules in (PI_1_6, OMP_13_19):
        with pytest.raises(RefusedError, match="parent"):
            plan_navigation(SessionTree(chain.entries), "P", "O", rules)


@pytest.mark.spec("TN-5")
def test_the_first_question_is_no_orphan_to_the_agents() -> None:
    plan = plan_navigation(SessionTree(figure().entries), "D", "A", PI_1_6)
    assert plan.new_leaf_id is None


@given(forests(), st.data())
@pytest.mark.spec("TN-4")
def test_what_is_left_behind_continues_the_common_ancestor(entries: list[JsonObject], data: st.DataObject) -> None:
    if not entries:
        return
    tree = SessionTree(entries)
    old_leaf, target = (data.draw(st.sampled_from(entries))["id"] for _ in range(2))
    left = collect_entries_for_branch_summary(tree, old_leaf, target)
    shared = tree.path_to(left.common_ancestor_id)
    assert [*shared, *left.entries] == tree.path_to(old_leaf)
    assert tree.path_to(target)[: len(shared)] == shared
    on_target_path = {id(entry) for entry in tree.path_to(target)}
    assert not any(id(entry) in on_target_path for entry in left.entries)


@given(messy_sessions, st.sampled_from([BRANCHWORK, PI_1_6]))
@pytest.mark.spec("SF-9.5")
def test_any_json_can_be_navigated(entries: list[JsonObject], rules: Rules) -> None:
    before = copy.deepcopy(entries)
    tree = SessionTree(entries)
    for target in ("a", "b"):
        try:
            plan_navigation(tree, "c", target, rules)
        except RefusedError:
            continue
    assert entries == before


@given(messy_entries)
def test_the_resulting_leaf_of_any_json_is_an_id_or_none(entry: Any) -> None:
    leaf, text = resulting_leaf(entry)
    assert leaf is None or isinstance(leaf, str)
    assert text is None or isinstance(text, str)
