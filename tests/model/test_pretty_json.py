"""JSON laid out for reading is the same JSON, whatever it is."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from model.entry_text import entry_sections, message_beginning, message_text
from model.json_text import stringify
from model.pretty_json import pretty_json

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**15), 10**15) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=20,
)


@given(VALUES)
def test_the_same_value(value: Any) -> None:
    assert json.loads(pretty_json(value)) == json.loads(stringify(value))


def test_layout() -> None:
    assert pretty_json({"a": [1, {"b": "é"}], "c": {}, "d": 1.0}) == (
        '{\n  "a": [\n    1,\n    {\n      "b": "é"\n    }\n  ],\n  "c": {},\n  "d": 1\n}'
    )


def test_any_depth() -> None:
    value: Any = 1
    for _ in range(20_000):
        value = [value]
    assert pretty_json(value).count("[") == 20_000
    sections = entry_sections({"type": "custom", "id": "x", "data": value})
    assert sections[0].name == "data"


@given(VALUES, VALUES, VALUES)
def test_odd_entries_have_sections_or_none(content: Any, block: Any, role: Any) -> None:
    """S18: null and wrong types anywhere read as nothing."""
    for kind in ("message", "compaction", "branch_summary", "custom_message", "x", None, content):
        entry = {"type": kind, "content": content, "summary": block, "details": role, "message": content}
        assert all(section.text for section in entry_sections(entry))
    for name in ("user", "assistant", "toolResult", "bashExecution", "fileMention", "system", role):
        message = {
            "role": name,
            "content": [block, {"type": role, "text": content}, {"type": "toolCall", "arguments": block}],
        }
        message |= {"files": content, "command": block, "output": role, "sections": content, "exitCode": block}
        assert isinstance(message_text(message), str)
        assert len(message_beginning(message, 7)) <= 7


def test_the_beginning_of_a_message_is_one_line() -> None:
    message = {
        "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": "a\n\nb"},
            {"type": "text", "text": "c " * 900},
            {"type": "text", "text": "d"},
        ],
    }
    assert message_beginning(message, 30) == "[Thinking] a b c c c c c c c c"
    assert message_beginning({"role": "toolResult", "content": "x\ty"}, 30) == "x y"
    assert message_beginning({}, 30) == ""
