"""When a session is compacted by itself (CP-2)."""

import pytest

from model.context import ModelChoice
from model.json_text import JsonObject
from model.rules import OMP_13_19
from model.triggers import (
    CONTINUE_PROMPT,
    automatic_reason,
    compaction_threshold,
    effective_reserve,
    is_due_for_check,
    should_compact,
)
from tests.model.session_builders import usage
from tests.model.shaped_paths import compaction_settings, shaped

WINDOW = 200_000
MODEL = ModelChoice("acme", "acme-large")


def answer(**fields: object) -> JsonObject:
    base: JsonObject = {"role": "assistant", "provider": "acme", "model": "acme-large", "stopReason": "stop"}
    return {**base, "usage": usage(1000), "timestamp": 5_000_000_000_000, **fields}


def overflowed(**fields: object) -> JsonObject:
    return answer(stopReason="error", errorMessage="prompt is too long", **fields)


class TestThreshold:
    @pytest.mark.spec("O-066", "P-016", "P-019")
    def test_it_is_the_window_less_the_reserve(self) -> None:
        settings = compaction_settings()
        assert not should_compact(183_616, WINDOW, settings)
        assert should_compact(183_617, WINDOW, settings)

    def test_omp_reserves_at_least_a_share_of_the_window(self) -> None:
        settings = compaction_settings("omp")
        assert effective_reserve(WINDOW, settings) == 16_384
        assert effective_reserve(WINDOW, settings, OMP_13_19) == 30_000
        assert effective_reserve(100_000, settings, OMP_13_19) == 16_384
        assert compaction_threshold(WINDOW, settings, OMP_13_19) == 170_000

    def test_a_percentage_or_a_number_stands_for_the_reserve(self) -> None:
        assert compaction_threshold(WINDOW, compaction_settings(threshold_percent=80)) == 160_000
        assert compaction_threshold(WINDOW, compaction_settings(threshold_percent=150)) == 198_000
        assert compaction_threshold(WINDOW, compaction_settings(threshold_percent=0.5)) == 2_000
        assert compaction_threshold(100_001, compaction_settings(threshold_percent=66.666)) == 66_666
        both = compaction_settings(threshold_percent=80, threshold_tokens=50_000)
        assert compaction_threshold(WINDOW, both) == 50_000
        assert compaction_threshold(WINDOW, compaction_settings(threshold_tokens=900_000)) == 199_999
        assert compaction_threshold(WINDOW, compaction_settings(threshold_tokens=0.5)) == 1
        assert compaction_threshold(WINDOW, compaction_settings(threshold_tokens=0, threshold_percent=0)) == 183_616

    @pytest.mark.spec("P-184")
    def test_it_never_asks_when_switched_off_or_without_a_window(self) -> None:
        assert not should_compact(900_000, WINDOW, compaction_settings(enabled=False))
        assert not should_compact(900_000, WINDOW, compaction_settings(strategy="off"))
        assert should_compact(900_000, WINDOW, compaction_settings(strategy="handoff"))
        assert not should_compact(900_000, 0, compaction_settings())
        assert should_compact(2, 1, compaction_settings())

    @pytest.mark.spec("O-070")
    def test_the_synthetic_prompt(self) -> None:
        assert CONTINUE_PROMPT == "Continue if you have next steps."


class TestCheck:
    @staticmethod
    def is_due(message: JsonObject, notation: str = "u a", *, include_aborted: bool = False, **changes: object) -> bool:
        settings = compaction_settings(**changes)
        return is_due_for_check(message, shaped(notation), WINDOW, settings, include_aborted=include_aborted)

    def test_it_runs_for_an_answer(self) -> None:
        assert self.is_due(answer())
        assert not self.is_due(answer(), enabled=False)
        assert not is_due_for_check(answer(), [], 0, compaction_settings(), include_aborted=True)
        assert is_due_for_check(answer(), [], 1, compaction_settings(), include_aborted=False)

    def test_an_aborted_answer_counts_only_in_front_of_a_prompt(self) -> None:
        assert not self.is_due(answer(stopReason="aborted"))
        assert self.is_due(answer(stopReason="aborted"), include_aborted=True)

    def test_an_answer_no_newer_than_the_compaction_must_not_trigger_again(self) -> None:
        compacted_ms = 1_770_105_600_000 + 3 * 60_000  # the third entry of a shaped path
        assert not self.is_due(answer(timestamp=compacted_ms), "u a C(1)")
        assert not self.is_due(answer(timestamp=compacted_ms - 1), "u a C(1)")
        assert self.is_due(answer(timestamp=compacted_ms + 1), "u a C(1)")
        assert self.is_due(answer(timestamp="never"), "u a C(1)")
        path = shaped("u a C(1)")
        path[2]["timestamp"] = "never"
        assert is_due_for_check(answer(timestamp=1), path, WINDOW, compaction_settings(), include_aborted=False)


class TestReason:
    @staticmethod
    def reason(message: JsonObject, tokens: float, model: ModelChoice | None = MODEL) -> str | None:
        return automatic_reason(message, tokens, WINDOW, model, compaction_settings())

    @pytest.mark.spec("O-045", "O-061", "O-063")
    def test_an_overflow_of_the_current_model(self) -> None:
        assert self.reason(overflowed(), 0) == "overflow"
        assert self.reason(overflowed(), 190_000) == "overflow"

    @pytest.mark.parametrize("other", [{"model": "small"}, {"provider": "other"}])
    def test_an_overflow_of_another_model_is_none(self, other: dict[str, str]) -> None:
        assert self.reason(overflowed(**other), 0) is None
        assert self.reason(overflowed(), 0, None) is None

    @pytest.mark.spec("O-046", "O-067")
    def test_a_context_above_the_threshold(self) -> None:
        assert self.reason(answer(), 183_617) == "threshold"
        assert self.reason(answer(), 183_616) is None
        assert self.reason(answer(stopReason="error", errorMessage="529 overloaded"), 190_000) == "threshold"

    def test_a_silent_overflow_is_a_matter_of_the_threshold(self) -> None:
        silent = answer(usage={"input": 250_000, "output": 10})
        assert self.reason(silent, 250_010) == "threshold"
        overflow = automatic_reason(silent, 250_010, WINDOW, MODEL, compaction_settings("omp"), OMP_13_19)
        assert overflow == "overflow"

    def test_pruning_may_have_saved_more_than_there_was(self) -> None:
        settings = compaction_settings(reserve_tokens=WINDOW)
        assert automatic_reason(answer(), -5, WINDOW, MODEL, settings) is None
