import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.context import build_session_projection
from model.json_text import JsonObject
from model.rules import BRANCHWORK, OMP_13_19, PI_1_6, PRESETS, Rules
from model.token_estimates import (
    ContextEstimate,
    ContextUsage,
    context_size,
    context_usage,
    estimate_context,
    estimate_messages,
    estimate_tokens,
    last_usage,
    measured_content,
    prompt_size,
    valid_usage,
)
from tests.model.session_builders import Chain, text_block, tool_call, usage
from tests.model.strategies import messy_messages, messy_sessions

IMAGE = {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}
TEN = "x" * 40  # ten tokens


class TestMessages:
    @pytest.mark.spec("CP-4.1")
    @pytest.mark.parametrize(("text", "tokens"), [("", 0), ("abcd", 1), ("abcde", 2), ("👨‍👩‍👧‍👦", 3), ("ช" * 8, 2)])
    def test_a_quarter_of_the_utf16_units_rounded_up(self, text: str, tokens: int) -> None:
        assert estimate_tokens({"role": "user", "content": text}) == tokens

    @pytest.mark.spec("CP-4.1")
    @pytest.mark.parametrize("role", ["user", "developer", "custom", "hookMessage", "toolResult"])
    def test_blocks_are_summed_and_an_image_is_1200_tokens(self, role: str) -> None:
        content = [text_block("abc"), text_block("de"), text_block("f"), {"type": "text"}, {"type": "mystery"}]
        assert estimate_tokens({"role": role, "content": content}) == 2
        assert estimate_tokens({"role": role, "content": [*content, IMAGE, IMAGE]}) == 2402

    @pytest.mark.spec("CP-4.1")
    def test_an_answer_counts_text_thinking_and_calls(self) -> None:
        content = [
            text_block("abcd"),
            {"type": "thinking", "thinking": "efgh"},
            tool_call("t", "read", path="a"),
            {"type": "redactedThinking", "data": "x" * 400},
            IMAGE,
        ]
        assert estimate_tokens({"role": "assistant", "content": content}) == -(-(4 + 4 + 4 + len('{"path":"a"}')) // 4)
        assert estimate_tokens({"role": "assistant", "content": [{"type": "toolCall", "name": "ls"}]}) == 1

    @pytest.mark.spec("CP-4.1")
    @pytest.mark.parametrize(
        ("message", "units"),
        [
            ({"role": "bashExecution", "command": "ls -l", "output": "abc"}, 8),
            ({"role": "bashExecution", "command": "abcd"}, 4),
            ({"role": "pythonExecution", "code": "1/0", "output": "x" * 9}, 12),
            ({"role": "branchSummary", "summary": TEN, "fromId": TEN}, 40),
            ({"role": "compactionSummary", "summary": TEN, "shortSummary": TEN}, 40),
            (
                {"role": "fileMention", "files": [{"path": "abcd", "content": "efgh", "image": IMAGE}, {"path": "a"}]},
                4809,
            ),
            (
                {
                    "role": "system",
                    "content": "You help",
                    "sections": {"a": "1234", "b": None},
                    "toolsAdded": [{"name": "t"}],
                },
                8 + 4 + len('[{"name":"t"}]'),
            ),
            ({"role": "system", "content": "You help", "toolsAdded": None}, 8),
            ({"role": "observer", "content": TEN}, 0),
            ({"content": TEN}, 0),
        ],
    )
    def test_the_other_roles(self, message: JsonObject, units: int) -> None:
        assert estimate_tokens(message) == -(-units // 4)

    @pytest.mark.spec("CP-4.1")
    def test_what_each_agent_does_not_count(self) -> None:
        messages = {
            role: {"role": role, "content": TEN, "code": TEN} for role in ("developer", "custom", "hookMessage")
        }
        assert [estimate_tokens(message, PI_1_6) for message in messages.values()] == [0, 10, 0]
        assert [estimate_tokens(message, OMP_13_19) for message in messages.values()] == [0, 0, 10]
        image = {"role": "user", "content": [IMAGE]}
        assert [estimate_tokens(image, rules) for rules in (BRANCHWORK, PI_1_6, OMP_13_19)] == [1200, 1200, 0]
        result = {"role": "toolResult", "content": [IMAGE]}
        assert estimate_tokens(result, OMP_13_19) == 1200

    @pytest.mark.spec("CP-4.1")
    def test_what_is_measured_can_be_counted_otherwise(self) -> None:
        content = measured_content({"role": "toolResult", "content": [text_block("a"), IMAGE, text_block("b")]})
        assert content.texts == ("a", "b")
        assert content.images == 1

    @given(messy_messages, st.sampled_from(list(PRESETS.values())))
    @pytest.mark.spec("SF-9.5")
    def test_any_message_has_an_estimate(self, message: JsonObject, rules: Rules) -> None:
        before = copy.deepcopy(message)
        assert estimate_tokens(message, rules) >= 0
        assert message == before


class TestUsage:
    @pytest.mark.spec("CP-4.2", "SF-5.3")
    @pytest.mark.parametrize(
        ("record", "context", "prompt"),
        [
            ({"input": 100, "output": 20, "cacheRead": 30, "cacheWrite": 4, "totalTokens": 999}, 999, 134),
            ({"input": 100, "output": 20, "cacheRead": 30, "cacheWrite": 4, "totalTokens": 0}, 154, 134),
            ({"input": 0, "output": 20, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 20}, 20, 20),
            ({"output": 7}, 7, 7),
            ({}, 0, 0),
            (None, 0, 0),
            ({"input": "5", "output": True, "totalTokens": None, "cacheRead": float("nan")}, 0, 0),
        ],
    )
    def test_sizes_of_a_record(self, record: Any, context: int, prompt: int) -> None:
        assert context_size(record) == context
        assert prompt_size(record) == prompt

    @pytest.mark.spec("CP-1")
    def test_only_an_answer_that_ended_well_measures(self) -> None:
        answer = {"role": "assistant", "stopReason": "stop", "usage": usage(5)}
        assert valid_usage(answer) == usage(5)
        assert valid_usage({**answer, "stopReason": "length"}) == usage(5)
        assert valid_usage({**answer, "stopReason": "error"}) is None
        assert valid_usage({**answer, "stopReason": "aborted"}) is None
        assert valid_usage({**answer, "role": "user"}) is None
        assert valid_usage({**answer, "usage": None}) is None
        assert valid_usage({**answer, "usage": usage(0)}) is None
        assert valid_usage({**answer, "usage": usage(0)}, OMP_13_19) == usage(0)
        assert valid_usage(None) is None

    @pytest.mark.spec("CP-1")
    def test_the_last_valid_usage_of_a_path(self) -> None:
        chain = Chain()
        assert last_usage(chain.entries) is None
        chain.assistant(usage=usage(10))
        chain.assistant(usage=usage(20), stopReason="error")
        chain.user()
        assert last_usage(chain.entries) == usage(10)


class TestContext:
    @pytest.mark.spec("CP-4.3")
    def test_a_measured_context_is_its_usage_and_what_follows(self) -> None:
        messages = [
            {"role": "user", "content": TEN},
            {"role": "assistant", "usage": usage(960)},
            {"role": "user", "content": TEN},
        ]
        assert estimate_messages(messages) == ContextEstimate(970, 960, 10, 1)
        assert estimate_messages(messages[:1]) == ContextEstimate(10, 0, 10, None)
        assert estimate_messages([]) == ContextEstimate(0)

    def estimate(self, chain: Chain, rules: Rules = BRANCHWORK) -> ContextEstimate:
        return estimate_context(chain.entries, build_session_projection(chain.entries, rules), rules)

    @pytest.mark.spec("CP-4.3")
    def test_usage_from_before_a_compaction_is_not_trusted(self) -> None:
        chain = Chain()
        chain.user(TEN)
        chain.assistant(TEN, usage=usage(40_000))
        assert self.estimate(chain) == ContextEstimate(40_000, 40_000, 0, 1)
        chain.compaction("e2", TEN)
        chain.user(TEN)
        assert self.estimate(chain) == ContextEstimate(30, 0, 30, None)
        chain.assistant("x", usage=usage(300))
        chain.user(TEN)
        assert self.estimate(chain) == ContextEstimate(310, 300, 10, 3)

    @pytest.mark.spec("CP-4.3", "CB-6")
    def test_usage_from_before_an_edit_is_not_trusted(self) -> None:
        chain = Chain()
        chain.user(TEN)
        chain.assistant(TEN, usage=usage(400))
        chain.add("label", targetId="e1", label="x")
        assert self.estimate(chain).tokens == 400
        chain.add("context_edit", targetId="e1", replacement=None)
        assert self.estimate(chain) == ContextEstimate(10, 0, 10, None)

    @pytest.mark.spec("CP-4.3")
    def test_of_several_prompts_only_the_one_in_force_counts(self) -> None:
        chain = Chain()
        chain.message("system", content="x" * 16, toolsAdded=[{"name": "read"}])
        chain.message("system", content="", sections={"cwd": "x" * 8}, toolsRemoved=[{"name": "read"}])
        chain.user(TEN)
        assert self.estimate(chain) == ContextEstimate(16, 0, 16, None)

    def status(self, chain: Chain, rules: Rules = BRANCHWORK, window: float = 1000) -> ContextUsage | None:
        return context_usage(chain.entries, build_session_projection(chain.entries, rules), window, rules)

    @pytest.mark.spec("CB-11")
    def test_the_size_is_unknown_from_a_compaction_to_the_next_answer(self) -> None:
        """Field report K06."""
        chain = Chain()
        assert self.status(chain) == ContextUsage(0, 1000, 0)
        chain.user(TEN)
        chain.assistant(usage=usage(400))
        chain.user(TEN)
        assert self.status(chain) == ContextUsage(410, 1000, 41)
        chain.compaction("e2")
        chain.assistant(usage=usage(120), stopReason="error")
        assert self.status(chain) == ContextUsage(None, 1000, None)
        chain.assistant(usage=usage(130))
        assert self.status(chain) == ContextUsage(130, 1000, 13)

    @pytest.mark.spec("CB-11")
    @pytest.mark.parametrize("window", [0, -1])
    def test_without_a_window_there_is_no_status(self, window: int) -> None:
        assert self.status(Chain(), window=window) is None

    @pytest.mark.spec("CB-11")
    def test_omp_takes_the_prompt_size_of_the_last_answer_whatever_its_end(self) -> None:
        chain = Chain()
        chain.user(TEN)
        assert self.status(chain, OMP_13_19) == ContextUsage(10, 1000, 1)
        chain.assistant(usage=usage(130, output=10))
        assert self.status(chain, OMP_13_19) == ContextUsage(120, 1000, 12)
        chain.assistant(usage=usage(0), stopReason="aborted")
        chain.user(TEN)
        assert self.status(chain, OMP_13_19) == ContextUsage(10, 1000, 1)
        chain.compaction("e1")
        chain.assistant(usage=usage(55))
        chain.assistant(usage=usage(0))
        assert self.status(chain, OMP_13_19) == ContextUsage(None, 1000, None)
        assert self.status(chain) == ContextUsage(57, 1000, pytest.approx(5.7))

    @given(messy_sessions, st.sampled_from(list(PRESETS.values())))
    @pytest.mark.spec("SF-9.5")
    def test_any_path_has_a_size(self, path: list[JsonObject], rules: Rules) -> None:
        projection = build_session_projection(path, rules)
        assert estimate_context(path, projection, rules).tokens is not None
        assert context_usage(path, projection, 1000, rules) is not None
