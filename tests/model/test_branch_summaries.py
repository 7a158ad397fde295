"""Summaries of branches that are left: budget, messages, files, request, stored text (BS-2 … BS-10)."""

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.branch_summaries import (
    BranchPreparation,
    branch_output_limit,
    branch_summary_request,
    branch_token_budget,
    finished_branch_summary,
    prepare_branch_entries,
)
from model.errors import RefusedError
from model.file_operations import FileOperations, compute_file_lists
from model.json_text import JsonObject
from model.messages import role_of
from model.rules import BRANCHWORK, OMP_13_19, PI_1_6, PRESETS, Rules
from model.summary_requests import SummaryOptions
from model.token_estimates import estimate_tokens
from tests.model.prompt_texts import TEXTS
from tests.model.session_builders import Chain, tool_call
from tests.model.shaped_paths import shaped
from tests.model.strategies import messy_sessions, sessions

ALL_RULES = st.sampled_from(list(PRESETS.values()))


def sized(notation: str) -> list[JsonObject]:
    """Entries as in `shaped`; `C(n)` is a compaction whose summary has n tokens."""
    entries = shaped(notation)
    for entry in entries:
        if entry["type"] == "compaction":
            entry["summary"] = "x" * 4 * int(entry["firstKeptEntryId"])
    return entries


class TestWorkedExamples:
    """The table of BS-10."""

    @pytest.mark.spec("O-149", "O-150", "O-151", "O-152", "P-087")
    @pytest.mark.parametrize(
        ("notation", "budget", "kept", "total"),
        [
            ("u(100) a(100) u(100)", 250, "2 3", 200),
            ("u(100) a(100) u(100)", 300, "1 2 3", 300),
            ("C(500) u(100)", 550, "1 2", 600),
            ("C(500) u(495)", 550, "2", 495),
            ("u(50) C(500) u(100)", 550, "2 3", 600),
            ("u(100) a(100) u(100)", 0, "1 2 3", 300),
        ],
    )
    def test_the_newest_messages_that_fit_are_taken(self, notation: str, budget: int, kept: str, total: int) -> None:
        preparation = prepare_branch_entries(sized(notation), budget)
        assert preparation.source_ids == tuple(kept.split())
        assert preparation.total_tokens == total

    @pytest.mark.spec("O-147")
    def test_files_count_far_outside_the_budget(self) -> None:
        chain = Chain()
        chain.assistant([tool_call("t", "edit", path="a")])
        chain.user("x" * 400)
        chain.user("x" * 400)
        preparation = prepare_branch_entries(chain.entries, 110)
        assert preparation.source_ids == ("e3",)
        assert compute_file_lists(preparation.file_ops).modified_files == ("a",)

    def test_files_of_an_extensions_branch_summary_do_not_count(self) -> None:
        entries = shaped("s u")
        entries[0] |= {"fromExtension": True, "details": {"readFiles": ["r"], "modifiedFiles": ["m"]}}
        assert prepare_branch_entries(entries, 0).file_ops == FileOperations()

    @pytest.mark.spec("O-148", "P-098", "P-099")
    def test_files_of_a_generated_branch_summary_are_carried_on(self) -> None:
        entries = shaped("s w")
        entries[0]["details"] = {"readFiles": ["a", "b"], "modifiedFiles": []}
        entries[1]["message"]["content"][1]["arguments"] = {"path": "a"}
        lists = compute_file_lists(prepare_branch_entries(entries, 0).file_ops)
        assert (lists.read_files, lists.modified_files) == (("b",), ("a",))

    def test_tool_results_and_metadata_leave_nothing_to_summarise(self) -> None:
        preparation = prepare_branch_entries(shaped("t m"), 0)
        assert preparation == BranchPreparation((), (), 0, FileOperations(), ())


