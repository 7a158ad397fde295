import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.json_text import JsonObject
from model.llm_messages import ContextTemplates, convert_to_llm, render_summary
from model.rules import BRANCHWORK, OMP_13_19, PI_1_6, PRESETS, Rules
from tests.model.session_builders import text_block
from tests.model.strategies import messy_messages

TEMPLATES = ContextTemplates(
    compaction_summary="Earlier work:\n\n<summary>\n{{summary}}\n</summary>\n",
    branch_summary="Another branch:\n\n<summary>\n{{summary}}\n</summary>\n",
)
IMAGE = {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}


def converted(message: JsonObject, rules: Rules = BRANCHWORK) -> list[JsonObject]:
    return convert_to_llm([message], TEMPLATES, rules)


def text_of(message: JsonObject, rules: Rules = BRANCHWORK) -> str:
    (plain,) = converted(message, rules)
    assert plain["role"] == "user"
    (block,) = plain["content"]
    return str(block["text"])


@pytest.mark.spec("CB-8", "O-105")
@pytest.mark.parametrize("role", ["user", "assistant", "toolResult", "system", "developer"])
def test_messages_that_a_model_knows_pass_unchanged(role: str) -> None:
    message = {"role": role, "content": [text_block("x"), IMAGE], "timestamp": 1, "unknown": {"kept": True}}
    assert converted(message) == [message]


@pytest.mark.spec("CB-8", "SF-9.5")
@pytest.mark.parametrize("role", ["observer", None, 5])
def test_other_roles_are_left_out(role: Any) -> None:
    user = {"role": "user", "content": "u"}
    assert convert_to_llm([{"role": role, "content": "x"}, user], TEMPLATES) == [user]
    assert convert_to_llm([], TEMPLATES) == []


@pytest.mark.spec("CB-8")
def test_what_each_agent_leaves_out() -> None:
    for role in ("developer", "hookMessage", "pythonExecution", "fileMention"):
        assert converted({"role": role, "content": "x"}, PI_1_6) == []
    assert converted({"role": "system", "content": "x"}, OMP_13_19) == []
    assert len(converted({"role": "system", "content": "x"}, PI_1_6)) == 1


@pytest.mark.spec("CB-8", "SF-4.4", "O-038")
@pytest.mark.parametrize("role", ["custom", "hookMessage"])
def test_extension_messages_become_user_messages(role: str) -> None:
    message = {"role": role, "customType": "n", "content": "note", "details": {"secret": 1}, "timestamp": 6}
    assert converted(message) == [{"role": "user", "content": [text_block("note")], "timestamp": 6}]
    blocks = [text_block("a"), IMAGE]
    assert converted({**message, "content": blocks}) == [{"role": "user", "content": blocks, "timestamp": 6}]
    assert converted({**message, "attribution": "user"}, OMP_13_19)[0]["attribution"] == "user"
    assert "attribution" not in converted({**message, "attribution": "user"})[0]


@pytest.mark.spec("CB-8", "CB-9", "O-006", "O-039", "O-040", "O-041")
def test_summaries_are_put_into_their_templates() -> None:
    compaction = {"role": "compactionSummary", "summary": "## Goal", "tokensBefore": 1, "timestamp": 7}
    assert text_of(compaction) == "Earlier work:\n\n<summary>\n## Goal\n</summary>"
    branch = {"role": "branchSummary", "summary": "tried", "fromId": "x", "timestamp": 7}
    assert text_of(branch) == "Another branch:\n\n<summary>\ntried\n</summary>"
    assert converted(branch)[0]["timestamp"] == 7
    assert converted(branch, OMP_13_19)[0]["attribution"] == "agent"


@pytest.mark.spec("CB-8")
def test_a_provider_payload_travels_along() -> None:
    payload = {"type": "openaiResponsesHistory", "items": []}
    message = {"role": "compactionSummary", "summary": "s", "providerPayload": payload, "timestamp": 7}
    assert converted(message)[0]["providerPayload"] == payload


@pytest.mark.spec("CB-9")
@pytest.mark.parametrize(
    ("template", "summary", "text"),
    [
        ("<{{summary}}>", "a {{summary}} b", "<a {{summary}} b>"),
        ("<{{summary}}>{{summary}}", "s", "<s>{{summary}}"),
        ("<{{summary}}>", "{{#if x}}\\1{{/if}} \\g<0>", "<{{#if x}}\\1{{/if}} \\g<0>>"),
        ("{{summary}}\n \t\n", "s", "s"),
        ("no place", "s", "no places"),
    ],
)
def test_a_summary_is_inserted_once_and_literally(template: str, summary: str, text: str) -> None:
    assert render_summary(template, summary) == text


