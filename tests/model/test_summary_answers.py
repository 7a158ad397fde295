"""Answers to summary requests: their checks, the stored text, the whole procedure (CP-12.2, CP-14 … CP-19)."""

from collections.abc import Callable
from typing import Any

import pytest

from model.compaction import CompactionPreparation
from model.dialects import Dialect
from model.file_operations import FileLists
from model.remote_summaries import remote_answer, remote_request_body
from model.rules import BRANCHWORK, OMP_13_19, PI_1_6, Rules
from model.summary_answers import (
    GeneratedCompaction,
    SummaryAbortedError,
    SummaryAnswer,
    SummaryFailedError,
    answer_text,
    compact,
    joined_summary,
    merged_preserve_data,
)
from model.summary_requests import PassName, SummaryRequest, history_request
from tests.model.prompt_texts import TEXTS
from tests.model.session_builders import text_block, tool_call, usage
from tests.model.shaped_paths import prepared, shaped

AnswerTo = Callable[[SummaryRequest], SummaryAnswer]


def split(previous: str | None) -> CompactionPreparation:
    path = shaped("u a C(none) u a a")
    if previous is None:
        del path[2]
        path = path[2:]
    else:
        path[2]["summary"] = previous
    return prepared(path, 50)


def run(
    preparation: CompactionPreparation,
    answer: AnswerTo,
    dialect: Dialect = "pi",
    rules: Rules = BRANCHWORK,
    **more: Any,
) -> GeneratedCompaction:
    """Let `answer` answer every request; a SummaryFailedError goes back into the procedure."""
    procedure = compact(preparation, TEXTS, dialect, rules=rules, **more)
    requests = next(procedure)
    while True:
        try:
            try:
                answers = tuple(answer(request) for request in requests)
            except SummaryFailedError as error:
                requests = procedure.throw(error)
            else:
                requests = procedure.send(answers)
        except StopIteration as stop:
            result: GeneratedCompaction = stop.value
            return result


def by_name(request: SummaryRequest) -> SummaryAnswer:
    return SummaryAnswer(request.pass_name.upper(), usage(10, 2))


class TestChecks:
    def test_the_texts_of_an_answer_are_joined(self) -> None:
        content = [{"type": "thinking", "thinking": "hm"}, text_block("one"), text_block("two")]
        assert answer_text("history", {"content": content, "stopReason": "stop"}) == "one\ntwo"

    @pytest.mark.parametrize(
        ("pass_name", "text"),
        [
            ("history", "Summarization failed: boom"),
            ("turn prefix", "Turn prefix summarization failed: boom"),
            ("short summary", "Short summary failed: boom"),
            ("branch", "Branch summarization failed: boom"),
        ],
    )
    def test_an_error_names_the_pass_and_the_cause(self, pass_name: PassName, text: str) -> None:
        with pytest.raises(SummaryFailedError) as caught:
            answer_text(pass_name, {"stopReason": "error", "errorMessage": "boom"})
        assert str(caught.value) == text
        assert caught.value.pass_name == pass_name

    @pytest.mark.parametrize("cause", [{}, {"errorMessage": ""}, {"errorMessage": 5}])
    def test_an_error_without_a_text_is_unknown(self, cause: dict[str, Any]) -> None:
        with pytest.raises(SummaryFailedError, match=r"^Summarization failed: Unknown error$"):
            answer_text("history", {"stopReason": "error", **cause})

    def test_omp_gives_the_cause_alone_for_a_branch(self) -> None:
        with pytest.raises(SummaryFailedError, match=r"^boom$"):
            answer_text("branch", {"stopReason": "error", "errorMessage": "boom"}, OMP_13_19)

    @pytest.mark.parametrize(
        ("answer", "text"),
        [
            ({"stopReason": "length", "content": "half"}, "failed: generation hit the token cap"),
            ({"content": [tool_call("1"), text_block("x")]}, "^Summarization attempted to call a tool$"),
            ({"content": " \n"}, "failed: the answer has no text$"),
            ({"content": [{"type": "thinking", "thinking": "hm"}]}, "failed: the answer has no text$"),
            ({"content": None}, "failed: the answer has no text$"),
        ],
    )
    def test_a_cut_a_call_and_an_empty_text_are_failures(self, answer: dict[str, Any], text: str) -> None:
        """Field report D16."""
        with pytest.raises(SummaryFailedError, match=text):
            answer_text("history", {"stopReason": "stop", **answer})

    def test_omp_takes_an_answer_as_it_is(self) -> None:
        assert answer_text("history", {"stopReason": "length", "content": "half"}, OMP_13_19) == "half"
        assert answer_text("history", {"content": [tool_call("1"), text_block("x")]}, OMP_13_19) == "x"
        assert answer_text("history", {"content": ""}, OMP_13_19) == ""
        assert answer_text("branch", {"content": ""}, PI_1_6) == ""

    def test_an_aborted_answer_is_no_failure(self) -> None:
        with pytest.raises(SummaryAbortedError):
            answer_text("history", {"stopReason": "aborted", "content": "x"})


