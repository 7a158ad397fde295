"""Context overflow reported by a provider (CP-2.2)."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.overflow import is_context_overflow, is_overflow_text
from model.overflow_patterns import NON_OVERFLOW_PHRASES, OVERFLOW_PHRASES
from model.rules import OMP_13_19, PI_1_6, PRESETS
from tests.model.session_builders import usage
from tests.model.strategies import messy_messages

# One message for each phrase of the list, in its order.
EXAMPLES = (
    "400 invalid_request_error: prompt is too long: 204857 tokens > 200000 maximum",
    '{"code":"1261","message":"Prompt too long"}',
    "Prompt exceeds max length",
    '413 {"type":"error","error":{"type":"request_too_large"}}',
    "Request exceeds the maximum size",
    "413 Payload Too Large",
    "Request Entity Too Large",
    "HTTP 413: the request is much too large",
    "413 Content rejected",
    "ValidationException: Input is too long for requested model.",
    "Your input exceeds the context window of this model",
    "Requested token count exceeds the model's maximum context length of 131,072 tokens",
    "This endpoint's maximum context length is 131072 tokens.",
    "This endpoint's maximum context length is 131,072 tokens.",
    "Context Window exceeded for given call.",
    "invalid params, context window exceeds limit (2013)",
    "the context size is far too small",
    "error code: context_length_exceeded",
    "finish reason: model_context_window_exceeded",
    "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).",
    "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    "Please reduce the length of the messages or completion.",
    "Input length 9 exceeds the maximum allowed input length of 8 tokens.",
    "The input (9000 tokens) is longer than the model's context length (8192 tokens).",
    "prompt token count of 190000 exceeds the limit of 128000",
    "the request exceeds the available context size, try increasing it",
    "requested tokens (9000) exceed context window of 8192",
    "requested tokens greater than n_ctx",
    "the input is too large for the context",
    "The number of tokens to keep is greater than the context length",
    "Your request exceeded model token limit: 262144 (requested: 291351)",
    "Prompt contains 40000 tokens, too large for model with 32768 maximum context length",
    "Prompt has 9,000 tokens, but the configured context size is 8,192 tokens",
    "Range of input length should be [1, 98304]",
    "token limit exceeded",
    "Too many tokens in request",
    "400 status code (no body)",
)
OTHER_ERRORS = (
    "529 overloaded_error: Overloaded",
    "upstream said 413 while reading",
    "model runner crashed unexpectedly",
    "429 rate limit: too many tokens per minute",
    "429 Too Many Requests: prompt is too long",
    "Throttling error: Too many tokens, please wait before trying again.",
    "ThrottlingException: Too many tokens, please wait before trying again.",
    "Service unavailable: too many tokens",
)


def failed(text: Any, **fields: Any) -> dict[str, Any]:
    return {"role": "assistant", "stopReason": "error", "errorMessage": text, "provider": "acme", **fields}


@pytest.mark.spec("O-045", "O-061")
class TestErrorTexts:
    @pytest.mark.parametrize(("phrase", "text"), list(zip(OVERFLOW_PHRASES, EXAMPLES, strict=True)), ids=EXAMPLES)
    def test_each_phrase_is_recognised(self, phrase: Any, text: str) -> None:
        assert phrase.occurs_in(text)
        assert phrase.occurs_in(text.upper())
        assert is_context_overflow(failed(text))

    @pytest.mark.parametrize("text", OTHER_ERRORS)
    def test_other_errors_are_not(self, text: str) -> None:
        assert not is_context_overflow(failed(text))

    def test_every_excluding_phrase_excludes_something(self) -> None:
        for phrase in NON_OVERFLOW_PHRASES:
            assert any(phrase.occurs_in(text) for text in OTHER_ERRORS)

    def test_only_a_failed_answer_counts(self) -> None:
        assert not is_context_overflow({**failed("prompt is too long"), "stopReason": "stop"})

    @pytest.mark.parametrize("text", [None, 5, "", ["prompt is too long"]])
    def test_an_error_without_a_text_is_none(self, text: Any) -> None:
        assert not is_context_overflow(failed(text))

    def test_the_agents_know_their_own_phrases(self) -> None:
        assert not is_context_overflow(failed("Prompt too long"), rules=OMP_13_19)
        assert is_context_overflow(failed("Prompt too long"), rules=PI_1_6)
        assert not is_context_overflow(failed("requested tokens (9) exceed context window of 8"), rules=PI_1_6)
        assert is_context_overflow(failed("429 rate limit: too many tokens"), rules=OMP_13_19)

    def test_an_answer_without_a_body_counts_for_pi_with_one_provider_only(self) -> None:
        text = "413 (no body)"
        assert is_overflow_text(text)
        assert is_overflow_text(text, rules=OMP_13_19)
        assert is_context_overflow(failed("400 status code (no body)", provider="cerebras"), rules=PI_1_6)
        assert not is_context_overflow(failed("400 status code (no body)"), rules=PI_1_6)
        assert not is_context_overflow(failed("400 status code (no body)", provider=5), rules=PI_1_6)

    def test_the_parts_of_a_phrase_stand_in_one_line_and_in_order(self) -> None:
        assert is_overflow_text("Input token count 5\texceeds the maximum", rules=PI_1_6)
        assert not is_overflow_text("Input token count 5\nexceeds the maximum", rules=PI_1_6)
        assert not is_overflow_text("exceeds the maximum input token count", rules=PI_1_6)

    def test_a_long_message_is_no_trap(self) -> None:
        assert not is_overflow_text("requested tokens exceed prompt too large " * 50_000 + "contex")

    @given(messy_messages, st.none() | st.integers(), st.sampled_from(list(PRESETS.values())))
    def test_any_message_gives_an_answer(self, message: dict[str, Any], window: int | None, rules: Any) -> None:
        assert is_context_overflow(message, window, rules) in (True, False)


class TestUsage:
    @staticmethod
    def answer(stop_reason: str, **counts: float) -> dict[str, Any]:
        return {"stopReason": stop_reason, "usage": {"output": 0, **counts}}

    def test_a_successful_answer_over_the_window_is_left_to_the_threshold(self) -> None:
        answer = self.answer("stop", input=90_000, cacheRead=20_000)
        assert not is_context_overflow(answer, 100_000)
        assert is_context_overflow(answer, 100_000, PI_1_6)
        assert is_context_overflow(answer, 100_000, OMP_13_19)
        assert not is_context_overflow(answer, 110_000, PI_1_6)

    def test_the_agents_count_differently(self) -> None:
        written = self.answer("stop", input=90_000, cacheWrite=20_000)
        assert not is_context_overflow(written, 100_000, PI_1_6)
        assert is_context_overflow(written, 100_000, OMP_13_19)
        called = self.answer("toolUse", input=110_000)
        assert not is_context_overflow(called, 100_000, PI_1_6)
        assert is_context_overflow(called, 100_000, OMP_13_19)

    def test_an_answer_cut_off_by_a_full_window_is_an_overflow(self) -> None:
        full = self.answer("length", input=90_000, cacheRead=5_000, cacheWrite=4_000)
        assert is_context_overflow(full, 100_000)
        assert not is_context_overflow(full, 100_011)
        assert not is_context_overflow(full, 100_000, PI_1_6)
        assert not is_context_overflow(full, 100_000, OMP_13_19)
        assert not is_context_overflow({**full, "usage": {**full["usage"], "output": 1}}, 100_000)
        assert not is_context_overflow({**full, "stopReason": "stop"}, 100_000)

    @pytest.mark.parametrize("window", [None, 0, -5])
    def test_without_a_window_usage_says_nothing(self, window: int | None) -> None:
        assert not is_context_overflow({"stopReason": "length", "usage": usage(900_000)}, window, PI_1_6)
        assert not is_context_overflow({"stopReason": "stop", "usage": usage(900_000)}, window, PI_1_6)

    @pytest.mark.parametrize("counts", [None, [], {"input": "many"}])
    def test_usage_of_another_shape_says_nothing(self, counts: Any) -> None:
        assert not is_context_overflow({"stopReason": "length", "usage": counts}, 100)
