import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.conversation_text import serialize_conversation
from model.json_text import JsonObject
from model.rules import OMP_13_19, PI_1_6, PRESETS, Rules
from tests.model.session_builders import text_block, tool_call
from tests.model.strategies import messy_messages

pytestmark = pytest.mark.spec("CP-12.1")

IMAGE = {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}


def user(content: Any) -> JsonObject:
    return {"role": "user", "content": content}


def assistant(*blocks: JsonObject) -> JsonObject:
    return {"role": "assistant", "content": list(blocks)}


def result(text: str) -> JsonObject:
    return {"role": "toolResult", "content": [text_block(text)]}


@pytest.mark.spec("O-106", "P-125", "P-126", "P-127", "P-128", "P-129", "P-130", "P-162")
def test_every_part_is_a_labelled_paragraph() -> None:
    messages = [
        user("What is in foo.ts?"),
        assistant(
            tool_call("1", "read", path="foo.ts"),
            text_block("Reading."),
            {"type": "thinking", "thinking": "which file?"},
            {"type": "thinking", "thinking": "that one"},
            text_block("Now."),
            tool_call("2", "edit", path="bar.ts", edits=[{"oldText": "a"}]),
            tool_call("3", "ls"),
        ),
        result("x"),
    ]
    assert serialize_conversation(messages) == (
        "[User]: What is in foo.ts?\n\n"
        "[Assistant thinking]: which file?\nthat one\n\n"
        "[Assistant]: Reading.\nNow.\n\n"
        '[Assistant tool calls]: read(path="foo.ts"); edit(path="bar.ts", edits=[{"oldText":"a"}]); ls()\n\n'
        "[Tool result]: x"
    )


@pytest.mark.spec("P-127")
def test_thinking_can_be_left_out() -> None:
    messages = [user("q"), assistant({"type": "thinking", "thinking": "t"}), user("r")]
    assert serialize_conversation(messages) == "[User]: q\n\n[Assistant thinking]: t\n\n[User]: r"
    assert serialize_conversation(messages, include_thinking=False) == "[User]: q\n\n[User]: r"
    assert serialize_conversation(messages, rules=PI_1_6) == "[User]: q\n\n[User]: r"
    assert serialize_conversation(messages, include_thinking=True, rules=PI_1_6).count("thinking") == 1
    assert serialize_conversation(messages, rules=OMP_13_19).count("thinking") == 1


@pytest.mark.parametrize("content", ["", [], [IMAGE], None, 5, [text_block("")]])
def test_inputs_and_results_without_text_leave_no_trace(content: Any) -> None:
    messages = [user(content), {"role": "toolResult", "content": content}]
    assert serialize_conversation(messages) == ""


def test_texts_of_inputs_and_results_are_joined_without_separator() -> None:
    blocks = [text_block("a "), IMAGE, text_block("b")]
    assert serialize_conversation([user(blocks)]) == "[User]: a b"
    assert serialize_conversation([{"role": "toolResult", "content": blocks}]) == "[Tool result]: a b"
    assert serialize_conversation([{"role": "toolResult", "content": "plain"}]) == "[Tool result]: plain"


def test_an_answer_with_an_empty_text_block_is_labelled() -> None:
    assert serialize_conversation([assistant(text_block(""))]) == "[Assistant]: "
    assert serialize_conversation([assistant()]) == ""


def test_prompts_are_left_out_and_developer_messages_are_inputs() -> None:
    messages = [{"role": role, "content": role} for role in ("system", "developer", "observer", "user")]
    assert serialize_conversation(messages) == "[User]: developer\n\n[User]: user"
    for rules in (PI_1_6, OMP_13_19):
        assert serialize_conversation(messages, rules=rules) == "[User]: user"


@pytest.mark.spec("P-132", "P-133", "P-134")
def test_tool_results_are_cut_at_two_thousand_characters() -> None:
    assert serialize_conversation([result("x" * 2000)]) == "[Tool result]: " + "x" * 2000
    cut = serialize_conversation([result("x" * 2001)])
    assert cut == "[Tool result]: " + "x" * 2000 + "\n\n[... 1 more characters truncated]"
    assert len(serialize_conversation([user("x" * 9000), assistant(text_block("y" * 9000))])) > 18_000


@pytest.mark.spec("P-132")
def test_the_cut_counts_utf16_units_and_keeps_pairs_together() -> None:
    text = "x" * 1999 + "😀😀"
    cut = serialize_conversation([result(text)])
    assert cut == "[Tool result]: " + "x" * 1999 + "\n\n[... 3 more characters truncated]"
    assert serialize_conversation([result(text)], rules=OMP_13_19).startswith(
        "[Tool result]: " + "x" * 1999 + "\ud83d\n"
    )


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"b": 1, "1": 2.0}, "t(1=2, b=1)"),
        ({"a b": None, "": "\ud83d"}, 't(a b=null, ="\\ud83d")'),
        ("a😀", 't(0="a", 1="\\ud83d", 2="\\ude00")'),
        (["x", 5], 't(0="x", 1=5)'),
        (5, "t()"),
        (None, "t()"),
        (True, "t()"),
    ],
)
def test_arguments_print_as_javascript_lists_them(arguments: Any, text: str) -> None:
    call = {"type": "toolCall", "name": "t", "arguments": arguments}
    assert serialize_conversation([assistant(call)]) == f"[Assistant tool calls]: {text}"


@given(st.lists(messy_messages, max_size=4), st.sampled_from(list(PRESETS.values())))
@pytest.mark.spec("SF-9.5")
def test_any_messages_have_a_text(messages: list[JsonObject], rules: Rules) -> None:
    before = copy.deepcopy(messages)
    assert isinstance(serialize_conversation(messages, rules=rules), str)
    assert messages == before