class TestStoredText:
    @pytest.mark.spec("O-103", "P-054", "P-080")
    def test_a_split_turn_joins_both_texts(self) -> None:
        generated = run(prepared(shaped("u a u a a"), 50), by_name)
        assert generated.summary == "HISTORY\n\n---\n\n**Turn Context (split turn):**\n\nTURN PREFIX"

    @pytest.mark.spec("O-101", "P-055")
    @pytest.mark.parametrize(
        ("previous", "history"), [("earlier", "earlier"), (None, "No prior history."), ("", "No prior history.")]
    )
    def test_without_earlier_messages_the_previous_summary_is_the_history(
        self, previous: str | None, history: str
    ) -> None:
        asked: list[str] = []

        def answer(request: SummaryRequest) -> SummaryAnswer:
            asked.append(request.pass_name)
            return by_name(request)

        generated = run(split(previous), answer)
        assert asked == ["turn prefix"]
        assert generated.summary.startswith(f"{history}\n\n---\n\n")

    def test_omp_loses_the_previous_summary(self) -> None:
        answers: dict[PassName, SummaryAnswer] = {"turn prefix": SummaryAnswer("P")}
        assert joined_summary(split("earlier"), answers, OMP_13_19).startswith("No prior history.\n")

    def test_the_files_are_listed_behind_the_text_and_in_the_details(self) -> None:
        preparation = prepared(shaped("u w u a"), 150)
        generated = run(preparation, by_name)
        assert generated.summary == "HISTORY\n\n<modified-files>\nw\n</modified-files>"
        assert generated.files == FileLists((), ("w",))
        assert (generated.first_kept_entry_id, generated.tokens_before) == ("3", preparation.tokens_before)

    def test_a_long_list_is_cut_in_the_text_only(self) -> None:
        path = shaped("u a C(1) u a")
        path[2]["details"] = {"readFiles": ["a", "b"], "modifiedFiles": []}
        generated = run(prepared(path, 150, file_tag_limit=1), by_name)
        assert "… (1 more files omitted)" in generated.summary
        assert generated.files.read_files == ("a", "b")


class TestShortSummary:
    def test_it_is_asked_for_when_the_settings_say_so(self) -> None:
        path = shaped("u a u a")
        assert run(prepared(path, 150), by_name).short_summary is None
        assert run(prepared(path, 150, short_summary=True), by_name).short_summary == "SHORT SUMMARY"

    def test_its_prompt_holds_the_joined_summary(self) -> None:
        prompts: dict[str, str] = {}

        def answer(request: SummaryRequest) -> SummaryAnswer:
            prompts[request.pass_name] = request.prompt
            return by_name(request)

        run(prepared(shaped("u a u a a"), 50, short_summary=True), answer)
        assert (
            "HISTORY\n\n---\n\n**Turn Context (split turn):**\n\nTURN PREFIX\n</previous-summary>"
            in (prompts["short summary"])
        )

    def test_its_failure_leaves_it_out_and_is_fatal_only_under_omp(self) -> None:
        def answer(request: SummaryRequest) -> SummaryAnswer:
            if request.pass_name == "short summary":
                raise SummaryFailedError("short summary", "no")
            return by_name(request)

        preparation = prepared(shaped("u a u a"), 150, short_summary=True)
        generated = run(preparation, answer)
        assert (generated.summary, generated.short_summary) == ("HISTORY", None)
        with pytest.raises(SummaryFailedError, match=r"^no$"):
            run(preparation, answer, rules=OMP_13_19)

    def test_any_other_failure_ends_it(self) -> None:
        def answer(request: SummaryRequest) -> SummaryAnswer:
            raise SummaryFailedError(request.pass_name, "no")

        with pytest.raises(SummaryFailedError):
            run(prepared(shaped("u a u a"), 150), answer)

    def test_one_that_came_along_is_not_asked_for(self) -> None:
        def answer(request: SummaryRequest) -> SummaryAnswer:
            assert request.pass_name == "history"
            return SummaryAnswer("H", short_summary="S")

        assert run(prepared(shaped("u a u a"), 150, short_summary=True), answer).short_summary == "S"