class TestMessages:
    def test_tool_results_are_left_out(self) -> None:
        roles = [role_of(message) for message in prepare_branch_entries(sized("u a t x s C(9) b"), 0).messages]
        expected = "user assistant custom branchSummary compactionSummary bashExecution"
        assert roles == expected.split()

    def test_exactly_the_budget_fits(self) -> None:
        assert prepare_branch_entries(sized("u a"), 200).source_ids == ("1", "2")
        assert prepare_branch_entries(sized("u a"), 199).source_ids == ("2",)

    def test_behind_the_first_that_does_not_fit_nothing_older_is_taken(self) -> None:
        preparation = prepare_branch_entries(sized("u(1) u(500) u(10)"), 100)
        assert preparation.source_ids == ("3",)
        assert preparation.omitted_entry_ids == ("1", "2")

    @pytest.mark.parametrize(("used", "taken"), [(89, True), (90, False), (91, False)])
    def test_a_summary_is_taken_while_less_than_nine_tenths_are_used(self, used: int, taken: bool) -> None:
        for code in ("s(60)", "C(60)"):
            preparation = prepare_branch_entries(sized(f"u {code} u({used})"), 100)
            assert preparation.source_ids == (("2", "3") if taken else ("3",))
            assert preparation.total_tokens == used + (60 if taken else 0)

    def test_any_other_message_is_not(self) -> None:
        assert prepare_branch_entries(sized("u x(60) u(10)"), 50).source_ids == ("3",)

    def test_a_summary_larger_than_the_budget_is_taken_as_the_newest(self) -> None:
        assert prepare_branch_entries(sized("u s(300)"), 50).source_ids == ("2",)

    def test_omitted_entries_are_those_with_messages(self) -> None:
        assert prepare_branch_entries(sized("u m t a u"), 100).omitted_entry_ids == ("1", "4")
        assert prepare_branch_entries(sized("u m"), 0).omitted_entry_ids == ()

    def test_a_budget_of_one_is_a_limit(self) -> None:
        assert prepare_branch_entries(sized("u(1) u(1)"), 1).source_ids == ("2",)
        assert prepare_branch_entries(sized("u(1) u(1)")).source_ids == ("1", "2")
        assert prepare_branch_entries(sized("u(1) u(1)"), -1).source_ids == ("1", "2")

    def test_nothing_fits(self) -> None:
        preparation = prepare_branch_entries(sized("u u"), 50)
        assert preparation.messages == ()
        assert preparation.omitted_entry_ids == ("1", "2")

    def test_context_edits_are_honoured(self) -> None:
        entries = shaped("u w u x s")
        edits = {"1": None, "2": None, "3": {"content": "short"}, "4": {"content": "note"}, "5": None}
        entries += [{"type": "context_edit", "id": f"c{t}", "targetId": t, "replacement": r} for t, r in edits.items()]
        preparation = prepare_branch_entries(entries, 0)
        assert preparation.source_ids == ("3", "4", "5")
        assert [m.get("content") for m in preparation.messages] == ["short", "note", None]
        assert preparation.file_ops.written == {"w"}
        assert prepare_branch_entries(entries, 0, PI_1_6).file_ops.written == frozenset()
        assert prepare_branch_entries(entries, 0, OMP_13_19).source_ids == ("1", "2", "3", "4", "5")

    def test_an_empty_branch_summary_is_a_message_only_for_the_agents(self) -> None:
        assert prepare_branch_entries(shaped("e u"), 0).source_ids == ("2",)
        for rules in (PI_1_6, OMP_13_19):
            preparation = prepare_branch_entries(shaped("e u"), 0, rules)
            assert preparation.source_ids == ("1", "2")
            assert preparation.messages[0]["fromId"] == "root"
            assert preparation.messages[0]["timestamp"] == 1_770_105_660_000

    def test_a_summary_that_is_no_text_reads_as_empty(self) -> None:
        entries = [{**shaped("s")[0], "summary": {"text": "x"}}]
        assert prepare_branch_entries(entries, 0).messages == ()


