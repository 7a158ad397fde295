import copy
import itertools
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.branch_extraction import ExtractedBranch, extract_branch, new_header
from model.context import build_session_context
from model.errors import UnknownEntryError
from model.json_text import JsonObject
from model.labels import resolve_labels
from model.rules import BRANCHWORK, OMP_13_19, Rules
from tests.model.session_builders import START_MS, Chain
from tests.model.strategies import forests, sessions

pytestmark = pytest.mark.spec("SF-11.6")


def new_ids() -> Callable[[], str]:
    numbers = itertools.count()
    return lambda: f"#{next(numbers)}"


def extract(entries: list[JsonObject], leaf: str, rules: Rules = BRANCHWORK) -> ExtractedBranch:
    return extract_branch(
        entries,
        leaf,
        "pi",
        session_id="new",
        cwd="/p",
        parent_session="/old.jsonl",
        now_ms=START_MS,
        new_uuid=new_ids(),
        rules=rules,
    )


def labelled() -> Chain:
    chain = Chain()
    chain.user("a")
    chain.add("label", targetId="e1", label="one")
    chain.assistant("b")
    chain.add("label", targetId="e3", label="two")
    chain.compaction("e4")
    chain.user("c")
    chain.user("other", parent="e1")
    chain.add("label", targetId="e7", label="elsewhere")
    return chain


@pytest.mark.spec("SF-2")
def test_the_new_header_names_its_source() -> None:
    branch = extract(labelled().entries, "e6")
    assert branch.header == {
        "type": "session",
        "version": 3,
        "id": "new",
        "timestamp": "2026-02-03T08:00:00.000Z",
        "cwd": "/p",
        "parentSession": "/old.jsonl",
    }
    assert "parentSession" not in new_header("id", "t", "/p")


def test_labels_move_to_the_end_and_references_to_them_are_mended() -> None:
    entries = labelled().entries
    branch = extract(entries, "e6")
    assert [(entry["id"], entry["parentId"]) for entry in branch.entries] == [
        ("e1", None),
        ("e3", "e1"),
        ("e5", "e3"),
        ("e6", "e5"),
        ("#0", "e6"),
        ("#1", "#0"),
    ]
    assert branch.entries[2]["firstKeptEntryId"] == "e5"
    assert [entry["timestamp"] for entry in branch.entries[-2:]] == [entries[1]["timestamp"], entries[3]["timestamp"]]
    assert {id: label.text for id, label in resolve_labels(branch.entries).items()} == {"e1": "one", "e3": "two"}
    assert branch.leaf_id == "#1"


def test_a_boundary_that_is_no_label_stays() -> None:
    chain = Chain()
    chain.user()
    chain.compaction("e1")
    chain.compaction("e3")
    kept = [entry["firstKeptEntryId"] for entry in extract(chain.entries, "e3").entries[1:]]
    assert kept == ["e1", "e3"]


def test_omp_mends_nothing_and_dates_the_labels_anew() -> None:
    branch = extract(labelled().entries, "e6", OMP_13_19)
    assert [(entry["id"], entry["parentId"]) for entry in branch.entries] == [
        ("e1", None),
        ("e3", "e2"),
        ("e5", "e4"),
        ("e6", "e5"),
        ("#0", "e6"),
        ("#1", "#0"),
    ]
    assert branch.entries[2]["firstKeptEntryId"] == "e4"
    assert branch.entries[-1]["timestamp"] == "2026-02-03T08:00:00.000Z"


def test_a_path_that_begins_at_an_orphan_begins_at_a_root() -> None:
    chain = Chain()
    chain.user(parent="gone")
    assert extract(chain.entries, "e1").entries[0]["parentId"] is None


def test_a_branch_of_labels_alone_is_empty() -> None:
    chain = Chain()
    chain.add("label", targetId="x", label="y")
    branch = extract(chain.entries, "e1")
    assert branch.entries == ()
    assert branch.leaf_id is None


def test_an_unknown_leaf_is_refused() -> None:
    with pytest.raises(UnknownEntryError):
        extract(labelled().entries, "nope")


@given(sessions(), st.data())
def test_the_context_of_the_branch_stays_the_same(entries: list[JsonObject], data: st.DataObject) -> None:
    if not entries:
        return
    leaf = data.draw(st.sampled_from(entries))["id"]
    label = {"type": "label", "id": "L", "parentId": leaf, "timestamp": "t", "targetId": leaf, "label": "x"}
    before = copy.deepcopy(entries)
    branch = extract([*entries, label], leaf)
    assert entries == before
    context = build_session_context(entries, leaf)
    assert build_session_context(list(branch.entries)).messages == context.messages
    assert [entry["type"] for entry in branch.entries][-1] == "label"


@given(forests(), st.data())
def test_an_extracted_branch_is_a_chain(entries: list[JsonObject], data: st.DataObject) -> None:
    if not entries:
        return
    branch = extract(entries, data.draw(st.sampled_from(entries))["id"])
    parents = [entry["parentId"] for entry in branch.entries]
    assert parents == [None, *(entry["id"] for entry in branch.entries[:-1])]
