import pytest
from hypothesis import given

from model.json_text import JsonObject
from model.labels import Label, resolve_labels
from tests.model.session_builders import Chain
from tests.model.strategies import messy_sessions

pytestmark = pytest.mark.spec("SF-4.9")


def label(target: object, **fields: object) -> JsonObject:
    return {"type": "label", "id": "l", "parentId": None, "timestamp": "t", "targetId": target, **fields}


def test_the_last_label_of_the_file_counts_whatever_the_branch() -> None:
    chain = Chain()
    chain.user()
    chain.add("label", targetId="e1", label="old")
    chain.add("label", targetId="e1", label="new", parent=None)
    assert resolve_labels(chain.entries) == {"e1": Label("new", chain.entries[2]["timestamp"])}


@pytest.mark.parametrize("cleared", [label("x"), label("x", label=None), label("x", label=""), label("x", label=5)])
def test_a_label_entry_without_text_clears(cleared: JsonObject) -> None:
    assert resolve_labels([label("x", label="a"), cleared]) == {}
    assert resolve_labels([label("x", label="a"), cleared, label("x", label="b")]) == {"x": Label("b", "t")}


def test_labels_of_unknown_entries_stay_and_other_entries_set_none() -> None:
    entries = [label("ghost", label="boo"), label(None, label="x"), {"type": "custom", "targetId": "y", "label": "no"}]
    assert resolve_labels(entries) == {"ghost": Label("boo", "t")}


@given(messy_sessions)
def test_any_json_has_labels(entries: list[JsonObject]) -> None:
    assert all(label.text for label in resolve_labels(entries).values())
