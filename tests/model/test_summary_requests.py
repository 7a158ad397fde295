"""The requests of a compaction: passes, prompts, parameters (CP-12, CP-13, CP-14)."""

import pytest
from hypothesis import given

from model.compaction import CompactionPreparation, NothingToCompact, prepare_compaction
from model.json_text import JsonObject
from model.rules import BRANCHWORK, OMP_13_19, PI_1_6, Rules
from model.summary_requests import (
    SummaryOptions,
    SummaryRequest,
    first_requests,
    history_request,
    short_summary_request,
    turn_prefix_request,
    with_focus,
)
from tests.model.prompt_texts import TEXTS
from tests.model.session_builders import Chain
from tests.model.shaped_paths import compaction_settings, prepared, shaped
from tests.model.strategies import messy_sessions

CONVERSATION = "<conversation>\n[User]: xxxx\n\n[Assistant]: xxxx\n</conversation>"


def simple(**changes: object) -> CompactionPreparation:
    """History 1 2, kept 3 4; every message is `xxxx`."""
    return prepared(shaped("u(1) a(1) u(1) a(1)"), 2, **changes)


def split(previous: str | None = None) -> CompactionPreparation:
    """Turn prefix 4 5 or 1 2, kept 3; with a previous summary its compaction is entry 3 and there is no history."""
    path = shaped("u(1) a(1) C(none) u(1) a(1) a(1)") if previous is not None else shaped("u(1) a(1) a(1)")
    if previous is not None:
        path[2]["summary"] = previous
    return prepared(path, 1)


class TestHistory:
    @pytest.mark.spec("O-104", "O-105", "O-106", "O-107", "O-110", "O-111", "P-026")
    def test_a_first_compaction_shows_the_conversation_and_asks_for_a_summary(self) -> None:
        request = history_request(simple(), TEXTS)
        assert request.system_prompt == "SYSTEM"
        assert request.prompt == f"{CONVERSATION}\n\nFIRST"
        assert request.pass_name == "history"

    @pytest.mark.spec("O-108", "O-109", "O-112", "P-027")
    def test_all_parts_come_in_their_order(self) -> None:
        path = shaped("u(1) a(1) C(none) u(1) a(1) u(1) a(1)")
        path[2]["summary"] = "## Goal\nearlier"
        options = SummaryOptions(custom_instructions="the API", extra_context=("one", "two\nlines"))
        assert history_request(prepared(path, 2), TEXTS, options).prompt == (
            f"{CONVERSATION}\n\n"
            "<previous-summary>\n## Goal\nearlier\n</previous-summary>\n\n"
            "<additional-context>\n- one\n- two\nlines\n</additional-context>\n\n"
            "UPDATE\n\n"
            "Additional focus: the API"
        )

    def test_an_empty_previous_summary_is_none(self) -> None:
        path = shaped("u(1) C(none) u(1) a(1) u(1) a(1)")
        path[1]["summary"] = ""
        assert history_request(prepared(path, 2), TEXTS).prompt == f"{CONVERSATION}\n\nFIRST"

    @pytest.mark.spec("O-165", "O-166")
    def test_a_hook_may_replace_the_prompt(self) -> None:
        options = SummaryOptions(prompt_override="MINE", custom_instructions="short")
        assert history_request(simple(), TEXTS, options).prompt.endswith("\n\nMINE\n\nAdditional focus: short")
        assert history_request(simple(), TEXTS, SummaryOptions(prompt_override="")).prompt.endswith("FIRST")

    @pytest.mark.spec("P-021")
    @pytest.mark.parametrize(
        ("focus", "text"), [(None, "P"), ("", "P"), ("  \n", "P"), (" x", "P\n\nAdditional focus:  x")]
    )
    def test_instructions_of_the_user_focus_it(self, focus: str | None, text: str) -> None:
        assert with_focus("P", focus) == text

    def test_thinking_is_shown_unless_switched_off(self) -> None:
        chain = Chain()
        chain.user("xxxx")
        chain.assistant([{"type": "thinking", "thinking": "hm"}])
        chain.user("x" * 400)
        assert "[Assistant thinking]: hm" in history_request(prepared(chain.entries, 50), TEXTS).prompt
        silent = prepared(chain.entries, 50, include_thinking=False)
        assert "hm" not in history_request(silent, TEXTS).prompt
        assert "hm" not in history_request(prepared(chain.entries, 50), TEXTS, rules=PI_1_6).prompt


class TestTurnPrefix:
    @pytest.mark.spec("O-102", "O-113", "P-056")
    def test_it_shows_the_prefix_without_any_earlier_summary(self) -> None:
        options = SummaryOptions(custom_instructions="why", extra_context=("x",), prompt_override="MINE")
        request = turn_prefix_request(split("earlier"), TEXTS, options)
        assert request.prompt == f"{CONVERSATION}\n\nPREFIX\n\nAdditional focus: why"
        assert request.pass_name == "turn prefix"

    def test_the_agents_word_it_differently(self) -> None:
        options = SummaryOptions(custom_instructions="why")
        assert turn_prefix_request(split(), TEXTS, options, OMP_13_19).prompt == f"{CONVERSATION}\n\nPREFIX"
        assert turn_prefix_request(split(), TEXTS, options, PI_1_6).prompt == (
            "# Conversation\n[User]: xxxx\n\n[Assistant]: xxxx\n\n# Instructions\nPREFIX\n\nAdditional focus: why"
        )

    def test_only_omp_keeps_it_from_the_remote_endpoint(self) -> None:
        remote = {rules.name: turn_prefix_request(split(), TEXTS, rules=rules).may_go_remote for rules in _ALL}
        assert remote == {"branchwork": True, "pi-1.6": True, "omp-13.19": False}


