"""The context message by message: marks, sums, and sizes that are told apart."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from model.context import path_context
from model.context_listing import ContextListing, list_context
from model.json_text import JsonObject
from model.token_estimates import estimate_tokens
from services.prompt_texts import context_templates

TIME = "2026-01-01T00:00:00.000Z"


def entry(id: str, kind: str = "message", **fields: Any) -> JsonObject:
    return {"type": kind, "id": id, "parentId": None, "timestamp": TIME, **fields}


def said(id: str, role: str, text: str, usage: int = 0, **more: Any) -> JsonObject:
    message = {"role": role, "content": [{"type": "text", "text": text}], **more}
    if usage:
        message["usage"] = {"totalTokens": usage}
    return entry(id, message=message)


def listing(path: list[JsonObject]) -> ContextListing:
    return list_context(path, path_context(path).projection, context_templates())


def marks(path: list[JsonObject]) -> list[tuple[str | None, tuple[str, ...]]]:
    return [(each.entry_id, each.marks) for each in listing(path).messages]


def test_marks() -> None:
    path = [
        said("u1", "user", "old"),
        said("u2", "user", "kept"),
        said("t", "toolResult", "out", prunedAt=5),
        entry("k", "compaction", summary="S", firstKeptEntryId="u2"),
        entry("b", "branch_summary", summary="B", fromId="x"),
        said("u3", "user", "long " * 50),
        said("u4", "user", "gone"),
        entry("e1", "context_edit", targetId="u3", replacement={"content": "short"}),
        entry("e2", "context_edit", targetId="u4", replacement=None),
        entry("h", message={"role": "bashExecution", "command": "ls", "output": "", "excludeFromContext": True}),
    ]
    assert marks(path) == [
        ("k", ("summary",)),
        ("u2", ("kept",)),
        ("t", ("kept", "pruned")),
        ("b", ("branch summary",)),
        ("u3", ("edited",)),
        ("h", ("not sent",)),
    ]
    found = listing(path)
    assert found.left_out == 1
    assert found.messages[4].counted_texts == ("short",)
    assert found.messages[0].counted_texts[0].endswith("</summary>")
    assert [each.role for each in found.messages] == ["user", "user", "toolResult", "user", "user", "bashExecution"]


def test_failed_answers_are_not_sent_and_not_counted() -> None:
    """The agents show them and send them to no model; the recorded size is of what was sent."""
    path = [
        said("a", "user", "x"),
        said("b", "assistant", "half", stopReason="error", errorMessage="Overloaded"),
        said("c", "assistant", "stopped", stopReason="aborted"),
        said("d", "assistant", "y", 900, stopReason="stop"),
        said("e", "user", "z"),
    ]
    found = listing(path)
    assert marks(path) == [("a", ()), ("b", ("not sent",)), ("c", ()), ("d", ()), ("e", ())]
    assert found.messages[1].message["errorMessage"] == "Overloaded"
    assert found.messages[1].counted_texts == ()
    assert found.sent_count == 4
    assert found.recorded is not None
    assert (found.recorded.messages, found.recorded.sent) == (4, 3)


def test_sums_are_those_of_the_estimates() -> None:
    path = [said("a", "user", "x" * 9), said("b", "assistant", "y" * 40)]
    found = listing(path)
    assert [(each.tokens, each.total) for each in found.messages] == [(3, 3), (10, 13)]
    assert found.estimate == sum(estimate_tokens(item["message"]) for item in path)
    assert listing([]).estimate == 0


def test_c09_usage_from_before_a_compaction_or_edit_is_not_recorded_here() -> None:
    """C09, CB-11: it measured what is gone."""
    path = [said("a", "user", "x"), said("b", "assistant", "y", 265_000), said("c", "user", "z")]
    assert listing(path).recorded is not None
    compacted = [*path, entry("k", "compaction", summary="S", firstKeptEntryId="b")]
    assert listing(compacted).recorded is None
    assert listing(compacted).calibrated is None
    edited = [*path, entry("e", "context_edit", targetId="a", replacement=None)]
    assert listing(edited).recorded is None


def test_k10_answers_that_failed_measure_nothing() -> None:
    """K10: the usage before them counts, and the estimate of the rest."""
    path = [
        said("a", "user", "x" * 400),
        said("b", "assistant", "y" * 400, 300),
        said("c", "user", "z" * 400),
        said("d", "assistant", "", 9, stopReason="aborted"),
    ]
    recorded = listing(path).recorded
    assert recorded is not None
    assert (recorded.tokens, recorded.messages) == (300, 2)


def test_k01_the_calibrated_size_follows_the_recorded_usage() -> None:
    """K01: Chinese text is some four times what a quarter of its characters says; both numbers are told."""
    tokens = 1000  # one a character
    path = [
        said("a", "user", "中" * 1000),
        said("b", "assistant", "文" * 1000, 500 + 2 * tokens),  # and 500 of tools
        said("c", "user", "中" * 1000),
        said("d", "assistant", "文" * 1000, 500 + 4 * tokens),
        said("e", "user", "中" * 1000),
    ]
    found = listing(path)
    assert found.estimate == 1250
    assert found.calibrated == 500 + 5 * tokens
    assert listing(path[:2]).calibrated == 2500
    assert listing(path[:3]).calibrated == 2500 + 250 * 5


USAGES = (
    st.none()
    | st.integers(-5, 10**6)
    | st.text(max_size=2)
    | st.dictionaries(st.sampled_from(["totalTokens", "input"]), st.integers(-5, 10**7))
)


@given(
    st.lists(st.tuples(st.sampled_from(["user", "assistant", "toolResult", "x", None]), st.text(max_size=9), USAGES))
)
def test_any_path_can_be_listed(items: list[tuple[Any, str, Any]]) -> None:
    path = [
        entry(f"{n}", message={"role": role, "content": text, "usage": usage})
        for n, (role, text, usage) in enumerate(items)
    ]
    found = listing(path)
    assert found.estimate == sum(each.tokens for each in found.messages)
    assert found.calibrated is None or found.calibrated >= 0