class TestFiles:
    @pytest.mark.spec("O-147", "P-013", "P-096", "P-097", "P-098")
    def test_those_of_compactions_count_for_us_and_not_for_the_agents(self) -> None:
        entries = sized("C(5) u")
        entries[0]["details"] = {"readFiles": ["r"], "modifiedFiles": ["m"]}
        assert prepare_branch_entries(entries, 0).file_ops == FileOperations(
            read=frozenset({"r"}), edited=frozenset({"m"})
        )
        assert prepare_branch_entries(entries, 0, PI_1_6).file_ops == FileOperations()

    def test_the_agents_take_them_from_the_messages_they_visited(self) -> None:
        entries = sized("w(10) w(200) w(10)")
        for row, entry in enumerate(entries, start=1):
            entry["message"]["content"][1]["arguments"] = {"path": f"f{row}"}
        assert prepare_branch_entries(entries, 50).file_ops.written == {"f1", "f2", "f3"}
        assert prepare_branch_entries(entries, 50, PI_1_6).file_ops.written == {"f2", "f3"}
        assert prepare_branch_entries(entries, 0, PI_1_6).file_ops.written == {"f1", "f2", "f3"}

    def test_calls_inside_a_tool_result_count(self) -> None:
        entries = shaped("u t")
        entries[1]["message"]["nestedCalls"] = {"calls": [{"name": "read", "arguments": {"path": "n"}}]}
        assert prepare_branch_entries(entries, 0).file_ops.read == {"n"}
        assert prepare_branch_entries(entries, 0, OMP_13_19).file_ops.read == frozenset()
        entries[0] = {**shaped("s")[0], "fromHook": True, "details": {"readFiles": ["r"], "modifiedFiles": []}}
        assert prepare_branch_entries(entries, 0).file_ops.read == {"n"}
        assert prepare_branch_entries(entries, 0, OMP_13_19).file_ops.read == {"r"}


class TestBudget:
    @pytest.mark.spec("O-146")
    @pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
    def test_it_is_the_window_less_the_reserve(self, rules: Rules) -> None:
        assert branch_token_budget(200_000, 16_384, rules) == 183_616
        assert branch_token_budget(16_385, 16_384, rules) == 1

    @pytest.mark.parametrize("window", [None, 0])
    def test_an_unknown_window_counts_as_128000(self, window: int | None) -> None:
        assert branch_token_budget(window, 16_384) == 111_616

    @pytest.mark.parametrize("window", [16_384, 100])
    def test_nothing_left_is_refused_and_for_the_agents_no_limit(self, window: int) -> None:
        with pytest.raises(RefusedError, match=rf"window of {window:,} .*reserveTokens \(16,384\)"):
            branch_token_budget(window, 16_384)
        assert branch_token_budget(window, 16_384, PI_1_6) == 0
        assert branch_token_budget(window, 16_384, OMP_13_19) == 0

    def test_the_output_limit_depends_on_the_dialect(self) -> None:
        assert branch_output_limit("omp", 16_384) == 2048
        assert branch_output_limit("pi", 16_384) == 13_107


class TestRequest:
    @staticmethod
    def prompt(custom: str | None = None, *, replace: bool = False, rules: Rules = BRANCHWORK) -> str:
        preparation = prepare_branch_entries(shaped("u(1) a(1)"), 0)
        options = SummaryOptions(custom_instructions=custom)
        request = branch_summary_request(preparation, TEXTS, 2048, options, replace_instructions=replace, rules=rules)
        return request.prompt

    @pytest.mark.spec("O-153", "O-154", "O-156", "P-088")
    def test_it_shows_the_conversation_and_asks_for_the_summary(self) -> None:
        request = branch_summary_request(prepare_branch_entries(shaped("u(1) a(1)"), 0), TEXTS, 2048)
        assert request.prompt == "<conversation>\n[User]: xxxx\n\n[Assistant]: xxxx\n</conversation>\n\nBRANCH"
        assert request.system_prompt == "SYSTEM"
        assert (request.pass_name, request.max_tokens, request.reasoning) == ("branch", 2048, None)
        assert not request.may_go_remote
        assert request.prompt_cache_off

    @pytest.mark.spec("O-155")
    def test_custom_instructions_follow_or_replace_the_prompt(self) -> None:
        prepared = prepare_branch_entries(shaped("u(1)"), 0)
        options = SummaryOptions(custom_instructions="why")
        assert "BRANCH" in branch_summary_request(prepared, TEXTS, 1, options).prompt
        assert self.prompt("why").endswith("</conversation>\n\nBRANCH\n\nAdditional focus: why")
        assert self.prompt("why", replace=True).endswith("</conversation>\n\nwhy")

    @pytest.mark.parametrize("custom", [None, "", " \n"])
    def test_instructions_that_say_nothing_are_none(self, custom: str | None) -> None:
        for replace in (False, True):
            assert self.prompt(custom, replace=replace).endswith("</conversation>\n\nBRANCH")

    def test_thinking_can_be_left_out(self) -> None:
        chain = Chain()
        chain.assistant([{"type": "thinking", "thinking": "hm"}])
        preparation = prepare_branch_entries(chain.entries, 0)
        assert "[Assistant thinking]: hm" in branch_summary_request(preparation, TEXTS, 1).prompt
        assert "hm" not in branch_summary_request(preparation, TEXTS, 1, include_thinking=False).prompt
        assert "hm" not in branch_summary_request(preparation, TEXTS, 1, rules=PI_1_6).prompt

    def test_the_model_may_write_less_than_the_limit(self) -> None:
        preparation = prepare_branch_entries(shaped("u"), 0)
        assert branch_summary_request(preparation, TEXTS, 2048, SummaryOptions(max_output_tokens=100)).max_tokens == 100