class TestShortSummary:
    @pytest.mark.spec("O-114")
    def test_it_shows_what_is_kept_and_the_new_summary(self) -> None:
        options = SummaryOptions(custom_instructions="why", extra_context=("x",))
        request = short_summary_request(simple(), "new summary", TEXTS, options)
        assert request.prompt == (
            f"{CONVERSATION}\n\n<previous-summary>\nnew summary\n</previous-summary>\n\n"
            "<additional-context>\n- x\n</additional-context>\n\nSHORT"
        )
        assert request.pass_name == "short summary"


class TestPasses:
    @pytest.mark.spec("O-100", "O-101", "P-054", "P-055")
    def test_a_split_turn_takes_two_that_may_run_at_once(self) -> None:
        preparation = prepared(shaped("u a u a a"), 50)
        assert self.names(preparation) == [("history", "turn prefix")]
        assert self.names(preparation, PI_1_6) == [("history",), ("turn prefix",)]

    def test_without_earlier_messages_there_is_no_history_to_ask_for(self) -> None:
        assert self.names(split()) == [("turn prefix",)]
        assert self.names(simple()) == [("history",)]

    @staticmethod
    def names(preparation: CompactionPreparation, rules: Rules = BRANCHWORK) -> list[tuple[str, ...]]:
        groups = first_requests(preparation, TEXTS, rules=rules)
        return [tuple(request.pass_name for request in group) for group in groups]


class TestParameters:
    @pytest.mark.spec("P-019")
    @pytest.mark.parametrize(
        ("reserve", "limits"), [(16_384, (13_107, 8192, 512)), (1000, (800, 500, 200)), (0, (0, 0, 0)), (3, (2, 1, 0))]
    )
    def test_the_output_limits_are_shares_of_the_reserve(self, reserve: int, limits: tuple[int, int, int]) -> None:
        """Field report D09."""
        assert self.limits(SummaryOptions(), reserve) == limits

    def test_a_model_may_write_less(self) -> None:
        assert self.limits(SummaryOptions(max_output_tokens=400), 16_384) == (400, 400, 400)

    def test_pi_sends_no_limits(self) -> None:
        assert self.limits(SummaryOptions(), 16_384, PI_1_6) == (0, 0, 0)

    @staticmethod
    def limits(options: SummaryOptions, reserve: int, rules: Rules = BRANCHWORK) -> tuple[int, int, int]:
        preparation = prepared(shaped("u a u a a"), 50, reserve_tokens=reserve)
        return (
            history_request(preparation, TEXTS, options, rules).max_tokens,
            turn_prefix_request(preparation, TEXTS, options, rules).max_tokens,
            short_summary_request(preparation, "s", TEXTS, options, rules).max_tokens,
        )

    @pytest.mark.spec("P-015")
    def test_the_prompt_cache_is_not_written(self) -> None:
        assert history_request(simple(), TEXTS).prompt_cache_off
        assert not history_request(simple(), TEXTS, rules=OMP_13_19).prompt_cache_off

    @pytest.mark.parametrize(
        ("options", "reasoning"),
        [
            (SummaryOptions(), None),
            (SummaryOptions(thinking_level="high"), "high"),
            (SummaryOptions(thinking_level="off"), None),
            (SummaryOptions(thinking_level=""), None),
            (SummaryOptions(thinking_level="high", model_reasons=False), None),
        ],
    )
    def test_a_thinking_level_is_asked_of_a_model_that_reasons(
        self, options: SummaryOptions, reasoning: str | None
    ) -> None:
        assert history_request(simple(), TEXTS, options).reasoning == reasoning
        assert history_request(simple(), TEXTS, options, OMP_13_19).reasoning == "high"

    def test_requests_may_go_to_the_remote_endpoint(self) -> None:
        assert history_request(simple(), TEXTS).may_go_remote
        assert short_summary_request(simple(), "s", TEXTS, rules=OMP_13_19).may_go_remote
        assert SummaryRequest("history", "s", "p") == SummaryRequest("history", "s", "p", 0, None, True, True)


@given(messy_sessions)
def test_any_json_gives_requests(path: list[JsonObject]) -> None:
    preparation = prepare_compaction(path, compaction_settings(keep_recent_tokens=1))
    if isinstance(preparation, NothingToCompact):
        return
    for group in first_requests(preparation, TEXTS):
        assert all(request.prompt for request in group)


_ALL = (BRANCHWORK, PI_1_6, OMP_13_19)