BASH: JsonObject = {"role": "bashExecution", "command": "npm test", "output": "ok\n", "exitCode": 0, "timestamp": 5}
PYTHON: JsonObject = {"role": "pythonExecution", "code": "1/0", "output": "", "exitCode": 1, "timestamp": 5}


class TestCommands:
    @pytest.mark.spec("CB-8")
    @pytest.mark.parametrize(
        ("fields", "text"),
        [
            ({}, "Ran `npm test`\n```\nok\n\n```"),
            ({"output": ""}, "Ran `npm test`\n(no output)"),
            ({"output": None}, "Ran `npm test`\n(no output)"),
            ({"exitCode": None}, "Ran `npm test`\n```\nok\n\n```"),
            ({"exitCode": 2}, "Ran `npm test`\n```\nok\n\n```\n\nCommand exited with code 2"),
            ({"exitCode": -1.0}, "Ran `npm test`\n```\nok\n\n```\n\nCommand exited with code -1"),
            ({"exitCode": "SIGHUP"}, "Ran `npm test`\n```\nok\n\n```\n\nCommand exited with code SIGHUP"),
            ({"exitCode": [1]}, "Ran `npm test`\n```\nok\n\n```\n\nCommand exited with code ?"),
            ({"exitCode": 130, "cancelled": True}, "Ran `npm test`\n```\nok\n\n```\n\n(command cancelled)"),
            (
                {"exitCode": 2, "truncated": True, "fullOutputPath": "/tmp/o"},
                "Ran `npm test`\n```\nok\n\n```\n\nCommand exited with code 2\n\n"
                "[Output truncated. Full output: /tmp/o]",
            ),
            ({"truncated": True}, "Ran `npm test`\n```\nok\n\n```"),
            ({"fullOutputPath": "/tmp/o"}, "Ran `npm test`\n```\nok\n\n```"),
        ],
    )
    def test_a_shell_command(self, fields: JsonObject, text: str) -> None:
        assert text_of({**BASH, **fields}) == text

    @pytest.mark.spec("CB-8")
    def test_a_python_execution(self) -> None:
        assert text_of(PYTHON) == "Ran Python:\n```python\n1/0\n```\n(no output)\n\nExecution failed with code 1"
        shown = "Ran Python:\n```python\n1/0\n```\nOutput:\n```\nx\n```\n\n(execution cancelled)"
        assert text_of({**PYTHON, "output": "x", "cancelled": True}) == shown

    @pytest.mark.spec("CB-8")
    def test_what_was_excluded_is_left_out(self) -> None:
        for message in (BASH, PYTHON):
            assert converted({**message, "excludeFromContext": True}) == []
            assert len(converted({**message, "excludeFromContext": False})) == 1

    @pytest.mark.parametrize(
        ("meta", "notice"),
        [
            ({"truncation": {"totalLines": 9, "shownRange": {"start": 2, "end": 9}}}, "[Showing lines 2-9 of 9]"),
            ({"truncation": {"totalLines": 9, "shownRange": {"start": 2, "end": 2}}}, "[Showing lines 2-2 of 9]"),
            (
                {"truncation": {"totalLines": 9, "outputLines": 3, "shownRange": {"start": 2, "end": 1}}},
                "[Showing 3 of 9 lines]",
            ),
            (
                {"truncation": {"totalLines": 9, "outputLines": 3, "truncatedBy": "bytes", "outputBytes": 1023}},
                "[Showing 3 of 9 lines (1023B limit)]",
            ),
            (
                {
                    "truncation": {
                        "totalLines": 9,
                        "outputLines": 3,
                        "truncatedBy": "bytes",
                        "outputBytes": 1,
                        "maxBytes": 1536,
                        "nextOffset": 4,
                        "artifactId": "7",
                    }
                },
                "[Showing 3 of 9 lines (1.5KB limit). Use offset=4 to continue. Read artifact://7 for full output]",
            ),
            (
                {"truncation": {"totalLines": 1, "outputLines": 1, "truncatedBy": "bytes", "maxBytes": 3 * 1024**2}},
                "[Showing 1 of 1 lines (3.0MB limit)]",
            ),
            (
                {"truncation": {"totalLines": 1, "outputLines": 1, "truncatedBy": "bytes", "maxBytes": 2 * 1024**3}},
                "[Showing 1 of 1 lines (2.0GB limit)]",
            ),
            (
                {
                    "limits": {
                        "matchLimit": {"reached": 5, "suggestion": 10},
                        "resultLimit": {"reached": 1, "suggestion": 2},
                        "headLimit": {"reached": 3, "suggestion": 6},
                        "columnTruncated": {"maxColumn": 200},
                    }
                },
                "[5 matches limit reached. Use limit=10 for more. 1 results limit reached. Use limit=2 for more. "
                "3 results limit reached. Use limit=6 for more. Some lines truncated to 200 chars]",
            ),
        ],
    )
    @pytest.mark.spec("CB-8")
    def test_omp_tells_what_was_cut_off(self, meta: JsonObject, notice: str) -> None:
        message = {**BASH, "meta": meta}
        assert text_of(message) == f"Ran `npm test`\n```\nok\n\n```\n\n{notice}"
        assert text_of({**PYTHON, "meta": meta}).endswith(f"\n\n{notice}")
        assert text_of(message, PI_1_6) == "Ran `npm test`\n```\nok\n\n```"

    @pytest.mark.parametrize("meta", [None, {}, [], {"truncation": 5, "limits": 5}, {"limits": {"matchLimit": 5}}])
    @pytest.mark.spec("CB-8", "SF-9.5")
    def test_an_output_record_without_limits_says_nothing(self, meta: Any) -> None:
        assert text_of({**BASH, "meta": meta}) == "Ran `npm test`\n```\nok\n\n```"

    @pytest.mark.spec("CB-8")
    def test_omp_names_no_path_of_the_full_output(self) -> None:
        message = {**BASH, "truncated": True, "fullOutputPath": "/tmp/o"}
        assert text_of(message, OMP_13_19) == "Ran `npm test`\n```\nok\n\n```"
        assert converted(message, OMP_13_19)[0]["attribution"] == "user"