class TestStoredText:
    @pytest.mark.spec("O-157", "O-158", "O-160", "P-113")
    def test_the_preamble_comes_first_and_the_files_last(self) -> None:
        preparation = prepare_branch_entries(shaped("u w"), 0)
        finished = finished_branch_summary(preparation, "text", TEXTS, "pi", usage={"input": 1})
        assert finished.summary == "PREAMBLE\n\ntext\n\n<modified-files>\nw\n</modified-files>"
        assert finished.files.as_details() == {"readFiles": [], "modifiedFiles": ["w"]}
        assert finished.usage == {"input": 1}

    def test_the_elements_are_set_apart_by_dialect(self) -> None:
        operations = FileOperations(read=frozenset({"a", "b"}), written=frozenset({"c"}))
        preparation = BranchPreparation((), (), 0, operations, ())
        for dialect, gap in (("pi", "\n\n"), ("omp", "\n")):
            summary = finished_branch_summary(preparation, "t", TEXTS, dialect).summary  # type: ignore[arg-type]
            assert f"a\nb\n</read-files>{gap}<modified-files>" in summary

    def test_omp_glues_the_preamble_to_the_text(self) -> None:
        preparation = prepare_branch_entries(shaped("u"), 0)
        assert finished_branch_summary(preparation, "text", TEXTS, "omp", rules=OMP_13_19).summary == "PREAMBLEtext"

    def test_long_lists_are_cut_in_the_text_only(self) -> None:
        preparation = prepare_branch_entries(shaped("s"), 0)
        operations = FileOperations(read=frozenset({"a", "b", "c"}))
        preparation = BranchPreparation(preparation.messages, ("1",), 100, operations, ())
        finished = finished_branch_summary(preparation, "t", TEXTS, "omp", file_tag_limit=2)
        assert finished.summary == "PREAMBLE\n\nt\n\n<read-files>\na\nb\n… (1 more files omitted)\n</read-files>"
        assert finished.files.read_files == ("a", "b", "c")


class TestProperties:
    @given(sessions(), st.integers(0, 60), ALL_RULES)
    def test_what_is_taken_is_the_newest_part(self, entries: list[JsonObject], budget: int, rules: Rules) -> None:
        everything = prepare_branch_entries(entries, 0, rules)
        preparation = prepare_branch_entries(entries, budget, rules)
        assert (
            preparation.source_ids == everything.source_ids[len(everything.source_ids) - len(preparation.source_ids) :]
        )
        assert preparation.total_tokens == sum(estimate_tokens(message, rules) for message in preparation.messages)
        assert set(preparation.omitted_entry_ids) | set(preparation.source_ids) == set(everything.source_ids)
        if budget and preparation.total_tokens > budget:
            assert role_of(preparation.messages[0]) in ("branchSummary", "compactionSummary")
            rest = sum(estimate_tokens(message, rules) for message in preparation.messages[1:])
            assert rest < 0.9 * budget

    @given(messy_sessions, st.integers(-5, 60), ALL_RULES)
    def test_any_json_gives_a_result_and_stays_as_it_is(
        self, entries: list[JsonObject], budget: int, rules: Rules
    ) -> None:
        before = copy.deepcopy(entries)
        preparation = prepare_branch_entries(entries, budget, rules)
        request = branch_summary_request(preparation, TEXTS, 100, rules=rules)
        assert request.prompt.endswith("</conversation>\n\nBRANCH")
        assert entries == before

    def test_a_hundred_thousand_entries_are_ordinary(self) -> None:
        entries = shaped("s")
        entries[0]["details"] = {"readFiles": [f"f{n}" for n in range(100)], "modifiedFiles": []}
        many = [{**entries[0], "id": f"s{n}"} for n in range(100_000)]
        preparation = prepare_branch_entries(many, 50_000)
        assert len(preparation.messages) == 500
        assert len(preparation.file_ops.read) == 100