class TestUsage:
    @pytest.mark.spec("P-078")
    def test_the_usage_of_all_requests_is_added_up(self) -> None:
        preparation = prepared(shaped("u a u a a"), 50, short_summary=True)
        total = run(preparation, by_name).usage
        assert total is not None
        assert (total["input"], total["output"], total["totalTokens"]) == (24, 6, 30)
        assert total["cost"] == {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0}

    def test_without_any_there_is_none(self) -> None:
        assert run(prepared(shaped("u a u a"), 150), lambda request: SummaryAnswer("x")).usage is None


class TestPreserveData:
    @pytest.mark.spec("O-167")
    def test_a_hooks_data_is_stored_over_what_is_carried(self) -> None:
        path = shaped("u a C(1) u a")
        path[2]["preserveData"] = {"index": 1, "keep": 2}
        generated = run(prepared(path, 150), by_name, hook_preserve_data={"index": 9})
        assert generated.preserve_data == {"index": 9, "keep": 2}

    def test_under_omp_what_is_carried_wins(self) -> None:
        assert merged_preserve_data({"a": 1}, {"a": 2, "b": 3}, OMP_13_19) == {"a": 1, "b": 3}

    def test_private_history_is_not_carried_over(self) -> None:
        assert merged_preserve_data({"openaiRemoteCompaction": {}, "a": 1}, None) == {"a": 1}
        assert merged_preserve_data({"openaiRemoteCompaction": {}}, None) is None
        assert merged_preserve_data(None, {"openaiRemoteCompaction": 1}) == {"openaiRemoteCompaction": 1}
        assert merged_preserve_data(None, None) is None
        assert merged_preserve_data({}, {}) is None


class TestRemoteEndpoint:
    REQUEST = history_request(prepared(shaped("u a u a"), 150), TEXTS)

    @pytest.mark.spec("O-115", "O-116")
    def test_exactly_two_keys_are_posted(self) -> None:
        assert remote_request_body(self.REQUEST) == {"systemPrompt": "SYSTEM", "prompt": self.REQUEST.prompt}

    @pytest.mark.spec("O-117")
    @pytest.mark.parametrize("status", [200, 201, 299])
    def test_a_text_summary_is_enough(self, status: int) -> None:
        assert remote_answer(self.REQUEST, status, {"summary": "S", "other": 1}) == SummaryAnswer("S")
        assert remote_answer(self.REQUEST, status, {"summary": "", "shortSummary": 5}) == SummaryAnswer("")

    def test_a_short_summary_counts_with_the_history_alone(self) -> None:
        body = {"summary": "S", "shortSummary": "s"}
        assert remote_answer(self.REQUEST, 200, body).short_summary == "s"
        other = SummaryRequest("turn prefix", "", "")
        assert remote_answer(other, 200, body).short_summary is None

    @pytest.mark.parametrize(
        ("status", "text"),
        [
            (500, "(500 Internal Server Error)"),
            (404, "(404 Not Found)"),
            (199, "(199)"),
            (300, "(300 Multiple Choices)"),
        ],
    )
    def test_any_other_status_is_a_failure(self, status: int, text: str) -> None:
        with pytest.raises(SummaryFailedError) as caught:
            remote_answer(self.REQUEST, status, {"summary": "S"})
        assert str(caught.value) == f"Remote compaction failed {text}"
        assert caught.value.pass_name == "history"

    @pytest.mark.parametrize("body", [None, [], "S", {"text": "S"}, {"summary": None}, {"summary": ["S"]}])
    def test_a_body_without_a_text_summary_is_a_failure(self, body: Any) -> None:
        with pytest.raises(SummaryFailedError, match=r"^Remote compaction response missing summary$"):
            remote_answer(self.REQUEST, 200, body)