@pytest.mark.spec("CB-8")
def test_mentioned_files() -> None:
    files = [{"path": "a.md", "content": "text"}, {"path": "b.png", "content": "", "image": IMAGE}, "no file"]
    (message,) = converted({"role": "fileMention", "files": files, "timestamp": 3})
    text = '<system-reminder>\n<file path="a.md">\ntext\n</file>\n\n<file path="b.png">\n</file>\n</system-reminder>'
    assert message == {"role": "user", "content": [text_block(text), IMAGE], "timestamp": 3}


@pytest.mark.spec("CB-8", "SF-5.1")
def test_a_pruned_result_keeps_its_text() -> None:
    result = {
        "role": "toolResult",
        "toolCallId": "t",
        "content": [text_block("a"), IMAGE, text_block("b")],
        "prunedAt": 9,
    }
    assert converted(result)[0]["content"] == [text_block("ab")]
    assert converted({**result, "content": [IMAGE]})[0]["content"] == [text_block("[Output truncated]")]
    assert converted({**result, "prunedAt": None})[0]["content"] == result["content"]
    assert converted({**result, "role": "user"})[0]["content"] == result["content"]
    assert converted(result, PI_1_6) == [result]


@pytest.mark.spec("CB-8")
@pytest.mark.parametrize(("role", "attribution"), [("user", "user"), ("developer", "agent"), ("toolResult", "agent")])
def test_omp_attributes_what_is_not_attributed(role: str, attribution: str) -> None:
    message = {"role": role, "content": "x"}
    assert converted(message, OMP_13_19) == [{**message, "attribution": attribution}]
    assert converted({**message, "attribution": "someone"}, OMP_13_19) == [{**message, "attribution": "someone"}]
    assert converted({"role": "assistant", "content": []}, OMP_13_19) == [{"role": "assistant", "content": []}]


@given(st.lists(messy_messages, max_size=4), st.sampled_from(list(PRESETS.values())))
@pytest.mark.spec("CB-10", "SF-9.5")
def test_any_messages_are_converted_and_none_is_changed(messages: list[JsonObject], rules: Rules) -> None:
    before = copy.deepcopy(messages)
    plain = convert_to_llm(messages, TEMPLATES, rules)
    assert {message["role"] for message in plain} <= {"system", "developer", "user", "assistant", "toolResult"}
    assert convert_to_llm(messages, TEMPLATES, rules) == plain
    assert messages == before
